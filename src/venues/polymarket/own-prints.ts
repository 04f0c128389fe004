/**
 * Which public trades are ours. Public trades of Polymarket have no id (docs/spec/polymarket.md#market-stream), so a trade counts
 * as ours when a fill of ours has its market, side, price and size at about the same time. Each fill explains one trade.
 */
import type { Clock } from '../../clock/index.ts';
import { type MarketNo, type OrderFilled, type Outcome, type Side, yesPrice, yesSign } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';
import type { OwnFill, PublicTrade } from '../base/index.ts';

/** Between a fill and its public trade, by our clock, ms. */
const APART_MS = 1_000;
const MOST = 4_096;

interface Fill {
  readonly terms: string;
  readonly role: OrderFilled['liquidity'];
  readonly seenAt: number;
}

type FillTerms = Pick<OwnFill, 'outcome' | 'side' | 'price' | 'shares' | 'liquidity'>;

export class OwnPrints {
  readonly #clock: Pick<Clock, 'now'>;
  #fills: Fill[] = [];
  /** Roles by the ids that were given to public trades. */
  readonly #roles = new Map<string, OrderFilled['liquidity']>();
  #lastId = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A fill of ours was reported. */
  add(market: MarketNo, { outcome, side, price, shares, liquidity }: FillTerms): void {
    const taker = takerOf(outcome, side, liquidity);
    const terms = termsText(market, { taker, price: yesPrice(outcome, price), shares });
    const seenAt = this.#clock.now();
    this.#fills = [
      ...this.#fills.filter((fill) => seenAt - fill.seenAt <= APART_MS),
      { terms, role: liquidity, seenAt },
    ];
    if (this.#fills.length > MOST) this.#fills.shift();
  }

  /** An id for a public trade, by which `ownRoleIn` knows it again. */
  idOf(market: MarketNo, trade: Pick<PublicTrade, 'taker' | 'price' | 'shares'>): string {
    this.#lastId += 1;
    return `${termsText(market, trade)} #${this.#lastId}`;
  }

  /** Role of the own order in a public trade; undefined for a trade of others, as far as is known yet. */
  ownRoleIn(id: string): OrderFilled['liquidity'] | undefined {
    const known = this.#roles.get(id);
    if (known !== undefined) return known;
    const [terms] = id.split(' #');
    const now = this.#clock.now();
    const at = this.#fills.findIndex((fill) => fill.terms === terms && now - fill.seenAt <= APART_MS);
    const [fill] = at < 0 ? [] : this.#fills.splice(at, 1);
    if (fill === undefined) return undefined;
    this.#roles.set(id, fill.role);
    if (this.#roles.size > MOST)
      for (const oldest of [...this.#roles.keys()].slice(0, MOST / 2)) this.#roles.delete(oldest);
    return fill.role;
  }
}

/** Side of the taker in YES terms. */
function takerOf(outcome: Outcome, side: Side, liquidity: OrderFilled['liquidity']): number {
  const isBid = yesSign(outcome, side) === 1;
  return isBid === (liquidity === 'taker') ? SIDE.bid : SIDE.ask;
}

function termsText(
  market: MarketNo,
  { taker, price, shares }: Pick<PublicTrade, 'taker' | 'price' | 'shares'>,
): string {
  return `${market} ${taker} ${price} ${shares}`;
}
