/**
 * What a FOK could take, without taking it. HOT: orders of others are not walked through, only levels, the holding's own
 * orders and the queue in front of the first own one.
 */
import { LOT } from '../../domain/index.ts';
import { isBidKind, SELF_TRADE } from './codes.ts';
import type { LevelQueues } from './level-queues.ts';
import type { OrderSlots } from './order-slots.ts';

/** An order that has not come in: `limit` is a level, `shares` micro-shares, `selfTrade` a code of `SELF_TRADE`. */
export interface Wish {
  readonly isBid: boolean;
  readonly limit: number;
  readonly shares: number;
  readonly holding: number;
  readonly selfTrade: number;
}

/** Whether others' orders within the limit hold enough, under the self-trade mode of the one who comes. */
export function isFillable(slots: OrderSlots, queues: LevelQueues, wish: Wish): boolean {
  const { isBid, limit, holding, selfTrade } = wish;
  const { kind, level: levels, remaining, nextOfHolding } = slots;
  // In lots: sums over levels may pass 2^53 micro-shares.
  let wanted = wish.shares / LOT;
  let end = isBid ? limit + 1 : limit - 1;
  let first = 0;
  for (let slot = slots.firstOf(holding); slot !== 0; slot = nextOfHolding[slot]!) {
    const level = levels[slot]!;
    if (isBidKind(kind[slot]!) === isBid || (isBid ? level > limit : level < limit)) continue;
    if (selfTrade === SELF_TRADE.cancelMaker) wanted += remaining[slot]! / LOT;
    else if (isBid ? level < end : level > end) {
      end = level;
      first = slot;
    }
  }
  for (
    let level = isBid ? queues.bestAsk : queues.bestBid;
    (isBid ? level < end : level > end) && wanted > 0;
    level = isBid ? queues.above(level) : queues.below(level)
  ) {
    wanted -= queues.shares[level]! / LOT;
  }
  return wanted <= 0 || (first !== 0 && wanted <= aheadOf(slots, first) / LOT);
}

/** Micro-shares that wait before an open order at its price. */
export function aheadOf(slots: OrderSlots, slot: number): number {
  const { ahead, remaining } = slots;
  let sum = 0;
  for (let other = ahead[slot]!; other !== 0; other = ahead[other]!) sum += remaining[other]!;
  return sum;
}
