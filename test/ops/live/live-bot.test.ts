import { expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, ZERO_USD } from '../../../src/domain/index.ts';
import { KillSwitch, LiveBot, OrderTimes, RunOutcome } from '../../../src/ops/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { afterThisTest } from '../../cleanup.ts';

type Deps = ConstructorParameters<typeof LiveBot>[0];

const LIMITS = { errors: 1, errorWindowMs: 1, stalenessMs: 1e9, clockSkewMs: 1, position: 1 };

/** A bot whose account disagrees with the venue's until `agree` is called. */
async function disputedBot(gate = { mode: 'KILLED', reason: 'news' }) {
  const commands: unknown[] = [];
  const recheck = Promise.withResolvers<void>();
  const run = { start: async () => {}, listenToRows() {}, submit: (event: object) => void commands.push(event) };
  const deps = {
    run,
    clock: new SimClock(epochMs(0)),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    outcome: new RunOutcome(),
    state: new AccountState({ cash: ZERO_USD, markets: [] }),
    killSwitch: new KillSwitch(LIMITS, () => 0),
    gate,
    client: { cancelAll: async () => {}, countOpenOrders: async () => 0 },
    times: new OrderTimes(),
    signalSources: [],
    health: () => ({ reconciled: 'disagrees' }),
    recheck: () => recheck.promise,
    alert() {},
    commandLine: (command: string) => command,
    venueCommandLine: (command: string) => command,
  };
  const bot = new LiveBot(deps as unknown as Deps);
  afterThisTest.add(() => bot.close());
  await bot.start();
  return { bot, commands, agree: recheck.resolve };
}

it('a kill ends a resume that waits for the comparison with the venue', async () => {
  const { bot, commands, agree } = await disputedBot();
  for (const reason of ['first', 'again']) {
    const resume = bot.operate('resume', undefined);
    await bot.operate('kill', reason);
    agree();
    await expect(resume).rejects.toMatchObject({ code: 'INPUT', message: expect.stringContaining('a later `kill`') });
  }
  expect(commands).toEqual([{ type: 'operatorCommanded', command: 'kill', reason: 'COMMAND: first' }]);
});

it('a pause ends a resume that waits for the comparison with the venue, and cancelling orders does not', async () => {
  const { bot, commands, agree } = await disputedBot({ mode: 'PAUSED', reason: 'RECONCILE' });
  const resume = bot.operate('resume', undefined);
  await bot.operate('pause', 'lunch');
  const laterResume = bot.operate('resume', 'after lunch');
  await bot.operate('cancelAll', undefined);
  agree();
  await expect(resume).rejects.toMatchObject({ code: 'INPUT', message: expect.stringContaining('a later `resume`') });
  await laterResume;
  expect(commands).toEqual([
    { type: 'operatorCommanded', command: 'pause', reason: 'lunch' },
    { type: 'operatorCommanded', command: 'cancelAll', reason: 'operator' },
    { type: 'operatorCommanded', command: 'resume', reason: 'after lunch' },
  ]);
});

it.each(['pause', 'kill'] as const)(
  'a resume that arrived before a %s is refused whenever its turn comes',
  async (stop) => {
    const { bot, commands, agree } = await disputedBot({ mode: 'PAUSED', reason: 'RECONCILE' });
    agree();
    const [earlier, stopping, later] = [bot.nextCommandNumber(), bot.nextCommandNumber(), bot.nextCommandNumber()];
    await bot.operate(stop, 'lunch', stopping);
    await expect(bot.operate('resume', 'before', earlier)).rejects.toMatchObject({
      code: 'INPUT',
      message: `resume was not executed, because a later \`${stop}\` arrived`,
    });
    await bot.operate('resume', 'after', later);
    expect(commands.map((command) => (command as { command: string }).command)).toEqual([stop, 'resume']);
  },
);

it('a pause is executed even if a resume that arrived later was executed before it', async () => {
  const { bot, commands, agree } = await disputedBot({ mode: 'PAUSED', reason: 'RECONCILE' });
  agree();
  const number = bot.nextCommandNumber();
  await bot.operate('resume', undefined);
  await bot.operate('pause', 'lunch', number);
  expect(commands.map((command) => (command as { command: string }).command)).toEqual(['resume', 'pause']);
});

it('a kill by the bot itself ends a resume that waits for its turn', async () => {
  const { bot, agree } = await disputedBot({ mode: 'PAUSED', reason: 'RECONCILE' });
  agree();
  const number = bot.nextCommandNumber();
  // `LIMITS` allows one error.
  for (const command of ['first', 'second']) bot.onCommandResent(command, 'no answer');
  await expect(bot.operate('resume', undefined, number)).rejects.toThrow(/a later `kill`/);
});
