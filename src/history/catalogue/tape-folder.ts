import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, FileFault, withReadFault } from '../../domain/index.ts';
import { TapeFile } from '../tape-file.ts';
import { type IndexedTape, readIndex, writeIndex } from './index-file.ts';

const MAX_TAPES = 100_000;

/** The tapes in a folder, without its subfolders. */
export interface TapeFolder {
  readonly path: string;
  readonly tapes: readonly IndexedTape[];
  /** Files with the extension of a tape that are damaged or not tapes. */
  readonly unusable: readonly { readonly file: string; readonly problem: string }[];
}

/** @throws FileFault when the path cannot be accessed */
export function isTapeFolder(path: string): boolean {
  return tryStat(path)?.isDirectory() ?? false;
}

/** Reads a folder's manifests and updates its index. @throws FileFault for an unreadable or too large folder */
export function openTapeFolder(path: string): TapeFolder {
  const known = readIndex(path);
  const unusable: { file: string; problem: string }[] = [];
  const tapes = readTapeNames(path).flatMap((file): IndexedTape[] => {
    try {
      const { size, mtimeMs } = statSync(join(path, file));
      const entry = known.get(file);
      if (entry !== undefined && entry.bytes === size && entry.changedAt === mtimeMs) return [entry];
      return [{ file, bytes: size, changedAt: mtimeMs, manifest: TapeFile.open(join(path, file)).manifest }];
    } catch (cause) {
      unusable.push({ file, problem: cause instanceof Fault ? cause.message : String(cause) });
      return [];
    }
  });
  if (tapes.length !== known.size || tapes.some((tape) => known.get(tape.file) !== tape)) writeIndex(path, tapes);
  return { path, tapes, unusable };
}

function tryStat(path: string): Stats | undefined {
  return withReadFault(path, 'Check the path', () => statSync(path, { throwIfNoEntry: false }));
}

function readTapeNames(path: string): readonly string[] {
  if (tryStat(path)?.isFile() === true)
    throw new FileFault(path, undefined, 'this is a file, not a folder of tapes', 'Name the folder that it is in');
  const files = withReadFault(path, 'Check the path', () => readdirSync(path));
  const names = files.filter((name) => name.endsWith('.tape')).sort();
  if (names.length <= MAX_TAPES) return names;
  const problem = `${names.length} tapes; the limit is ${MAX_TAPES}`;
  throw new FileFault(path, undefined, problem, 'Split them into several folders');
}
