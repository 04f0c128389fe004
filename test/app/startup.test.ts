/** A bot that receives a termination signal while it starts. */
import { describe, expect, it } from 'vitest';
import { type Closers, startUp } from '../../src/app/startup.ts';
import { nextEventLoopTurn, SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A startup that opens one resource, waits for the venue, then opens another. */
function fixture() {
  const clock = new SimClock(epochMs(0));
  const requests = Promise.withResolvers<NodeJS.Signals>();
  const hurried = Promise.withResolvers<void>();
  const venue = Promise.withResolvers<string>();
  const freed: string[] = [];
  const open = async (closers: Closers): Promise<string> => {
    closers.add(() => void freed.push('lease'));
    const received = await venue.promise;
    closers.add(() => void freed.push('store'));
    return received;
  };
  const signals = { stopRequested: requests.promise, stopForced: hurried.promise };
  const end = startUp({ log: SILENT, signals, clock }, open).then(
    (received) => received,
    ({ code }) => String(code),
  );
  return { clock, asked: requests, hurried, venue, freed, end };
}

describe('a bot that is starting', () => {
  it('opens despite a signal when the venue answers in time, and is closed by its owner', async () => {
    const { clock, asked: requests, venue, freed, end } = fixture();
    requests.resolve('SIGTERM');
    await nextEventLoopTurn();
    clock.advanceTo(epochMs(9_999));
    venue.resolve('open');
    expect(await end).toBe('open');
    clock.advanceTo(epochMs(20_000));
    await nextEventLoopTurn();
    expect(freed).toEqual([]);
  });

  it('is abandoned ten seconds after a signal, and resources that it opens later are closed at once', async () => {
    const { clock, asked: requests, venue, freed, end } = fixture();
    requests.resolve('SIGTERM');
    await nextEventLoopTurn();
    clock.runNext();
    expect(clock.now()).toBe(10_000);
    expect(await end).toBe('STOPPED');
    expect(freed).toEqual(['lease']);
    venue.resolve('open');
    await nextEventLoopTurn();
    expect(freed).toEqual(['lease', 'store']);
  });

  it('is abandoned at once with the second signal', async () => {
    const { asked: requests, hurried, freed, end } = fixture();
    requests.resolve('SIGTERM');
    hurried.resolve();
    expect(await end).toBe('STOPPED');
    expect(freed).toEqual(['lease']);
  });

  it('fails with its own error, with or without a signal', async () => {
    const { asked: requests, venue, freed, end } = fixture();
    requests.resolve('SIGTERM');
    venue.reject(Object.assign(new Error('away'), { code: 'LINK' }));
    expect(await end).toBe('LINK');
    expect(freed).toEqual(['lease']);
  });
});
