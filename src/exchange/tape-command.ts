/** A recorded market in the exchange: as commands, so that a journal has all of it and a replay needs no tape. */
import type { AccountNo, DurationMs, EpochMs, MarketNo, PriceGrid } from '../domain/index.ts';
import type { Json } from './markets/canonical-json.ts';

/** Inputs of a replayed market's book, fixed for its lifetime. */
export interface RecordingTerms {
  /** Content hash of the tape. */
  readonly tape: string;
  readonly grid: PriceGrid;
  /** Options of recorded flow, as the `BookFactory` defines them. */
  readonly models: Json;
}

export interface TapePlace {
  /** Number of tape rows before this position, including those of other markets. */
  readonly row: number;
  /** Exchange time of the last message, on the tape. */
  readonly recordedAt: EpochMs;
}

export interface Following extends RecordingTerms {
  /** Of the tape account. */
  readonly account: number;
  row: number;
  recordedAt: EpochMs;
  /** Placing delay of the recorded venue, in tape time. The host divides it by the speed, and delays orders. */
  placeDelay: DurationMs;
}

/** Rows of one message, in order, four numbers each, as the tape has them: kind, side, price, shares. */
export type TapeRows = readonly number[];

/**
 * An OPEN market that has no orders and has never traded follows a tape from now on. It has no deadline any more: the
 * tape determines its end.
 */
export interface FollowTape extends RecordingTerms, TapePlace {
  readonly type: 'followTape';
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** The tape account, for all traders on tapes: without limits, the same for all markets. */
  readonly account: AccountNo;
  /** The recorded market as it stands where the replay begins. */
  readonly rows: TapeRows;
}

/**
 * One message of the tape a market follows: prints meet orders, levels are set, what crosses then fills. Halts and the
 * end go by the table of transitions. Only what lies behind the market's present place is taken.
 */
export interface PlayTape extends TapePlace {
  readonly type: 'playTape';
  readonly time: EpochMs;
  readonly market: MarketNo;
  readonly rows: TapeRows;
}

/** Of a tape. */
export type TapeCommand = FollowTape | PlayTape;
