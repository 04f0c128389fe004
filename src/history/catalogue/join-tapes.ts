import { basename } from 'node:path';
import { InputFault, sameGrid } from '../../domain/index.ts';
import {
  BLOCK_ROWS,
  type Block,
  FLAG,
  makeBlock,
  mergeFeeds,
  type TapeManifest,
  type TapeMarket,
} from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { type TapeHead, TapeWriter } from '../tape-writer.ts';
import { type JoinCounts, SegmentJoiner } from './segment-joiner.ts';

/**
 * Joins tapes in order of time, with 1 MB of memory per tape. `SegmentJoiner` joins a market's tapes.
 * @throws InputFault for incompatible tapes
 * @throws FileFault for a damaged tape, or a tape that cannot be written
 */
export function joinTapes(
  tapes: readonly TapeFile[],
  path: string,
  onProgress?: (fraction: number) => void,
): { readonly manifest: TapeManifest; readonly counts: JoinCounts } {
  const ordered = tapes.toSorted((a, b) => a.manifest.from - b.manifest.from || a.manifest.to - b.manifest.to);
  const { markets, numbers } = joinMarkets(ordered);
  const head = joinHeads(ordered, markets);
  const total = ordered.reduce((sum, { manifest }) => sum + manifest.rows, 0);
  const writer = new TapeWriter(path);
  const feed = mergeFeeds(ordered.map((tape) => ({ feed: tape.feed(), markets: tape.manifest.markets.length })));
  const joiner = new SegmentJoiner(ordered, numbers, writer.messages);
  const block = makeBlock(BLOCK_ROWS);
  let rows = 0;
  try {
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; ) {
        const end = findMessageEnd(block, row);
        joiner.addMessage(block, row, end);
        row = end;
      }
      rows += block.count;
      onProgress?.(rows / total);
    }
    return { manifest: writer.finish(head), counts: joiner.counts };
  } finally {
    feed.close();
    writer.abandon();
  }
}

function findMessageEnd({ flags }: Block, from: number): number {
  let row = from;
  while (((flags[row] ?? FLAG.last) & FLAG.last) === 0) row += 1;
  return row + 1;
}

/** Returns each market once. `numbers` has a market's number on the joined tape, by its number in the merged feed. */
function joinMarkets(tapes: readonly TapeFile[]): {
  readonly markets: TapeMarket[];
  readonly numbers: readonly number[];
} {
  const markets: TapeMarket[] = [];
  const numberById = new Map<string, number>();
  const numbers: number[] = [];
  for (const { manifest, path } of tapes) {
    for (const market of manifest.markets) {
      const known = numberById.get(market.id);
      const number = known ?? markets.length;
      if (known === undefined) {
        numberById.set(market.id, number);
        markets.push(market);
      } else if (!sameGrid(market.grid, markets[known]?.grid ?? market.grid)) {
        throw new InputFault(basename(path), market.slug, 'the price grid that this market has on the other tapes');
      }
      numbers.push(number);
    }
  }
  return { markets, numbers };
}

function joinHeads(tapes: readonly TapeFile[], markets: readonly TapeMarket[]): TapeHead {
  const [first] = tapes;
  if (first === undefined) throw new InputFault('tapes', undefined, 'at least one tape');
  const { receiveTime, content, name } = first.manifest;
  for (const { manifest, path } of tapes) {
    const makeFault = (received: string, expected: string) => new InputFault(basename(path), received, expected);
    if (manifest.receiveTime !== receiveTime)
      throw makeFault(manifest.receiveTime, `receive times that are ${receiveTime}, as on the other tapes`);
    if (manifest.content !== content)
      throw makeFault(manifest.content ?? 'books', `a tape of ${content ?? 'books'}, as the other tapes are`);
  }
  const byHash = new Map<string, string>();
  for (const { manifest, path } of tapes) {
    const other = byHash.get(manifest.contentHash);
    if (other !== undefined) throw new InputFault('tapes', path, `a tape with other rows than ${other}`);
    byHash.set(manifest.contentHash, path);
  }
  return {
    name: tapes.length === 1 ? name : `${name} and ${tapes.length - 1} more`,
    source: {
      description: [...new Set(tapes.map(({ manifest }) => manifest.source.description))].join('; '),
      licence: [...new Set(tapes.map(({ manifest }) => manifest.source.licence))].join('; '),
      files: tapes.map(({ path, manifest }) => ({ name: basename(path), sha256: manifest.contentHash })),
    },
    units: [...new Set(tapes.flatMap(({ manifest }) => manifest.units))],
    receiveTime,
    content,
    markets,
  };
}
