/** Port for the recorded market in a replayed book; implemented in `replay/`. */
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TapeRows } from '../tape-command.ts';

/** Market states on tapes; HALTED is an OPEN market that accepts no orders. */
export type RecordedState = 'OPEN' | 'HALTED' | 'PENDING_RESOLUTION';

/** Receives the state changes of a message, and the prints that filled no order. */
export interface RecordingSink {
  onState(state: RecordedState): void;
  /** @param yesPayoutBps undefined for CANCELLED */
  onResolution(yesPayoutBps: number | undefined): void;
  /** @param ms 0 or more */
  onPlaceDelay(ms: number): void;
  /** The part of a print that filled no order. */
  onPrint(buysYes: boolean, yesPrice: number, shares: number): void;
}

/** The recorded side of a book. */
export interface Recording {
  /** Returns whether the rows are a valid message. */
  isValid(rows: TapeRows): boolean;
  /**
   * Plays a valid message. Fills go to the book's sink.
   * @returns the sizes of levels that may have changed, three numbers each: 1 for a bid, 0 for an ask; price; micro-shares
   */
  play(rows: TapeRows, sink: RecordingSink): readonly number[];
  /** Returns the sizes of all levels in the format of `play`. */
  levels(): readonly number[];
  /** Writes the state except orders: levels, their consumed size, and the queue positions of orders. */
  writeState(writer: StateWriter): void;
  /** Reads the state; the same orders must be in the book. @throws Fault if it is damaged */
  readState(reader: StateReader): void;
}
