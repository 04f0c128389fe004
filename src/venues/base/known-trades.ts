/**
 * Reported trades by the venue's id. The venue sends a fill again in a replay of the own stream, in a read after a gap,
 * or after a restart. Known trades prevent a second report of such a fill.
 *
 * Invariant: the latest `MAX_TRADES` trades are stored with their contents. Every fill up to `#bookedUpTo` is in the
 * account, so an unknown id at or before that position was reported earlier.
 */
import { addUsd, costAt, Fault, type MarketNo, negUsd, type OrderFilled, subUsd } from '../../domain/index.ts';
import type { StoredTrade } from '../../runtime/index.ts';

/** Booked parts of a fill. `market` is undefined for a market outside this run, where a fill only moves cash. */
type TradeContents = Pick<OrderFilled, 'order' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'> & {
  readonly trade: string;
  readonly market: MarketNo | undefined;
};

const MAX_TRADES = 4_096;

export class KnownTrades {
  /** Oldest first, with the position in the own stream. */
  readonly #known = new Map<string, { readonly booked: StoredTrade; readonly position: number }>();
  /** Every fill up to this position of the own stream is in the account; undefined while unknown. */
  #bookedUpTo: number | undefined;

  /** @param streamPosition stored position of the own stream; 0 for a bot that never ran */
  constructor(stored: (max: number) => readonly StoredTrade[], streamPosition: number) {
    for (const booked of stored(MAX_TRADES)) this.#known.set(booked.trade, { booked, position: streamPosition });
    if (streamPosition > 0) this.#bookedUpTo = streamPosition;
  }

  markBooked(position: number): void {
    this.#bookedUpTo = Math.max(this.#bookedUpTo ?? 0, position);
  }

  /** Marks the position at which the account was taken over, unless a position is known. */
  startAt(position: number): void {
    this.#bookedUpTo ??= position;
  }

  /** Limits all positions to this position, because the venue reuses later positions. Ids still identify trades. */
  rewindTo(position: number): void {
    if (this.#bookedUpTo !== undefined) this.#bookedUpTo = Math.min(this.#bookedUpTo, position);
    for (const [trade, known] of this.#known)
      if (known.position > position) this.#known.set(trade, { ...known, position });
  }

  has(trade: string): boolean {
    return this.#known.has(trade);
  }

  /** Adds a new trade. Returns `known` for a repeat, and `conflict` for a repeat with different contents. */
  register(contents: TradeContents, position: number): 'new' | 'known' | 'conflict' {
    const known = this.#known.get(contents.trade);
    if (known !== undefined) return isSame(known.booked, contents) ? 'known' : 'conflict';
    if (position <= (this.#bookedUpTo ?? 0)) return 'known';
    this.#known.set(contents.trade, { booked: toStoredTrade(contents), position });
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size > MAX_TRADES) {
      const [trade, { position: oldestPosition }] = oldest;
      this.#known.delete(trade);
      this.markBooked(oldestPosition);
    }
    return 'new';
  }
}

export function tradeConflictFault(trade: string): Fault {
  const problem = `the venue reports trade ${trade} a second time with different contents; the first report stays booked`;
  const remedy = "Ask the venue's operator which report is correct, then add the market again";
  return new Fault('TRADE_CONFLICT', `${problem}. ${remedy}`);
}

function toStoredTrade({ market, ...fill }: TradeContents): StoredTrade {
  return market === undefined
    ? { type: 'cashAdjusted', trade: fill.trade, amount: cashChange(fill) }
    : { type: 'orderFilled', market, ...fill };
}

/** Order 0 equals any order, because an order's record may have been deleted. */
function isSame(known: StoredTrade, { market, ...fill }: TradeContents): boolean {
  if (known.type === 'cashAdjusted') return known.amount === cashChange(fill);
  if (market === undefined) return cashChange(known) === cashChange(fill);
  return (
    known.market === market &&
    (known.order === fill.order || known.order === 0 || fill.order === 0) &&
    known.outcome === fill.outcome &&
    known.side === fill.side &&
    known.price === fill.price &&
    known.shares === fill.shares &&
    known.fee === fill.fee
  );
}

export function cashChange({ side, price, shares, fee }: Pick<OrderFilled, 'side' | 'price' | 'shares' | 'fee'>) {
  const amount = costAt(shares, price);
  return side === 'BUY' ? negUsd(addUsd(amount, fee)) : subUsd(amount, fee);
}
