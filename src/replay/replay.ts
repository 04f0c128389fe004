import { column, type EpochMs, type FillTag, LOT, type PlaceOrder } from '../domain/index.ts';
import type { QueueModel } from './queue.ts';
import { Waiting } from './waiting.ts';

export interface ReplayModels {
  readonly queue: QueueModel;
  /** `immutable`: own takers take nothing away. */
  readonly liquidity: 'consumed' | 'immutable';
  /** Undefined where the tape has a book. */
  readonly tradesOnly: TradesOnly | undefined;
}

/** What all books of one replay share: models, who waits where, and what they have to say beside the exchange. */
export class Replay {
  readonly queue: QueueModel;
  readonly immutable: boolean;
  readonly tradesOnly: TradesOnly | undefined;
  readonly waiting = new Waiting();
  /** Levels of which own orders consumed something in the present step. */
  readonly changes: LevelChange[] = [];
  /** What the order that comes is to the bot; undefined for one of another account. */
  incomingOrder: PlaceOrder | undefined;
  now: EpochMs = column.time(0);
  /** Of the maker's fill that is being reported: its slot, its cause, and whether it was inside the recorded touch. */
  slot = 0;
  tag: FillTag = 'queue';
  inside = false;

  constructor({ queue, liquidity, tradesOnly }: ReplayModels) {
    this.queue = queue;
    this.immutable = liquidity === 'immutable';
    this.tradesOnly = tradesOnly;
  }
}

/** Whole lots, rounded **down**, not below 0. */
export function lotsDown(shares: number): number {
  return shares > 0 ? shares - (shares % LOT) : 0;
}

/** A level of which own orders consumed something in the present step: the public feed has to show what is left. */
export interface LevelChange {
  readonly market: number;
  /** As in rows. */
  readonly side: number;
  readonly price: number;
}

/** How a tape that has trades but no book is replayed (docs/spec/models.md#thin-tapes); the mark is the last trade. */
export type TradesOnly = PrintFills & {
  /** Takers trade any size this far from the last trade, bps, rounded away from it; undefined refuses takers. */
  readonly assumedHalfSpreadBps: number | undefined;
};

/**
 * `through`: prints strictly through our price; `touch`: also `share` (0..1) of those at it, rounded **down** to lots;
 * `none`: no print fills a maker, for candles.
 */
type PrintFills = { readonly fill: 'through' | 'none' } | { readonly fill: 'touch'; readonly share: number };
