import { fsyncSync, writeFileSync } from 'node:fs';
import { SHARE } from '../../domain/index.ts';
import { BLOCK_ROWS, type Block, FLAG, KIND, makeBlock, SIDE, STATUS_CODES } from '../../tape/index.ts';
import type { TapeFile } from '../tape-file.ts';
import { manifestJson } from '../tape-manifest.ts';
import { writeExport } from './partial-file.ts';

/** First line of the file. */
export const CSV_COLUMNS = 'tx,rx,market,kind,side,price,shares,last,inferred,own,late,opening';
/** Flags of the columns after `last`, in order. */
export const CSV_FLAGS = [FLAG.inferred, FLAG.own, FLAG.late, FLAG.opening] as const;
const KINDS = Object.keys(KIND);
const SIDES = Object.keys(SIDE);

/**
 * Writes all rows of a tape as CSV, with names for codes, and the manifest beside it (`csvManifestPath`). `tx` and `rx` are
 * epoch ms. `price` is bps, or the name of a status. `shares` are shares, or the ms of a delay. The file has another name
 * until it is complete.
 * @throws FileFault for a damaged tape, or a file that cannot be written
 */
export function exportCsv(tape: TapeFile, path: string, onProgress?: (share: number) => void): Promise<void> {
  return writeExport(tape, path, (feed, fd) => {
    const slugs = tape.manifest.markets.map(({ slug }) => quote(slug));
    const block = makeBlock(BLOCK_ROWS);
    let rows = 0;
    writeFileSync(fd, `${CSV_COLUMNS}\n`);
    while (feed.fill(block) > 0) {
      let text = '';
      for (let row = 0; row < block.count; row += 1) text += csvLine(block, row, slugs);
      writeFileSync(fd, text);
      rows += block.count;
      onProgress?.(rows / tape.manifest.rows);
    }
    fsyncSync(fd);
    writeFileSync(csvManifestPath(path), JSON.stringify(manifestJson(tape.manifest)));
  });
}

export function csvManifestPath(path: string): string {
  return `${path}.json`;
}

function csvLine(
  { tx, rx, market, kind, side, price, shares, flags }: Block,
  row: number,
  slugs: readonly string[],
): string {
  const kindCode = kind[row] ?? 0;
  const code = price[row] ?? 0;
  const size = shares[row] ?? 0;
  const flag = flags[row] ?? 0;
  const value = kindCode === KIND.status ? (STATUS_CODES[code] ?? code) : code;
  const amount = kindCode === KIND.placeDelay ? size : size / SHARE;
  const last = flag & FLAG.last;
  let flagCells = '';
  for (const bit of CSV_FLAGS) flagCells += (flag & bit) === 0 ? ',0' : ',1';
  return `${tx[row]},${rx[row]},${slugs[market[row] ?? 0]},${KINDS[kindCode]},${SIDES[side[row] ?? 0]},${value},${amount},${last}${flagCells}\n`;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
