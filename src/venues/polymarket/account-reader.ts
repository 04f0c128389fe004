/** Reads a Polymarket account and cancels the account's orders, without a running bot. */
import { type Clock, sleep } from '../../clock/index.ts';
import { DAY_MS, type EpochMs, LOT, type Outcome } from '../../domain/index.ts';
import type { HttpClient } from '../../network/index.ts';
import { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import { polymarketMarketId } from '../../runtime/index.ts';
import { Backoff, batches, type OwnFill } from '../base/index.ts';
import { readList } from './account-poller.ts';
import { Balances } from './balances.ts';
import { findMarkets } from './list-markets.ts';
import { MarketTable } from './market-table.ts';
import { type OrderRecord, type OwnTrade, ownFills } from './own-fills.ts';
import { type ListedPayment, type PaidAccount, readListedPayments } from './payment-lists.ts';
import { type RestClient, toFault } from './rest-client.ts';

export interface AccountReaderOptions extends PaidAccount {
  readonly rest: RestClient;
  readonly http: Pick<HttpClient, 'send'>;
  readonly clock: Clock;
  readonly gammaUrl: string;
  /** Id of the API key, by which trades name the owner of an order. */
  readonly owner: string;
}

export interface VenueHolding {
  /** Slug, or condition id if Gamma does not list the market. */
  readonly market: string;
  readonly condition: string;
  /** Undefined if Gamma does not list the market. */
  readonly outcome: Outcome | undefined;
  /** Micro-shares. */
  readonly shares: number;
}

/** A fill of an own order, as the venue lists it. */
export interface VenueFill
  extends VenueHolding,
    Pick<OwnFill, 'tradeId' | 'hash' | 'side' | 'price' | 'liquidity' | 'at'> {
  readonly status: OwnTrade['status'];
}

/** Largest difference between the venue's time of a trade and the time at which a bot recorded it, ms. */
const MARGIN_MS = 3_600_000;

/** Reads cash, holdings, fills, and maker payments. @throws Fault LINK, VENUE, LOGIN or BLOCKED, from each method */
export class AccountReader {
  readonly balances: Balances;
  readonly #options: AccountReaderOptions;
  readonly #table = new MarketTable();
  /** Slugs of the markets that Gamma lists, by condition id. */
  readonly #slugs = new Map<string, string>();

  constructor(options: AccountReaderOptions) {
    this.#options = options;
    this.balances = new Balances(options.rest, options.signatureType);
  }

  /** Reads the newest `max` fills, newest first. */
  async fills(max: number): Promise<readonly VenueFill[]> {
    return (await this.#toFills(await this.#readTrades({}, max))).slice(0, max);
  }

  /** Reads the fills of a UTC day, and of the hour before and after it. */
  async fillsOfDay(day: EpochMs): Promise<readonly VenueFill[]> {
    const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
    const query = { after: seconds(day - MARGIN_MS), before: seconds(day + DAY_MS + MARGIN_MS) };
    return this.#toFills(await this.#readTrades(query, Number.POSITIVE_INFINITY));
  }

  /** Reads the holdings in markets where the account has traded; without a Gamma entry, of the traded tokens. */
  async holdings(): Promise<readonly VenueHolding[]> {
    const trades = await this.#readTrades({}, Number.POSITIVE_INFINITY);
    const traded = Map.groupBy(trades, ({ market }) => market);
    await this.#loadMarkets(traded);
    const holdings: VenueHolding[] = [];
    for (const [condition, own] of traded) {
      const listed = this.#table.find(polymarketMarketId(condition))?.tokens;
      const tokens =
        listed ?? new Set(own.flatMap(({ asset, makers }) => [asset, ...makers.map((each) => each.asset)]));
      for (const token of tokens) {
        const shares = await this.balances.readBalance(token);
        const outcome = this.#table.findByToken(token)?.outcome;
        if (shares >= LOT) holdings.push({ market: this.#slugOrCondition(condition), condition, outcome, shares });
      }
    }
    return holdings;
  }

  payments(day: EpochMs): Promise<readonly ListedPayment[]> {
    return readListedPayments(this.#options, this.#options, day);
  }

  async isClosedOnly(): Promise<boolean> {
    const json = await this.#options.rest.read({ path: '/auth/ban-status/closed-only' });
    return Reflect.get(Object(json), 'closed_only') === true;
  }

  #readTrades(query: Readonly<Record<string, string>>, max: number): Promise<readonly OwnTrade[]> {
    return readList(this.#options, '/data/trades', query, readPolymarketOwnTrade, max);
  }

  async #toFills(trades: readonly OwnTrade[]): Promise<readonly VenueFill[]> {
    await this.#loadMarkets(new Set(trades.map(({ market }) => market)));
    const deps = {
      records: { findByHash: () => undefined },
      markets: this.#table,
      // The venue's trades contain no fees.
      feeRateOf: () => 0,
      owner: () => this.#options.owner,
    };
    return trades.flatMap((trade) =>
      ownFills(trade, trade.matchedAt, deps).map((fill) => ({
        ...fill,
        market: this.#slugOrCondition(trade.market),
        condition: trade.market,
        outcome: this.#slugs.has(trade.market) ? fill.outcome : undefined,
        status: trade.status,
      })),
    );
  }

  #slugOrCondition(condition: string): string {
    return this.#slugs.get(condition) ?? condition;
  }

  async #loadMarkets(conditions: Pick<ReadonlySet<string>, 'keys'>): Promise<void> {
    const { http, gammaUrl } = this.#options;
    const names = [...conditions.keys()].filter((name) => !this.#slugs.has(name));
    // Without names, Gamma would list the most traded markets.
    if (names.length === 0) return;
    // For a market that Gamma does not list any more, `#slugOrCondition` returns its condition id.
    const { markets } = await findMarkets(http, gammaUrl, { names, tag: undefined, max: names.length });
    for (const { record } of markets) {
      const { market: condition, assets, slug = condition } = record;
      this.#table.add({ id: polymarketMarketId(condition), condition, tokens: assets, isNegRisk: false });
      this.#slugs.set(condition, slug);
    }
  }
}

/** Largest number of orders in one request: the burst of the lowest rate limit. */
const MAX_CANCELS = 100;

/** Lists and cancels open orders, for the kill switch and the last cancel of a run. */
export class CancelClient {
  readonly #rest: RestClient;
  readonly #clock: Clock;

  /** @param rest with the credentials of the account */
  constructor(rest: RestClient, clock: Clock) {
    this.#rest = rest;
    this.#clock = clock;
  }

  /** Reads all open orders. @throws Fault LINK, VENUE, LOGIN, BLOCKED, as the other methods */
  orders(): Promise<readonly OrderRecord[]> {
    return readList({ rest: this.#rest, clock: this.#clock }, '/data/orders', {}, readPolymarketOrderRecord);
  }

  async countOpenOrders(): Promise<number> {
    return (await this.#openHashes()).length;
  }

  /** Cancels all open orders. Returns the number of these orders that are no longer open. */
  async cancelAll(): Promise<number> {
    const open = await this.#openHashes();
    return open.length - (await this.cancelOrders(open));
  }

  /** Cancels orders in batches that fit the rate limit. Returns the number of these orders that are still open. */
  async cancelOrders(hashes: readonly string[]): Promise<number> {
    for (const batch of batches(hashes, MAX_CANCELS)) await this.#cancel(batch);
    const open = new Set(await this.#openHashes());
    return hashes.filter((hash) => open.has(hash)).length;
  }

  /** Cancels one batch. Waits and retries after a rate limit. */
  async #cancel(hashes: readonly string[]): Promise<void> {
    for (const backoff = new Backoff(); ; ) {
      const outcome = await this.#rest.sendPrivate({ method: 'DELETE', path: '/orders', body: JSON.stringify(hashes) });
      if (outcome.type === 'done') return;
      const isLimited = outcome.type === 'refused' && outcome.error.kind === 'RATE_LIMITED';
      if (!isLimited || backoff.isStuck) throw toFault('a cancel', outcome);
      await sleep(this.#clock, backoff.next(outcome.error.retryAfterMs));
    }
  }

  async #openHashes(): Promise<readonly string[]> {
    return (await this.orders()).map(({ id }) => id);
  }
}
