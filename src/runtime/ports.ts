/** Ports of the runtime: a venue, and a store for its steps. */
import type {
  CashAdjusted,
  EpochMs,
  InputEvent,
  MakerPaid,
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
import type { TimerChange } from './effects.ts';
import type { StrategyInstance } from './strategy-instance.ts';
import type { StateChange } from './strategy-states.ts';

/** An event or a market message with its refusals and commands. A step is stored before its commands are sent. */
export interface Step {
  readonly seq: Seq;
  readonly time: EpochMs;
  /** Number of market rows before this step, which links the step to the tape. */
  readonly row: number;
  /** The event that caused the step; undefined if a market message did. */
  readonly event: InputEvent | undefined;
  readonly refused: readonly Refused[];
  readonly commands: readonly OrderCommand[];
  /** States that strategies saved or a user cleared; absent if there are none. */
  readonly states?: readonly StateChange[];
}

export interface EventStore {
  /**
   * Stores steps, as durably as the implementation promises. The caller may reuse the list.
   * @param position the steps' position in the venue's event stream, stored with the steps
   * @throws RangeError when step numbers are not consecutive
   */
  append(steps: readonly Step[], position?: number): void;
  /**
   * Like `append`, for steps whose first command is a signed order. The steps become durable with
   * `OrderRecords.addSigned`, before any byte of the commands is sent, or else with `flushDeferred`.
   */
  appendDeferred?(steps: readonly Step[], position?: number): void;
  /** Makes the steps of earlier `appendDeferred` calls durable. Call this after the steps' commands have been sent. */
  flushDeferred?(): void;
  /** Called when the run fails within a step. The run's state then differs from the stored steps. */
  onRunFailed?(): void;
}

/** Returns the last step's number. @param last the previous step's number; 0 if unknown @throws RangeError for a gap */
export function checkConsecutive(last: number, steps: readonly Step[]): number {
  let before = last;
  for (const { seq } of steps) {
    if (before !== 0 && seq !== before + 1)
      throw new RangeError(`Invariant: step ${seq} was stored after step ${before}`);
    before = seq;
  }
  return before;
}

/** Returns the orders that a command places. */
export function placedOrders(command: OrderCommand): readonly PlaceOrder[] {
  if (command.type === 'place') return [command];
  return command.type === 'replace' ? command.places : [];
}

/** A signed order, stored before the order is sent and kept at least until the order's end is known. */
export interface SignedRecord {
  readonly order: OrderNo;
  readonly market: MarketNo;
  /** The venue's id of the market. */
  readonly marketId: string;
  /** Hash by which the venue identifies the order: lower-case hex with `0x`. */
  readonly hash: string;
  /** The signed time, which is the time of the order's step; epoch ms. */
  readonly timestampMs: number;
  /** Signed epoch of the account. The venue refuses orders signed for another epoch. */
  readonly epoch: number;
  /** The signed order as JSON, so that the same bytes can be sent again. */
  readonly wire: string;
  /** `wire` as bytes, if they already exist. */
  readonly wireBytes?: Uint8Array;
  readonly command: PlaceOrder;
}

/** A fill in a stored step, with the venue's trade id. Outside the run's markets, it is a change of cash. */
export type StoredTrade =
  | Required<Pick<OrderFilled, 'type' | 'trade' | 'order' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'>>
  | Required<Pick<CashAdjusted, 'type' | 'trade' | 'amount'>>;

/** Maker payments and cash adjustments in stored steps. */
export interface StoredCash {
  /** Start of the first run, which recorded the account's initial cash; undefined before the first run. */
  readonly firstRunAt: EpochMs | undefined;
  readonly paid: readonly Pick<MakerPaid, 'cause' | 'day' | 'market'>[];
  /** Oldest first. */
  readonly adjusted: readonly Pick<CashAdjusted, 'time' | 'amount' | 'trade'>[];
}

/** Signed orders, stream position and order epoch, which a venue adapter stores in the same file as the steps. */
export interface OrderRecords {
  /** Position in the venue's stream of account events. All earlier events are in stored steps. 0 at first. */
  readonly streamPosition: number;
  /** The last known order epoch of the account; 0 at first. */
  readonly epoch: number;
  /** Stores signed orders before they are sent, durable on return. @throws an error when an order was signed before */
  addSigned(rows: readonly SignedRecord[]): void;
  /** Returns orders whose end is not in a stored step, oldest first. Call this only at the start. */
  unfinishedOrders(): readonly SignedRecord[];
  /** Returns an order by its hash, ended or not. */
  findByHash(hash: string): SignedRecord | undefined;
  /** Returns an order by its number, ended or not. */
  findByNumber(order: OrderNo): SignedRecord | undefined;
  /** Returns the latest stored trades, oldest first. Call this only at the start. @param max number of each type */
  trades(max: number): readonly StoredTrade[];
  /** Returns the ids of the latest reversed trades in stored steps. Call this only at the start. */
  reversedTrades(max: number): readonly string[];
  /** Returns cash adjustments since a time, and maker payments for days since then. */
  cash(since: EpochMs): StoredCash;
  /**
   * Saves the stream position up to which appended steps contain all events. The next write makes the position durable.
   * An earlier position than the saved one is ignored.
   */
  advanceStreamPosition(position: number): void;
  /** Like `advanceStreamPosition`, but accepts an earlier position, because the venue restarts its numbers. */
  resetStreamPosition(position: number): void;
  /** Stores the account's order epoch; durable on return. */
  setEpoch(epoch: number): void;
}

export interface Venue {
  /** Delivers the current state first, then changes. */
  connect(sink: VenueSink): Promise<VenueSession>;
  /** Aborts a pending `connect`, which rejects with Fault STOPPED. Does nothing once connected. Never rejects. */
  abortConnect?(): Promise<void>;
}

export interface VenueSink {
  /** Receives rows `from..to-1` of a block, whole messages. The block is valid only during the call. */
  rows(block: Block, from: number, to: number): void;
  /** @param position of the event in the venue's stream, stored with the event */
  event(event: VenueEvent, position?: number): void;
}

export interface VenueSession {
  /** Sends commands in order. Answers arrive as events, never during this call. */
  send(commands: readonly OrderCommand[]): void;
  close(): Promise<void>;
}

/** Output of the core. Lists are replaced, never changed, because the store, venue and listeners may keep them. */
export interface Outbox {
  steps: readonly Step[];
  commands: readonly OrderCommand[];
  /** A new time at which the core needs the event `woke`; the latest possible time if nothing waits. */
  wakeAt?: EpochMs | undefined;
  /** Timers that strategies set and cleared, in order; undefined without any. */
  timers?: readonly TimerChange[] | undefined;
  /** Faults of strategy instances that are no longer called. `commands` cancels their orders. */
  instanceFaults?: readonly Error[] | undefined;
  /** A strategy's fault that ends the run. `commands` cancels all orders. */
  fault: Error | undefined;
}

/** The bot without clock and venue. It is synchronous and deterministic, and accepts every event. */
export interface Core {
  /** The current strategy instances, by number, if they can change. */
  readonly instances?: readonly StrategyInstance[];
  /** Processes one message. Moves the cursor from the message's first row to its last row. */
  market(cursor: Cursor, out: Outbox): void;
  step(event: InputEvent, out: Outbox): void;
}
