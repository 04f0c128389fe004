/**
 * Trades that were reported, by the venue's id: a fill may come over the own stream, again with a replay of it, from a
 * read after a gap, and after a restart. Each is reported once.
 *
 * Invariants: the latest `MOST` are known with their contents. Of an earlier one the position is enough: everything up
 * to `#settled` is in the account, so what is not known by its id and not after that was reported before.
 */
import { addUsd, costAt, Fault, type MarketNo, negUsd, type OrderFilled, subUsd } from '../../domain/index.ts';
import type { StoredTrade } from '../../runtime/index.ts';

/** Booked parts of a fill. `market` is undefined for a market outside this run: then only cash moves. */
export type TradeContents = Pick<OrderFilled, 'order' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'> & {
  readonly trade: string;
  readonly market: MarketNo | undefined;
};

/** `new` it was not reported before; `known` it was; `conflict` a trade with this id was, with other contents. */
export type TradeVerdict = 'new' | 'known' | 'conflict';

interface KnownTrade {
  readonly booked: StoredTrade;
  /** In the own stream. */
  readonly position: number;
}

/** Number of trades that are known with their contents, and read from the store at a start. */
const MOST = 4_096;

export class KnownTrades {
  /** Oldest first. */
  readonly #known = new Map<string, KnownTrade>();
  /** Every fill up to this position of the own stream is in the account; undefined before that is known. */
  #settled: number | undefined;

  /** @param cursor position up to which all is in stored steps; 0 for a bot that never ran */
  constructor(stored: (most: number) => readonly StoredTrade[], cursor: number) {
    for (const booked of stored(MOST)) this.#known.set(booked.trade, { booked, position: cursor });
    if (cursor > 0) this.#settled = cursor;
  }

  /** Everything up to a position is in the account, whatever comes of it later. */
  settled(position: number): void {
    this.#settled = Math.max(this.#settled ?? 0, position);
  }

  /** The account was adopted at this position, where it was not known before. */
  began(position: number): void {
    this.#settled ??= position;
  }

  /** The venue reuses numbers after this position: there, only ids identify known trades. */
  wentBack(position: number): void {
    if (this.#settled !== undefined) this.#settled = Math.min(this.#settled, position);
    for (const [trade, known] of this.#known)
      if (known.position > position) this.#known.set(trade, { ...known, position });
  }

  has(trade: string): boolean {
    return this.#known.has(trade);
  }

  /** Adds a new trade. */
  take(contents: TradeContents, position: number): TradeVerdict {
    const known = this.#known.get(contents.trade);
    if (known !== undefined) return isSame(known.booked, contents) ? 'known' : 'conflict';
    if (position <= (this.#settled ?? 0)) return 'known';
    this.#known.set(contents.trade, { booked: bookedAs(contents), position });
    if (this.#known.size > MOST) this.#forgetOldest();
    return 'new';
  }

  #forgetOldest(): void {
    for (const [trade, { position }] of this.#known) {
      this.#known.delete(trade);
      this.settled(position);
      return;
    }
  }
}

/** Only the venue knows which of both contents is right. */
export function tradeConflict(trade: string): Fault {
  const problem = `the venue reports trade ${trade} with other contents than before; it stays booked with the first`;
  return new Fault(
    'TRADE_CONFLICT',
    `${problem}. Ask the venue's operator which of both is correct, then add the market again`,
  );
}

function bookedAs({ market, ...fill }: TradeContents): StoredTrade {
  return market === undefined
    ? { type: 'cashAdjusted', trade: fill.trade, amount: cashOf(fill) }
    : { type: 'orderFilled', market, ...fill };
}

/** An order whose record is gone counts as one that was never sent here. */
function isSame(known: StoredTrade, { market, ...fill }: TradeContents): boolean {
  if (known.type === 'cashAdjusted') return known.amount === cashOf(fill);
  if (market === undefined) return cashOf(known) === cashOf(fill);
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

/** Change of cash by a fill. */
export function cashOf({ side, price, shares, fee }: Pick<OrderFilled, 'side' | 'price' | 'shares' | 'fee'>) {
  const amount = costAt(shares, price);
  return side === 'BUY' ? negUsd(addUsd(amount, fee)) : subUsd(amount, fee);
}
