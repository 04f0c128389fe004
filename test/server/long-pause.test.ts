/** A venue that starts more than 366 days after its last event. */
import { expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { openEngine } from '../../src/server/engine.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { newFolder } from '../cli/halfspread.ts';
import { open, START } from './command-queue-harness.ts';

const DAY_MS = 86_400_000;

it('starts only when the pause is accepted, and then executes commands', async () => {
  const file = `${newFolder()}/venue.db`;
  const execute = async (time: number, address: string, acceptPause = false) => {
    const store = SqliteStore.open({ file, thread: false });
    try {
      const log = { info: () => {}, warn: () => {}, error: () => {} };
      const clock = new SimClock(epochMs(time));
      const { queue } = openEngine({ store, clock, log, quotePolicy: undefined, onStop: () => {}, acceptPause });
      const events = await queue.execute({ ...open(address), time: epochMs(time) });
      await queue.close();
      return events.map(({ type }) => type);
    } finally {
      await store.close();
    }
  };
  const later = START + 400 * DAY_MS;
  const [first, second, third] = ['a1', 'a2', 'a3'].map((byte) => `0x${byte.repeat(20)}`);
  await execute(START, first ?? '');
  await expect(execute(later, second ?? '')).rejects.toMatchObject({
    code: 'CLOCK_AHEAD',
    message: expect.stringContaining('start with --accept-pause'),
  });
  expect(await execute(later, second ?? '', true)).not.toContain('refused');
  expect(await execute(later + DAY_MS, third ?? '')).not.toContain('refused');
});
