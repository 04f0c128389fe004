/** Writes cash, holdings, markets and adjustments as rows. They show the account after the stored steps. */
import type { EpochMs, InputEvent, MarketNo, MicroUsd } from '../../domain/index.ts';
import type { Step, StoredCash } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import type { Connection } from '../sqlite/database.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import { type StoredRow, SummedInsert } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';

/** The state of an account that is stored; implemented by `AccountState`. */
export interface StoredAccount {
  readonly markets: readonly MarketView[];
  readonly cash: MicroUsd;
  readonly contributed: MicroUsd;
  readonly external: number;
  readonly unexplained: number;
  /** Number of ended markets. The payout of a claim depends on the end of its market, which no step contains. */
  readonly resolutions: number;
}

export class AccountRows {
  readonly #balance: SummedInsert;
  readonly #position: SummedInsert;
  readonly #market: SummedInsert;
  readonly #adjustment: SummedInsert;
  readonly #payment: SummedInsert;
  #lastAdjustment: number;
  #lastPayment: number;

  constructor(connection: Connection) {
    const { balance, positions, markets, adjustments, payments } = BOT_CHECKSUMS;
    this.#balance = new SummedInsert(connection, 'balance', balance.sums.crc, 'INSERT OR REPLACE');
    this.#position = new SummedInsert(connection, 'positions', positions.sums.crc, 'INSERT OR REPLACE');
    this.#market = new SummedInsert(connection, 'markets', markets.sums.crc, 'INSERT OR REPLACE');
    this.#adjustment = new SummedInsert(connection, 'adjustments', adjustments.sums.crc);
    this.#payment = new SummedInsert(connection, 'payments', payments.sums.crc);
    const lastOf = (table: string): number =>
      connection.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
    this.#lastAdjustment = lastOf('adjustments');
    this.#lastPayment = lastOf('payments');
  }

  /**
   * Writes rows for the changes of these steps.
   * @param account state after the steps; if undefined, call `all` later for balance and positions
   */
  apply(steps: readonly Step[], account: StoredAccount | undefined): void {
    const changed = new Set<MarketNo>();
    let time = 0;
    let moneyMoved = false;
    for (const { seq, event } of steps) {
      if (event === undefined) continue;
      if (event.type === 'marketAdded') this.#name(account?.markets[event.info.market]);
      const market = moneyOf(event);
      if (market === undefined) continue;
      moneyMoved = true;
      time = event.time;
      if (market !== null) changed.add(market);
      this.#adjusted(event, seq);
      const payment = paymentOf(event);
      if (payment === undefined) continue;
      this.#lastPayment += 1;
      const { cause, market: paidIn, day, cash } = payment;
      this.#payment.run(this.#lastPayment, seq, time, cause, paidIn, day, cash);
    }
    if (!moneyMoved || account === undefined) return;
    for (const market of changed) this.#updateHolding(account.markets[market], time);
    this.#cash(account, time);
  }

  writeAll(account: StoredAccount, time: number): void {
    for (const market of account.markets) {
      this.#name(market);
      this.#updateHolding(market, time);
    }
    this.#cash(account, time);
  }

  #cash({ cash, contributed, external, unexplained }: StoredAccount, time: number): void {
    this.#balance.run(1, cash, contributed, external, unexplained, time);
  }

  #updateHolding(market: MarketView | undefined, time: number): void {
    if (market === undefined) return;
    const { yes, no, yesCost, noCost, realized, netCash, fees } = market.position;
    this.#position.run(market.info.market, yes, no, yesCost, noCost, realized, netCash, fees, time);
  }

  #name(market: MarketView | undefined): void {
    if (market === undefined) return;
    const { market: number, id, slug, question } = market.info;
    this.#market.run(number, id, slug, question);
  }

  #adjusted(event: InputEvent, seq: number): void {
    if (event.type === 'cashAdjusted') {
      this.#adjust(seq, event.time, null, event.amount, null, null, null, null, event.trade ?? null);
    } else if (event.type === 'holdingAdjusted') {
      const { time, market, yes, no, yesCost, noCost } = event;
      this.#adjust(seq, time, market, null, yes, no, yesCost, noCost, null);
    }
  }

  #adjust(...values: SqlValue[]): void {
    this.#lastAdjustment += 1;
    this.#adjustment.run(this.#lastAdjustment, ...values);
  }
}

/** Returns cash that an event moved without a fill, as a row of `payments`. */
export function paymentOf(event: InputEvent) {
  if (event.type === 'converted') return { cause: event.conversion, market: event.market, day: null, cash: event.paid };
  if (event.type !== 'makerPaid') return undefined;
  const { cause, market, day, amount: cash } = event;
  return { cause, market, day, cash };
}

/** Returns the market whose holdings an event changed; null if it changed only cash, undefined if neither. */
function moneyOf(event: InputEvent): MarketNo | null | undefined {
  switch (event.type) {
    case 'orderFilled':
    case 'fillReversed':
    case 'converted':
    case 'makerPaid':
    case 'holdingAdjusted':
      return event.market;
    case 'cashAdjusted':
      return null;
    default:
      return undefined;
  }
}

type PaymentColumns = StoredRow & StoredCash['paid'][number];
type AdjustmentColumns = StoredRow & {
  readonly at: EpochMs;
  readonly cash: MicroUsd;
  readonly trade: string | null;
};

/** @throws FileFault for a damaged row */
export function storedCash(connection: Connection, reads: DatabaseReads, since: EpochMs): StoredCash {
  const { adjustments, payments } = BOT_CHECKSUMS;
  const paid = connection.prepare<[number], PaymentColumns>('SELECT * FROM payments WHERE day >= ?').all(since);
  const adjusted = connection
    .prepare<[number], AdjustmentColumns>('SELECT * FROM adjustments WHERE at >= ? AND cash IS NOT NULL ORDER BY id')
    .all(since);
  const began = connection.prepare<[], EpochMs | null>('SELECT min(at) FROM adjustments').pluck().get() ?? undefined;
  return {
    began,
    paid: paid.map(reads.rows('payments', payments, ({ cause, day, market }) => ({ cause, day, market }))),
    adjusted: adjusted.map(
      reads.rows('adjustments', adjustments, ({ at: time, cash: amount, trade }) => {
        return { time, amount, ...(trade === null ? {} : { trade }) };
      }),
    ),
  };
}
