/** Writes rows of cash, holdings, markets, and the events that change them. */
import type { EpochMs, InputEvent, MarketNo, MicroUsd } from '../../domain/index.ts';
import type { Step, StoredCash } from '../../runtime/index.ts';
import type { AccountState, MarketView } from '../../state/index.ts';
import type { Connection } from '../sqlite/database.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import type { StoredRow } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS, ChecksummedInsert, NumberedInsert } from './bot-checksums.ts';

/** The part of an account's state that the tables store. */
export type StoredAccount = Pick<
  AccountState,
  'markets' | 'cash' | 'contributed' | 'externalFills' | 'unexplainedEvents' | 'resolutionCount'
>;

export class AccountRows {
  readonly #balance: ChecksummedInsert;
  readonly #position: ChecksummedInsert;
  readonly #market: ChecksummedInsert;
  readonly #events: Readonly<Record<EventRow['table'], NumberedInsert>>;

  constructor(connection: Connection) {
    this.#balance = new ChecksummedInsert(connection, 'balance', 'INSERT OR REPLACE');
    this.#position = new ChecksummedInsert(connection, 'positions', 'INSERT OR REPLACE');
    this.#market = new ChecksummedInsert(connection, 'markets', 'INSERT OR REPLACE');
    this.#events = {
      fills: new NumberedInsert(connection, 'fills'),
      reversals: new NumberedInsert(connection, 'reversals'),
      payments: new NumberedInsert(connection, 'payments'),
      adjustments: new NumberedInsert(connection, 'adjustments'),
    };
  }

  /**
   * Writes rows for the changes of these steps.
   * @param account state after the steps. If undefined, call `writeAll` later for balance and positions
   */
  apply(steps: readonly Step[], account: StoredAccount | undefined): void {
    const changed = new Set<MarketNo>();
    let time: number | undefined;
    for (const { seq, event } of steps) {
      if (event === undefined) continue;
      if (event.type === 'marketAdded') this.#writeMarket(account?.markets[event.info.market]);
      const row = eventRow(event);
      if (row === undefined) continue;
      time = event.time;
      const { market } = row.values;
      if (market !== null) changed.add(market);
      this.#events[row.table].add({ seq, ...row.values });
    }
    if (time === undefined || account === undefined) return;
    for (const market of changed) this.#writePosition(account.markets[market], time);
    this.#writeBalance(account, time);
  }

  writeAll(account: StoredAccount, time: number): void {
    for (const market of account.markets) {
      this.#writeMarket(market);
      this.#writePosition(market, time);
    }
    this.#writeBalance(account, time);
  }

  #writeBalance(account: StoredAccount, time: number): void {
    this.#balance.add({ id: 1, ...balanceValues(account), updated_at: time });
  }

  #writePosition(market: MarketView | undefined, time: number): void {
    if (market === undefined) return;
    this.#position.add({ market: market.info.market, ...positionValues(market), updated_at: time });
  }

  #writeMarket(view: MarketView | undefined): void {
    if (view === undefined) return;
    const { market, id, slug, question } = view.info;
    this.#market.add({ market, id, slug, question });
  }
}

export function balanceValues({ cash, contributed, externalFills, unexplainedEvents }: StoredAccount) {
  return { cash, contributed, external: externalFills, unexplained: unexplainedEvents };
}

export function positionValues({ position }: MarketView) {
  const { yes, no, yesCost, noCost, realized, netCash, fees } = position;
  return { yes, no, yes_cost: yesCost, no_cost: noCost, realized, net_cash: netCash, fees };
}

/** The row of an event, without `id` and `seq`. Missing columns are NULL. */
export interface EventRow {
  readonly table: 'fills' | 'reversals' | 'payments' | 'adjustments';
  readonly values: StoredRow & { readonly market: MarketNo | null };
}

/** Returns the row of an event that moves cash or shares; undefined for any other event. */
export function eventRow(event: InputEvent): EventRow | undefined {
  const { time: at } = event;
  const row = (table: EventRow['table'], values: EventRow['values']) => ({ table, values: { ...values, at } });
  switch (event.type) {
    case 'orderFilled':
    case 'fillReversed': {
      const { order, market, outcome, side, price, shares, fee, liquidity, venueTime, trade = null } = event;
      const values = { order_no: order, market, outcome, side, price, shares, fee, venue_at: venueTime, trade };
      if (event.type === 'fillReversed') return row('reversals', values);
      return row('fills', { ...values, liquidity, tag: event.basis });
    }
    case 'converted':
      return row('payments', { cause: event.conversion, market: event.market, cash: event.paid });
    case 'makerPaid':
      return row('payments', { cause: event.cause, market: event.market, day: event.day, cash: event.amount });
    case 'cashAdjusted':
      return row('adjustments', { market: null, cash: event.amount, trade: event.trade ?? null });
    case 'holdingAdjusted': {
      const { market, yes, no, yesCost, noCost } = event;
      return row('adjustments', { market, yes, no, yes_cost: yesCost, no_cost: noCost });
    }
    default:
      return undefined;
  }
}

type PaymentColumns = StoredRow & StoredCash['paid'][number];
type CashColumns = StoredRow & { readonly at: EpochMs; readonly cash: MicroUsd; readonly trade: string | null };

/** Reads maker payments and cash adjustments. The first run starts with an adjustment. @throws FileFault */
export function readCash(reads: DatabaseReads, since: EpochMs): StoredCash {
  const { connection } = reads;
  const { adjustments, payments } = BOT_CHECKSUMS;
  const paid = connection.prepare<[number], PaymentColumns>('SELECT * FROM payments WHERE day >= ?').all(since);
  const adjusted = connection
    .prepare<[number], CashColumns>('SELECT * FROM adjustments WHERE at >= ? AND cash IS NOT NULL ORDER BY id')
    .all(since);
  const firstRunAt = connection.prepare<[], EpochMs | null>('SELECT min(at) FROM adjustments').pluck().get();
  return {
    firstRunAt: firstRunAt ?? undefined,
    paid: paid.map(reads.rowDecoder('payments', payments, ({ cause, day, market }) => ({ cause, day, market }))),
    adjusted: adjusted.map(
      reads.rowDecoder('adjustments', adjustments, ({ at: time, cash: amount, trade }) => {
        return { time, amount, ...(trade === null ? {} : { trade }) };
      }),
    ),
  };
}
