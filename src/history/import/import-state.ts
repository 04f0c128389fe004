/**
 * Saves the state of an import after each finished part, so that a killed import can continue. Saves the result at the
 * end, so that a repeated import does nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { FileFault, withReadFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { writeFault } from '../files.ts';
import { TapeFile } from '../tape-file.ts';
import { type ImportCounts, savedCounts } from './counts.ts';
import { type ImportedTape, type ImportHead, savedTape, type TapePartsWriter } from './tape-parts-writer.ts';

const READ_REMEDY = 'Nothing is deleted. Make the file readable, then import again, or start again with `--force`';

const STATE = z.object({
  /** Hash of the inputs and the mapping. */
  key: z.string(),
  /** Number of finished parts. */
  part: z.number(),
  /** Number of rows read, by file. */
  taken: z.array(z.number()),
  counts: savedCounts,
  /** Ids of the latest trades, which must not repeat. */
  ids: z.array(z.string()),
  venue: z.unknown().optional(),
  tapes: z.array(savedTape),
});

const FINISHED = z.object({
  /** Hash of the inputs and the mapping. */
  key: z.string(),
  /** Paths of the imported files. Imports of older versions did not store them. */
  files: z.array(z.string()).default([]),
  counts: savedCounts,
  kinds: z.record(z.string(), z.number()),
  tapes: z.array(z.object({ file: z.string(), contentHash: z.string(), resolved: z.boolean() })),
});

interface FinishedImport {
  readonly counts: z.output<typeof savedCounts>;
  readonly countsByKind: Readonly<Record<string, number>>;
  readonly tapes: readonly ImportedTape[];
}

export interface ImportOptions {
  /** Files in any order; their messages are merged by time. */
  readonly files: readonly string[];
  /** Folder for the tapes; created if missing. */
  readonly folder: string;
  /** Whether each market has its own tape. Default: false. */
  readonly separate?: boolean | undefined;
  /** Whether to start again. By default, a killed import continues, and a finished import is not repeated. */
  readonly force?: boolean | undefined;
  /** Called with the fraction of the input that is read, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Called with a text for the user if the saved state of a killed import is damaged. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

interface ImportIdentity {
  readonly name: string;
  /** Option that sets another name, for error messages. */
  readonly nameOption: string;
  /** Returns everything on which the result depends. @param files path, size and modification time of each file */
  readonly inputs: (files: readonly unknown[]) => readonly unknown[];
}

export class ImportState {
  readonly partsFolder: string;
  /** State of an unfinished import of the same inputs; undefined if there is none or a part is damaged. */
  readonly saved: z.output<typeof STATE> | undefined;
  /** Result of a finished import of the same inputs; undefined if there is none, or a tape is missing or changed. */
  readonly finished: FinishedImport | undefined;
  readonly #statePath: string;
  readonly #finishedPath: string;
  readonly #key: string;
  readonly #files: readonly string[];
  readonly #counts: ImportCounts;

  /** @throws FileFault if the import would replace a tape of other files, or a saved file cannot be read */
  constructor(
    { files, folder, separate, force = false, onWarning }: ImportOptions,
    { name, nameOption, inputs }: ImportIdentity,
    counts: ImportCounts,
  ) {
    this.partsFolder = join(folder, `.import-${name}`);
    this.#statePath = join(this.partsFolder, 'state.json');
    this.#finishedPath = `${this.partsFolder}.json`;
    this.#files = files.map((path) => resolve(path));
    const fileStats = files.map((path) => {
      const stat = withReadFault(path, 'Check the path', () => statSync(path, { throwIfNoEntry: false }));
      return [path, stat?.size, stat?.mtimeMs];
    });
    this.#key = createHash('sha256')
      .update(JSON.stringify(inputs(fileStats)))
      .digest('hex');
    this.#counts = counts;
    const data = force ? undefined : readJson(this.#finishedPath, FINISHED);
    if (data?.key === this.#key) this.finished = readFinishedImport(folder, data);
    if (this.finished !== undefined) {
      counts.restore(this.finished.counts);
      return;
    }
    if (separate !== true) this.#checkReplacedTape(data, join(folder, `${name}.tape`), nameOption);
    if (!force) this.saved = this.#readState(onWarning);
    if (this.saved !== undefined) return;
    try {
      rmSync(this.partsFolder, { recursive: true, force: true });
    } catch (cause) {
      throw writeFault(this.partsFolder, cause, 'deleted');
    }
  }

  endPart(
    tapes: TapePartsWriter,
    head: ImportHead,
    state: Pick<z.input<typeof STATE>, 'taken' | 'ids' | 'venue'>,
  ): void {
    const parts = tapes.endPart(head);
    const counts = this.#counts.toJSON();
    writeJson(this.#statePath, { ...state, key: this.#key, part: tapes.finishedParts, counts, tapes: parts });
  }

  /** Finishes the tapes and saves the result. @throws Error when traded shares do not add up */
  finish(tapes: TapePartsWriter, head: ImportHead, countsByKind: Readonly<Record<string, number>>): ImportedTape[] {
    this.#counts.reconcile();
    const written = tapes.finish(head);
    if (written.length === 0) return written;
    writeJson(this.#finishedPath, {
      key: this.#key,
      files: this.#files,
      counts: this.#counts.toJSON(),
      kinds: countsByKind,
      tapes: written.map(({ path, manifest, isResolved }) => ({
        file: basename(path),
        contentHash: manifest.contentHash,
        resolved: isResolved,
      })),
    });
    return written;
  }

  /** Returns undefined without saved parts and, after a warning, if they are damaged or belong to other inputs. */
  #readState(onWarning: ImportOptions['onWarning']): z.output<typeof STATE> | undefined {
    const state = readJson(this.#statePath, STATE);
    let problem: string | undefined;
    if (state === undefined) {
      if (!existsSync(this.#statePath)) return undefined;
      problem = `${this.#statePath}: the file is damaged or of another version`;
    } else if (state.key !== this.#key) {
      problem = `${this.partsFolder}: an interrupted import of other files or with other options left these parts`;
    } else {
      for (const part of state.tapes.flatMap(({ parts }) => parts)) problem ??= findDamage(part);
      if (problem === undefined) return state;
    }
    onWarning?.(`${problem}. The import starts from the beginning`);
    return undefined;
  }

  /** @throws FileFault if the import would replace a tape of files that it leaves out */
  #checkReplacedTape(data: z.output<typeof FINISHED> | undefined, tape: string, nameOption: string): void {
    if (!existsSync(tape) || data?.tapes.some(({ file }) => file === basename(tape)) !== true) return;
    const leftOut = data.files.filter((file) => !this.#files.includes(file));
    const [first, ...more] = leftOut;
    if (first === undefined) return;
    const names = more.length === 0 ? first : `${first} and ${more.length} more`;
    const remedy = `Keep both with \`${nameOption}\`, import all files together, or replace the tape with \`--force\``;
    throw new FileFault(tape, undefined, `the tape contains ${names}, which this import leaves out`, remedy);
  }
}

/** Returns undefined if a tape of the import is missing or changed. */
function readFinishedImport(
  folder: string,
  { tapes, counts, kinds }: z.output<typeof FINISHED>,
): FinishedImport | undefined {
  const found: ImportedTape[] = [];
  for (const { file, contentHash, resolved } of tapes) {
    const path = join(folder, basename(file));
    const tape = tryOpen(path);
    if (tape instanceof FileFault || tape.manifest.contentHash !== contentHash) return undefined;
    found.push({ path, manifest: tape.manifest, isResolved: resolved });
  }
  return { counts, countsByKind: kinds, tapes: found };
}

/** Returns undefined if the file is missing or damaged. @throws FileFault if the system cannot read it */
function readJson<S extends z.ZodType>(path: string, schema: S): z.output<S> | undefined {
  if (!existsSync(path)) return undefined;
  return schema.safeParse(tryParseJson(withReadFault(path, READ_REMEDY, () => readFileSync(path, 'utf8')))).data;
}

/** Returns what is damaged in a part of a tape; undefined if nothing is. @throws FileFault as `tryOpen` */
function findDamage(path: string): string | undefined {
  const tape = tryOpen(path);
  if (!(tape instanceof FileFault)) return undefined;
  return `${path}${tape.where === undefined ? '' : `, ${tape.where}`}: ${tape.problem}`;
}

/** Opens and checks a tape. Returns the fault if it is missing or damaged. @throws FileFault if it cannot be read */
function tryOpen(path: string): TapeFile | FileFault {
  try {
    return TapeFile.open(path, { checksBlocks: true });
  } catch (fault) {
    if (!(fault instanceof FileFault)) throw fault;
    const { cause, problem } = fault;
    // Only a failed system call has a cause with `syscall`.
    if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause) || cause.code === 'ENOENT') return fault;
    throw new FileFault(path, undefined, problem, READ_REMEDY, { cause });
  }
}

/** Writes JSON to a partial file and renames it when it is on the disk. @throws FileFault */
function writeJson(path: string, value: unknown): void {
  try {
    writeFileSync(`${path}.partial`, JSON.stringify(value), { flush: true });
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    throw writeFault(path, cause);
  }
}
