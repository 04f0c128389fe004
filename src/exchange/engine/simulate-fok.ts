/** Computes how much of a FOK can fill if its fills may trip order groups (docs/spec/venue.md#order-groups). */
import { LOT } from '../../domain/index.ts';
import type { Book } from '../matching/book.ts';
import { inYesTerms, isBidKind, SELF_TRADE } from '../matching/codes.ts';
import type { ExchangeState } from './exchange-state.ts';

export interface FokOrder {
  readonly book: Book;
  readonly kind: number;
  readonly price: number;
  readonly shares: number;
  readonly holding: number;
  readonly group: number;
  readonly selfTrade: number;
  readonly now: number;
}

/** Returns the micro-shares that would fill. Slow: reads every matching order. Units as in `Book.fillable`. */
export function simulateFokFill({ slots, groups }: ExchangeState, incoming: FokOrder): number {
  const { book, kind, holding, group, selfTrade, now } = incoming;
  const isBid = isBidKind(kind);
  const limit = inYesTerms(kind, incoming.price);
  const filledByGroup = new Map<number, number>();
  const trippedGroups = new Set<number>();
  const addToGroup = (filledGroup: number, shares: number): void => {
    if (filledGroup === 0) return;
    const sum = (filledByGroup.get(filledGroup) ?? groups.filledInWindow(filledGroup, now)) + shares;
    filledByGroup.set(filledGroup, sum);
    if (sum > groups.maxFilled(filledGroup)) trippedGroups.add(filledGroup);
  };
  let left = incoming.shares;
  /** Fills shares of a maker. @returns whether the matching is finished */
  const fillMaker = (makerGroup: number, shares: number): boolean => {
    if (shares === 0) return false;
    left -= shares;
    addToGroup(makerGroup, shares);
    addToGroup(group, shares);
    return left === 0 || trippedGroups.has(group);
  };
  let price = isBid ? book.bestAsk : book.bestBid;
  while (isBid ? price <= limit : price >= limit) {
    let recordedFilled = 0;
    const fillRecordedBefore = (slot: number): boolean => {
      const open = Math.min(left, book.recordedBefore(isBid, price, slot) - recordedFilled);
      // Rounded **down** to lots, because a recorded size may have a fraction of a lot.
      const shares = Math.max(0, open - (open % LOT));
      recordedFilled += shares;
      return fillMaker(0, shares);
    };
    for (let slot = book.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
      if (slots.holding(slot) === holding && holding !== 0) {
        if (selfTrade !== SELF_TRADE.cancelMaker) return incoming.shares - left;
        continue;
      }
      if (fillRecordedBefore(slot)) return incoming.shares - left;
      const makerGroup = slots.group(slot);
      if (trippedGroups.has(makerGroup)) continue;
      if (fillMaker(makerGroup, Math.min(left, slots.remaining(slot)))) return incoming.shares - left;
    }
    if (fillRecordedBefore(0)) return incoming.shares - left;
    price = isBid ? book.priceAbove(price) : book.priceBelow(price);
  }
  return incoming.shares - left;
}
