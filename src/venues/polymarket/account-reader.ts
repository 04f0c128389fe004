/** An account at Polymarket without a bot: cash, holdings, fills, and what makers were paid, as the venue has them. */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, InputFault, LOT, type Outcome } from '../../domain/index.ts';
import type { HttpClient } from '../../network/index.ts';
import { readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { OwnFill } from '../base/index.ts';
import { Balances } from './balances.ts';
import { listMarkets } from './list-markets.ts';
import { marketIdOf } from './market.ts';
import { MarketTable } from './market-table.ts';
import { type OwnTrade, ownFillsOf } from './own-fills.ts';
import { DAY_MS, type ListedPayment, listedPayments, type PaidAccount } from './payment-lists.ts';
import type { RestClient } from './rest-client.ts';
import { readList } from './sweep.ts';

export interface AccountReaderOptions extends PaidAccount {
  readonly rest: RestClient;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly gammaUrl: string;
  /** Id of the API key: trades name the owners of their orders by it. */
  readonly owner: string;
}

/** An own part of a trade. */
export interface VenueFill
  extends Pick<OwnFill, 'tradeId' | 'hash' | 'side' | 'price' | 'shares' | 'liquidity' | 'at'> {
  /** Slug, or condition id where Gamma does not list the market. */
  readonly market: string;
  readonly condition: string;
  /** Undefined where Gamma does not list the market. */
  readonly outcome: Outcome | undefined;
  readonly status: OwnTrade['status'];
}

export interface VenueHolding {
  readonly market: string;
  readonly condition: string;
  readonly outcome: Outcome;
  /** Micro-shares. */
  readonly shares: number;
}

/** A trade may be listed so long before or after the day on which a bot learned of it. */
const MARGIN_MS = 3_600_000;

/** @throws Fault LINK, VENUE, LOGIN, BLOCKED from each call */
export class AccountReader {
  readonly balances: Balances;
  readonly #options: AccountReaderOptions;
  readonly #table = new MarketTable();
  /** By condition id, once they were looked for. */
  readonly #slugs = new Map<string, string>();

  constructor(options: AccountReaderOptions) {
    this.#options = options;
    this.balances = new Balances(options.rest, options.signatureType);
  }

  /** The newest first. @param most at least so many where there are as many */
  async fills(most: number): Promise<readonly VenueFill[]> {
    return (await this.#fillsOf(await this.#trades({}, most))).slice(0, most);
  }

  /** Of a UTC day, and a while around it. */
  async fillsOfDay(day: EpochMs): Promise<readonly VenueFill[]> {
    const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
    const query = { after: seconds(day - MARGIN_MS), before: seconds(day + DAY_MS + MARGIN_MS) };
    return this.#fillsOf(await this.#trades(query, Number.POSITIVE_INFINITY));
  }

  /** In the markets in which the account has traded: the venue lists no others. */
  async holdings(): Promise<readonly VenueHolding[]> {
    const trades = await this.#trades({}, Number.POSITIVE_INFINITY);
    const conditions = new Set(trades.map(({ market }) => market));
    await this.#find(conditions);
    const holdings: VenueHolding[] = [];
    for (const condition of conditions) {
      const { tokens = [] } = this.#table.find(marketIdOf(condition)) ?? {};
      for (const [place, token] of tokens.entries()) {
        const shares = await this.balances.of(token);
        const outcome = place === 0 ? 'YES' : 'NO';
        if (shares >= LOT) holdings.push({ market: this.#slugOf(condition), condition, outcome, shares });
      }
    }
    return holdings;
  }

  payments(day: EpochMs): Promise<readonly ListedPayment[]> {
    return listedPayments(this.#options, this.#options, day);
  }

  async isClosedOnly(): Promise<boolean> {
    const json = await this.#options.rest.read({ path: '/auth/ban-status/closed-only' });
    return Reflect.get(Object(json), 'closed_only') === true;
  }

  #trades(query: Readonly<Record<string, string>>, most: number): Promise<readonly OwnTrade[]> {
    return readList(this.#options, '/data/trades', query, readPolymarketOwnTrade, most);
  }

  async #fillsOf(trades: readonly OwnTrade[]): Promise<readonly VenueFill[]> {
    await this.#find(new Set(trades.map(({ market }) => market)));
    const deps = {
      records: { find: () => undefined },
      markets: this.#table,
      // The venue's trades do not say what was paid.
      feeRateOf: () => 0,
      owner: () => this.#options.owner,
    };
    return trades.flatMap((trade) =>
      ownFillsOf(trade, trade.matchedAt, deps).map((fill) => ({
        ...fill,
        market: this.#slugOf(trade.market),
        condition: trade.market,
        outcome: this.#slugs.has(trade.market) ? fill.outcome : undefined,
        status: trade.status,
      })),
    );
  }

  #slugOf(condition: string): string {
    return this.#slugs.get(condition) ?? condition;
  }

  async #find(conditions: ReadonlySet<string>): Promise<void> {
    const { http, gammaUrl } = this.#options;
    for (const name of conditions) {
      if (this.#slugs.has(name)) continue;
      try {
        const [listed] = await listMarkets(http, gammaUrl, { names: [name], tag: undefined, most: 1 });
        if (listed === undefined) continue;
        const { market: condition, assets, slug = condition } = listed.record;
        this.#table.add({ id: marketIdOf(condition), condition, tokens: assets, isNegRisk: false });
        this.#slugs.set(condition, slug);
      } catch (error) {
        // Gamma does not list it any more: its condition id is its name.
        if (!(error instanceof InputFault)) throw error;
      }
    }
  }
}
