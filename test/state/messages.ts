import {
  type Block,
  CANCELLED_PAYOUT,
  Cursor,
  FLAG,
  KIND,
  makeBlock,
  SIDE,
  STATUS_CODES,
} from '../../src/tape/index.ts';

/**
 * Market data as readable text. A line is a message: receive time, then its rows between bars.
 *
 *     1000 | bid 5000 100 | ask 5200 50      levels: side, bps, shares
 *     1001 | trade buy 5200 3                a print: taker (buy, sell, unknown), bps, shares
 *     1002 | status HALTED | clear           also: delay 5000, resolution 10000 (or CANCELLED)
 *     1003 | @1 bid 4000 10                  of market 1; default: market 0
 */
export function messages(text: string): Block {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const block = makeBlock(lines.join('|').split('|').length);
  for (const line of lines) {
    const [time, ...rows] = line.split('|').map((part) => part.trim());
    for (const [index, row] of rows.entries()) writeRow(block, Number(time), row, index === rows.length - 1);
  }
  return block;
}

/** Calls `each` with a cursor at the first row of every message. `each` must leave it at the last row. */
export function eachMessage(block: Block, each: (row: Cursor) => void): void {
  const cursor = new Cursor(block);
  for (cursor.row = 0; cursor.row < block.count; cursor.row += 1) each(cursor);
}

const KINDS: Readonly<Record<string, readonly [number, number]>> = {
  bid: [KIND.level, SIDE.bid],
  ask: [KIND.level, SIDE.ask],
  buy: [KIND.trade, SIDE.bid],
  sell: [KIND.trade, SIDE.ask],
  unknown: [KIND.trade, SIDE.unknown],
  clear: [KIND.clear, SIDE.unknown],
  gap: [KIND.gap, SIDE.unknown],
  status: [KIND.status, SIDE.unknown],
  delay: [KIND.placeDelay, SIDE.unknown],
  resolution: [KIND.resolution, SIDE.unknown],
};

function writeRow(block: Block, time: number, text: string, last: boolean): void {
  const words = text.replace(/\btrade /, '').split(/\s+/);
  const market = words[0]?.startsWith('@') ? Number(words.shift()?.slice(1)) : 0;
  const [name = '', first = '', shares = '0'] = words;
  const codes = KINDS[name];
  if (codes === undefined) throw new Error(`unknown row "${name}" in: ${text}`);
  const at = block.count;
  const [kind, side] = codes;
  block.tx[at] = time;
  block.rx[at] = time;
  block.market[at] = market;
  block.kind[at] = kind;
  block.side[at] = side;
  block.price[at] = priceOf(name, first);
  block.shares[at] = name === 'delay' ? Number(first) : Number(shares) * 1_000_000;
  block.flags[at] = last ? FLAG.last : 0;
  block.count += 1;
}

const STATUS_NAMES: readonly string[] = STATUS_CODES;

function priceOf(name: string, word: string): number {
  if (name === 'status') return STATUS_NAMES.indexOf(word);
  if (name === 'delay') return 0;
  return word === 'CANCELLED' ? CANCELLED_PAYOUT : Number(word);
}
