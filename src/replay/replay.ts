import { type EpochMs, type FillBasis, LOT, type PlaceOrder, unchecked } from '../domain/index.ts';
import type { TradesOnly } from './options.ts';
import type { QueueModel } from './queue.ts';
import { QueuePositions } from './queue-positions.ts';

export interface ReplayModels {
  readonly queue: QueueModel;
  /** `immutable`: own takers do not reduce the outside book. */
  readonly liquidity: 'consumed' | 'immutable';
  /** Undefined if the tape has a book. */
  readonly tradesOnly: TradesOnly | undefined;
}

/** State shared by all books of one replay: models, queue positions, and details of fills for the host. */
export class Replay {
  readonly queue: QueueModel;
  /** Whether own takers leave the outside book unchanged. */
  readonly isImmutable: boolean;
  readonly tradesOnly: TradesOnly | undefined;
  readonly positions = new QueuePositions();
  /** Levels that own orders consumed in the current step. */
  readonly changes: LevelChange[] = [];
  /** The bot's command for the incoming order; undefined for an order of another account. */
  incomingOrder: PlaceOrder | undefined;
  now: EpochMs = unchecked.time(0);
  /** The maker fill being reported: its order's slot, cause, and whether its price was inside the recorded touch. */
  slot = 0;
  basis: FillBasis = 'queue';
  isInside = false;

  constructor({ queue, liquidity, tradesOnly }: ReplayModels) {
    this.queue = queue;
    this.isImmutable = liquidity === 'immutable';
    this.tradesOnly = tradesOnly;
  }
}

/** Rounds micro-shares **down** to whole lots, at least 0. */
export function floorToLots(shares: number): number {
  return shares > 0 ? shares - (shares % LOT) : 0;
}

/** A level that own orders consumed; the public feed must show its remaining size. */
interface LevelChange {
  readonly market: number;
  /** A code of `SIDE`, as in a tape's rows. */
  readonly side: number;
  readonly price: number;
}
