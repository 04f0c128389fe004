/**
 * What an import remembers: its state after a finished part, so that a killed one goes on, and what it made, so that the
 * same import again does nothing.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Fault, FileFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { TapeFile } from '../tape-file.ts';
import { writeFault } from '../write-fault.ts';
import { savedCounts } from './counts.ts';
import type { ImportedTape } from './import-tapes.ts';

const levels = z.array(z.tuple([z.number(), z.number(), z.number(), z.array(z.tuple([z.number(), z.number()]))]));

const market = z.object({
  bids: levels,
  asks: levels,
  orders: z.array(
    z.tuple([
      z.union([z.literal(0), z.literal(1)]),
      z.number(),
      z.number(),
      z.number(),
      z.array(z.tuple([z.string(), z.number(), z.number()])),
    ]),
  ),
  hasBook: z.boolean(),
  isGap: z.boolean(),
  status: z.number(),
  placeDelayMs: z.number(),
  isResolved: z.boolean(),
});

const STATE = z.object({
  /** Hash of the inputs and the mapping. */
  key: z.string(),
  /** Number of finished parts. */
  part: z.number(),
  /** Rows taken of each file. */
  taken: z.array(z.number()),
  counts: savedCounts,
  /** Trade ids that are remembered. */
  ids: z.array(z.string()),
  /** What the import of a venue's captures remembers beside. */
  venue: z.unknown().optional(),
  tapes: z.array(
    z.object({
      name: z.string(),
      time: z.number(),
      parts: z.array(z.string()),
      markets: z.array(z.object({ key: z.string(), state: market })),
    }),
  ),
});

/** The state of an import of these inputs; undefined when there is none, a damaged one, or one of others. */
export function readState(path: string, key: string): z.output<typeof STATE> | undefined {
  if (!existsSync(path)) return undefined;
  const state = STATE.safeParse(tryParseJson(readFileSync(path, 'utf8')));
  return state.success && state.data.key === key ? state.data : undefined;
}

export function saveState(path: string, state: z.input<typeof STATE>): void {
  writeWhole(path, state);
}

/** Removes what an import of other inputs has left. @throws FileFault */
export function clearParts(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (cause) {
    throw writeFault(folder, cause, 'removed');
  }
}

const FINISHED = z.object({
  /** Hash of the inputs and the mapping. */
  key: z.string(),
  /** Paths of the imported files. Imports of older versions did not store them. */
  files: z.array(z.string()).default([]),
  counts: savedCounts,
  /** Messages of captures by kind. */
  kinds: z.record(z.string(), z.number()),
  tapes: z.array(z.object({ file: z.string(), contentHash: z.string(), resolved: z.boolean() })),
});

type FinishedImport = Pick<z.output<typeof FINISHED>, 'counts' | 'kinds'> & { readonly tapes: readonly ImportedTape[] };

/**
 * What the import of these inputs has made; undefined when it has not finished, or when a tape is gone or is another one.
 * @param path beside the tapes
 */
export function readFinished(path: string, key: string): FinishedImport | undefined {
  const data = finishedAt(path);
  if (data?.key !== key) return undefined;
  const tapes: ImportedTape[] = [];
  for (const { file, contentHash, resolved } of data.tapes) {
    const tape = join(dirname(path), basename(file));
    const manifest = manifestOf(tape);
    if (manifest?.contentHash !== contentHash) return undefined;
    tapes.push({ path: tape, manifest, resolved });
  }
  return { counts: data.counts, kinds: data.kinds, tapes };
}

/**
 * Refuses to replace the tape of an import of other files. An import that has those files, too, may replace it.
 * @param path as of `readFinished`
 * @param nameOption how to give the import another name
 * @throws FileFault
 */
export function keepTapeOfOthers(path: string, tape: string, files: readonly string[], nameOption: string): void {
  const data = finishedAt(path);
  if (!existsSync(tape) || data?.tapes.some(({ file }) => file === basename(tape)) !== true) return;
  const others = data.files.filter((file) => !files.includes(file));
  const [first, ...more] = others;
  if (first === undefined) return;
  const names = more.length === 0 ? first : `${first} and ${more.length} more`;
  const remedy = `Keep both with \`${nameOption}\`, give all files to one import, or replace the tape with \`--force\``;
  throw new FileFault(tape, undefined, `holds ${names}, which this import leaves out`, remedy);
}

/** Remembers a finished import. */
export function saveFinished(
  path: string,
  { tapes, ...made }: Omit<z.input<typeof FINISHED>, 'tapes'> & { readonly tapes: readonly ImportedTape[] },
): void {
  writeWhole(path, {
    ...made,
    tapes: tapes.map((tape) => ({
      file: basename(tape.path),
      contentHash: tape.manifest.contentHash,
      resolved: tape.resolved,
    })),
  });
}

function finishedAt(path: string): z.output<typeof FINISHED> | undefined {
  return existsSync(path) ? FINISHED.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data : undefined;
}

function manifestOf(path: string): ImportedTape['manifest'] | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return TapeFile.open(path).manifest;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** A file has its name only when it is complete. @throws FileFault */
function writeWhole(path: string, value: unknown): void {
  try {
    writeFileSync(`${path}.partial`, JSON.stringify(value));
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    throw writeFault(path, cause);
  }
}
