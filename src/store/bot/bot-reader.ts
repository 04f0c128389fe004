/** How a bot stands, read from its file, whether it runs or not. Nothing is written. */
import { existsSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { FileFault } from '../../domain/index.ts';
import type { RiskSnapshot } from '../../risk/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import { type Connection, connect, guarded, prepareFile } from '../sqlite/database.ts';
import { readRecovery, readRisk } from './bot-rows.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import type { OrderStatus } from './order-rows.ts';

/** Amounts are micro-shares and micro-USD, prices bps in the terms of `outcome`, moments ms since 1970. */
export interface OrderRow {
  readonly order: number;
  readonly bot: number;
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
  readonly filled: number;
  readonly remaining: number;
  readonly force: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly sentAt: number;
  readonly updatedAt: number;
  /** By which the venue knows it; null where it was not signed, or that was forgotten. */
  readonly hash: string | null;
}

export interface FillRow {
  /** 0 for an order that was not sent here. */
  readonly order: number;
  readonly seq: number;
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  readonly tag: string;
  readonly at: number;
  readonly venueAt: number;
  /** The venue's id of the trade; null where it was stored by an earlier version. */
  readonly trade: string | null;
}

export interface PositionRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
  readonly yes: number;
  readonly no: number;
  readonly yesCost: number;
  readonly noCost: number;
  readonly realized: number;
  readonly netCash: number;
  readonly fees: number;
  readonly updatedAt: number;
}

export interface BalanceRow {
  readonly cash: number;
  readonly contributed: number;
  /** Fills of orders that were not sent here. */
  readonly external: number;
  /** Events that contradicted the holdings. */
  readonly unexplained: number;
  readonly updatedAt: number;
}

/** A correction by the venue's word: cash, or the holdings of one market from then on. */
export interface AdjustmentRow {
  readonly seq: number;
  readonly at: number;
  readonly market: number | null;
  readonly cash: number | null;
  readonly yes: number | null;
  readonly no: number | null;
  readonly yesCost: number | null;
  readonly noCost: number | null;
}

export interface BotStanding {
  readonly name: string;
  readonly lastSeq: number;
  readonly cursor: number;
  readonly epoch: number;
  /** Undefined before the first step. */
  readonly risk: RiskSnapshot | undefined;
  /** Time of the last step or snapshot; null before the first. */
  readonly lastAt: number | null;
  /** What the last start or recovery found and did; null before the first. */
  readonly recovery: RecoveryReport | null;
}

export interface MarketRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
}

export class BotReader {
  readonly #file: string;
  readonly #connection: Connection;
  readonly #orders: Statement<[number, number], OrderRow>;
  readonly #fills: Statement<[number], FillRow>;

  private constructor(file: string, connection: Connection) {
    this.#file = file;
    this.#connection = connection;
    this.#orders = connection.prepare(
      `SELECT orders.order_no AS "order", bot, orders.market, outcome, side, price, shares, filled, remaining, force, status,
         reason, sent_at AS sentAt, updated_at AS updatedAt, hash
       FROM orders LEFT JOIN signed USING (order_no)
       WHERE ? = 0 OR status IN ('NEW', 'LIVE', 'UNKNOWN') ORDER BY orders.order_no DESC LIMIT ?`,
    );
    this.#fills = connection.prepare(
      `SELECT order_no AS "order", seq, market, outcome, side, price, shares, fee, liquidity, tag, at, venue_at AS venueAt,
         trade
       FROM fills ORDER BY id DESC LIMIT ?`,
    );
  }

  /** @throws FileFault when there is none, or it is no file of a bot */
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
    return this.#read(() => this.#orders.all(Number(onlyOpen), limit));
  }

  /** The newest first. @param limit most rows */
  fills(limit: number): readonly FillRow[] {
    return this.#read(() => this.#fills.all(limit));
  }

  /** By their numbers. */
  markets(): readonly MarketRow[] {
    const rows = 'SELECT market, id, slug FROM markets ORDER BY market';
    return this.#read(() => this.#connection.prepare<[], MarketRow>(rows).all());
  }

  /** By market. */
  positions(): readonly PositionRow[] {
    const rows = `SELECT market, id, slug, yes, no, yes_cost AS yesCost, no_cost AS noCost, realized, net_cash AS netCash,
      fees, updated_at AS updatedAt FROM positions JOIN markets USING (market) ORDER BY market`;
    return this.#read(() => this.#connection.prepare<[], PositionRow>(rows).all());
  }

  /** Undefined before the bot's first run. */
  balance(): BalanceRow | undefined {
    const row = 'SELECT cash, contributed, external, unexplained, updated_at AS updatedAt FROM balance';
    return this.#read(() => this.#connection.prepare<[], BalanceRow>(row).get());
  }

  /** The newest first. @param limit most rows */
  adjustments(limit: number): readonly AdjustmentRow[] {
    const rows = `SELECT seq, at, market, cash, yes, no, yes_cost AS yesCost, no_cost AS noCost
      FROM adjustments ORDER BY id DESC LIMIT ?`;
    return this.#read(() => this.#connection.prepare<[number], AdjustmentRow>(rows).all(limit));
  }

  /** Undefined in a file that no bot has claimed. */
  standing(): BotStanding | undefined {
    const row = `SELECT name, last_seq AS lastSeq, cursor, epoch, risk, recovery, (SELECT MAX(at) FROM
      (SELECT at FROM (SELECT at FROM steps ORDER BY seq DESC LIMIT 1) UNION ALL SELECT MAX(at) FROM snapshots)) AS lastAt FROM bot`;
    return this.#read(() => {
      const found = this.#connection
        .prepare<
          [],
          Omit<BotStanding, 'risk' | 'recovery'> & { readonly risk: string | null; readonly recovery: string | null }
        >(row)
        .get();
      if (found === undefined) return undefined;
      const risk = found.risk === null ? undefined : readRisk(this.#file, found.risk);
      return { ...found, risk, recovery: found.recovery === null ? null : readRecovery(this.#file, found.recovery) };
    });
  }

  close(): void {
    this.#connection.close();
  }

  #read<T>(work: () => T): T {
    return guarded(this.#file, 'read', work);
  }
}
