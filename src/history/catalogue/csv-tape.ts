/** Exports a tape as CSV, and restores it from the export. */
import { existsSync, fsyncSync, writeFileSync } from 'node:fs';
import { errorMessage, FileFault, LOT, SHARE, withReadFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import {
  BLOCK_ROWS,
  type Block,
  type BlockWriter,
  FLAG,
  KIND,
  makeBlock,
  SIDE,
  STATUS_CODES,
  type TapeManifest,
} from '../../tape/index.ts';
import { quoteCsv, splitCsv } from '../import/csv-source.ts';
import { readLines } from '../lines.ts';
import type { TapeFile } from '../tape-file.ts';
import { parseManifest, toManifestJson } from '../tape-manifest.ts';
import { getHead, TapeWriter } from '../tape-writer.ts';
import { expectExport, writeExport } from './partial-file.ts';

const CSV_HEADER = 'tx,rx,market,kind,side,price,shares,last,inferred,own,late,opening';
const CSV_FLAGS = [FLAG.inferred, FLAG.own, FLAG.late, FLAG.opening] as const;
const KIND_NAMES = Object.keys(KIND);
const SIDE_NAMES = Object.keys(SIDE);
const COLUMN_COUNT = CSV_HEADER.split(',').length;
const EXPORT = '`npx halfspread tape export --format csv`';
const REMEDY = `Export the tape again with ${EXPORT}`;
/** A manifest of 65,536 markets has about 25 MB. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
const KINDS = new Map<string, number>(Object.entries(KIND));
const SIDES = new Map<string, number>(Object.entries(SIDE));
const STATUSES = new Map<string, number>(STATUS_CODES.map((name, code) => [name, code]));

/**
 * Writes all rows of a tape as CSV, with names for codes, and the manifest as `<path>.json`. `tx` and `rx` are epoch
 * ms. `price` is bps, or the name of a status. `shares` is a number of shares, or a delay in ms.
 * @throws FileFault for a damaged tape, or a file that cannot be written
 */
export function exportCsv(tape: TapeFile, path: string, onProgress?: (fraction: number) => void): Promise<void> {
  return writeExport(tape, path, (feed, fd) => {
    const slugs = tape.manifest.markets.map(({ slug }) => quoteCsv(slug));
    const block = makeBlock(BLOCK_ROWS);
    let rows = 0;
    writeFileSync(fd, `${CSV_HEADER}\n`);
    while (feed.fill(block) > 0) {
      let text = '';
      for (let row = 0; row < block.count; row += 1) text += toCsvLine(block, row, slugs);
      writeFileSync(fd, text);
      rows += block.count;
      onProgress?.(rows / tape.manifest.rows);
    }
    fsyncSync(fd);
    writeFileSync(`${path}.json`, JSON.stringify(toManifestJson(tape.manifest)));
  });
}

function toCsvLine(
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
  return `${tx[row]},${rx[row]},${slugs[market[row] ?? 0]},${KIND_NAMES[kindCode]},${SIDE_NAMES[side[row] ?? 0]},${value},${amount},${last}${flagCells}\n`;
}

/** Restores the tape that `exportCsv` wrote, with its rows and content hash. @throws FileFault with the invalid line */
export async function restoreFromCsv(source: string, path: string): Promise<TapeManifest> {
  expectExport(source);
  const manifest = readManifest(`${source}.json`);
  const markets = new Map(manifest.markets.map(({ slug }, market) => [slug, market]));
  if (markets.size < manifest.markets.length) {
    const problem = 'two of its markets have the same slug, so its rows are ambiguous';
    throw new FileFault(source, undefined, problem, 'Export the tape as Parquet');
  }
  const writer = new TapeWriter(path);
  let number = 1;
  try {
    let isInMessage = false;
    for await (const line of readLines(source)) {
      number = line.number;
      if (number === 1) {
        if (line.text !== CSV_HEADER) throw new RangeError(`the columns are not ${CSV_HEADER}`);
        continue;
      }
      isInMessage = !addRow(line.text, markets, writer.messages, isInMessage);
    }
    writer.messages.finish();
    return writer.finish(getHead(manifest), {
      check: ({ contentHash }) => {
        if (contentHash !== manifest.contentHash)
          throw new FileFault(source, undefined, 'the content hash of the rows differs from the manifest', REMEDY);
      },
    });
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    throw new FileFault(source, `line ${number}`, errorMessage(cause).replace('Invariant: ', ''), REMEDY, { cause });
  } finally {
    writer.abandon();
  }
}

function readManifest(path: string): TapeManifest {
  if (!existsSync(path)) {
    const remedy = `Put the manifest back beside the CSV file, or export the tape again with ${EXPORT}`;
    throw new FileFault(path, undefined, 'there is no such file; the CSV file beside it needs this manifest', remedy);
  }
  const bytes = withReadFault(path, REMEDY, () => readFileAtMost(path, MAX_MANIFEST_BYTES, 'a manifest'));
  try {
    return parseManifest(tryParseJson(bytes));
  } catch (cause) {
    throw new FileFault(path, undefined, `not a manifest of a tape (${errorMessage(cause)})`, REMEDY, { cause });
  }
}

/** Adds a row. Returns whether the row ends its message. @throws RangeError that names the first invalid cell */
function addRow(line: string, markets: ReadonlyMap<string, number>, out: BlockWriter, isInMessage: boolean): boolean {
  const cells = splitCsv(line, ',');
  if (cells?.length !== COLUMN_COUNT) throw new RangeError(`the row does not have ${COLUMN_COUNT} cells`);
  const [txText, rxText, slug = '', kindName = '', sideName = '', priceText = '', shares, last, ...flagCells] = cells;
  const kind = parseCode(KINDS, kindName, 'kind');
  const amount = parseNumber(shares, 'shares');
  let flags = 0;
  for (const [at, flag] of CSV_FLAGS.entries()) if (parseFlag(flagCells[at])) flags |= flag;
  const [tx, rx] = [parseNumber(txText, 'tx'), parseNumber(rxText, 'rx')];
  const market = parseCode(markets, slug, 'market');
  const side = parseCode(SIDES, sideName, 'side');
  const price = kind === KIND.status ? parseCode(STATUSES, priceText, 'price') : parseNumber(priceText, 'price');
  const isLast = parseFlag(last);
  if (!isInMessage) out.begin(tx, rx);
  // The export writes whole lots as decimals. Rounding restores the lots.
  const stored = kind === KIND.placeDelay ? amount : Math.round((amount * SHARE) / LOT) * LOT;
  out.row(market, kind, side, price, stored, flags);
  if (isLast) out.end();
  return isLast;
}

function parseCode(codes: ReadonlyMap<string, number>, word: string, column: string): number {
  const code = codes.get(word);
  if (code === undefined) throw new RangeError(`column "${column}": "${word.slice(0, 80)}" is not a word of an export`);
  return code;
}

function parseNumber(text: string | undefined, column: string): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new RangeError(`column "${column}": "${text?.slice(0, 80)}" is not a number`);
  return value;
}

function parseFlag(text: string | undefined): boolean {
  if (text !== '0' && text !== '1') throw new RangeError(`"${text?.slice(0, 80)}" is neither 0 nor 1`);
  return text === '1';
}
