import { expect, it } from 'vitest';
import { MarketSelection, type MarketSelectionOptions } from '../../../src/app/live/market-selection.ts';
import { epochMs, Fault } from '../../../src/domain/index.ts';
import { selectionSchema } from '../../../src/runtime/index.ts';

function fixture(candidates: () => Promise<unknown>) {
  const logged: string[] = [];
  const failed: unknown[] = [];
  const scheduled: number[] = [];
  const log = (_fields: object, text: string): void => void logged.push(text);
  // Only the members that these tests read.
  const options: unknown = {
    rules: selectionSchema.parse({ every_s: 60 }),
    directory: { candidates },
    core: { state: { markets: [] }, assignments: { entries: [] } },
    changes: {},
    clock: {
      now: () => epochMs(1_000),
      schedule: (when: number) => {
        scheduled.push(when);
        return () => void scheduled.pop();
      },
    },
    log: { debug: log, info: log, warn: log, error: log },
    alert: () => {},
    failed: (error: unknown) => void failed.push(error),
  };
  return { selection: new MarketSelection(options as MarketSelectionOptions), logged, failed, scheduled };
}

it('a selection that cannot read the venue changes nothing, and the next one is scheduled until it is closed', async () => {
  const { selection, logged, failed, scheduled } = fixture(() => Promise.reject(new Fault('LINK', 'no answer')));
  await selection.begin();
  expect([logged, failed, scheduled]).toEqual([['the markets could not be selected'], [], [61_000]]);
  selection.close();
  expect(scheduled).toEqual([]);
});

it('an error that is not a fault of the venue ends the run', async () => {
  const error = new TypeError('broken');
  const { selection, logged, failed } = fixture(() => Promise.reject(error));
  await selection.begin();
  expect([logged, failed]).toEqual([[], [error]]);
});
