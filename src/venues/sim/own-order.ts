import {
  column,
  type EpochMs,
  type MicroShares,
  type PlaceOrder,
  type PriceBps,
  type Sign,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';

/** An order of ours at the venue. Mutable; it belongs to the simulation and is never shown outside. */
export interface OwnOrder {
  readonly place: PlaceOrder;
  readonly sign: Sign;
  /** Limit in YES terms. */
  readonly price: PriceBps;
  remaining: MicroShares;
  /** Rank in time: 1, 2, 3 … in the order of acceptance. */
  arrival: number;
  acceptedAt: EpochMs;
  /** Outside micro-shares that stand before it. */
  front: number;
  frontAtArrival: number;
  /** Micro-shares printed at its level since the level was last set. */
  printed: number;
  /** A replace that may still fail has taken it out of the book. */
  leaving: boolean;
}

/** The order of a command, not accepted yet. */
export function ownOrder(place: PlaceOrder): OwnOrder {
  return {
    place,
    sign: yesSign(place.outcome, place.side),
    price: yesPrice(place.outcome, place.price),
    remaining: place.shares,
    arrival: 0,
    acceptedAt: column.time(0),
    front: 0,
    frontAtArrival: 0,
    printed: 0,
    leaving: false,
  };
}
