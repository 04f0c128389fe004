/** Rows of market data for tests: parsed from short texts, written into blocks and read back. */
import { SHARE } from '../../../src/domain/index.ts';
import { type Block, CANCELLED_PAYOUT, type Feed, FLAG, KIND, makeBlock, SIDE } from '../../../src/tape/index.ts';
import type { Row } from './naive-sim.ts';
import type { Message } from './naive-venue.ts';

/**
 * Parses a row: `bid 6000 100`, `ask 6200 50`, `ahead bid 6000 40`, `buy 60 @ 6100`, `sell …`, `print …`, `own buy …`,
 * `late buy …`, `halt`, `open`, `end`, `clear`, `gap`, `delay 5000`, `pays 10000`, `void`.
 */
export function row(text: string, market = 0): Row {
  if (text.startsWith('own ')) return { ...row(text.slice(4), market), own: true };
  if (text.startsWith('late ')) return { ...row(text.slice(5), market), late: true };
  if (text.startsWith('ahead ')) return { ...row(text.slice(6), market), kind: KIND.ahead };
  const [keyword = '', first = '0', second = '0', third = '0'] = text.split(' ');
  const level = { market, price: Number(first), shares: Math.round(Number(second) * SHARE) };
  const trade = { kind: KIND.trade, market, price: Number(third), shares: Math.round(Number(first) * SHARE) };
  const other = { market, side: 0, price: 0, shares: 0 };
  switch (keyword) {
    case 'bid':
      return { kind: KIND.level, side: SIDE.bid, ...level };
    case 'ask':
      return { kind: KIND.level, side: SIDE.ask, ...level };
    case 'buy':
      return { ...trade, side: SIDE.bid };
    case 'sell':
      return { ...trade, side: SIDE.ask };
    case 'print':
      return { ...trade, side: SIDE.unknown };
    case 'clear':
      return { kind: KIND.clear, ...other };
    case 'gap':
      return { kind: KIND.gap, ...other };
    case 'delay':
      return { kind: KIND.placeDelay, ...other, shares: Number(first) };
    case 'pays':
      return { kind: KIND.resolution, ...other, price: Number(first) };
    case 'void':
      return { kind: KIND.resolution, ...other, price: CANCELLED_PAYOUT };
    default:
      return { kind: KIND.status, ...other, price: ['open', 'halt', 'end'].indexOf(keyword) };
  }
}

/** Returns a block with one message. */
export function blockOf(tx: number, rows: readonly Row[]): Block {
  const block = makeBlock(rows.length);
  for (const each of rows) write(block, tx, each);
  block.flags[rows.length - 1]! |= FLAG.last;
  return block;
}

export function rowsOf(block: Block, from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, at) => ({
    kind: block.kind[from + at]!,
    market: block.market[from + at]!,
    side: block.side[from + at]!,
    price: block.price[from + at]!,
    shares: block.shares[from + at]!,
    ...((block.flags[from + at]! & FLAG.own) !== 0 && { own: true }),
    ...((block.flags[from + at]! & FLAG.late) !== 0 && { late: true }),
  }));
}

/** A feed that fills blocks with as many whole messages as fit. */
export function feedOf(messages: readonly Message[]): Feed {
  let next = 0;
  return {
    fill(block) {
      block.count = 0;
      for (let message = messages[next]; message !== undefined; message = messages[next]) {
        if (block.count + message.rows.length > block.tx.length) break;
        for (const row of message.rows) write(block, message.tx, row);
        block.flags[block.count - 1]! |= FLAG.last;
        next += 1;
      }
      return block.count;
    },
    close() {},
  };
}

function write(block: Block, tx: number, { kind, market, side, price, shares, own, late }: Row): void {
  const row = block.count;
  block.count += 1;
  block.tx[row] = tx;
  block.rx[row] = tx;
  block.market[row] = market;
  block.kind[row] = kind;
  block.side[row] = side;
  block.price[row] = price;
  block.shares[row] = shares;
  block.flags[row] = own === true ? FLAG.own : late === true ? FLAG.late : 0;
}
