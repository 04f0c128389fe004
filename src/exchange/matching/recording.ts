/** The recorded market in a replayed book, as the engine plays it: a port, its body is in `replay/`. */
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TapeRows } from '../tape-command.ts';

/** States that tapes know of; HALTED is an OPEN market that takes no orders. */
export type RecordedState = 'OPEN' | 'HALTED' | 'PENDING_RESOLUTION';

/** Receives the content of a message beside prints and levels. */
export interface RecordingSink {
  turns(state: RecordedState): void;
  /** @param yesPayoutBps undefined for CANCELLED */
  resolves(yesPayoutBps: number | undefined): void;
  /** @param ms not below 0 */
  delays(ms: number): void;
  /** Of a print, what met no order. */
  prints(buysYes: boolean, yesPrice: number, shares: number): void;
}

/** The recorded side of a book. */
export interface Recording {
  /** Whether the rows are a message that can be played. */
  understands(rows: TapeRows): boolean;
  /**
   * Plays a message that it understands. Fills go to the book's sink.
   * @returns what is there at levels that may have changed: 1 for a bid, 0 for an ask; price; micro-shares
   */
  play(rows: TapeRows, sink: RecordingSink): readonly number[];
  /** All that is there, as `play` answers it. */
  levels(): readonly number[];
  /** Everything beside the orders: levels, what orders consumed of them, who stands where among them. */
  writeState(writer: StateWriter): void;
  /** With the same orders at rest as when it was written. @throws Fault when it is damaged */
  readState(reader: StateReader): void;
}
