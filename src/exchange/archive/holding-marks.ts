/** When each position changed last. */
import { column, type EpochMs, type Outcome } from '../../domain/index.ts';
import type { RowWriter } from './row-batch.ts';
import type { HoldingRow } from './rows.ts';

interface Mark {
  readonly account: number;
  readonly market: number;
  yesSeq: number;
  yesAt: EpochMs;
  noSeq: number;
  noAt: EpochMs;
  isDirty: boolean;
}

/** Two numbers in one, exact: markets below 2^22, accounts below 2^31. */
const MARKETS = 4_194_304;

/** All marks, by account and market. */
export class HoldingMarks {
  readonly #marks = new Map<number, Mark>();
  #dirty: Mark[] = [];

  constructor(rows: readonly HoldingRow[] = []) {
    for (const row of rows) this.#marks.set(row.account * MARKETS + row.market, { ...row, isDirty: false });
  }

  /** A position, or both where `outcome` is undefined, changed with an event. */
  touch(account: number, market: number, outcome: Outcome | undefined, seq: number, now: EpochMs): void {
    const mark = this.#mark(account, market);
    if (outcome !== 'NO') {
      mark.yesSeq = seq;
      mark.yesAt = now;
    }
    if (outcome !== 'YES') {
      mark.noSeq = seq;
      mark.noAt = now;
    }
    if (mark.isDirty) return;
    mark.isDirty = true;
    this.#dirty.push(mark);
  }

  /** As it is now. */
  find(account: number, market: number): HoldingRow | undefined {
    return this.#marks.get(account * MARKETS + market);
  }

  flush(rows: RowWriter): void {
    for (const mark of this.#dirty) {
      mark.isDirty = false;
      rows.add('holding', [mark.account, mark.market, mark.yesSeq, mark.yesAt, mark.noSeq, mark.noAt]);
    }
    this.#dirty = [];
  }

  #mark(account: number, market: number): Mark {
    const key = account * MARKETS + market;
    const found = this.#marks.get(key);
    if (found !== undefined) return found;
    const never = column.time(0);
    const mark = { account, market, yesSeq: 0, yesAt: never, noSeq: 0, noAt: never, isDirty: false };
    this.#marks.set(key, mark);
    return mark;
  }
}
