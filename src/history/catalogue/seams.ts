/**
 * What happens where one tape of a market ends and the next goes on, as recordings of a bot that was started again do.
 *
 * Invariants: until a tape ends, it alone is believed about its markets; what a later one says until then is dropped, and
 * counted as repeated where the earlier one says the same at the same time. At the end of a tape the books are compared:
 * the next one is continued where both are equal, and its opening book is dropped. Else the market has a gap from the end of the
 * earlier tape to the next full book. A hole of more than 10 seconds is a gap in any case. Parts of one recording go on without a
 * comparison. A tape that lies within an earlier one of the market continues nothing.
 */
import { BookSnapshots, type RowFacts } from '../../replay/index.ts';
import { BLOCK_ROWS, type Block, type BlockWriter, type Feed, FLAG, KIND, makeBlock } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';

const LONGEST_HOLE_MS = 10_000;

export interface SeamCounts {
  /** Places where a market is continued on another tape. */
  readonly seams: number;
  /** Of them, those at which the books differ or there is a hole: they are gaps of the joined tape. */
  readonly gaps: number;
  /** Rows of later tapes, before the earlier one ended, that it has too. */
  readonly repeated: number;
  /** The same, which it has not. */
  readonly differing: number;
  /** Rows of opening books that repeat the book at the end of the tape before. */
  readonly opening: number;
}

/** One market of one tape. */
interface Segment {
  readonly tape: TapeFile;
  /** On its own tape. */
  readonly number: number;
  /** The book that its rows have left; of markets with several segments. */
  readonly books: BookSnapshots;
}

interface JoinedMarket {
  /** Of the joined tape. */
  readonly number: number;
  /** In order of time; none ends before the one before it. */
  readonly segments: Segment[];
  /** It is on more than one tape. */
  isShared: boolean;
  current: number;
  /** It has resolved: a later tape cannot change that. */
  isOver: boolean;
  /** The next book that the current segment opens with is the one that stands. */
  skipsOpening: boolean;
  /** Rows of the current segment at its last time, as texts. */
  lastRows: { time: number; rows: Set<string> };
}

/** A market of the merged feed. */
interface Place {
  readonly market: JoinedMarket;
  readonly segment: Segment;
  /** Of the segment; none where its tape lies within an earlier one. */
  readonly order?: number;
}

export class Seams {
  readonly counts = { seams: 0, gaps: 0, repeated: 0, differing: 0, opening: 0 };
  /** By number of the merged feed. */
  readonly #places: readonly Place[];
  readonly #out: BlockWriter;
  /** Markets that will be continued, by the end of their present tape, the earliest first. */
  #ends: JoinedMarket[];

  /** @param numbers of the merged feed: the number on the joined tape of each */
  constructor(tapes: readonly TapeFile[], numbers: readonly number[], out: BlockWriter) {
    const joined = new Map<number, JoinedMarket>();
    const segments = tapes.flatMap((tape) =>
      tape.manifest.markets.map((_, number): Segment => ({ tape, number, books: new BookSnapshots() })),
    );
    this.#places = segments.map((segment, merged): Place => {
      const number = numbers[merged] ?? 0;
      const market = joined.get(number) ?? newMarket(number);
      joined.set(number, market);
      const last = market.segments.at(-1);
      market.isShared ||= last !== undefined;
      if (last !== undefined && isWithin(segment.tape, last.tape)) return { market, segment };
      market.segments.push(segment);
      return { market, segment, order: market.segments.length - 1 };
    });
    this.#out = out;
    this.#ends = [...joined.values()].filter((market) => market.segments.length > 1);
    this.#sortEnds();
  }

  /** A message of the merged feed. */
  message(block: Block, from: number, to: number): void {
    const time = block.tx[from] ?? 0;
    for (let [next] = this.#ends; next !== undefined && endOf(next) < time; [next] = this.#ends) this.#handOver(next);
    this.#out.begin(time, block.rx[from] ?? time);
    const opened = new Set<JoinedMarket>();
    for (let row = from; row < to; row += 1) {
      const place = this.#places[block.market[row] ?? 0];
      if (place === undefined) continue;
      if (isOpening(block, row) && place.order === place.market.current + 1 && time === endOf(place.market))
        this.#goOn(place.market);
      if (!place.market.isShared || this.#isBelieved(place, block, row, opened)) this.#write(place.market, block, row);
    }
    for (const market of opened) market.skipsOpening = false;
    this.#out.end();
  }

  #isBelieved({ market, segment, order }: Place, block: Block, row: number, opened: Set<JoinedMarket>): boolean {
    applyTo(segment, block, row);
    const text = rowText(block, row);
    const kind = block.kind[row];
    const { lastRows } = market;
    if (order !== market.current) {
      // A later tape of the market: the present one is believed.
      if (lastRows.time === block.tx[row] && lastRows.rows.has(text)) this.counts.repeated += 1;
      else this.counts.differing += 1;
      return false;
    }
    if (market.isOver && (kind === KIND.status || kind === KIND.resolution)) {
      this.counts.repeated += 1;
      return false;
    }
    market.isOver ||= kind === KIND.resolution;
    if (lastRows.time !== block.tx[row]) market.lastRows = { time: block.tx[row] ?? 0, rows: new Set() };
    market.lastRows.rows.add(text);
    if (!market.skipsOpening) return true;
    opened.add(market);
    const isOfBook = kind === KIND.clear || kind === KIND.level || kind === KIND.ahead;
    if (!isOfBook && !isOpening(block, row)) return true;
    this.counts.opening += 1;
    return false;
  }

  #write({ number }: JoinedMarket, block: Block, row: number): void {
    const { kind, side, price, shares, flags } = block;
    this.#out.row(
      number,
      kind[row] ?? 0,
      side[row] ?? 0,
      price[row] ?? 0,
      shares[row] ?? 0,
      (flags[row] ?? 0) & ~(FLAG.last | FLAG.opening),
    );
  }

  /** The next tape is the next part of the same recording: it begins when and with what the present one ends. */
  #goOn(market: JoinedMarket): void {
    this.counts.seams += 1;
    market.current += 1;
    market.skipsOpening = true;
    this.#ends = this.#ends.filter((other) => other.current < other.segments.length - 1);
    this.#sortEnds();
  }

  /** The present tape of a market is over. */
  #handOver(market: JoinedMarket): void {
    const before = segmentOf(market);
    market.current += 1;
    const next = segmentOf(market);
    this.counts.seams += 1;
    const end = before.tape.manifest.to;
    const hasBegun = next.books.rowsOf(next.number).length > 0;
    const opening = hasBegun ? { books: next.books, time: end } : openingOf(next);
    const isSame =
      opening !== undefined &&
      opening.time - end <= LONGEST_HOLE_MS &&
      bookText(before.books.rowsOf(before.number)) === bookText(opening.books.rowsOf(next.number));
    if (!isSame) this.#gap(market, end, hasBegun ? rowsThatMayFollow(market, next) : []);
    market.skipsOpening = isSame && !hasBegun;
    if (market.current === market.segments.length - 1) this.#ends = this.#ends.filter((other) => other !== market);
    this.#sortEnds();
  }

  /** @param book of the next tape, where that has begun */
  #gap(market: JoinedMarket, time: number, book: readonly RowFacts[]): void {
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
    market.isOver ||= book.some(({ kind }) => kind === KIND.resolution);
  }

  #sortEnds(): void {
    this.#ends.sort((a, b) => endOf(a) - endOf(b));
  }
}

/** The next part of a recording may begin and end in the millisecond in which the earlier one ends. */
function isWithin({ manifest: { from, to } }: TapeFile, { manifest: earlier }: TapeFile): boolean {
  return to <= earlier.to && from < earlier.to;
}

function newMarket(number: number): JoinedMarket {
  const lastRows = { time: -1, rows: new Set<string>() };
  return { number, segments: [], isShared: false, current: 0, isOver: false, skipsOpening: false, lastRows };
}

/** Of the present tape. */
function segmentOf({ segments, current }: JoinedMarket): Segment {
  const segment = segments[current];
  if (segment === undefined) throw new Error(`Invariant: segment ${current} of ${segments.length}`);
  return segment;
}

/** What the next tape says of a market so far. A market that is over stays so. */
function rowsThatMayFollow({ isOver }: JoinedMarket, { books, number }: Segment): readonly RowFacts[] {
  const rows = books.rowsOf(number);
  return isOver ? rows.filter(({ kind }) => kind !== KIND.status && kind !== KIND.resolution) : rows;
}

/** When the present tape of a market ends. */
function endOf(market: JoinedMarket): number {
  return segmentOf(market).tape.manifest.to;
}

/** Rows of a merged feed have other market numbers than the tape itself. */
function applyTo({ books, number }: Segment, block: Block, row: number): void {
  const merged = block.market[row] ?? 0;
  block.market[row] = number;
  books.apply(block, row);
  block.market[row] = merged;
}

function isOpening({ flags }: Block, row: number): boolean {
  return ((flags[row] ?? 0) & FLAG.opening) !== 0;
}

function rowText({ kind, side, price, shares }: Block, row: number): string {
  return `${kind[row]} ${side[row]} ${price[row]} ${shares[row]}`;
}

/** Levels in one order; a lost book is none. */
function bookText(rows: readonly RowFacts[]): string {
  const texts = rows
    .filter(({ kind }) => kind === KIND.level || kind === KIND.gap)
    .map(({ kind, side, price, shares }) => `${kind} ${side} ${price} ${shares}`);
  return texts.sort().join('\n');
}

/** The book after the first message of a market that has not begun, and its time; undefined where that is no full book. */
function openingOf({ tape, number }: Segment): { readonly books: BookSnapshots; readonly time: number } | undefined {
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
