import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { Fleet } from '../../../src/dashboard/index.ts';
import { TcpControl } from '../../../src/ops/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { controlledBot } from '../../ops/controlled-bot.ts';
import { fakeBot } from '../fake-bot.ts';
import { report } from '../reports.ts';

const TOKEN = 'operator-token-0123456789abcdef0123';
const VIEWER = 'viewer-token-0123456789abcdef012345';
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens a bot behind a TCP port. @param equity that it reports */
async function remoteBot(equity: number, port = 0): Promise<TcpControl> {
  const bot = { ...controlledBot().bot, reportJson: () => JSON.stringify(report({ equity })) };
  const options = { host: '127.0.0.1', port, token: TOKEN, viewerToken: VIEWER, bot, clock: wallClock(), log: SILENT };
  const server = await TcpControl.listen(options);
  afterThisTest.add(() => server.close());
  return server;
}

function address(port: number, token = TOKEN) {
  return { host: '127.0.0.1', port, isTls: false, token };
}

describe('a dashboard', () => {
  it('shows local and remote bots in one fleet, and reconnects to a restarted bot', async () => {
    const remote = await remoteBot(1_000);
    const { port } = remote;
    const { socket } = await fakeBot(report({ equity: 7 }));
    const fleet = new Fleet(
      [
        { id: 'here', address: socket },
        { id: 'far', address: address(port) },
      ],
      wallClock(),
    );
    afterThisTest.add(() => fleet.close());
    const shown = () => fleet.states().map(({ id, health, state }) => [id, health, state?.equity]);
    await expect.poll(shown).toEqual([
      ['here', 'QUOTING', 7],
      ['far', 'QUOTING', 1_000],
    ]);
    await remote.close();
    await expect.poll(shown).toContainEqual(['far', 'UNREACHABLE', 1_000]);
    await remoteBot(2_000, port);
    await expect.poll(shown, { timeout: 5_000 }).toContainEqual(['far', 'QUOTING', 2_000]);
  });

  it('with a token of viewers shows a bot, and explains why commands are refused', async () => {
    const remote = await remoteBot(1_000);
    const fleet = new Fleet([{ id: 'far', address: address(remote.port, VIEWER) }], wallClock());
    afterThisTest.add(() => fleet.close());
    await expect.poll(() => fleet.states()[0]?.health).toBe('QUOTING');
    await expect(fleet.bot('far').command('kill', {})).rejects.toThrow('this token is for viewing only, not for kill');
  });

  it('reports a wrong token', async () => {
    const remote = await remoteBot(1_000);
    const fleet = new Fleet([{ id: 'far', address: address(remote.port, `${TOKEN}x`) }], wallClock());
    afterThisTest.add(() => fleet.close());
    await expect.poll(() => fleet.states()[0]?.healthReason).toBe('the token is wrong');
  });
});
