/** Reads the state of a bot from its file, whether it runs or not. Writes nothing. */
import { existsSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import { type Connection, connect, guarded, prepareFile } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import type { StoredRow, SummedTable } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';
import { botRow, readRecovery, readRisk } from './bot-rows.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import type {
  AdjustmentRow,
  BalanceRow,
  BotRecord,
  FillRow,
  MarketRow,
  OrderRow,
  PositionRow,
  ReversalRow,
} from './reader-rows.ts';

type TagColumns = StoredRow & { readonly order_no: number; readonly tag: string };
type SignedColumns = StoredRow & { readonly hash: string };
type ReversalColumns = StoredRow & Omit<ReversalRow, 'order'> & { readonly order_no: number };
type OrderColumns = StoredRow &
  Omit<OrderRow, 'order' | 'sentAt' | 'updatedAt' | 'hash'> & {
    readonly order_no: number;
    readonly sent_at: number;
    readonly updated_at: number;
  };
type FillColumns = StoredRow &
  Omit<FillRow, 'order' | 'venueAt'> & { readonly order_no: number; readonly venue_at: number };
type CostColumns = { readonly yes_cost: number; readonly no_cost: number };
type PositionColumns = StoredRow &
  Omit<PositionRow, 'id' | 'slug' | 'yesCost' | 'noCost' | 'netCash' | 'updatedAt'> &
  CostColumns & { readonly net_cash: number; readonly updated_at: number };
type BalanceColumns = StoredRow & Omit<BalanceRow, 'updatedAt'> & { readonly updated_at: number };
type AdjustmentColumns = StoredRow &
  Omit<AdjustmentRow, 'yesCost' | 'noCost'> & { readonly [Cost in keyof CostColumns]: number | null };

const hashOf = ({ hash }: SignedColumns): string => hash;

export class BotReader {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #reads: DatabaseReads;
  readonly #signed: Statement<[number], SignedColumns>;

  private constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#connection = connection;
    this.#reads = new DatabaseReads(file);
    this.#signed = connection.prepare('SELECT * FROM signed WHERE order_no = ?');
  }

  /** @throws FileFault when the file is missing or does not belong to a bot */
  static open(file: string): BotReader {
    if (!existsSync(file)) {
      throw new FileFault(file, undefined, 'there is no such file', 'Name the file that the bot was started with');
    }
    const connection = connect(file, { cacheMb: 4, mayWrite: true });
    try {
      prepareFile(file, connection, BOT_MIGRATIONS, BOT_APPLICATION_ID);
      connection.pragma('query_only = ON');
      return guarded(file, 'opened', () => new BotReader(file, connection));
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** The newest first. @param limit most rows */
  orders(onlyOpen: boolean, limit: number): readonly OrderRow[] {
    const where = onlyOpen ? "WHERE status IN ('NEW', 'LIVE', 'UNKNOWN')" : '';
    return this.#rows(
      `orders ${where} ORDER BY order_no DESC LIMIT ?`,
      [limit],
      'orders',
      (row: OrderColumns): OrderRow => {
        const { order_no: order, bot, market, outcome, side, price, shares, filled, remaining, force, status } = row;
        const { reason, sent_at: sentAt, updated_at: updatedAt } = row;
        const terms = { order, bot, market, outcome, side, price, shares, filled, remaining, force, status };
        return { ...terms, reason, sentAt, updatedAt, hash: this.#hash(order) };
      },
    );
  }

  /** The newest first. @param limit most rows */
  fills(limit: number): readonly FillRow[] {
    return this.#rows('fills ORDER BY id DESC LIMIT ?', [limit], 'fills', (row: FillColumns): FillRow => {
      const { order_no: order, seq, market, outcome, side, price, shares, fee, liquidity, tag, at, trade } = row;
      const terms = { order, seq, market, outcome, side, price, shares, fee, liquidity, tag, at, trade };
      return { ...terms, venueAt: row.venue_at };
    });
  }

  /** Tags of quotes by the numbers of their orders, from this number on; orders without a tag are left out. */
  tags(from: number): ReadonlyMap<number, string> {
    const of = 'order_tags WHERE order_no >= ?';
    return new Map(this.#rows(of, [from], 'order_tags', ({ order_no, tag }: TagColumns) => [order_no, tag] as const));
  }

  /** All fills of all runs, those whose rows were removed too, and when the first run took over cash; null before it. */
  history(): { readonly fills: number; readonly since: number | null } {
    const count = 'SELECT (SELECT COUNT(*) FROM fills) + (SELECT COALESCE(SUM(fills), 0) FROM pruned)';
    return this.#read(() => ({
      fills: this.#connection.prepare<[], number>(count).pluck().get() ?? 0,
      since: this.#connection.prepare<[], number | null>('SELECT MIN(at) FROM adjustments').pluck().get() ?? null,
    }));
  }

  /** By their numbers. */
  markets(): readonly MarketRow[] {
    return this.#rows('markets ORDER BY market', [], 'markets', ({ market, id, slug }: StoredRow & MarketRow) => {
      return { market, id, slug };
    });
  }

  /** By market. */
  positions(): readonly PositionRow[] {
    const markets = new Map(this.markets().map((market) => [market.market, market]));
    const positions = this.#rows('positions ORDER BY market', [], 'positions', (row: PositionColumns) => row);
    return positions.flatMap((row) => {
      const { yes, no, yes_cost: yesCost, no_cost: noCost, realized, net_cash: netCash, fees } = row;
      const market = markets.get(row.market);
      const held = { yes, no, yesCost, noCost, realized, netCash, fees, updatedAt: row.updated_at };
      return market === undefined ? [] : [{ ...market, ...held }];
    });
  }

  /** Undefined before the bot's first run. */
  balance(): BalanceRow | undefined {
    const [row] = this.#rows('balance', [], 'balance', (columns: BalanceColumns): BalanceRow => {
      const { cash, contributed, external, unexplained, updated_at: updatedAt } = columns;
      return { cash, contributed, external, unexplained, updatedAt };
    });
    return row;
  }

  /** The newest first. @param limit most rows */
  adjustments(limit: number): readonly AdjustmentRow[] {
    return this.#rows(
      'adjustments ORDER BY id DESC LIMIT ?',
      [limit],
      'adjustments',
      (row: AdjustmentColumns): AdjustmentRow => {
        const { seq, at, market, cash, yes, no, yes_cost: yesCost, no_cost: noCost } = row;
        return { seq, at, market, cash, yes, no, yesCost, noCost };
      },
    );
  }

  /** The newest first. @param limit most rows */
  reversals(limit: number): readonly ReversalRow[] {
    return this.#rows(
      'reversals ORDER BY id DESC LIMIT ?',
      [limit],
      'reversals',
      (row: ReversalColumns): ReversalRow => {
        const { seq, at, order_no: order, market, trade, outcome, side, price, shares, fee } = row;
        return { seq, at, order, market, trade, outcome, side, price, shares, fee };
      },
    );
  }

  /** Undefined in a file that no bot has claimed. */
  standing(): BotRecord | undefined {
    const last = `SELECT MAX(at) FROM (SELECT at FROM (SELECT at FROM steps ORDER BY seq DESC LIMIT 1)
      UNION ALL SELECT MAX(at) FROM snapshots)`;
    return this.#read(() => {
      const found = botRow(this.#connection, this.#reads);
      if (found === undefined) return undefined;
      const { name, last_seq: lastSeq, cursor, epoch, risk: kept, recovery: report } = found;
      const lastAt = this.#connection.prepare<[], number | null>(last).pluck().get() ?? null;
      const risk = kept === null ? undefined : readRisk(this.#file, kept);
      const recovery = report === null ? null : readRecovery(this.#file, report);
      return { name, lastSeq, cursor, epoch, risk, recovery, lastAt };
    });
  }

  close(): void {
    this.#connection.close();
  }

  /** By which the venue knows an order. */
  #hash(order: number): string | null {
    const found = this.#signed.get(order);
    return found === undefined ? null : this.#reads.rows('signed', BOT_CHECKSUMS.signed, hashOf)(found);
  }

  /** Rows of a table, each compared with its checksums. @param of what follows FROM */
  #rows<Columns extends StoredRow, Row>(
    of: string,
    values: readonly number[],
    table: keyof typeof BOT_CHECKSUMS,
    decode: (columns: Columns) => Row,
  ): readonly Row[] {
    const summed: SummedTable = BOT_CHECKSUMS[table];
    return this.#read(() => {
      const found = this.#connection.prepare<number[], Columns>(`SELECT * FROM ${of}`).all(...values);
      return found.map(this.#reads.rows(table, summed, decode));
    });
  }

  #read<T>(work: () => T): T {
    return guarded(this.#file, 'read', work);
  }
}
