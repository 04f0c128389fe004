/**
 * The list beside a tape that is being written: its head, then a line a block, and the head again where it names more
 * markets than before. What is not a whole line is no line.
 */
import { epochMs } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { type BlockEntry, entryNumbers, parseEntry, parseFooter, writeFooter } from '../tape-format.ts';
import type { TapeHead } from '../tape-writer.ts';

export interface BlockList {
  readonly head: TapeHead;
  readonly blocks: readonly BlockEntry[];
}

/** Name of the list of a tape that is being written. */
export function listOf(path: string): string {
  return `${path}.partial.list`;
}

/** A head: a footer without blocks, whose rows are not counted yet. */
export function headLine(head: TapeHead): string {
  const uncounted = { rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) };
  return `${writeFooter({ manifest: { format: 1, ...head, ...uncounted }, blocks: [] }).toString('utf8')}\n`;
}

/** The line of a block. */
export function entryLine(entry: BlockEntry): string {
  return `${JSON.stringify(entryNumbers(entry))}\n`;
}

/** Reads a list as far as it is whole; undefined when not even the head is. */
export function parseList(text: string): BlockList | undefined {
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  let head = parseHead(first);
  if (head === undefined) return undefined;
  const blocks: BlockEntry[] = [];
  for (const line of lines) {
    const more = line.startsWith('{') ? parseHead(line) : undefined;
    const entry = more === undefined ? orUndefined(() => parseEntry(parseJson(line))) : undefined;
    if (more === undefined && entry === undefined) break;
    if (more !== undefined) head = more;
    if (entry !== undefined) blocks.push(entry);
  }
  return { head, blocks };
}

function parseHead(line: string): TapeHead | undefined {
  const manifest = orUndefined(() => parseFooter(Buffer.from(line)).manifest);
  if (manifest === undefined) return undefined;
  const { name, source, units, receiveTime, markets } = manifest;
  return { name, source, units, receiveTime, markets };
}

/** A line that was cut is no text of the format, and says no more than that. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
