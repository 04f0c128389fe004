import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { FileFault, LOT, SHARE } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { type BlockWriter, KIND, SIDE, STATUS_CODES, type TapeManifest } from '../../tape/index.ts';
import { splitCsv } from '../import/csv-source.ts';
import { newTrace, readLines } from '../lines.ts';
import { parseManifest } from '../tape-manifest.ts';
import { headOf, TapeWriter } from '../tape-writer.ts';
import { CSV_COLUMNS, CSV_FLAGS, csvManifestPath } from './export-csv.ts';

const REMEDY = 'Export the tape again with `npx halfspread tape export --format csv`';
/** A manifest of 65,536 markets has about 25 MB. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
const KINDS = new Map<string, number>(Object.entries(KIND));
const SIDES = new Map<string, number>(Object.entries(SIDE));
const STATUSES = new Map<string, number>(STATUS_CODES.map((name, code) => [name, code]));

/**
 * Restores a tape from the CSV file and manifest that `exportCsv` wrote. Rows and content hash are the same.
 * @throws FileFault with the line, when the file has no manifest, differs from it, or is damaged
 */
export async function restoreFromCsv(source: string, path: string): Promise<TapeManifest> {
  const manifest = readManifest(csvManifestPath(source));
  const markets = new Map(manifest.markets.map(({ slug }, market) => [slug, market]));
  if (markets.size < manifest.markets.length) {
    const problem = 'two of its markets have the same slug, so its rows are ambiguous';
    throw new FileFault(source, undefined, problem, 'Export the tape as Parquet');
  }
  const writer = new TapeWriter(path);
  let number = 1;
  try {
    let isOpen = false;
    for await (const line of readLines(source, newTrace())) {
      number = line.number;
      if (number === 1) {
        if (line.text !== CSV_COLUMNS) throw new RangeError(`the columns are not ${CSV_COLUMNS}`);
        continue;
      }
      isOpen = !addRow(line.text, markets, writer.messages, isOpen);
    }
    writer.messages.finish();
    const written = writer.finish(headOf(manifest));
    if (written.contentHash === manifest.contentHash) return written;
    rmSync(path, { force: true });
    throw new FileFault(source, undefined, 'the content hash of the rows differs from the manifest', REMEDY);
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    const problem = cause instanceof Error ? cause.message.replace('Invariant: ', '') : String(cause);
    throw new FileFault(source, `line ${number}`, problem, REMEDY, { cause });
  } finally {
    writer.abandon();
  }
}

function readManifest(path: string): TapeManifest {
  if (!existsSync(path)) {
    throw new FileFault(path, undefined, 'there is no such file; the CSV file beside it needs this manifest', REMEDY);
  }
  const { size } = statSync(path);
  if (size > MAX_MANIFEST_BYTES) {
    throw new FileFault(path, undefined, `a manifest of ${size} bytes; the limit is ${MAX_MANIFEST_BYTES}`, REMEDY);
  }
  try {
    return parseManifest(tryParseJson(readFileSync(path)));
  } catch (cause) {
    const problem = `not a manifest of a tape (${cause instanceof Error ? cause.message : String(cause)})`;
    throw new FileFault(path, undefined, problem, REMEDY, { cause });
  }
}

/** Adds a row. Returns whether it is the last one of its message. @throws RangeError that names the first invalid cell */
function addRow(line: string, markets: ReadonlyMap<string, number>, out: BlockWriter, isOpen: boolean): boolean {
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
  if (!isOpen) out.begin(tx, rx);
  // The export writes whole lots as decimals; rounding restores the lots.
  const stored = kind === KIND.placeDelay ? amount : Math.round((amount * SHARE) / LOT) * LOT;
  out.row(market, kind, side, price, stored, flags);
  if (isLast) out.end();
  return isLast;
}

const COLUMN_COUNT = CSV_COLUMNS.split(',').length;

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
