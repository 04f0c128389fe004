/** What the runtime needs of the outside: a venue, and a store for its steps. */
import type { EpochMs, InputEvent, OrderCommand, Refused, Seq, VenueEvent } from '../domain/index.ts';
import type { Block, Cursor } from '../tape/index.ts';

/** Something that happened to us: an own event or a decision, with all that followed. Stored before it is sent. */
export interface Step {
  readonly seq: Seq;
  readonly time: EpochMs;
  /** How many market rows had been taken in: ties the step to the tape. */
  readonly row: number;
  /** What came in; undefined when a market message caused it. */
  readonly event: InputEvent | undefined;
  readonly refused: readonly Refused[];
  readonly commands: readonly OrderCommand[];
}

/** Where steps are kept. */
export interface EventStore {
  /**
   * Returns when the steps are as durable as the body promises. The caller may go on using the list.
   * @throws RangeError when a step's number does not follow the one before
   */
  append(steps: readonly Step[]): void;
}

export interface Venue {
  /** Present state first, then news. */
  connect(sink: VenueSink): Promise<VenueSession>;
}

export interface VenueSink {
  /** Rows `from..to-1` of a block, whole messages; the block belongs to the venue and is valid during the call. */
  rows(block: Block, from: number, to: number): void;
  event(event: VenueEvent): void;
}

export interface VenueSession {
  /** Takes the commands in order; answers come as events, never during this call. */
  send(commands: readonly OrderCommand[]): void;
  close(): Promise<void>;
}

/**
 * What a step of the core adds to: stored first, then sent. The lists are replaced and never changed, as store, venue and
 * taps may keep what they are handed.
 */
export interface Outbox {
  steps: readonly Step[];
  commands: readonly OrderCommand[];
  /** A strategy threw: everything is cancelled (in `commands`), then the run ends with this. */
  fault: Error | undefined;
}

/** The bot without clock and venue: synchronous, deterministic, total. */
export interface Core {
  /** Takes in one message: the cursor stands at its first row, and afterwards at its last. */
  market(row: Cursor, out: Outbox): void;
  step(event: InputEvent, out: Outbox): void;
}
