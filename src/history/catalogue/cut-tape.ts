import { basename } from 'node:path';
import { formatTime, InputFault } from '../../domain/index.ts';
import { BookSnapshots } from '../../replay/index.ts';
import { BLOCK_ROWS, type BlockWriter, type Feed, KIND, makeBlock, type TapeManifest } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { headOf, type TapeHead, TapeWriter } from '../tape-writer.ts';
import { MarketFilter } from './market-filter.ts';

export interface CutOptions {
  /** Exchange times, epoch ms: `from` is inclusive, `to` exclusive. Default: all. */
  readonly from?: number;
  readonly to?: number;
  /** Slugs or ids. Default: all markets. */
  readonly markets?: readonly string[];
  readonly onProgress?: (share: number) => void;
}

/**
 * Writes a part of a tape as a tape. If it leaves out earlier rows, the new tape begins with the state of each market at
 * `from`: status, placing delay, full book and resolution.
 * @throws InputFault for an unknown market, or a time outside the tape
 * @throws FileFault for a damaged tape, or one that cannot be written
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
    copyFrom(feed, from, writer.messages, (rows) => options.onProgress?.(rows / manifest.rows));
    return writer.finish(cutHead(tape, numbers));
  } finally {
    feed.close();
    writer.abandon();
  }
}

/** @throws InputFault */
function findMarkets({ markets }: TapeManifest, names: readonly string[] | undefined): readonly number[] {
  if (names === undefined) return markets.map((_, place) => place);
  return names.map((name) => {
    const place = markets.findIndex(({ id, slug }) => id === name || slug === name);
    if (place >= 0) return place;
    const known = markets.slice(0, 5).map(({ slug }) => slug);
    throw new InputFault(
      '--market',
      name,
      `a market of the tape: ${known.join(', ')}${markets.length > 5 ? ', …' : ''}`,
    );
  });
}

function copyFrom(feed: Feed, from: number, out: BlockWriter, onRows: (rows: number) => void): void {
  const books = new BookSnapshots();
  const block = makeBlock(BLOCK_ROWS);
  let isStarted = from === Number.NEGATIVE_INFINITY;
  let rows = 0;
  while (feed.fill(block) > 0) {
    let row = 0;
    for (; !isStarted && row < block.count && (block.tx[row] ?? 0) < from; row += 1) books.apply(block, row);
    if (!isStarted && row < block.count) {
      isStarted = true;
      writeBooks(books, from, from, out);
    }
    out.append(block, row);
    rows += block.count;
    onRows(rows);
  }
  if (!isStarted) writeBooks(books, from, from, out);
}

/** Writes the books as one message per market. @param flags of all rows */
export function writeBooks(books: BookSnapshots, tx: number, rx: number, out: BlockWriter, flags = 0): void {
  for (const [market, rows] of books.all()) {
    out.begin(tx, rx);
    if (rows.every(({ kind }) => kind !== KIND.gap)) out.row(market, KIND.clear, 0, 0, 0, flags);
    for (const { kind, side, price, shares } of rows) out.row(market, kind, side, price, shares, flags);
    out.end();
  }
}

function cutHead({ manifest, path }: TapeFile, numbers: readonly number[]): TapeHead {
  const { description, licence } = manifest.source;
  return {
    ...headOf(manifest),
    source: { description, licence, files: [{ name: basename(path), sha256: manifest.contentHash }] },
    markets: numbers.flatMap((number) => manifest.markets[number] ?? []),
  };
}
