/** A whole tape from what a recording left that was cut off. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { BLOCK_ROWS, makeBlock, type TapeManifest } from '../../tape/index.ts';
import { BlockReader } from '../block-reader.ts';
import type { BlockEntry } from '../tape-format.ts';
import { type TapeHead, TapeWriter } from '../tape-writer.ts';
import { listOf, parseList } from './block-list.ts';

export interface RepairedRecording {
  readonly manifest: TapeManifest;
  /** Blocks that were listed and could not be read, with all after them. */
  readonly lost: number;
}

export function isCutOff(path: string): boolean {
  return existsSync(`${path}.partial`) && existsSync(listOf(path));
}

/**
 * Makes the tape of a recording that was cut off, from the blocks that are whole. The recorder must have ended.
 * @param head in place of the one that was known at the start
 * @returns undefined when nothing was cut off, or no block is whole
 * @throws FileFault when a tape of that name is there already, or the disk refuses
 */
export function mendRecording(path: string, head?: TapeHead): RepairedRecording | undefined {
  if (!isCutOff(path)) return undefined;
  if (existsSync(path)) {
    const remedy = `Move ${path} away, or delete what was cut off: ${path}.partial and ${listOf(path)}`;
    throw new FileFault(path, undefined, 'there is a whole tape beside the one that was cut off', remedy);
  }
  const list = parseList(readFileSync(listOf(path), 'utf8'));
  const torn = `${path}.torn`;
  renameSync(`${path}.partial`, torn);
  const blocks = list?.blocks ?? [];
  const copied = list === undefined ? undefined : copyOf(path, torn, blocks, head ?? list.head);
  rmSync(torn);
  rmSync(listOf(path));
  return copied;
}

function copyOf(
  path: string,
  torn: string,
  blocks: readonly BlockEntry[],
  head: TapeHead,
): RepairedRecording | undefined {
  const fd = openSync(torn, 'r');
  const writer = new TapeWriter(path, undefined, 0o600);
  try {
    const reader = new BlockReader(torn, fd, blocks, head.markets.length);
    const block = makeBlock(BLOCK_ROWS);
    let whole = 0;
    while (whole < blocks.length && isRead(reader, whole, block)) {
      writer.messages.append(block);
      whole += 1;
    }
    return whole === 0 ? undefined : { manifest: writer.finish(head), lost: blocks.length - whole };
  } finally {
    writer.abandon();
    closeSync(fd);
  }
}

/** The last block that was listed may not be whole: its bytes never reached the disk. */
function isRead(reader: BlockReader, index: number, into: ReturnType<typeof makeBlock>): boolean {
  try {
    reader.read(index, into);
    return true;
  } catch (fault) {
    if (fault instanceof FileFault) return false;
    throw fault;
  }
}
