import { expect, it } from 'vitest';
import { createSelection } from '../../../src/app/live/market-selection.ts';
import { epochMs, Fault } from '../../../src/domain/index.ts';
import { createLog, Redactor } from '../../../src/ops/index.ts';
import { StrategyAssignments, selectionSchema } from '../../../src/runtime/index.ts';
import { account } from '../../state/world.ts';

function unused(): never {
  throw new Error('these tests do not use it');
}

function fixture(candidates: () => Promise<never>) {
  const logged: string[] = [];
  const failed: unknown[] = [];
  const scheduled: number[] = [];
  const selection = createSelection({
    rules: selectionSchema.parse({ every_s: 60 }),
    directory: { candidates },
    core: { state: account([]), assignments: new StrategyAssignments() },
    changes: { addMarket: unused, leaveMarket: unused, isWithheld: unused },
    clock: {
      now: () => epochMs(1_000),
      schedule: (when) => {
        scheduled.push(when);
        return () => void scheduled.pop();
      },
    },
    log: createLog({
      level: 'debug',
      redactor: new Redactor(),
      write: (line) => void logged.push(JSON.parse(line).msg),
    }),
    alert: () => {},
    onFailed: (error) => void failed.push(error),
  });
  return { selection, logged, failed, scheduled };
}

it('a selection that cannot read the venue changes nothing and schedules the next, which `close` cancels', async () => {
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
