/**
 * Reads the account's open orders and trades: periodically, after each connection, and when an event seems to be
 * missing. The user channel does not repeat events, so only these lists are complete.
 *
 * Invariants: one poll runs at a time. An order has ended if no poll of `MISSING_MS` lists it, because a list may be
 * outdated; after a cancel, two polls suffice. Orders younger than `NEW_ORDER_MS` are not checked.
 */
import { type CloseReason, type EpochMs, Fault, InputFault } from '../../domain/index.ts';
import { getMember, NETWORK_LIMITS } from '../../network/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { ExecutionReporter, VenueOrder } from '../base/index.ts';
import type { PolymarketDeps } from './deps.ts';
import type { OrderRecord, OwnEventTranslator, OwnTrade } from './own-event-translator.ts';

/** Largest number of older unsettled trades that one poll reads by id, oldest first. */
const MAX_OLD_TRADES = 20;
/** The lists may lack an order that was signed within this time, ms. */
const NEW_ORDER_MS = 5_000;
/** An order that is missing in the lists for this time has ended, ms. */
export const MISSING_MS = 3_000;
/** The first poll looks for unseen trades of earlier runs at most this long before the last reported event, ms. */
const MAX_UNSEEN_AGE_MS = 3_600_000;
/** Largest number of entries of one list. A bot has far fewer open orders and new trades. */
const MAX_ROWS = 20_000;
/** Longest time to read all pages of a list, ms. */
const LIST_TIMEOUT_MS = 30_000;
const FIRST_CURSOR = 'MA==';
const LAST_CURSOR = 'LTE=';

/** Dependencies of the parts that report own events. */
export interface OwnEventDeps extends PolymarketDeps {
  readonly reporter: ExecutionReporter;
  readonly translator: OwnEventTranslator;
}

/** Dependencies of the parts that poll the account. */
export interface PollingDeps extends OwnEventDeps {
  readonly poller: AccountPoller;
}

export class AccountPoller {
  readonly #deps: OwnEventDeps;
  /** Live orders that the last poll did not list, with the time of the first such poll in a row. */
  readonly #missingSince = new Map<VenueOrder, EpochMs>();
  /** Trades before this time were read, epoch ms. */
  #readUpTo: number;
  #running: Promise<readonly OrderRecord[]> | undefined;
  #next: Promise<readonly OrderRecord[]> | undefined;

  constructor(deps: OwnEventDeps) {
    this.#deps = deps;
    const { records, clock, venueTime } = deps;
    const now = venueTime(clock.now());
    // Own events have positions in microseconds of the venue's clock. A fast clock may have moved them past now.
    const reached = Math.min(Math.floor(records.streamPosition / 1_000), now);
    const [oldest] = records.unfinishedOrders();
    const unseenFrom = Math.max(oldest?.timestampMs ?? reached, reached - MAX_UNSEEN_AGE_MS);
    this.#readUpTo = records.streamPosition === 0 ? now : Math.min(reached, unseenFrom);
  }

  /** Whether the last poll did not list a live order, which may have ended. */
  get hasMissing(): boolean {
    return this.#missingSince.size > 0;
  }

  /**
   * Reads both lists. Calls during a poll share the next poll. @returns the account's open orders
   * @throws Fault as `RestClient.read`; VENUE for a list that cannot be read
   */
  poll(): Promise<readonly OrderRecord[]> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<readonly OrderRecord[]> {
    this.#running = this.#pollOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #pollOnce(): Promise<readonly OrderRecord[]> {
    const { orders, timers, translator } = this.#deps;
    const sentAt = this.#deps.clock.now();
    const began = this.#deps.venueTime(sentAt);
    const live = orders.open().filter(({ life, record }) => life.isLive && record.timestampMs < sentAt - NEW_ORDER_MS);
    const ending = orders.open().filter((order) => translator.hasPendingEnd(order));
    const from = Math.max(0, this.#readUpTo - this.#deps.overlapMs);
    const open = await readList(this.#deps, '/data/orders', {}, readPolymarketOrderRecord);
    const trades = [...(await this.#readTrades({ after: String(Math.floor(from / 1_000)) }))];
    for (const id of translator.unsettledTradesBefore(from).slice(0, MAX_OLD_TRADES))
      trades.push(...(await this.#readTrades({ id })));
    if (timers.isClosed) throw new Fault('STOPPED', 'the venue was closed');
    // The venue rounds a trade's time to seconds.
    for (const trade of trades.toReversed())
      translator.onTrade(trade, trade.matchedAt < began ? trade.matchedAt : began);
    for (const record of open) translator.onOrder(record, began, 'ADMIN');
    this.#readUpTo = began;
    const listed = new Set(open.map(({ id }) => id));
    for (const order of ending) translator.onTradesRead(order);
    for (const order of this.#missingSince.keys()) if (order.life.hasEnded) this.#missingSince.delete(order);
    for (const order of live) this.#checkListed(order, listed, began);
    return open;
  }

  #readTrades(query: Readonly<Record<string, string>>): Promise<readonly OwnTrade[]> {
    return readList(this.#deps, '/data/trades', query, readPolymarketOwnTrade);
  }

  #checkListed(order: VenueOrder, listed: ReadonlySet<string>, began: EpochMs): void {
    const since = this.#missingSince.get(order);
    this.#missingSince.delete(order);
    if (order.life.hasEnded || listed.has(order.hash)) return;
    if (since === undefined || (order.cancel === undefined && began - since < MISSING_MS)) {
      this.#missingSince.set(order, since ?? began);
      return;
    }
    this.#deps.translator.onEnded(order, { matched: order.filled, reason: guessCloseReason(order), at: began });
  }
}

/** Guesses why an order ended, because the venue gives no reason. */
export function guessCloseReason({ cancel, ifAtVenue, record }: VenueOrder): CloseReason {
  if (cancel !== undefined || ifAtVenue !== 'keep') return 'USER';
  const { timeInForce } = record.command;
  if (timeInForce === 'GTD') return 'EXPIRED';
  return timeInForce === 'GTC' ? 'ADMIN' : 'FAK_REMAINDER';
}

/**
 * Reads all pages of a list.
 * @param max stops after the page that reaches this many rows
 * @throws Fault as `RestClient.read`; VENUE for a list that is too long or cannot be read
 */
export async function readList<Row>(
  { rest, clock }: Pick<PolymarketDeps, 'rest' | 'clock'>,
  path: string,
  query: Readonly<Record<string, string>>,
  read: (json: unknown) => Row,
  max = Number.POSITIVE_INFINITY,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const began = clock.now();
  let cursor = FIRST_CURSOR;
  for (let page = 0; page < NETWORK_LIMITS.pages; page += 1) {
    const json = await rest.read({ path, query: { ...query, next_cursor: cursor } });
    const [data, next] = [getMember(json, 'data'), getMember(json, 'next_cursor')];
    if (!Array.isArray(data) || typeof next !== 'string')
      throw listFault(path, 'a page without `data` and `next_cursor`');
    if (rows.length + data.length > MAX_ROWS) throw listFault(path, `more than ${MAX_ROWS} entries`);
    for (const row of data) rows.push(readRow(path, row, read));
    if (next === LAST_CURSOR || next === '' || rows.length >= max) return rows;
    if (next === cursor) throw listFault(path, 'the same page again and again');
    if (clock.now() - began > LIST_TIMEOUT_MS) throw listFault(path, `no end after ${LIST_TIMEOUT_MS / 1_000} s`);
    cursor = next;
  }
  throw listFault(path, `no end after ${NETWORK_LIMITS.pages} pages`);
}

/** @throws Fault VENUE for a row that cannot be read */
export function readRow<Row>(path: string, row: unknown, read: (json: unknown) => Row): Row {
  try {
    return read(row);
  } catch (error) {
    if (error instanceof InputFault) throw listFault(path, error.message);
    throw error;
  }
}

export function listFault(path: string, problem: string): Fault {
  return new Fault('VENUE', `Polymarket's list ${path} cannot be read: ${problem}`, { retryable: true });
}
