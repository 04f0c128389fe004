/**
 * The index of a folder of tapes: a copy of all manifests, so that listing thousands of tapes opens one file.
 *
 * The file `.tapes-index` has two lines of JSON: the version and the second line's CRC-32, then the entries. If the
 * file cannot be read or has another version, the tapes are opened. If two processes write the file, the later wins.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { getMember, parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import type { TapeManifest } from '../../tape/index.ts';
import { parseManifest, toManifestJson } from '../tape-manifest.ts';
import { writeFileAtomically } from './partial-file.ts';

export const INDEX_NAME = '.tapes-index';
const VERSION = 1;
const FILE_NAME = /^[^/\\\0]+\.tape$/;
const MAX_BYTES = 256 * 1_048_576;

export interface IndexedTape {
  readonly file: string;
  /** Size of the file; if it differs, the tape is opened again. */
  readonly bytes: number;
  /** Modification time, epoch ms; if it differs, the tape is opened again. */
  readonly changedAt: number;
  readonly manifest: TapeManifest;
}

/** Returns the entries by file name. Returns no entries if the index cannot be used. */
export function readIndex(folder: string): ReadonlyMap<string, IndexedTape> {
  try {
    const text = readFileAtMost(join(folder, INDEX_NAME), MAX_BYTES, 'an index of tapes').toString('utf8');
    return new Map(parseIndex(text).map((entry) => [entry.file, entry]));
  } catch {
    // The tapes contain the same data, so an unusable index is no fault.
    return new Map();
  }
}

/** @throws Error if the text is not an index, or names a file outside the folder */
export function parseIndex(text: string): readonly IndexedTape[] {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  const head: unknown = JSON.parse(text.slice(0, end));
  if (getMember(head, 'version') !== VERSION) throw new Error('another version');
  if (getMember(head, 'crc32') !== crc32(body)) throw new Error('the checksum is wrong');
  const entries = parseJson(Buffer.from(body));
  if (!Array.isArray(entries)) throw new Error('not a list');
  return entries.map(parseEntry);
}

export function writeIndex(folder: string, tapes: readonly IndexedTape[]): void {
  const body = JSON.stringify(tapes.map((tape) => ({ ...tape, manifest: toManifestJson(tape.manifest) })));
  try {
    writeFileAtomically(
      join(folder, INDEX_NAME),
      `${JSON.stringify({ version: VERSION, crc32: crc32(body) })}\n${body}`,
    );
  } catch {
    // A read-only folder has no index.
  }
}

function parseEntry(value: unknown): IndexedTape {
  const [file, bytes, changedAt] = [getMember(value, 'file'), getMember(value, 'bytes'), getMember(value, 'changedAt')];
  if (typeof file !== 'string' || !FILE_NAME.test(file) || typeof bytes !== 'number' || typeof changedAt !== 'number')
    throw new Error('not an entry of the index');
  return { file, bytes, changedAt, manifest: parseManifest(getMember(value, 'manifest')) };
}
