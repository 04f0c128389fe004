/**
 * The index of a folder of tapes: what each tape says of itself, so that a list of thousands opens one file.
 *
 * The file, `.tapes-index` in the folder: a line of JSON with the version and the CRC-32 of the second line, and a line with
 * the entries. It is a copy of what the tapes say: what is damaged, too large, of another version or not writable is left
 * out, and the tapes are opened instead. It is replaced by a rename, so that of two processes that write it the later wins.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import type { TapeManifest } from '../../tape/index.ts';
import { manifestJson, parseManifest } from '../tape-manifest.ts';
import { PartialFile } from './partial-file.ts';

export const INDEX_NAME = '.tapes-index';
const VERSION = 1;
const FILE_NAME = /^[^/\\\0]+\.tape$/;
const MAX_BYTES = 256 * 1_048_576;

export interface IndexedTape {
  /** Name of the file in the folder. */
  readonly file: string;
  /** Of the file, bytes and epoch ms: a tape of another size or time is opened again. */
  readonly bytes: number;
  readonly changedAt: number;
  readonly manifest: TapeManifest;
}

/** By file name; nothing where the index cannot be used. */
export function readIndex(folder: string): ReadonlyMap<string, IndexedTape> {
  try {
    const text = readFileAtMost(join(folder, INDEX_NAME), MAX_BYTES, 'an index of tapes').toString('utf8');
    return new Map(parseIndex(text).map((entry) => [entry.file, entry]));
  } catch {
    // Whatever is wrong with it, the tapes themselves have what it says.
    return new Map();
  }
}

/** @throws Error for what is no index, or one that names a file outside its folder */
export function parseIndex(text: string): readonly IndexedTape[] {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  const head: unknown = JSON.parse(text.slice(0, end));
  if (fieldOf(head, 'version') !== VERSION) throw new Error('another version');
  if (fieldOf(head, 'crc32') !== crc32(body)) throw new Error('the checksum is wrong');
  const entries = parseJson(Buffer.from(body));
  if (!Array.isArray(entries)) throw new Error('not a list');
  return entries.map(entryOf);
}

export function writeIndex(folder: string, tapes: readonly IndexedTape[]): void {
  const body = JSON.stringify(tapes.map((tape) => ({ ...tape, manifest: manifestJson(tape.manifest) })));
  let partial: PartialFile | undefined;
  try {
    partial = new PartialFile(join(folder, INDEX_NAME));
    writeFileSync(partial.path, `${JSON.stringify({ version: VERSION, crc32: crc32(body) })}\n${body}`);
    partial.finish();
  } catch {
    // A folder that cannot be written to is listed without an index.
    partial?.abandon();
  }
}

/** @throws Error for what is no entry */
function entryOf(value: unknown): IndexedTape {
  const [file, bytes, changedAt] = [fieldOf(value, 'file'), fieldOf(value, 'bytes'), fieldOf(value, 'changedAt')];
  if (typeof file !== 'string' || !FILE_NAME.test(file) || typeof bytes !== 'number' || typeof changedAt !== 'number') {
    throw new Error('not an entry of the index');
  }
  return { file, bytes, changedAt, manifest: parseManifest(fieldOf(value, 'manifest')) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
