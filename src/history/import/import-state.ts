/**
 * What an import remembers: its state after a finished part, so that a killed one goes on, and what it made, so that the
 * same import again does nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { Fault, FileFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { TapeFile } from '../tape-file.ts';
import type { TapeHead } from '../tape-writer.ts';
import { writeFault } from '../write-fault.ts';
import { type ImportCounts, savedCounts } from './counts.ts';
import type { ImportedTape, ImportTapes } from './import-tapes.ts';
import { savedMarket } from './market-rows.ts';

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
      markets: z.array(z.object({ key: z.string(), state: savedMarket })),
    }),
  ),
});

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
type PartHead = Omit<TapeHead, 'name' | 'markets'>;

/** What every import is given. */
export interface ImportOptions {
  /** In any order: what is in them is merged by time. */
  readonly files: readonly string[];
  /** Folder for the tapes; made when it is not there. */
  readonly folder: string;
  /** A tape for each market. Default: one for all. */
  readonly separate?: boolean | undefined;
  /** Imports again what is finished. Default: goes on after a killed import, and does nothing after a finished one. */
  readonly force?: boolean | undefined;
  /** Called now and then, and after each saved state, with the share of the files that was read, 0..1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

interface ImportedAs {
  /** Name of the tape, which is also its file's. */
  readonly name: string;
  /** How to give the import another name. */
  readonly nameOption: string;
  /** All that decides what comes out. @param files as they are now: another size or time of change is another import */
  readonly inputs: (files: readonly unknown[]) => readonly unknown[];
}

/** What is remembered of one import, beside its tapes. */
export class ImportState {
  /** Folder of the parts. */
  readonly partsFolder: string;
  /** What a killed import of the same inputs had finished; undefined when there is nothing to go on with. */
  readonly saved: z.output<typeof STATE> | undefined;
  /** What the import of these inputs has made; undefined when it has not finished, or when a tape is gone or is another one. */
  readonly finished: FinishedImport | undefined;
  readonly #statePath: string;
  readonly #finishedPath: string;
  readonly #key: string;
  readonly #files: readonly string[];
  readonly #counts: ImportCounts;

  /** @throws FileFault rather than replace the tape of other files */
  constructor(
    { files, folder, separate, force = false }: ImportOptions,
    { name, nameOption, inputs }: ImportedAs,
    counts: ImportCounts,
  ) {
    this.partsFolder = join(folder, `.import-${name}`);
    this.#statePath = join(this.partsFolder, 'state.json');
    this.#finishedPath = `${this.partsFolder}.json`;
    this.#files = files.map((path) => resolve(path));
    this.#key = keyOf(inputs(files.map(fileNow)));
    this.#counts = counts;
    const data = finishedAt(this.#finishedPath);
    if (!force && data?.key === this.#key) this.finished = wholeTapes(folder, data);
    if (this.finished !== undefined) {
      counts.restore(this.finished.counts);
      return;
    }
    if (!force && separate !== true) this.#keepTapeOfOthers(data, join(folder, `${name}.tape`), nameOption);
    if (!force) this.saved = this.#readState();
    if (this.saved === undefined) clear(this.partsFolder);
  }

  /** Saves what is needed to go on after the parts that end here. @param head of the tapes */
  endPart(tapes: ImportTapes, head: PartHead, state: Pick<z.input<typeof STATE>, 'taken' | 'ids' | 'venue'>): void {
    const parts = tapes.endPart(head);
    const counts = this.#counts.toJSON();
    writeWhole(this.#statePath, { ...state, key: this.#key, part: tapes.part, counts, tapes: parts });
  }

  /** Finishes the tapes, and remembers them. @throws Error when traded shares do not add up */
  finish(tapes: ImportTapes, head: PartHead, kinds: Readonly<Record<string, number>>): ImportedTape[] {
    this.#counts.reconcile();
    const made = tapes.finish(head);
    if (made.length === 0) return made;
    writeWhole(this.#finishedPath, {
      key: this.#key,
      files: this.#files,
      counts: this.#counts.toJSON(),
      kinds,
      tapes: made.map(({ path, manifest, resolved }) => ({
        file: basename(path),
        contentHash: manifest.contentHash,
        resolved,
      })),
    });
    return made;
  }

  /** Undefined when there is no state, or it is damaged or belongs to other inputs. */
  #readState(): z.output<typeof STATE> | undefined {
    if (!existsSync(this.#statePath)) return undefined;
    const state = STATE.safeParse(tryParseJson(readFileSync(this.#statePath, 'utf8')));
    return state.success && state.data.key === this.#key ? state.data : undefined;
  }

  /** Refuses to replace the tape of an import of other files. An import that has those files, too, may replace it. @throws FileFault */
  #keepTapeOfOthers(data: z.output<typeof FINISHED> | undefined, tape: string, nameOption: string): void {
    if (!existsSync(tape) || data?.tapes.some(({ file }) => file === basename(tape)) !== true) return;
    const others = data.files.filter((file) => !this.#files.includes(file));
    const [first, ...more] = others;
    if (first === undefined) return;
    const names = more.length === 0 ? first : `${first} and ${more.length} more`;
    const remedy = `Keep both with \`${nameOption}\`, give all files to one import, or replace the tape with \`--force\``;
    throw new FileFault(tape, undefined, `holds ${names}, which this import leaves out`, remedy);
  }
}

function fileNow(path: string): readonly unknown[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  return [path, stat?.size, stat?.mtimeMs];
}

function keyOf(inputs: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** The tapes of a finished import; undefined when one is gone or is another one. */
function wholeTapes(folder: string, { tapes, counts, kinds }: z.output<typeof FINISHED>): FinishedImport | undefined {
  const found: ImportedTape[] = [];
  for (const { file, contentHash, resolved } of tapes) {
    const path = join(folder, basename(file));
    const manifest = manifestOf(path);
    if (manifest?.contentHash !== contentHash) return undefined;
    found.push({ path, manifest, resolved });
  }
  return { counts, kinds, tapes: found };
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

/** Removes what an import of other inputs has left. @throws FileFault */
function clear(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (cause) {
    throw writeFault(folder, cause, 'removed');
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
