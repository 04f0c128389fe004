import { basename } from 'node:path';
import { formatTime, InputFault } from '../../domain/index.ts';
import { BookSnapshots } from '../../replay/index.ts';
import {
  BLOCK_ROWS,
  type Block,
  type BlockWriter,
  type Feed,
  FLAG,
  KIND,
  makeBlock,
  type TapeManifest,
} from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { getHead, type TapeHead, TapeWriter } from '../tape-writer.ts';

export interface CutOptions {
  /** Exchange times, epoch ms: `from` is inclusive, `to` exclusive. Default: all. */
  readonly from?: number;
  readonly to?: number;
  /** Slugs or ids. Default: all markets. */
  readonly markets?: readonly string[];
  /** Called with the fraction of the time that is copied; 1 at the end. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Writes a part of a tape as a new tape. The new tape begins with each market's status, placing delay, full book and
 * resolution at `from`.
 * @throws InputFault for an unknown market, a market that is named twice, or a time outside the tape
 * @throws FileFault for a damaged tape, or a tape that cannot be written
 */
export function cutTape(tape: TapeFile, path: string, options: CutOptions): TapeManifest {
  const { manifest } = tape;
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = options;
  const span = `${formatTime(manifest.from)} to ${formatTime(manifest.to)}`;
  if (from > manifest.to) throw new InputFault('--from', new Date(from).toISOString(), `a time of the tape: ${span}`);
  if (to <= manifest.from) throw new InputFault('--to', new Date(to).toISOString(), `a time of the tape: ${span}`);
  if (to <= from) throw new InputFault('--to', new Date(to).toISOString(), 'a time after --from');
  const numbers = findMarkets(manifest, options.markets);
  const writer = new TapeWriter(path);
  const feed = new MarketFilter(tape.feed(Number.isFinite(to) ? { to } : {}), numbers);
  try {
    const end = Math.min(to, manifest.to);
    copyFrom(feed, from, writer.messages, (tx) =>
      options.onProgress?.((tx - manifest.from) / Math.max(1, end - manifest.from)),
    );
    options.onProgress?.(1);
    return writer.finish(makeHead(tape, numbers));
  } finally {
    feed.close();
    writer.abandon();
  }
}

function findMarkets({ markets }: TapeManifest, names: readonly string[] | undefined): readonly number[] {
  if (names === undefined) return markets.map((_, number) => number);
  const numbers = names.map((name) => {
    const number = markets.findIndex(({ id, slug }) => id === name || slug === name);
    if (number >= 0) return number;
    const known = markets.slice(0, 5).map(({ slug }) => slug);
    const expected = `a market of the tape: ${known.join(', ')}${markets.length > 5 ? ', …' : ''}`;
    throw new InputFault('--market', name, expected);
  });
  const repeated = names.find((_, at) => numbers.indexOf(numbers[at] ?? 0) !== at);
  if (repeated !== undefined) throw new InputFault('--market', repeated, 'each market once');
  return numbers;
}

function copyFrom(feed: Feed, from: number, out: BlockWriter, onTime: (tx: number) => void): void {
  const books = new BookSnapshots();
  const block = makeBlock(BLOCK_ROWS);
  let isStarted = from === Number.NEGATIVE_INFINITY;
  while (feed.fill(block) > 0) {
    let row = 0;
    for (; !isStarted && row < block.count && (block.tx[row] ?? 0) < from; row += 1) books.apply(block, row);
    if (!isStarted && row < block.count) {
      isStarted = true;
      writeBooks(books, from, from, out);
    }
    out.append(block, row);
    onTime(block.tx[block.count - 1] ?? 0);
  }
  if (!isStarted) writeBooks(books, from, from, out);
}

/** Writes the books as one message per market. @param flags flags of all rows */
export function writeBooks(books: BookSnapshots, tx: number, rx: number, out: BlockWriter, flags = 0): void {
  for (const [market, rows] of books.toRowsByMarket()) {
    out.begin(tx, rx);
    if (rows.every(({ kind }) => kind !== KIND.gap)) out.row(market, KIND.clear, 0, 0, 0, flags);
    for (const { kind, side, price, shares } of rows) out.row(market, kind, side, price, shares, flags);
    out.end();
  }
}

function makeHead({ manifest, path }: TapeFile, numbers: readonly number[]): TapeHead {
  const { description, licence } = manifest.source;
  return {
    ...getHead(manifest),
    source: { description, licence, files: [{ name: basename(path), sha256: manifest.contentHash }] },
    markets: numbers.flatMap((number) => manifest.markets[number] ?? []),
  };
}

/** Filters a feed to some of its markets, and gives them new numbers. Messages stay whole. */
export class MarketFilter implements Feed {
  readonly #source: Feed;
  /** New number plus 1, by old number; 0 for a market that the filter drops. */
  readonly #numbers: Uint32Array;

  /** @param markets old numbers; the position is the new number */
  constructor(source: Feed, markets: readonly number[]) {
    this.#source = source;
    this.#numbers = new Uint32Array(65_536);
    for (const [number, market] of markets.entries()) this.#numbers[market] = number + 1;
  }

  fill(block: Block): number {
    while (this.#source.fill(block) > 0) {
      this.#filter(block);
      if (block.count > 0) break;
    }
    return block.count;
  }

  close(): void {
    this.#source.close();
  }

  #filter(block: Block): void {
    const { tx, rx, market, kind, side, price, shares, flags, count } = block;
    const numbers = this.#numbers;
    let to = 0;
    let start = 0;
    for (let row = 0; row < count; row += 1) {
      const number = numbers[market[row] ?? 0] ?? 0;
      const isLast = ((flags[row] ?? 0) & FLAG.last) !== 0;
      if (number > 0) {
        tx[to] = tx[row] ?? 0;
        rx[to] = rx[row] ?? 0;
        market[to] = number - 1;
        kind[to] = kind[row] ?? 0;
        side[to] = side[row] ?? 0;
        price[to] = price[row] ?? 0;
        shares[to] = shares[row] ?? 0;
        flags[to] = (flags[row] ?? 0) & ~FLAG.last;
        to += 1;
      }
      if (!isLast) continue;
      if (to > start) flags[to - 1] = (flags[to - 1] ?? 0) | FLAG.last;
      start = to;
    }
    block.count = to;
  }
}
