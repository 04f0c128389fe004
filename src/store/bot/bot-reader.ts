/** Reads the state of a running or stopped bot from its file. Writes nothing. */
import type { Statement } from 'better-sqlite3';
import { DAY_MS, type EpochMs, startOfUtcDay } from '../../domain/index.ts';
import { assertExists } from '../disk-fault.ts';
import { closeOnFailure, withSqliteFaults } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import type { ChecksummedTable, StoredRow } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';
import { parseRecovery, parseRisk, readBotRow } from './bot-rows.ts';
import { connectReader } from './bot-tables.ts';
import type {
  AdjustmentRow,
  BalanceRow,
  BotProgress,
  DayRows,
  FillRow,
  MarketRow,
  OrderRow,
  PaymentRow,
  PositionRow,
  ReversalRow,
} from './reader-rows.ts';

/** The columns of a row in which some fields have another name. */
type Columns<Row, Renamed extends keyof Row, Names extends string, Value = number> = StoredRow &
  Omit<Row, Renamed> & { readonly [Name in Names]: Value };
type TagColumns = StoredRow & { readonly order_no: number; readonly tag: string };
type SignedColumns = StoredRow & { readonly hash: string };
type ReversalColumns = Columns<ReversalRow, 'order', 'order_no'>;
type OrderColumns = Columns<OrderRow, 'order' | 'sentAt' | 'updatedAt' | 'hash', 'order_no' | 'sent_at' | 'updated_at'>;
type FillColumns = Columns<FillRow, 'order' | 'venueAt' | 'basis', 'order_no' | 'venue_at'> & { readonly tag: string };
type PositionColumns = Columns<
  PositionRow,
  'id' | 'slug' | 'yesCost' | 'noCost' | 'netCash' | 'updatedAt',
  'yes_cost' | 'no_cost' | 'net_cash' | 'updated_at'
>;
type BalanceColumns = Columns<BalanceRow, 'updatedAt', 'updated_at'>;
type AdjustmentColumns = Columns<AdjustmentRow, 'yesCost' | 'noCost', 'yes_cost' | 'no_cost', number | null>;

/** Cash that the fills of a row of `days` or `pruned` moved, before fees. */
const CASH_OF_FILLS = "CASE side WHEN 'SELL' THEN amount ELSE -amount END";
/** Selects the cash moved since a time. All three parameters are this time. */
const CASH_MOVED = `SELECT coalesce((SELECT sum(${CASH_OF_FILLS} - fees) FROM days WHERE day >= ?), 0)
  + coalesce((SELECT sum(cash) FROM adjustments WHERE at >= ?), 0) + coalesce((SELECT sum(cash) FROM payments WHERE at >= ?), 0)`;
/** Selects the time of the first cash movement. */
const FIRST_MOVEMENT = `SELECT min(at) FROM (SELECT min(day) AS at FROM days
  UNION ALL SELECT min(at) FROM adjustments UNION ALL SELECT min(at) FROM payments)`;

export class BotReader {
  readonly #reads: DatabaseReads;
  readonly #signed: Statement<[number], SignedColumns>;

  private constructor(reads: DatabaseReads) {
    this.#reads = reads;
    this.#signed = reads.connection.prepare('SELECT * FROM signed WHERE order_no = ?');
  }

  /** @throws FileFault if the file is missing or does not belong to a bot */
  static open(file: string): BotReader {
    assertExists(file, 'Name the file that the bot was started with');
    const connection = connectReader(file);
    const reads = new DatabaseReads(file, connection);
    return closeOnFailure(connection, () => withSqliteFaults(file, 'opened', () => new BotReader(reads)));
  }

  /** Returns the newest rows first. @param limit maximum number of rows */
  orders(selection: 'open' | 'all', limit: number): readonly OrderRow[] {
    const where = selection === 'open' ? "WHERE status IN ('NEW', 'LIVE', 'UNKNOWN')" : '';
    const source = `orders ${where} ORDER BY order_no DESC LIMIT ?`;
    return this.#rows(source, [limit], 'orders', (row: OrderColumns): OrderRow => {
      const { order_no: order, bot, market, outcome, side, price, shares, filled, remaining, force, status } = row;
      const { reason, sent_at: sentAt, updated_at: updatedAt } = row;
      const terms = { order, bot, market, outcome, side, price, shares, filled, remaining, force, status };
      return { ...terms, reason, sentAt, updatedAt, hash: this.#hash(order) };
    });
  }

  /** Returns the newest rows first. @param limit maximum number of rows */
  fills(limit: number): readonly FillRow[] {
    return this.#fills('ORDER BY id DESC LIMIT ?', [limit]);
  }

  /** Returns tags by order number, from `from` on. Omits orders without a tag. */
  tags(from: number): ReadonlyMap<number, string> {
    const entry = ({ order_no, tag }: TagColumns) => [order_no, tag] as const;
    return new Map(this.#rows('order_tags WHERE order_no >= ?', [from], 'order_tags', entry));
  }

  /** Returns the number of fills in all runs, including removed rows, and the first run's start; null before a run. */
  history(): { readonly fills: number; readonly since: number | null } {
    const count = 'SELECT (SELECT COUNT(*) FROM fills) + (SELECT COALESCE(SUM(fills), 0) FROM pruned)';
    return this.#read(() => ({
      fills: this.#reads.connection.prepare<[], number>(count).pluck().get() ?? 0,
      since: this.#reads.connection.prepare<[], number | null>('SELECT MIN(at) FROM adjustments').pluck().get() ?? null,
    }));
  }

  markets(): readonly MarketRow[] {
    return this.#rows('markets ORDER BY market', [], 'markets', ({ market, id, slug }: StoredRow & MarketRow) => {
      return { market, id, slug };
    });
  }

  positions(): readonly PositionRow[] {
    const markets = new Map(this.markets().map((market) => [market.market, market]));
    const positions = this.#rows('positions ORDER BY market', [], 'positions', (row: PositionColumns) => row);
    return positions.flatMap((row) => {
      const { yes, no, yes_cost: yesCost, no_cost: noCost, realized, net_cash: netCash, fees } = row;
      const market = markets.get(row.market);
      const values = { yes, no, yesCost, noCost, realized, netCash, fees, updatedAt: row.updated_at };
      return market === undefined ? [] : [{ ...market, ...values }];
    });
  }

  /** Returns the balance; undefined before the first run. */
  balance(): BalanceRow | undefined {
    const [row] = this.#rows('balance', [], 'balance', (columns: BalanceColumns): BalanceRow => {
      const { cash, contributed, external, unexplained, updated_at: updatedAt } = columns;
      return { cash, contributed, external, unexplained, updatedAt };
    });
    return row;
  }

  /** Returns the newest rows first. @param limit maximum number of rows */
  adjustments(limit: number): readonly AdjustmentRow[] {
    return this.#adjustments('ORDER BY id DESC LIMIT ?', [limit]);
  }

  /** Returns the newest rows first. @param limit maximum number of rows */
  reversals(limit: number): readonly ReversalRow[] {
    return this.#reversals('ORDER BY id DESC LIMIT ?', [limit]);
  }

  /** Runs `work` in one transaction, so that its reads are consistent while the bot writes. */
  readConsistently<T>(work: () => T): T {
    return this.#reads.connection.transaction(work)();
  }

  /** Returns rebates and rewards that were earned on a day and paid at any time. @param day start of the day */
  earnedOn(day: EpochMs): readonly PaymentRow[] {
    return this.#payments('WHERE day = ? ORDER BY id', [day]);
  }

  /** Returns the rows that moved cash on a UTC day. @param from start of the day */
  day(from: EpochMs): DayRows {
    const day = [from, from + DAY_MS];
    const onDay = 'at >= ? AND at < ?';
    const [removed] = this.#selectNumbers(
      `SELECT coalesce(sum(fills), 0), coalesce(sum(${CASH_OF_FILLS}), 0), coalesce(sum(fees), 0) FROM pruned WHERE day = ?`,
      [from],
    );
    const [fills, cash, fees] = (removed ?? []).map(Number);
    const first = this.#selectNumbers(FIRST_MOVEMENT, [])[0]?.[0] ?? null;
    const moved = (since: number): number => this.#selectNumbers(CASH_MOVED, [since, since, since])[0]?.[0] ?? 0;
    return {
      fills: this.#fills(`WHERE ${onDay} ORDER BY id`, day),
      reversals: this.#reversals(`WHERE ${onDay} ORDER BY id`, day),
      adjustments: this.#adjustments(`WHERE ${onDay} AND cash IS NOT NULL ORDER BY id`, day),
      payments: this.#payments(`WHERE ${onDay} ORDER BY id`, day),
      removed: { fills: fills ?? 0, cash: cash ?? 0, fees: fees ?? 0 },
      movedSince: moved(from + DAY_MS),
      movedInTotal: moved(0),
      firstDay: first === null ? null : startOfUtcDay(first),
    };
  }

  /** Returns the fill of a trade; undefined if there is none or its row was removed. */
  findFill(trade: string): FillRow | undefined {
    return this.#fills('WHERE trade = ? LIMIT 1', [trade])[0];
  }

  isReversed(trade: string): boolean {
    return this.#reversals('WHERE trade = ? LIMIT 1', [trade]).length > 0;
  }

  /** Returns whether this trade or payment moved cash outside the run's markets. */
  isOutsideRun(trade: string): boolean {
    return this.#adjustments('WHERE trade = ? LIMIT 1', [trade]).length > 0;
  }

  /** Returns the bot's identity and progress; undefined in a file without a bot. */
  progress(): BotProgress | undefined {
    const last = `SELECT MAX(at) FROM (SELECT at FROM (SELECT at FROM steps ORDER BY seq DESC LIMIT 1)
      UNION ALL SELECT MAX(at) FROM snapshots)`;
    return this.#read(() => {
      const found = readBotRow(this.#reads);
      if (found === undefined) return undefined;
      const { name, last_seq: lastSeq, cursor, epoch, risk: riskJson, recovery: recoveryJson } = found;
      const lastAt = this.#reads.connection.prepare<[], number | null>(last).pluck().get() ?? null;
      const risk = riskJson === null ? undefined : parseRisk(this.#reads.file, riskJson);
      const recovery = recoveryJson === null ? null : parseRecovery(this.#reads.file, recoveryJson);
      return { name, lastSeq, cursor, epoch, risk, recovery, lastAt };
    });
  }

  close(): void {
    this.#reads.connection.close();
  }

  #fills(clauses: string, values: readonly SqlValue[]): readonly FillRow[] {
    return this.#rows(`fills ${clauses}`, values, 'fills', (row: FillColumns): FillRow => {
      const { order_no: order, seq, market, outcome, side, price, shares, fee, liquidity, at, trade } = row;
      const terms = { order, seq, market, outcome, side, price, shares, fee, liquidity, at, trade };
      return { ...terms, basis: row.tag, venueAt: row.venue_at };
    });
  }

  #adjustments(clauses: string, values: readonly SqlValue[]): readonly AdjustmentRow[] {
    return this.#rows(`adjustments ${clauses}`, values, 'adjustments', (row: AdjustmentColumns): AdjustmentRow => {
      const { seq, at, market, cash, yes, no, yes_cost: yesCost, no_cost: noCost, trade } = row;
      return { seq, at, market, cash, yes, no, yesCost, noCost, trade };
    });
  }

  #reversals(clauses: string, values: readonly SqlValue[]): readonly ReversalRow[] {
    return this.#rows(`reversals ${clauses}`, values, 'reversals', (row: ReversalColumns): ReversalRow => {
      const { seq, at, order_no: order, market, trade, outcome, side, price, shares, fee } = row;
      return { seq, at, order, market, trade, outcome, side, price, shares, fee };
    });
  }

  #payments(clauses: string, values: readonly SqlValue[]): readonly PaymentRow[] {
    return this.#rows(`payments ${clauses}`, values, 'payments', (row: StoredRow & PaymentRow): PaymentRow => {
      const { seq, at, cause, market, day, cash } = row;
      return { seq, at, cause, market, day, cash };
    });
  }

  #selectNumbers(text: string, values: readonly number[]): readonly (readonly (number | null)[])[] {
    const rows = () => this.#reads.connection.prepare<number[], (number | null)[]>(text).raw();
    return this.#read(() => rows().all(...values));
  }

  #hash(order: number): string | null {
    const found = this.#signed.get(order);
    return found === undefined
      ? null
      : this.#reads.rowDecoder('signed', BOT_CHECKSUMS.signed, ({ hash }: SignedColumns) => hash)(found);
  }

  /** Reads rows of a table and verifies their checksums. @param source SQL after FROM */
  #rows<Columns extends StoredRow, Row>(
    source: string,
    values: readonly SqlValue[],
    table: keyof typeof BOT_CHECKSUMS,
    decode: (columns: Columns) => Row,
  ): readonly Row[] {
    const checksummed: ChecksummedTable = BOT_CHECKSUMS[table];
    return this.#read(() => {
      const found = this.#reads.connection.prepare<SqlValue[], Columns>(`SELECT * FROM ${source}`).all(...values);
      return found.map(this.#reads.rowDecoder(table, checksummed, decode));
    });
  }

  #read<T>(work: () => T): T {
    return withSqliteFaults(this.#reads.file, 'read', work);
  }
}
