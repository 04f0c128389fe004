/** Whether a FOK would fill whole, though fill limits of groups may trip on its way and take orders out (venue.md 2). */
import { inYesTerms, isBidKind, SELF_TRADE } from '../matching/codes.ts';
import type { MatchingBook } from '../matching/matching-book.ts';
import { NOTE, noteOf, type OrderSlots } from '../matching/order-slots.ts';
import type { OrderGroups } from './order-groups.ts';

/** What the trial looks at. */
export interface FokTrialOf {
  readonly slots: OrderSlots;
  readonly groups: OrderGroups;
}

/** A FOK that has not come in. */
export interface FokWish {
  readonly book: MatchingBook;
  readonly kind: number;
  readonly price: number;
  readonly shares: number;
  readonly holding: number;
  readonly group: number;
  readonly selfTrade: number;
  readonly now: number;
}

/** Matches on paper, order by order. Only for a FOK while there are groups: it looks at every order that it would meet. */
export function fillsWhole({ slots, groups }: FokTrialOf, wish: FokWish): boolean {
  const { book, kind, holding, group, selfTrade, now } = wish;
  const isBid = isBidKind(kind);
  const limit = inYesTerms(kind, wish.price);
  const filled = new Map<number, number>();
  const tripped = new Set<number>();
  const fill = (of: number, shares: number): void => {
    if (of === 0) return;
    const sum = (filled.get(of) ?? groups.filledIn(of, now)) + shares;
    filled.set(of, sum);
    if (sum > groups.limitOf(of)) tripped.add(of);
  };
  let left = wish.shares;
  let price = isBid ? book.bestAsk : book.bestBid;
  while (isBid ? price <= limit : price >= limit) {
    for (let slot = book.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
      if (slots.holding(slot) === holding && holding !== 0) {
        if (selfTrade !== SELF_TRADE.cancelMaker) return false;
        continue;
      }
      const makers = slots.notes[noteOf(slot) + NOTE.group] ?? 0;
      // It has tripped a moment ago, and its orders are gone.
      if (tripped.has(makers)) continue;
      const shares = Math.min(left, slots.remaining(slot));
      left -= shares;
      fill(makers, shares);
      fill(group, shares);
      if (left === 0) return true;
      if (tripped.has(group)) return false;
    }
    price = isBid ? book.priceAbove(price) : book.priceBelow(price);
  }
  return false;
}
