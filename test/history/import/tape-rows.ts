import { TapeFile } from '../../../src/history/index.ts';
import { BLOCK_ROWS, type Block, FLAG, makeBlock } from '../../../src/tape/index.ts';

const KINDS = ['level', 'trade', 'status', 'resolution', 'clear', 'placeDelay', 'gap', 'ahead'];
const SIDES = ['bid', 'ask', '?'];

/** Rows as text: time, kind, side, price, shares, flags; markets after the first have a number. `|` ends a message. */
export function textOfRows(block: Block): string[] {
  return Array.from({ length: block.count }, (_, row) => {
    const flags = block.flags[row] ?? 0;
    const marks = `${flags & FLAG.inferred ? ' inferred' : ''}${flags & FLAG.last ? ' |' : ''}`;
    const market = block.market[row] === 0 ? '' : `#${block.market[row]} `;
    const size = (block.shares[row] ?? 0) / 1_000_000;
    return `${block.tx[row]} ${market}${KINDS[block.kind[row] ?? 0]} ${SIDES[block.side[row] ?? 0]} ${block.price[row]} ${size}${marks}`;
  });
}

export function rowsOfTape(path: string): string[] {
  const feed = TapeFile.open(path).feed();
  const block = makeBlock(BLOCK_ROWS);
  const rows: string[] = [];
  while (feed.fill(block) > 0) for (const row of textOfRows(block)) rows.push(row);
  feed.close();
  return rows;
}
