/** Makes a complete tape from the files of an interrupted recording. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { BLOCK_ROWS, makeBlock, type TapeManifest } from '../../tape/index.ts';
import { BlockReader } from '../block-reader.ts';
import { checkTape } from '../quality/tape-quality.ts';
import { TapeFile } from '../tape-file.ts';
import { HEADER } from '../tape-format.ts';
import { TapeWriter } from '../tape-writer.ts';
import { listPath, parseList } from './block-list.ts';

export interface RepairedRecording {
  readonly manifest: TapeManifest;
  /** Number of lost blocks: the first unreadable block and all later blocks. */
  readonly lost: number;
}

interface CopyResult extends RepairedRecording {
  /** Whether the recording has a readable block that the tape lacks. */
  readonly hasMore: boolean;
}

/** Market numbers of a block have 16 bits. */
const MAX_MARKETS = 65_536;

export function isInterrupted(path: string): boolean {
  return existsSync(`${path}.partial`) && existsSync(listPath(path));
}

/**
 * Makes a tape from the readable blocks of an interrupted recording. The recorder must have ended. The recording stays
 * until the tape is complete, so a killed repair can be repeated.
 * @returns undefined when no recording was interrupted, or the recording has no rows
 * @throws FileFault when a tape of that name exists with other rows or markets, or a file cannot be written
 * @throws FileFault if blocks after the damage are readable, or no block is. The recording is then renamed
 */
export function repairRecording(path: string): RepairedRecording | undefined {
  if (!isInterrupted(path)) return undefined;
  const list = parseList(readFileSync(listPath(path), 'utf8'));
  const interrupted = `${path}.partial`;
  const copy = `${path}.repaired`;
  const repaired = list === undefined ? undefined : copyBlocks(copy, interrupted, list);
  if (existsSync(path)) {
    rmSync(copy, { force: true });
    // If an earlier repair was killed before the removal of the recording, the same tape exists.
    if (repaired === undefined || !isSameTape(path, repaired.manifest)) {
      const remedy = `Move ${path} away, or delete the interrupted recording: ${interrupted} and ${listPath(path)}`;
      throw new FileFault(path, undefined, 'a complete tape exists beside the interrupted recording', remedy);
    }
  } else if (repaired !== undefined) renameSync(copy, path);
  if (repaired?.hasMore ?? statSync(interrupted).size > HEADER.length) throw keepDamaged(path, repaired);
  rmSync(interrupted);
  rmSync(listPath(path));
  return repaired;
}

/** Renames a damaged recording. Returns the fault that reports the damage. */
function keepDamaged(path: string, repaired: RepairedRecording | undefined): FileFault {
  const damaged = `${path}.damaged`;
  renameSync(listPath(path), `${damaged}.list`);
  renameSync(`${path}.partial`, damaged);
  const problem = 'the interrupted recording is damaged in the middle, or no block of it can be read';
  const tape = repaired === undefined ? '' : ` The ${repaired.manifest.rows} rows before the damage are in ${path}.`;
  const remedy = `The recording is kept as ${damaged}.${tape} Run the command again to continue without the recording`;
  return new FileFault(path, undefined, problem, remedy);
}

function isSameTape(path: string, manifest: TapeManifest): boolean {
  try {
    const tape = TapeFile.open(path);
    checkTape(tape);
    return JSON.stringify(tape.manifest) === JSON.stringify(manifest);
  } catch (fault) {
    if (fault instanceof FileFault) return false;
    throw fault;
  }
}

function copyBlocks(
  path: string,
  interrupted: string,
  { head, blocks, laterBlocks }: NonNullable<ReturnType<typeof parseList>>,
): CopyResult | undefined {
  const fd = openSync(interrupted, 'r');
  const writer = new TapeWriter(path, { mode: 0o600 });
  try {
    const listed = [...blocks, ...laterBlocks];
    const reader = new BlockReader(interrupted, fd, listed, head.markets.length);
    const block = makeBlock(BLOCK_ROWS);
    let readable = 0;
    // A block is listed before it is written, so the last blocks may be incomplete or missing.
    while (readable < blocks.length && reader.tryRead(readable, block)) {
      writer.messages.append(block);
      readable += 1;
    }
    if (readable === 0) return undefined;
    // A damaged line of the list may be a head with more markets, which later blocks use.
    const lenientReader = new BlockReader(interrupted, fd, listed, MAX_MARKETS);
    const hasMore = listed.some((_, index) => index >= readable && lenientReader.tryRead(index, block));
    return { manifest: writer.finish(head), lost: listed.length - readable, hasMore };
  } finally {
    writer.abandon();
    closeSync(fd);
  }
}
