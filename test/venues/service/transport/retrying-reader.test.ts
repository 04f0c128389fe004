import { expect, it } from 'vitest';
import { wallClock } from '../../../../src/clock/index.ts';
import { RetryingReader } from '../../../../src/venues/service/transport/retrying-reader.ts';

/** Longer than the time limit of a test. */
const LONG_MS = 600_000;
const limited = (retryAfterMs: number) => ({ type: 'errors', errors: [], retryAfterMs }) as const;

it('returns the answer of the last attempt without waiting for a repeat that never comes', async () => {
  const reader = new RetryingReader(0, wallClock());
  const answer = await reader.run(() => Promise.resolve(limited(LONG_MS)), 1);
  expect(answer).toEqual(limited(LONG_MS));
  reader.close();
});

it('repeats a read after the wait that the venue states', async () => {
  const reader = new RetryingReader(1, wallClock());
  let attempts = 0;
  const answer = await reader.run(() => {
    attempts += 1;
    return Promise.resolve(attempts === 1 ? limited(1) : ({ type: 'data', data: attempts, errors: [] } as const));
  }, 1);
  expect(answer).toEqual({ type: 'data', data: 2, errors: [] });
  reader.close();
});

it('ends a wait when it is closed, and returns the last answer', async () => {
  const reader = new RetryingReader(3, wallClock());
  const { promise: isWaiting, resolve } = Promise.withResolvers<void>();
  const running = reader.run(() => {
    setTimeout(resolve, 10);
    return Promise.resolve(limited(LONG_MS));
  }, 1);
  await isWaiting;
  reader.close();
  expect(await running).toEqual(limited(LONG_MS));
});

it('ends the pause before a repeat when it is closed', async () => {
  const reader = new RetryingReader(100, wallClock());
  const lost = { type: 'lost', problem: 'reset', isSent: true } as const;
  let attempts = 0;
  const running = reader.run(() => {
    attempts += 1;
    if (attempts === 2) reader.close();
    return Promise.resolve(lost);
  }, 1);
  expect(await running).toEqual(lost);
  expect(attempts).toBe(2);
});

it('reports a read as lost that is closed before its first attempt', async () => {
  const reader = new RetryingReader(3, wallClock());
  reader.close();
  const answer = await reader.run(() => Promise.resolve(limited(1)), 1);
  expect(answer).toEqual({ type: 'lost', problem: 'the connection to the venue was closed', isSent: false });
});
