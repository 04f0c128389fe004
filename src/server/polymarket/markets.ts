/**
 * The exchange's markets with Polymarket's ids. Condition and token ids are hashes of the market's UUID, so no table
 * needs to store them.
 */
import { createHash } from 'node:crypto';
import { FULL_BPS, type Outcome } from '../../domain/index.ts';
import type { ExchangeView, MarketRecord } from '../../exchange/index.ts';
import { computeBookHash, POLYMARKET_ERRORS, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import { listLevels } from '../presenters/book-presenter.ts';
import { requireBook, requireRecord } from '../presenters/market-presenter.ts';
import { noBook, PolymarketRefusal } from './request.ts';
import type { PolymarketSettings } from './settings.ts';

export interface PolymarketMarket {
  readonly number: number;
  /** 0x and 64 hex digits. */
  readonly condition: string;
  /** Ids of the YES and NO tokens, which are 256-bit integers as decimal text. */
  readonly tokens: readonly [string, string];
  /** 0x and 64 hex digits, the same for all markets of a neg-risk event; undefined for other markets. */
  readonly negRiskId: string | undefined;
}

/** One outcome of a market. */
export interface PolymarketToken {
  readonly market: PolymarketMarket;
  readonly outcome: Outcome;
  readonly id: string;
}

/** A token's book: micro-shares by price in bps. */
export interface Levels {
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

/** A token's best prices, in bps; undefined for an empty side. */
export interface TokenTouch {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

export class PolymarketMarkets {
  readonly #view: ExchangeView;
  readonly #byNumber: PolymarketMarket[] = [];
  readonly #byCondition = new Map<string, PolymarketMarket>();
  readonly #byToken = new Map<string, PolymarketToken>();
  readonly #negRiskEvents: ReadonlySet<string>;
  /** Share of taker fees that makers receive, bps. */
  readonly rebateBps: number;

  constructor(view: ExchangeView, settings: Pick<PolymarketSettings, 'rebateBps' | 'negRiskEvents'>) {
    this.#view = view;
    this.rebateBps = settings.rebateBps;
    this.#negRiskEvents = new Set(settings.negRiskEvents);
  }

  /** Returns all markets, ordered by number. */
  all(): readonly PolymarketMarket[] {
    this.#addNewMarkets();
    return this.#byNumber;
  }

  /** @throws RangeError for an unknown market */
  getMarket(number: number): PolymarketMarket {
    this.#addNewMarkets();
    const market = this.#byNumber[number];
    if (market === undefined) throw new RangeError(`Invariant: there is no market ${number}`);
    return market;
  }

  findByCondition(condition: string): PolymarketMarket | undefined {
    this.#addNewMarkets();
    return this.#byCondition.get(condition.toLowerCase());
  }

  findToken(token: string): PolymarketToken | undefined {
    this.#addNewMarkets();
    return this.#byToken.get(token);
  }

  record({ number }: PolymarketMarket): Readonly<MarketRecord> {
    return requireRecord(number, this.#view);
  }

  tokenId({ tokens: [yes, no] }: PolymarketMarket, outcome: Outcome): string {
    return outcome === 'YES' ? yes : no;
  }

  /** Returns both tokens of a market, YES first. */
  getTokens({ tokens }: PolymarketMarket): readonly PolymarketToken[] {
    return tokens.flatMap((id) => this.#byToken.get(id) ?? []);
  }

  /** Returns a token of an open market. Other markets have no book. @throws PolymarketRefusal */
  tokenWithBook(id: string): PolymarketToken {
    const token = this.findToken(id);
    if (token === undefined || this.record(token.market).status !== 'OPEN') throw noBook();
    return token;
  }

  /** @throws PolymarketRefusal */
  requireMarket(condition: string): PolymarketMarket {
    const market = this.findByCondition(condition);
    if (market === undefined) throw new PolymarketRefusal(404, POLYMARKET_ERRORS.noMarket);
    return market;
  }

  touch({ market, outcome }: Omit<PolymarketToken, 'id'>): TokenTouch {
    const book = requireBook(market, this.#view);
    const bid = outcome === 'YES' ? book.bestBid : FULL_BPS - book.bestAsk;
    const ask = outcome === 'YES' ? book.bestAsk : FULL_BPS - book.bestBid;
    return { bid: bid > 0 ? bid : undefined, ask: ask < FULL_BPS ? ask : undefined };
  }

  /** Returns all levels, best first. */
  levels({ market, outcome }: Omit<PolymarketToken, 'id'>): Levels {
    const { bids, asks } = listLevels(requireBook(market, this.#view), outcome, Number.POSITIVE_INFINITY);
    const sizes = (levels: typeof bids) => new Map(levels.map(({ price, shares }) => [price, shares]));
    return { bids: sizes(bids), asks: sizes(asks) };
  }

  /** Presents a token's book with its hash. The best prices come last. */
  presentBook(token: PolymarketToken, timeMs: number): object {
    const record = this.record(token.market);
    const { bids, asks } = this.levels(token);
    const book = {
      market: token.market.condition,
      asset_id: token.id,
      timestamp: String(timeMs),
      hash: '',
      bids: presentLevels(bids),
      asks: presentLevels(asks),
      min_order_size: sharesText(record.minOrderShares),
      tick_size: priceText(record.tickBps),
      neg_risk: token.market.negRiskId !== undefined,
      last_trade_price: this.lastTradePrice(token),
    };
    return { ...book, hash: computeBookHash(book, sha1) ?? '' };
  }

  /** Returns the latest trade price as text; empty before the first trade. */
  lastTradePrice({ market, outcome }: PolymarketToken): string {
    const { lastTrade } = this.record(market);
    return lastTrade === 0 ? '' : priceText(toOutcomePrice(outcome, lastTrade));
  }

  #addNewMarkets(): void {
    const { markets } = this.#view;
    if (markets.length === this.#byNumber.length) return;
    for (const { number, id, eventId = '' } of markets.slice(this.#byNumber.length)) {
      const market: PolymarketMarket = {
        number,
        condition: `0x${digest(`condition ${id}`)}`,
        tokens: [toDecimal(digest(`YES ${id}`)), toDecimal(digest(`NO ${id}`))],
        negRiskId: this.#negRiskEvents.has(eventId) ? `0x${digest(`event ${eventId}`)}` : undefined,
      };
      this.#byNumber.push(market);
      this.#byCondition.set(market.condition, market);
      for (const outcome of ['YES', 'NO'] as const) {
        const token = { market, outcome, id: this.tokenId(market, outcome) };
        this.#byToken.set(token.id, token);
      }
    }
  }
}

/** Converts a YES price to the price of an outcome. */
export function toOutcomePrice(outcome: Outcome, yesPrice: number): number {
  return outcome === 'YES' ? yesPrice : FULL_BPS - yesPrice;
}

/** Returns changed bids, then changed asks. Removed levels, with the size 0, come first on each side. */
export function findChanges(before: Levels, after: Levels) {
  const findSideChanges = (side: 'bids' | 'asks') => {
    const [isBid, oldSizes, newSizes] = [side === 'bids', before[side], after[side]];
    const removed = [...oldSizes.keys()].filter((price) => !newSizes.has(price)).map((price) => [price, 0] as const);
    const changed = [...newSizes].filter(([price, size]) => oldSizes.get(price) !== size);
    return [...removed, ...changed].map(([price, size]) => ({ isBid, price, size }));
  };
  return [...findSideChanges('bids'), ...findSideChanges('asks')];
}

export function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function digest(text: string): string {
  return createHash('sha256').update(`polymarket ${text}`).digest('hex');
}

function toDecimal(hex: string): string {
  return BigInt(`0x${hex}`).toString();
}

function presentLevels(levels: ReadonlyMap<number, number>) {
  return Array.from(levels, ([price, size]) => ({ price: priceText(price), size: sharesText(size) })).reverse();
}
