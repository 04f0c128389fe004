/** The list beside a tape that is being written: its head, then a line a block. What is not a whole line is no line. */
import { epochMs } from '../../domain/index.ts';
import { type BlockEntry, entryNumbers, parseEntry, parseFooter, writeFooter } from '../tape-format.ts';
import type { TapeHead } from '../tape-writer.ts';

/** What a list says. */
export interface BlockList {
  readonly head: TapeHead;
  readonly blocks: readonly BlockEntry[];
}

/** Name of the list of a tape that is being written. */
export function listOf(path: string): string {
  return `${path}.partial.list`;
}

/** The first line: a footer without blocks, whose rows nobody has counted. */
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
  const head = orUndefined(() => parseFooter(Buffer.from(first)).manifest);
  if (head === undefined) return undefined;
  const { name, source, units, receiveTime, markets } = head;
  const blocks: BlockEntry[] = [];
  for (const line of lines) {
    const entry = orUndefined(() => parseEntry(JSON.parse(line)));
    if (entry === undefined) break;
    blocks.push(entry);
  }
  return { head: { name, source, units, receiveTime, markets }, blocks };
}

/** A line that was cut is no text of the format, and says no more than that. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
