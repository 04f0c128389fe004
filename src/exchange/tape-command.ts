/** Commands that carry a recorded market's messages, so that a journal can be replayed without the tape. */
import type { AccountNo, DurationMs, EpochMs, MarketNo, PriceGrid } from '../domain/index.ts';
import type { Json } from './markets/canonical-json.ts';

/** Inputs of a replayed market's book, fixed for its lifetime. */
export interface RecordingTerms {
  /** Content hash of the tape. */
  readonly tape: string;
  readonly grid: PriceGrid;
  /** Options of the replay's models (queue, fills), in the form that the `BookFactory` reads. */
  readonly models: Json;
}

/** A position on a tape, between two messages. */
export interface TapePosition {
  /** Number of tape rows of all markets before this position. */
  readonly row: number;
  /** Exchange time of the last message on the tape. */
  readonly recordedAt: EpochMs;
}

/** The tape that a market follows, and the market's position on it. */
export interface FollowedTape extends RecordingTerms {
  readonly account: number;
  row: number;
  recordedAt: EpochMs;
  /** Order delay of the recorded venue, in tape time. The program that applies commands divides it by the speed. */
  placeDelay: DurationMs;
}

/** Rows of one message in the order of the tape, four numbers each: kind, side, price, shares. */
export type TapeRows = readonly number[];

/** Lets an OPEN market without orders and trades follow a tape. The tape then closes the market, not a deadline. */
export interface FollowTape extends RecordingTerms, TapePosition {
  readonly type: 'followTape';
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** The unlimited account of all traders on tapes, the same for all markets. */
  readonly account: AccountNo;
  /** State of the recorded market at the start of the replay. */
  readonly rows: TapeRows;
}

/**
 * Plays the next message of the tape that a market follows: first prints fill orders, then levels change, then
 * crossed orders fill. Halts and the market's end obey the table of transitions (transitions.ts).
 */
export interface PlayTape extends TapePosition {
  readonly type: 'playTape';
  readonly time: EpochMs;
  readonly market: MarketNo;
  readonly rows: TapeRows;
}

export type TapeCommand = FollowTape | PlayTape;
