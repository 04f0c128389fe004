/**
 * The block list of a tape that is being written: the tape's head, then one line per block. When the tape has new
 * markets, another head follows. Readers ignore an incomplete last line.
 */
import { epochMs } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { type BlockEntry, entryNumbers, formatFooter, parseEntry, parseFooter } from '../tape-format.ts';
import { getHead, type TapeHead } from '../tape-writer.ts';

export function listPath(path: string): string {
  return `${path}.partial.list`;
}

/** Formats a head as the footer of a tape without blocks. */
export function formatHead(head: TapeHead): string {
  const placeholders = { rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) };
  return `${formatFooter({ manifest: { format: 1, ...head, ...placeholders }, blocks: [] }).toString('utf8')}\n`;
}

export function formatEntry(entry: BlockEntry): string {
  return `${JSON.stringify(entryNumbers(entry))}\n`;
}

/** Reads a list; undefined if its first head is invalid. `laterBlocks` come after the first invalid line. */
export function parseList(text: string) {
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  let head = parseHead(first);
  if (head === undefined) return undefined;
  const [blocks, laterBlocks]: [BlockEntry[], BlockEntry[]] = [[], []];
  let isDamaged = false;
  for (const line of lines) {
    const newHead = line.startsWith('{') ? parseHead(line) : undefined;
    const entry = newHead === undefined ? tryRead(() => parseEntry(parseJson(line))) : undefined;
    if (entry !== undefined) (isDamaged ? laterBlocks : blocks).push(entry);
    isDamaged ||= newHead === undefined && entry === undefined;
    head = newHead ?? head;
  }
  return { head, blocks, laterBlocks };
}

function parseHead(line: string): TapeHead | undefined {
  const manifest = tryRead(() => parseFooter(Buffer.from(line)).manifest);
  return manifest === undefined ? undefined : getHead(manifest);
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
