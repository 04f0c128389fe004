/**
 * Detects own fills among public trades, which have no id (docs/spec/polymarket.md#market-stream). A trade is own if an
 * own fill has the same market, side, price and size at about the same time. Each fill matches one trade.
 */
import type { Clock } from '../../clock/index.ts';
import { type MarketNo, type OrderFilled, yesPrice, yesSign } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { OwnFill, PublicTrade } from '../base/index.ts';

/** Longest time between a fill and its public trade, by this machine's clock, ms. */
const MATCH_WINDOW_MS = 1_000;
const MAX_ENTRIES = 4_096;

interface Fill {
  readonly terms: string;
  readonly role: OrderFilled['liquidity'];
  readonly seenAt: number;
}

type FillTerms = Pick<OwnFill, 'outcome' | 'side' | 'price' | 'shares' | 'liquidity'>;
type TradeTerms = Pick<PublicTrade, 'taker' | 'price' | 'shares'>;

export class OwnPrints {
  readonly #clock: Pick<Clock, 'now'>;
  #fills: Fill[] = [];
  readonly #roles = new Map<string, OrderFilled['liquidity']>();
  #lastId = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  add(market: MarketNo, { outcome, side, price, shares, liquidity }: FillTerms): void {
    const taker = (yesSign(outcome, side) === 1) === (liquidity === 'taker') ? SIDE.bid : SIDE.ask;
    const terms = formatTerms(market, { taker, price: yesPrice(outcome, price), shares });
    const seenAt = this.#clock.now();
    const recent = this.#fills.filter((fill) => seenAt - fill.seenAt <= MATCH_WINDOW_MS);
    this.#fills = [...recent, { terms, role: liquidity, seenAt }].slice(-MAX_ENTRIES);
  }

  /** Makes an id for a public trade, the argument of `ownRoleIn`. */
  makeId(market: MarketNo, trade: TradeTerms): string {
    this.#lastId += 1;
    return `${formatTerms(market, trade)} #${this.#lastId}`;
  }

  /** Returns the role of the own order in a public trade; undefined while no own fill matches. */
  ownRoleIn(id: string): OrderFilled['liquidity'] | undefined {
    const known = this.#roles.get(id);
    if (known !== undefined) return known;
    const [terms] = id.split(' #');
    const now = this.#clock.now();
    const index = this.#fills.findIndex((fill) => fill.terms === terms && now - fill.seenAt <= MATCH_WINDOW_MS);
    const [fill] = index < 0 ? [] : this.#fills.splice(index, 1);
    if (fill === undefined) return undefined;
    this.#roles.set(id, fill.role);
    if (this.#roles.size > MAX_ENTRIES)
      for (const oldest of [...this.#roles.keys()].slice(0, MAX_ENTRIES / 2)) this.#roles.delete(oldest);
    return fill.role;
  }
}

function formatTerms(market: MarketNo, { taker, price, shares }: TradeTerms): string {
  return `${market} ${taker} ${price} ${shares}`;
}
