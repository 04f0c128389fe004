import { expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import type { RowWriter } from '../../../src/exchange/archive/row-batch.ts';
import { HoldingTracker } from '../../../src/exchange/archive/row-trackers.ts';

it('the last market of an account has another row than the first market of the next account', () => {
  const tracker = new HoldingTracker();
  const now = unchecked.time(1_000);
  const lastMarket = 2 ** 24 - 1;
  for (const market of [0, 2 ** 22, lastMarket]) tracker.touch(1, market, 'YES', 1, now);
  for (const market of [0, 2 ** 22, lastMarket]) tracker.touch(2, market, 'NO', 2, now);
  const rows: (readonly number[])[] = [];
  const writer: Pick<RowWriter, 'add'> = { add: (_kind, numbers) => void rows.push(numbers) };
  tracker.flush(writer as RowWriter);
  expect(rows).toEqual([
    [1, 0, 1, 1_000, 0, 0],
    [1, 2 ** 22, 1, 1_000, 0, 0],
    [1, lastMarket, 1, 1_000, 0, 0],
    [2, 0, 0, 0, 2, 1_000],
    [2, 2 ** 22, 0, 0, 2, 1_000],
    [2, lastMarket, 0, 0, 2, 1_000],
  ]);
});
