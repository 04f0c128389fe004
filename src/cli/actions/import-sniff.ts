import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { epochMs, Fault, formatTime } from '../../domain/index.ts';
import { importFiles, mappingSchema, type Proposal, sniff, TapeFile } from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { BLOCK_ROWS, Cursor, makeBlock } from '../../tape/index.ts';
import type { Action } from '../command.ts';
import { importText } from '../output/quality-text.ts';

/** Rows that are decoded, and rows that are shown. */
const DECODED = 2_000;
const SHOWN = 10;
const KINDS = ['level', 'trade', 'status', 'resolution', 'clear', 'placing delay', 'gap', 'ahead'];
const SIDES = ['bid', 'ask', 'unknown'];

/** Writes a proposed mapping to standard output, and the first rows that it decodes to standard error. */
export const importSniff: Action = async ({ terminal }, [file = '']) => {
  const path = resolve(terminal.cwd, file);
  const proposal = await sniff(path);
  terminal.out.write(proposal.yaml);
  terminal.err.write(`\nformat          ${proposal.format}\n`);
  if (proposal.missing.length > 0) {
    terminal.err.write(`Nothing is decoded: ${proposal.missing.join('; ')}. Complete the mapping.\n`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-sniff-'));
  try {
    terminal.err.write(await decodedText(path, proposal, folder));
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    terminal.err.write(`Nothing is decoded: ${fault.message}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function decodedText(path: string, proposal: Proposal, folder: string): Promise<string> {
  const mapping = parseStrict(mappingSchema, proposal.mapping, '');
  const { tapes, counts } = await importFiles({
    format: proposal.format,
    files: [path],
    mapping,
    folder,
    maxRows: DECODED,
  });
  const [tape] = tapes;
  if (tape === undefined) return '';
  const block = makeBlock(BLOCK_ROWS);
  const feed = TapeFile.open(tape.path).feed();
  feed.fill(block);
  feed.close();
  const lines: string[] = [];
  const cursor = new Cursor(block);
  for (; cursor.row < Math.min(SHOWN, block.count); cursor.row += 1) {
    const market = tape.manifest.markets[cursor.market]?.slug ?? '';
    const shares = cursor.shares / 1_000_000;
    lines.push(
      `${formatTime(epochMs(cursor.tx))}  ${KINDS[cursor.kind]} ${SIDES[cursor.side]} ${cursor.price} bps ${shares} shares  ${market}\n`,
    );
  }
  return `${importText(counts)}\n${lines.join('')}`;
}
