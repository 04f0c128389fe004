import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { listenForSignals } from '../../src/app/signals.ts';

it('a second signal forces the end, unless it arrives immediately after the first', async () => {
  let now = 0;
  const signals = listenForSignals(
    () => {},
    () => now,
  );
  onTestFinished(() => signals.release());
  let isForced = false;
  void signals.stopForced.then(() => {
    isForced = true;
  });
  process.emit('SIGHUP', 'SIGHUP');
  expect(await signals.stopRequested).toBe('SIGHUP');
  now = 20;
  process.emit('SIGHUP', 'SIGHUP');
  await Promise.resolve();
  expect(isForced).toBe(false);
  now = 300;
  process.emit('SIGHUP', 'SIGHUP');
  await signals.stopForced;
});
