/** Rows as plain objects, and arbitrary messages, for the tests of `tape/` and `history/`. */
import fc from 'fast-check';
import {
  type Block,
  BlockWriter,
  copyBlock,
  copyRows,
  type Feed,
  FLAG,
  KIND,
  makeBlock,
  SIDE,
} from '../../src/tape/index.ts';

export interface Row {
  readonly market: number;
  readonly kind: number;
  readonly side: number;
  readonly price: number;
  readonly shares: number;
}

export interface Message {
  readonly tx: number;
  readonly rx: number;
  readonly rows: readonly Row[];
}

const level = fc.record({
  market: fc.nat(3),
  kind: fc.constant(KIND.level),
  side: fc.constantFrom(SIDE.bid, SIDE.ask),
  price: fc.integer({ min: 1, max: 9999 }),
  shares: fc.oneof(
    fc.nat(100).map((lots) => lots * 10_000),
    fc.nat(100_000_000_000).map((lots) => lots * 10_000),
  ),
});
const CLEAR: Row = { market: 2, kind: KIND.clear, side: 0, price: 0, shares: 0 };
const otherRow = fc.constantFrom<Row[]>(
  { market: 0, kind: KIND.trade, side: SIDE.unknown, price: 5000, shares: 10_000 },
  { market: 1, kind: KIND.status, side: 0, price: 1, shares: 0 },
  { market: 3, kind: KIND.resolution, side: 0, price: 65_535, shares: 0 },
  CLEAR,
  { market: 1, kind: KIND.gap, side: 0, price: 0, shares: 0 },
  { market: 1, kind: KIND.clear, side: 0, price: 0, shares: 0 },
  { market: 3, kind: KIND.placeDelay, side: 0, price: 0, shares: 5000 },
);

/** Messages in order of time, with small and very large steps. */
export const arbitraryMessages = (max = 60): fc.Arbitrary<Message[]> =>
  fc
    .array(
      fc.record({
        step: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(100_000), fc.nat(10_000_000_000)),
        late: fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 70_000 })),
        rows: fc.array(fc.oneof({ weight: 5, arbitrary: level }, otherRow), { minLength: 1, maxLength: 6 }),
      }),
      { maxLength: max },
    )
    .map((steps) => {
      let tx = 1_657_018_212_979;
      let resolutions = 0;
      return steps.map(({ step, late, rows }) => {
        tx += step;
        const resolvedOnce = rows.filter(({ kind }) => kind !== KIND.resolution || ++resolutions === 1);
        // Prints precede levels. A message must have a row.
        const sorted = resolvedOnce.toSorted((a, b) => Number(b.kind === KIND.trade) - Number(a.kind === KIND.trade));
        // Sources with order ids write a size ahead before its level.
        const last = sorted.at(-1);
        if (last?.kind === KIND.level && sorted.length < 6 && step % 2 === 0) {
          sorted.splice(-1, 0, { ...last, kind: KIND.ahead, shares: 30_000 });
        }
        return { tx, rx: tx + late, rows: sorted.length === 0 ? [CLEAR] : sorted };
      });
    });

/** Writes messages through a `BlockWriter` and returns the blocks. */
export function blocksOf(messages: readonly Message[], capacity = 1000): Block[] {
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(copyBlock(block)), capacity);
  write(writer, messages);
  writer.finish();
  return blocks;
}

/** Builds blocks from any messages, including those that a writer would refuse. */
export function anyBlocksOf(messages: readonly Message[], capacity = 1000): Block[] {
  const blocks: Block[] = [];
  for (const { tx, rx, rows } of messages) {
    let block = blocks.at(-1);
    if (block === undefined || block.count + rows.length > capacity) {
      block = makeBlock(capacity);
      blocks.push(block);
    }
    for (const [at, { market, kind, side, price, shares }] of rows.entries()) {
      const row = block.count;
      block.tx[row] = tx;
      block.rx[row] = rx;
      block.market[row] = market;
      block.kind[row] = kind;
      block.side[row] = side;
      block.price[row] = price;
      block.shares[row] = shares;
      block.flags[row] = at === rows.length - 1 ? FLAG.last : 0;
      block.count = row + 1;
    }
  }
  return blocks;
}

export function write(writer: BlockWriter, messages: readonly Message[]): void {
  for (const { tx, rx, rows } of messages) {
    writer.begin(tx, rx);
    for (const row of rows) writer.row(row.market, row.kind, row.side, row.price, row.shares);
    writer.end();
  }
}

/** Returns one line for each row, with all columns. */
export function lines(block: Block): string[] {
  return Array.from({ length: block.count }, (_, i) =>
    [
      block.tx[i],
      block.rx[i],
      block.market[i],
      block.kind[i],
      block.side[i],
      block.price[i],
      block.shares[i],
      block.flags[i],
    ].join(' '),
  );
}

/** All rows of a feed, read with a block of the given capacity. */
export function readLines(feed: Feed, capacity = 1000): string[] {
  const block = makeBlock(capacity);
  const all: string[] = [];
  while (feed.fill(block) > 0) all.push(...lines(block));
  feed.close();
  return all;
}

/** A feed that returns one block in memory for each call. */
export function feedOf(blocks: readonly Block[]): Feed {
  let next = 0;
  return {
    fill(block) {
      const source = blocks[next];
      next += 1;
      block.count = source?.count ?? 0;
      if (source !== undefined) copyRows(source, 0, source.count, block, 0);
      return block.count;
    },
    close() {},
  };
}
