/** What the runtime needs of the outside: a venue, and a store for its steps. */
import type {
  CashAdjusted,
  EpochMs,
  InputEvent,
  MarketNo,
  OrderCommand,
  OrderFilled,
  OrderNo,
  PlaceOrder,
  Refused,
  Seq,
  VenueEvent,
} from '../domain/index.ts';
import type { Block, Cursor } from '../tape/index.ts';
import type { Bot } from './bot.ts';
import type { TimerChange } from './effects.ts';
import type { StateChange } from './strategy-states.ts';

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
  /** States that strategies saved or a user cleared; left out if there are none. */
  readonly states?: readonly StateChange[];
}

/** Where steps are kept. */
export interface EventStore {
  /**
   * Returns when the steps are as durable as the body promises. The caller may go on using the list.
   * @param position in the venue's own event stream of what these steps hold; becomes durable with them
   * @throws RangeError when a step's number does not follow the one before
   */
  append(steps: readonly Step[], position?: number): void;
  /**
   * As `append`, for steps whose commands begin with an order that is signed: may become durable only together with
   * `OrderRecords.signed`, which is called before a byte of them goes out, or with `settle`.
   */
  holdForSignature?(steps: readonly Step[], position?: number): void;
  /** To be called when the commands have been sent: what `holdForSignature` still holds becomes durable. */
  settle?(): void;
  /** The run failed within a step: its state is no longer what the stored steps make, and must not be stored. */
  failed?(): void;
}

/** @throws RangeError when a step does not follow the one before; the first may have any number (`last` 0) */
export function followsOn(last: number, steps: readonly Step[]): number {
  let before = last;
  for (const { seq } of steps) {
    if (before !== 0 && seq !== before + 1)
      throw new RangeError(`Invariant: step ${seq} was stored after step ${before}`);
    before = seq;
  }
  return before;
}

/** An order as it goes to a venue where orders are signed, kept from before it is sent until its end is known. */
export interface SignedRecord {
  readonly order: OrderNo;
  readonly market: MarketNo;
  /** The venue's own name for the market. */
  readonly marketId: string;
  /** By which the venue knows the order; lower-case hex with `0x`. */
  readonly hash: string;
  /** What was signed: the time of the step that decided it. */
  readonly timestampMs: number;
  /** What was signed. */
  readonly epoch: number;
  /** The signed order as the wire takes it (JSON), so that the same bytes can be sent again. */
  readonly wire: string;
  /** The same as bytes, where they are at hand. */
  readonly wireBytes?: Uint8Array;
  readonly command: PlaceOrder;
}

/** A fill in a stored step, by the venue's id of its trade; cash alone where its market was not in the run. */
export type StoredTrade =
  | Required<Pick<OrderFilled, 'type' | 'trade' | 'order' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'>>
  | Required<Pick<CashAdjusted, 'type' | 'trade' | 'amount'>>;

/** What a venue keeps before it sends; in the same file as the steps. */
export interface OrderRecords {
  /** The position in the venue's own event stream up to which all is in stored steps; 0 at first. */
  readonly cursor: number;
  /** The last known order epoch of the account; 0 at first. */
  readonly epoch: number;
  /**
   * Durable on return, as a step is; called before the bytes go out.
   * @throws RangeError when an order was signed before
   */
  signed(rows: readonly SignedRecord[]): void;
  /** Orders whose end is not in a stored step, oldest first: read at start. */
  unsettled(): readonly SignedRecord[];
  /** By hash, ended or not. */
  find(hash: string): SignedRecord | undefined;
  /** By number, ended or not. */
  numbered(order: OrderNo): SignedRecord | undefined;
  /** The latest trades in stored steps, oldest first: read at start. @param most of each kind */
  trades(most: number): readonly StoredTrade[];
  /**
   * Everything up to this position is in appended steps, or needs none. Durable with the next write.
   * @param mayGoBack the venue restarts its event numbers from there; otherwise an earlier position changes nothing
   */
  reached(seq: number, mayGoBack?: boolean): void;
  /** Durable on return. */
  reachedEpoch(epoch: number): void;
}

export interface Venue {
  /** Present state first, then news. */
  connect(sink: VenueSink): Promise<VenueSession>;
  /** Ends a `connect` that is under way: it rejects with Fault STOPPED. Does nothing once connected; never rejects. */
  leave?(): Promise<void>;
}

export interface VenueSink {
  /** Rows `from..to-1` of a block, whole messages; the block belongs to the venue and is valid during the call. */
  rows(block: Block, from: number, to: number): void;
  /** @param position of the event in the venue's own stream, which is stored together with it */
  event(event: VenueEvent, position?: number): void;
}

export interface VenueSession {
  /** Takes the commands in order; answers come as events, never during this call. */
  send(commands: readonly OrderCommand[]): void;
  close(): Promise<void>;
}

/**
 * What a step of the core adds to: stored first, then sent. The lists are replaced and never changed, as store, venue
 * and taps may keep what they are handed.
 */
export interface Outbox {
  steps: readonly Step[];
  commands: readonly OrderCommand[];
  /** When the core needs the event `woke`: set if it changed; the latest possible time if nothing waits any more. */
  wakeAt?: EpochMs | undefined;
  /** Timers that strategies set and cleared, in order; undefined if there are none. */
  timers?: readonly TimerChange[] | undefined;
  /** Bots that failed and are called no more; their orders are cancelled (in `commands`). */
  retired?: readonly Error[] | undefined;
  /** A strategy threw: everything is cancelled (in `commands`), then the run ends with this. */
  fault: Error | undefined;
}

/** The bot without clock and venue: synchronous, deterministic, total. */
export interface Core {
  /** Those at work now, by their numbers, where they can change. */
  readonly bots?: readonly Bot[];
  /** Takes in one message: the cursor stands at its first row, and afterwards at its last. */
  market(row: Cursor, out: Outbox): void;
  step(event: InputEvent, out: Outbox): void;
}
