/** Cash, holdings, markets and adjustments as rows, as the account stands after the steps that are stored. */
import type { InputEvent, MarketNo, MicroUsd } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import type { Connection } from '../sqlite/database.ts';
import { SummedInsert } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import { BOT_CHECKSUMS } from './bot-tables.ts';

/** The account as a store shows it; `AccountState` has it. */
export interface StoredAccount {
  readonly markets: readonly MarketView[];
  readonly cash: MicroUsd;
  readonly contributed: MicroUsd;
  readonly external: number;
  readonly unexplained: number;
  /** Counts markets that came to their end: what a claim pays follows from that, and no step says it. */
  readonly resolutions: number;
}

export class AccountRows {
  readonly #balance: SummedInsert;
  readonly #position: SummedInsert;
  readonly #market: SummedInsert;
  readonly #adjustment: SummedInsert;
  #lastAdjustment: number;

  constructor(connection: Connection) {
    const { balance, positions, markets, adjustments } = BOT_CHECKSUMS;
    this.#balance = new SummedInsert(connection, 'balance', balance.sums.crc, 'INSERT OR REPLACE');
    this.#position = new SummedInsert(connection, 'positions', positions.sums.crc, 'INSERT OR REPLACE');
    this.#market = new SummedInsert(connection, 'markets', markets.sums.crc, 'INSERT OR REPLACE');
    this.#adjustment = new SummedInsert(connection, 'adjustments', adjustments.sums.crc);
    const last = 'SELECT coalesce(max(id), 0) FROM adjustments';
    this.#lastAdjustment = connection.prepare<[], number>(last).pluck().get() ?? 0;
  }

  /** Rows of what these steps changed. @param account after them; without it corrections alone have their rows, and `all` follows */
  fold(steps: readonly Step[], account: StoredAccount | undefined): void {
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
    }
    if (!moneyMoved || account === undefined) return;
    for (const market of changed) this.#hold(account.markets[market], time);
    this.#cash(account, time);
  }

  /** All rows. */
  all(account: StoredAccount, time: number): void {
    for (const market of account.markets) {
      this.#name(market);
      this.#hold(market, time);
    }
    this.#cash(account, time);
  }

  #cash({ cash, contributed, external, unexplained }: StoredAccount, time: number): void {
    this.#balance.run(1, cash, contributed, external, unexplained, time);
  }

  #hold(market: MarketView | undefined, time: number): void {
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

/** The market whose holdings an event changed, null for cash alone; undefined where no money moved. */
function moneyOf(event: InputEvent): MarketNo | null | undefined {
  switch (event.type) {
    case 'orderFilled':
    case 'fillReversed':
    case 'converted':
    case 'holdingAdjusted':
      return event.market;
    case 'cashAdjusted':
      return null;
    default:
      return undefined;
  }
}
