/**
 * A replayed book whose recording arrives in exchange commands (`playTape`), as a part of the exchange's state.
 *
 * Invariants: a message is applied in the order of docs/spec/models.md#time-and-look-ahead: its rows in order, then
 * crossings. After each message the sizes of levels that may have changed are published.
 */
import { Fault, FULL_BPS, LOT, type PriceGrid } from '../domain/index.ts';
import {
  type BookFactory,
  type BookOptions,
  MatchingBook,
  type RecordedMarket,
  type RecordedMarketSink,
  type RecordedState,
  type StateReader,
  type StateWriter,
  type TapeRows,
} from '../exchange/index.ts';
import { CANCELLED_PAYOUT, KIND, rowProblem, SIDE, STATUS_CODES } from '../tape/index.ts';
import { readModels } from './options.ts';
import { OutsideFlow } from './outside-flow.ts';
import { Replay, type ReplayModels } from './replay.ts';
import { ReplayBook } from './replay-book.ts';

/** Numbers in a row: kind, side, price, shares. */
const ROW_WIDTH = 4;
/** Stored instead of the last print while the recording is in a gap. Prints are below this value. */
const IN_GAP = FULL_BPS;

/** Creates a replayed book for a market that follows a tape, and a `MatchingBook` for every other market. */
export const recordingBooks: BookFactory = (options) => {
  const { recording } = options;
  const models = recording === undefined ? undefined : readModels(recording.models);
  if (recording === undefined || models === undefined) return new MatchingBook(options);
  return new PlayedBook(options, recording.grid, models);
};

class PlayedBook extends ReplayBook implements RecordedMarket {
  readonly recordedMarket: RecordedMarket = this;
  readonly #replay: Replay;
  readonly #flow: OutsideFlow;

  constructor(options: BookOptions, grid: PriceGrid, models: Pick<ReplayModels, 'queue' | 'tradesOnly'>) {
    const replay = new Replay({ ...models, liquidity: 'consumed' });
    super(options, grid, replay);
    this.#replay = replay;
    this.#flow = new OutsideFlow(this, replay, options.sink, options.tape);
  }

  override enter(...order: Parameters<ReplayBook['enter']>): void {
    super.enter(...order);
    // The trades of the order report the levels that it consumed.
    this.#replay.changes.length = 0;
  }

  isValid(rows: TapeRows): boolean {
    if (rows.length % ROW_WIDTH !== 0 || rows.some((value) => Object.is(value, -0))) return false;
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const { kind, side, price, shares } = rowAt(rows, at);
      if (rowProblem(0, kind, side, price, shares, 0) !== undefined) return false;
      const isSize = kind === KIND.level || kind === KIND.trade || kind === KIND.ahead;
      if (isSize && (shares % LOT !== 0 || price % this.tickBps !== 0)) return false;
      if (kind === KIND.ahead && !isLevelNext(rows, at)) return false;
    }
    return true;
  }

  play(rows: TapeRows, sink: RecordedMarketSink): readonly number[] {
    const { outside } = this;
    const { changes } = this.#replay;
    changes.length = 0;
    /** `2 * price + side` of levels that may have changed. */
    const changed = new Set<number>();
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const { kind, side, price, shares } = rowAt(rows, at);
      if (kind === KIND.level) {
        this.#flow.setLevel(side, price, shares, aheadBefore(rows, at));
        changed.add(2 * price + side);
      } else if (kind === KIND.trade) this.#print(side, price, shares, sink);
      else if (kind === KIND.clear || kind === KIND.gap) {
        for (const level of outside.levels()) changed.add(2 * level.price + level.side);
        if (kind === KIND.clear) outside.clear();
        else outside.beginGap();
      } else if (kind === KIND.status) sink.onState(recordedState(price));
      else if (kind === KIND.resolution) sink.onResolution(price === CANCELLED_PAYOUT ? undefined : price);
      else if (kind === KIND.placeDelay) sink.onPlaceDelay(shares);
    }
    if (outside.hasGapEnded) this.#flow.requeue();
    this.#flow.cross();
    outside.updateTouch();
    for (const { side, price } of changes) changed.add(2 * price + side);
    changes.length = 0;
    return [...changed].flatMap((key) => this.#toLevelSize(key & 1, key >> 1));
  }

  levels(): readonly number[] {
    return this.outside.levels().flatMap(({ side, price }) => this.#toLevelSize(side, price));
  }

  writeState(writer: StateWriter): void {
    const { outside, own } = this;
    const { positions } = this.#replay;
    const levels = outside.levels();
    writer.number(outside.isInGap ? IN_GAP : outside.lastPrint);
    writer.number(levels.length);
    for (const { side, price, available, consumed } of levels) {
      for (const value of [side, price, available, consumed]) writer.number(value);
    }
    for (const slot of own.inOrder()) {
      writer.number(positions.front[slot] ?? 0);
      writer.number(positions.printed[slot] ?? 0);
    }
  }

  readState(reader: StateReader): void {
    const { outside, own } = this;
    const { positions } = this.#replay;
    const lastPrint = reader.number();
    if (lastPrint === IN_GAP) outside.beginGap();
    else outside.lastPrint = lastPrint;
    for (let left = reader.number(); left > 0; left -= 1) {
      const [side, price, available, consumed] = [reader.number(), reader.number(), reader.number(), reader.number()];
      if (rowProblem(0, KIND.level, side, price, available + consumed, 0) !== undefined)
        throw new Fault('SNAPSHOT', `a level at ${price} in this snapshot is invalid: use an older one`);
      outside.restore({ side, price, available, consumed });
    }
    outside.updateTouch();
    for (const slot of own.inOrder()) {
      positions.front[slot] = reader.number();
      positions.printed[slot] = reader.number();
    }
  }

  /** Fills own orders by a print and publishes the rest. A taker of unknown side is published as a buyer of YES. */
  #print(side: number, price: number, shares: number, sink: RecordedMarketSink): void {
    const { outside } = this;
    if (!outside.isInGap) outside.lastPrint = price;
    const left = shares - this.#flow.applyPrint(side, price, shares);
    if (left > 0) sink.onPrint(side !== SIDE.ask, price, left);
  }

  #toLevelSize(side: number, price: number): readonly [number, number, number] {
    return [side === SIDE.bid ? 1 : 0, price, this.outside.available(side, price)];
  }
}

function rowAt(rows: TapeRows, at: number) {
  const value = (offset: number): number => rows[at + offset] ?? 0;
  return { kind: value(0), side: value(1), price: value(2), shares: value(3) };
}

function isLevelNext(rows: TapeRows, at: number): boolean {
  const next = rowAt(rows, at + ROW_WIDTH);
  return rows[at + ROW_WIDTH] === KIND.level && next.side === rows[at + 1] && next.price === rows[at + 2];
}

/** Returns the size ahead of the order that a level row removes or reduces; infinite without an `ahead` row. */
function aheadBefore(rows: TapeRows, at: number): number {
  const before = rowAt(rows, at - ROW_WIDTH);
  return at >= ROW_WIDTH && before.kind === KIND.ahead ? before.shares : Number.POSITIVE_INFINITY;
}

/** Maps a status code to the state of a recording. All states except OPEN and HALTED become PENDING_RESOLUTION. */
function recordedState(code: number): RecordedState {
  const status = STATUS_CODES[code] ?? 'HALTED';
  return status === 'OPEN' || status === 'HALTED' ? status : 'PENDING_RESOLUTION';
}
