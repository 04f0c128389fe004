/**
 * Joins the tapes of a market where one ends and the next continues, such as recordings of a restarted bot.
 *
 * Invariants: until a tape ends, only its rows are used for its markets. Earlier rows of later tapes are dropped, and
 * counted as repeated if the earlier tape has the same rows at the same time. At the end of a tape, its book is
 * compared with the next tape's book. If the books are equal, the market continues without the next tape's opening
 * book. If they differ, or after more than 10 seconds without a tape, the market has a gap. The gap lasts from the end
 * of the earlier tape to the next full book. Parts of one recording, and tapes without books, of trades or candles,
 * continue without a comparison. A tape within an earlier tape is not a continuation.
 */
import { BookSnapshots, type SnapshotRow } from '../../replay/index.ts';
import { BLOCK_ROWS, type Block, type BlockWriter, type Feed, FLAG, KIND, makeBlock } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';

/** Longest time between two tapes without a gap, ms. */
const MAX_PAUSE_MS = 10_000;

export interface JoinCounts {
  /** Number of continuations of a market on another tape. */
  readonly seams: number;
  /** Continuations that became gaps, because the books differ or the pause is too long. */
  readonly gaps: number;
  /** Dropped rows of later tapes that the earlier tape has, too. */
  readonly repeated: number;
  /** Dropped rows of later tapes that the earlier tape does not have, although it covers their time. */
  readonly differing: number;
  /** Dropped rows of opening books that equal the book at the end of the previous tape. */
  readonly opening: number;
}

/** One market of one tape. */
interface Segment {
  readonly tape: TapeFile;
  /** Number of the market on this tape. */
  readonly number: number;
  /** Book after the rows so far; only for markets with several segments. */
  readonly books: BookSnapshots;
}

interface JoinedMarket {
  /** Number of the market on the joined tape. */
  readonly number: number;
  /** In order of time; no segment ends before the previous segment. */
  readonly segments: Segment[];
  isOnSeveralTapes: boolean;
  currentIndex: number;
  /** Whether the market is resolved. Later tapes cannot change this. */
  isResolved: boolean;
  /** Whether the current segment's opening book equals the current book. */
  skipsOpening: boolean;
  /** Rows of the current segment at its last time, as texts. */
  lastRows: { time: number; rows: Set<string> };
}

/** A market of the merged feed, with its place on the joined tape. */
interface FeedMarket {
  readonly market: JoinedMarket;
  readonly segment: Segment;
  /** Index of `segment` in the market; undefined if the tape is within an earlier tape. */
  readonly segmentIndex?: number;
}

export class SegmentJoiner {
  readonly counts = { seams: 0, gaps: 0, repeated: 0, differing: 0, opening: 0 };
  /** By market number of the merged feed. */
  readonly #feedMarkets: readonly FeedMarket[];
  readonly #out: BlockWriter;
  /** Markets with a next tape, sorted by the end of their current tape. */
  #byEnd: JoinedMarket[];

  /** @param numbers numbers on the joined tape, by number of the merged feed */
  constructor(tapes: readonly TapeFile[], numbers: readonly number[], out: BlockWriter) {
    const joined = new Map<number, JoinedMarket>();
    const segments = tapes.flatMap((tape) =>
      tape.manifest.markets.map((_, number): Segment => ({ tape, number, books: new BookSnapshots() })),
    );
    this.#feedMarkets = segments.map((segment, merged): FeedMarket => {
      const number = numbers[merged] ?? 0;
      const market = joined.get(number) ?? makeMarket(number);
      joined.set(number, market);
      const last = market.segments.at(-1);
      market.isOnSeveralTapes ||= last !== undefined;
      if (last !== undefined && isWithin(segment.tape, last.tape)) return { market, segment };
      market.segments.push(segment);
      return { market, segment, segmentIndex: market.segments.length - 1 };
    });
    this.#out = out;
    this.#byEnd = [...joined.values()].filter((market) => market.segments.length > 1);
    this.#sortByEnd();
  }

  addMessage(block: Block, from: number, to: number): void {
    const time = block.tx[from] ?? 0;
    for (let [next] = this.#byEnd; next !== undefined && getEnd(next) < time; [next] = this.#byEnd)
      this.#continue(next);
    this.#out.begin(time, block.rx[from] ?? time);
    const opened = new Set<JoinedMarket>();
    for (let row = from; row < to; row += 1) {
      const feedMarket = this.#feedMarkets[block.market[row] ?? 0];
      if (feedMarket === undefined) continue;
      const { market, segmentIndex } = feedMarket;
      if (isOpening(block, row) && segmentIndex === market.currentIndex + 1 && time === getEnd(market))
        this.#continuePart(market);
      if (!market.isOnSeveralTapes || this.#acceptRow(feedMarket, block, row, opened))
        this.#writeRow(market, block, row);
    }
    for (const market of opened) market.skipsOpening = false;
    this.#out.end();
  }

  #acceptRow(
    { market, segment, segmentIndex }: FeedMarket,
    block: Block,
    row: number,
    opened: Set<JoinedMarket>,
  ): boolean {
    applyTo(segment, block, row);
    const text = toRowText(block, row);
    const kind = block.kind[row];
    const { lastRows } = market;
    if (segmentIndex !== market.currentIndex) {
      if (lastRows.time === block.tx[row] && lastRows.rows.has(text)) this.counts.repeated += 1;
      else this.counts.differing += 1;
      return false;
    }
    if (market.isResolved && (kind === KIND.status || kind === KIND.resolution)) {
      this.counts.repeated += 1;
      return false;
    }
    market.isResolved ||= kind === KIND.resolution;
    if (lastRows.time !== block.tx[row]) market.lastRows = { time: block.tx[row] ?? 0, rows: new Set() };
    market.lastRows.rows.add(text);
    if (!market.skipsOpening) return true;
    opened.add(market);
    const isBookRow = kind === KIND.clear || kind === KIND.level || kind === KIND.ahead;
    if (!isBookRow && !isOpening(block, row)) return true;
    this.counts.opening += 1;
    return false;
  }

  #writeRow({ number }: JoinedMarket, block: Block, row: number): void {
    const [kind = 0, side = 0, price = 0] = [block.kind[row], block.side[row], block.price[row]];
    const flags = (block.flags[row] ?? 0) & ~(FLAG.last | FLAG.opening);
    this.#out.row(number, kind, side, price, block.shares[row] ?? 0, flags);
  }

  /** Continues with the recording's next part, which begins with the book and time at which the current part ends. */
  #continuePart(market: JoinedMarket): void {
    this.counts.seams += 1;
    market.currentIndex += 1;
    market.skipsOpening = true;
    this.#byEnd = this.#byEnd.filter((other) => other.currentIndex < other.segments.length - 1);
    this.#sortByEnd();
  }

  /** Continues a market on its next tape, after the end of the current tape. */
  #continue(market: JoinedMarket): void {
    const before = getSegment(market);
    market.currentIndex += 1;
    const next = getSegment(market);
    this.counts.seams += 1;
    const end = before.tape.manifest.to;
    const hasBegun = next.books.toRows(next.number).length > 0;
    const opening = hasBegun ? { books: next.books, time: end } : readOpening(next);
    const isSame =
      opening !== undefined &&
      opening.time - end <= MAX_PAUSE_MS &&
      toBookText(before.books.toRows(before.number)) === toBookText(opening.books.toRows(next.number));
    // Without books there is no full book that could end a gap.
    const hasBooks = next.tape.manifest.content === undefined;
    if (hasBooks && !isSame) this.#writeGap(market, end, hasBegun ? getContinuedRows(market, next) : []);
    market.skipsOpening = isSame && !hasBegun;
    if (market.currentIndex === market.segments.length - 1)
      this.#byEnd = this.#byEnd.filter((other) => other !== market);
    this.#sortByEnd();
  }

  /** Writes a gap, and the next tape's book unless it is empty. */
  #writeGap(market: JoinedMarket, time: number, book: readonly SnapshotRow[]): void {
    const { number } = market;
    this.counts.gaps += 1;
    this.#out.begin(time, time);
    this.#out.row(number, KIND.gap, 0, 0, 0);
    this.#out.end();
    if (book.length === 0 || book.some(({ kind }) => kind === KIND.gap)) return;
    this.#out.begin(time, time);
    this.#out.row(number, KIND.clear, 0, 0, 0);
    for (const { kind, side, price, shares } of book) this.#out.row(number, kind, side, price, shares);
    this.#out.end();
    market.isResolved ||= book.some(({ kind }) => kind === KIND.resolution);
  }

  #sortByEnd(): void {
    this.#byEnd.sort((a, b) => getEnd(a) - getEnd(b));
  }
}

/** Whether a tape is within an earlier tape. A recording's next part may begin and end at the earlier part's end. */
function isWithin({ manifest: { from, to } }: TapeFile, { manifest: earlier }: TapeFile): boolean {
  return to <= earlier.to && from < earlier.to;
}

function makeMarket(number: number): JoinedMarket {
  const flags = { isOnSeveralTapes: false, isResolved: false, skipsOpening: false };
  return { number, segments: [], currentIndex: 0, lastRows: { time: -1, rows: new Set() }, ...flags };
}

function getSegment({ segments, currentIndex }: JoinedMarket): Segment {
  const segment = segments[currentIndex];
  if (segment === undefined) throw new Error(`Invariant: segment ${currentIndex} of ${segments.length}`);
  return segment;
}

/** Returns the book and status on the next tape so far, without the status of a resolved market. */
function getContinuedRows({ isResolved }: JoinedMarket, { books, number }: Segment): readonly SnapshotRow[] {
  const rows = books.toRows(number);
  return isResolved ? rows.filter(({ kind }) => kind !== KIND.status && kind !== KIND.resolution) : rows;
}

function getEnd(market: JoinedMarket): number {
  return getSegment(market).tape.manifest.to;
}

/** Applies a row of the merged feed under the market's number on its tape. */
function applyTo({ books, number }: Segment, block: Block, row: number): void {
  const merged = block.market[row] ?? 0;
  block.market[row] = number;
  books.apply(block, row);
  block.market[row] = merged;
}

function isOpening({ flags }: Block, row: number): boolean {
  return ((flags[row] ?? 0) & FLAG.opening) !== 0;
}

function toRowText({ kind, side, price, shares }: Block, row: number): string {
  return `${kind[row]} ${side[row]} ${price[row]} ${shares[row]}`;
}

/** Returns a book's sorted levels, or its gap, as text for comparison. */
function toBookText(rows: readonly SnapshotRow[]): string {
  const texts = rows
    .filter(({ kind }) => kind === KIND.level || kind === KIND.gap)
    .map(({ kind, side, price, shares }) => `${kind} ${side} ${price} ${shares}`);
  return texts.sort().join('\n');
}

/** Returns book and time of a segment's first message; undefined if the message is not a full book. */
function readOpening({ tape, number }: Segment): { readonly books: BookSnapshots; readonly time: number } | undefined {
  const feed: Feed = tape.feed();
  const block = makeBlock(BLOCK_ROWS);
  const books = new BookSnapshots();
  let hasClear = false;
  let time: number | undefined;
  try {
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        if (block.market[row] === number) {
          time ??= block.tx[row] ?? 0;
          books.apply(block, row);
          hasClear ||= block.kind[row] === KIND.clear;
        }
        if (((block.flags[row] ?? 0) & FLAG.last) !== 0 && time !== undefined)
          return hasClear ? { books, time } : undefined;
      }
    }
  } finally {
    feed.close();
  }
  return undefined;
}
