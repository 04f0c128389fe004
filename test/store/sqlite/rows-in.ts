/** Reads the rows of a batch. */
import { ROW, type RowBatch, RowCursor, type RowKind } from '../../../src/exchange/archive/row-batch.ts';
import { toFillRow, toOrderEventRow } from '../../../src/exchange/archive/row-codes.ts';
import type { FillRow, OrderEventRow } from '../../../src/exchange/archive/rows.ts';

/** Order events of all accounts, in order. */
export function orderEventsIn(batch: RowBatch): readonly OrderEventRow[] {
  return rowsOf(batch, 'event').map(
    ([id = 0, previous = 0, account = 0, market = 0, order = 0, kind = 0, shares = 0, ...rest]) => {
      const [filled = 0, amount = 0, fee = 0, status = 0, reason = 0, at = 0] = rest;
      const head = { id, previous, account, market, order, kind };
      return toOrderEventRow({ ...head, shares, filled, amount, fee, status, reason, at });
    },
  );
}

/** Fills of all accounts, in order. Those of takers are the trades. */
export function fillsIn(batch: RowBatch): readonly FillRow[] {
  return rowsOf(batch, 'fill').map(([id = 0, order = 0, account = 0, market = 0, kind = 0, ...rest]) => {
    const [price = 0, shares = 0, fee = 0, match = 0, at = 0] = rest;
    return toFillRow({ id, order, account, market, kind, price, shares, fee, match, at });
  });
}

function rowsOf(batch: RowBatch, kind: RowKind): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  for (const row = new RowCursor(batch); row.next(); ) {
    if (row.kind === kind) found.push([...batch.numbers.subarray(row.at, row.at + ROW[kind].numbers.length)]);
  }
  return found;
}
