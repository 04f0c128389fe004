/** Builds small recordings and returns their rows as text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importBetfair, TapeFile } from '../../../src/history/index.ts';
import { BLOCK_ROWS, FLAG, KIND, makeBlock, STATUS_CODES } from '../../../src/tape/index.ts';
import { scratchFolder } from '../scratch.ts';

export const YES = 11;
export const NO = 22;

export type Change = Readonly<Record<string, unknown>>;

/** A definition of a market; by default of two runners and one winner. */
export function definition(change: Change = {}, statuses: readonly string[] = ['ACTIVE', 'ACTIVE']): Change {
  return {
    status: 'OPEN',
    inPlay: false,
    betDelay: 0,
    numberOfWinners: 1,
    marketBaseRate: 5,
    marketType: 'MATCH_ODDS',
    bettingType: 'ODDS',
    priceLadderDefinition: { type: 'CLASSIC' },
    runners: statuses.map((status, at) => ({ id: 11 * (at + 1), sortPriority: at + 1, status })),
    ...change,
  };
}

/** One line: a message about market 1.1. */
export function line(publishedAt: number, change: Change): string {
  return JSON.stringify({ op: 'mcm', pt: publishedAt, mc: [{ id: '1.1', ...change }] });
}

export const CLOSED = (yes: string, no: string): Change => ({
  marketDefinition: definition({ status: 'CLOSED' }, [yes, no]),
});

/** The first line of most recordings here. */
export const OPEN: string = line(1, { img: true, marketDefinition: definition() });

/** A change with the given changes of runners. */
export const runnerChanges = (...changes: Change[]): Change => ({ rc: changes });

/** Imports a recording of one market. @returns the rows of its first tape */
export async function rowsOf(lines: readonly string[]): Promise<string[]> {
  const folder = scratchFolder();
  const [tape] = await importBetfair({ recording: recordingOf(folder, lines), folder });
  if (tape === undefined) throw new Error('no tape');
  return rowTexts(tape.path);
}

/** Writes a recording. @returns its path */
export function recordingOf(folder: string, lines: readonly string[], name = '1.1.gz'): string {
  const path = join(folder, name);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

const SIDES = ['bid', 'ask', '?'];
const TAKERS = ['buy', 'sell', '?'];

/** The rows of a tape as text, one string per message: `5 print buy 6000 x 12.5 | ask 6000 = 30`. Sizes in shares. */
export function rowTexts(path: string): string[] {
  const feed = TapeFile.open(path).feed();
  const block = makeBlock(BLOCK_ROWS);
  const messages: string[] = [];
  let parts: string[] = [];
  while (feed.fill(block) > 0) {
    for (let row = 0; row < block.count; row += 1) {
      const [side, price, shares] = [block.side[row]!, block.price[row]!, block.shares[row]! / 1_000_000];
      const text: Record<number, string> = {
        [KIND.level]: `${SIDES[side]} ${price} = ${shares}`,
        [KIND.trade]: `print ${TAKERS[side]} ${price} x ${shares}`,
        [KIND.status]: `${STATUS_CODES[price]}`,
        [KIND.resolution]: `pays ${price}`,
        [KIND.clear]: 'clear',
        [KIND.placeDelay]: `delay ${block.shares[row]}`,
        [KIND.gap]: 'gap',
      };
      const mark = (block.flags[row]! & FLAG.inferred) === 0 ? '' : ' inferred';
      parts.push(`${text[block.kind[row]!] ?? ''}${mark}`);
      if ((block.flags[row]! & 1) === 0) continue;
      messages.push(`${block.tx[row]} ${parts.join(' | ')}`);
      parts = [];
    }
  }
  feed.close();
  return messages;
}
