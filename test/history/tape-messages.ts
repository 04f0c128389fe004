/** Builds tapes of a few messages and returns their rows as text. */
import { join } from 'node:path';
import { TapeFile } from '../../src/history/index.ts';
import { type Feed, KIND, SIDE } from '../../src/tape/index.ts';
import { type Message, type Row, readLines } from '../tape/rows.ts';
import { headOf, scratchFolder, writeTape } from './scratch.ts';

export const row = (kind: number, side: number, price: number, lots: number, market = 0): Row => ({
  market,
  kind,
  side,
  price,
  shares: lots * 10_000,
});
export const bid = (price: number, lots = 1, market = 0): Row => row(KIND.level, SIDE.bid, price, lots, market);
export const ask = (price: number, lots = 1, market = 0): Row => row(KIND.level, SIDE.ask, price, lots, market);
export const buy = (price: number, lots = 1, market = 0): Row => row(KIND.trade, SIDE.bid, price, lots, market);
export const CLEAR = row(KIND.clear, 0, 0, 0);
export const message = (tx: number, ...rows: Row[]): Message => ({ tx, rx: tx, rows });

export function tapeOf(messages: readonly Message[], markets = 1): TapeFile {
  const path = join(scratchFolder(), 'a.tape');
  writeTape(path, messages, headOf(markets));
  return TapeFile.open(path);
}

const KINDS = ['level', 'trade', 'status', 'resolution', 'clear', 'delay', 'gap', 'ahead'];

/** Each message as text: its time, then market, kind, price and lots of each row, such as `1000: 0 level 4900 1, …`. */
export function messagesOf(feed: Feed): string[] {
  const messages: string[] = [];
  let open: string[] = [];
  for (const line of readLines(feed)) {
    const [tx, , market, kind, , price, shares, flags] = line.split(' ').map(Number);
    open.push(`${market} ${KINDS[kind ?? 0]} ${price} ${(shares ?? 0) / 10_000}`);
    if (((flags ?? 0) & 1) === 0) continue;
    messages.push(`${tx}: ${open.join(', ')}`);
    open = [];
  }
  return messages;
}

export const outPath = (): string => join(scratchFolder(), 'out.tape');
