import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, Fault } from '../../../src/domain/index.ts';
import type { ControlledBot } from '../../../src/ops/control/bot-port.ts';
import { CommandChat } from '../../../src/ops/telegram/command-chat.ts';
import { logged } from '../alerts/receiver.ts';
import { chatBot } from './bot.ts';

const START = 1_770_000_000_000;

function fixture(deps = chatBot()) {
  const sim = new SimClock(epochMs(START));
  // Each wait ends at once and advances the clock.
  const clock = {
    now: () => sim.now(),
    schedule: (when: Parameters<SimClock['schedule']>[0], fire: () => void) => {
      sim.advanceTo(when);
      queueMicrotask(fire);
      return () => {};
    },
  };
  let codes = 4_820;
  const draw = () => {
    codes += 1;
    return codes;
  };
  const { log, lines } = logged();
  const chat = new CommandChat({ ...deps, clock, log, draw, ignoredCount: () => 0 });
  const send = (text: string, more = {}) => chat.answer({ chat: '42', sender: '7', sentAt: sim.now(), text, ...more });
  return { ...deps, send, lines, advance: (ms: number) => sim.advanceTo(sim.now() + ms) };
}

describe('a command in an allowed chat', () => {
  it('is executed once after its code, and the answer contains the confirmation of the venue', async () => {
    const { send, executed, lines } = fixture(
      chatBot([{ market: 'rain', yes: 12_500_000, worth: 6_000_000 }], { rain: 10_001 }),
    );
    expect(await send('/kill')).toBe(
      '/kill cancels every order of the account and sends nothing more until /resume. Now: ACTIVE, 2 open orders. To do it, send this code within a minute: 4821',
    );
    expect(executed).toEqual([]);
    expect(await send('4821')).toBe(
      '/kill: kill was done\nThe venue confirms 0 open orders (before: 2).\nPositions:\nrain: 12.5 YES, YES at 50.005c: $6.25, at exit prices $6.00',
    );
    expect(executed).toEqual([['kill', 'Telegram, sender 7']]);
    expect(lines.join('')).toContain('a command is executed {"command":"kill","reason":"Telegram, sender 7"}');
    expect(await send('4821')).toBe('No command waits for a code.');
    expect(executed).toHaveLength(1);
  });

  it.each(['pause', 'reduce', 'flatten', 'kill', 'resume'])('/%s executes the command of that name', async (action) => {
    const { send, executed } = fixture();
    await send(`/${action}@my_bot`);
    await send('/confirm 4821');
    expect(executed).toEqual([[action, 'Telegram, sender 7']]);
  });

  it.each([
    ['a wrong code', '1234', {}, 0, /This is not the code\. Nothing was done\. Send \/kill again/],
    ['the code of another sender', '4821', { sender: '8' }, 0, /not sent to you/],
    ['the code in another chat', '4821', { chat: '43' }, 0, /No command waits/],
    ['the code after a minute', '4821', {}, 60_000, /older than a minute/],
    ['no code', '/confirm', {}, 0, /This is not the code/],
  ])('is not executed after %s', async (_, code, more, wait, expected) => {
    const { send, executed, advance } = fixture();
    await send('/kill');
    advance(wait);
    expect(await send(code, more)).toMatch(expected);
    expect(executed).toEqual([]);
  });

  it('is cancelled by a wrong code, and refuses the code of an earlier command', async () => {
    const { send, executed } = fixture();
    await send('/kill');
    await send('9999');
    expect(await send('4821')).toBe('No command waits for a code.');
    await send('/pause');
    await send('/resume');
    expect(await send('4822')).toMatch(/This is not the code/);
    expect(executed).toEqual([]);
  });

  it('that is older than two minutes has no effect', async () => {
    const { send, executed } = fixture();
    expect(await send('/kill', { sentAt: START - 120_001 })).toMatch(/older than two minutes and has no effect/);
    await send('4821');
    expect(executed).toEqual([]);
  });

  it('reports an unconfirmed result, and the number of orders without an answer', async () => {
    const deps = chatBot();
    const { send, setVenueAnswer, setOrders, bot } = fixture({
      ...deps,
      bot: { ...deps.bot, operate: async () => ({ mode: 'PAUSED', text: 'paused' }) },
    });
    setOrders(['cancelling', 'live']);
    setVenueAnswer(new Fault('LINK', 'away'));
    await send('/pause');
    expect(await send('4821')).toContain(
      'NOT CONFIRMED: the venue does not answer. The bot counts 2 open orders (before: 2); 1 order without an answer yet.',
    );
    expect(bot.orders()).toHaveLength(2);
  });

  it('is answered when no order waits for the venue; a flatten also waits until the bot is paused', async () => {
    const deps = chatBot();
    let reads = 0;
    const orders = () => {
      reads += 1;
      if (reads > 5) deps.setOrders([]);
      return deps.bot.orders();
    };
    deps.setOrders(['cancelling']);
    const paused = fixture({
      ...deps,
      bot: { ...deps.bot, orders, operate: async () => ({ mode: 'PAUSED', text: 'p' }) },
    });
    await paused.send('/pause');
    expect(await paused.send('4821')).toContain('The venue confirms 0 open orders (before: 1).');
    const other = chatBot();
    other.setOrders([]);
    let waits = 0;
    const status: ControlledBot['status'] = () => {
      waits += 1;
      return { ...other.bot.status(), mode: waits < 8 ? 'REDUCING' : 'PAUSED' };
    };
    const flattened = fixture({ ...other, bot: { ...other.bot, status } });
    await flattened.send('/flatten');
    await flattened.send('4821');
    expect(waits).toBe(8);
  });

  it('that the bot refuses is answered with the reason', async () => {
    const deps = chatBot();
    const operate: ControlledBot['operate'] = () =>
      Promise.reject(new Fault('INPUT', '`resume` first: the bot is still KILLED'));
    const { send } = fixture({ ...deps, bot: { ...deps.bot, operate } });
    await send('/pause');
    expect(await send('4821')).toMatch(/^Not done: `resume` first/);
    const broken = fixture({
      ...deps,
      bot: { ...deps.bot, operate: () => Promise.reject(new Error('secret stack')) },
    });
    await broken.send('/pause');
    expect(await broken.send('4821')).toBe('Not done: an internal error, see the log of the bot');
  });

  it('shows status, positions and help without a code, and help for anything else', async () => {
    const { send } = fixture(
      chatBot(
        [
          { market: '<b>rain</b>', no: 3_000_000, worth: -500_000 },
          { market: 'pairs', yes: 1_000_000, no: 1_000_000, worth: null },
          { market: 'flat', realized: 4 },
        ],
        { '<b>rain</b>': 12_000 },
      ),
    );
    expect(await send('/status')).toBe(
      'ACTIVE\nVenue NORMAL, connection UP, account agrees\nEquity $2.00, available $1.00\nP&L at exit prices $0.50, since the start of the process $0.00\nP&L at marks since 02:40 UTC $1.50: spread $2.00, inventory -$0.50\n2 open orders, 3 fills, 0 markets',
    );
    expect(await send('/positions')).toBe(
      'Positions:\n<b>rain</b>: 3 NO, YES at 60.000c: $1.20, at exit prices -$0.50\npairs: 1 pairs, no mark',
    );
    expect(await send('/help')).toContain('/flatten: withdraws all quotes');
    expect(await send('hello')).toMatch(/^This is not a command\.\n\/status/);
    expect(await send('/toString')).toMatch(/^This is not a command/);
    expect(await send('')).toMatch(/^This is not a command/);
  });
});
