import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { feedWatchdog, Watchdog, type WatchdogHello } from '../../src/ops/index.ts';

const HELLO: Omit<WatchdogHello, 'type'> = {
  pid: 77,
  url: 'http://venue',
  headers: {},
  token: 'tok',
  silenceMs: 1_000,
  alerts: { targets: [] },
  killFilePath: '/m',
  commands: { resume: 'npx halfspread resume --db a.db', cancelAll: 'npx halfspread cancel-all --venue a.yaml' },
  texts: {},
};

/** A watchdog and the feed of a bot on one clock, with the recorded actions of the watchdog. */
function fixture(left: { isVerified: boolean; open: number | undefined } = { isVerified: true, open: 0 }) {
  const clock = new SimClock(epochMs(0));
  const done: string[] = [];
  const watchdog = new Watchdog(clock, {
    connect: ({ url, token }) => done.push(`connect ${url} ${token}`),
    setToken: (token) => done.push(`use ${token}`),
    async cancelAllAndVerify() {
      done.push('cancel');
      return left;
    },
    kill: (pid) => done.push(`kill ${pid}`) > 0,
    writeKillFile: (file, reason) => done.push(`mark ${file} ${reason}`),
    log: (text) => done.push(text),
    alert: async (text) => void done.push(text),
  });
  let isFrozen = false;
  const frozen = {
    now: () => clock.now(),
    schedule: (when: Parameters<SimClock['schedule']>[0], fire: () => void) =>
      clock.schedule(when, () => (isFrozen ? undefined : fire())),
  };
  const start = () => feedWatchdog((line) => watchdog.onLine(line.trimEnd()), frozen, HELLO);
  const passTime = (ms: number): void => {
    const end = clock.now() + ms;
    while (clock.nextTime() <= end) clock.runNext();
    clock.advanceTo(end);
  };
  return {
    watchdog,
    start,
    done,
    pass: passTime,
    freeze: () => {
      isFrozen = true;
    },
  };
}

describe('the watchdog', () => {
  it('does nothing while the bot sends heartbeats, and ends with its final message', async () => {
    const { watchdog, start, done, pass } = fixture();
    const feed = start();
    pass(60_000);
    feed.sendToken('tok2');
    feed.end('finished');
    watchdog.onInputClosed();
    pass(60_000);
    expect(done).toEqual(['connect http://venue tok', 'use tok2']);
    expect(await watchdog.ended).toBe('finished');
  });

  it('cancels everything when heartbeats stop, and kills the hanging process', async () => {
    const { watchdog, start, done, pass, freeze } = fixture();
    start();
    pass(5_000);
    freeze();
    pass(900);
    expect(done).toHaveLength(1);
    pass(400);
    expect(await watchdog.ended).toBe('spin');
    expect(done.slice(2, 5)).toEqual([
      expect.stringMatching(/^mark \/m WATCHDOG: process 77 has not answered for 1000 ms/),
      'kill 77',
      'cancel',
    ]);
    expect(done.slice(5)).toEqual([
      expect.stringMatching(/No order is open at the venue.*stays killed until `npx halfspread resume --db a\.db`/),
      expect.stringMatching(/No order is open/),
    ]);
  });

  it('cancels everything when the pipe closes without a final message, and marks nothing', async () => {
    const { watchdog, start, done } = fixture({ isVerified: false, open: 2 });
    start();
    watchdog.onInputClosed();
    expect(await watchdog.ended).toBe('death');
    expect(done.join('\n')).toMatch(/process 77 died.*\ncancel\nwatchdog: NOT VERIFIED: 2 orders are open/s);
    expect(done.at(-1)).toContain('Cancel them with `npx halfspread cancel-all --venue a.yaml`.');
    expect(done.join('\n')).not.toMatch(/mark|kill 77/);
  });

  it('cancels everything when the bot ended normally without a confirmation by the venue', async () => {
    const { watchdog, start, done } = fixture();
    const feed = start();
    feed.end('handOver');
    watchdog.onInputClosed();
    expect(await watchdog.ended).toBe('handOver');
    expect(done.slice(1)).toEqual([
      expect.stringMatching(
        /^watchdog: the bot \(process 77\) ended, but the venue had not confirmed that no order is open/,
      ),
      'cancel',
      'watchdog: No order is open at the venue.',
      'halfspread watchdog: the bot (process 77) ended, but the venue had not confirmed that no order is open. No order is open at the venue.',
    ]);
  });

  it('acts once, whatever messages follow', async () => {
    const { watchdog, start, done, pass } = fixture();
    const feed = start();
    watchdog.onInputClosed();
    watchdog.onInputClosed();
    feed.end('finished');
    pass(60_000);
    await watchdog.ended;
    expect(done.filter((text) => text === 'cancel')).toHaveLength(1);
  });

  it('ends when the bot ended before its first message, and ignores unknown messages', async () => {
    const { watchdog, done } = fixture();
    watchdog.onLine('nonsense');
    watchdog.onLine('{"type":"hello","pid":-1}');
    watchdog.onInputClosed();
    expect(await watchdog.ended).toBe('idle');
    expect(done).toEqual([]);
  });
});
