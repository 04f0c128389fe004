import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayFeed } from '../../src/replay/replay-feed.ts';
import { BLOCK_ROWS, type Block, FLAG, KIND, makeBlock } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, feedOf, type Message, readLines } from '../tape/rows.ts';

/** The state after the rows before a row. */
interface ReplayState {
  readonly levels: Record<string, number>;
  readonly states: Record<string, number>;
}

function applyRow(state: ReplayState, block: Block, row: number): void {
  const [market, kind] = [block.market[row], block.kind[row]];
  const [side, price, shares] = [block.side[row], block.price[row] ?? 0, block.shares[row] ?? 0];
  if (kind === KIND.level) {
    if (`${market} ${KIND.gap}` in state.states) return;
    if (shares === 0) delete state.levels[`${market} ${side} ${price}`];
    else state.levels[`${market} ${side} ${price}`] = shares;
  } else if (kind === KIND.clear || kind === KIND.gap) {
    for (const key of Object.keys(state.levels)) if (key.startsWith(`${market} `)) delete state.levels[key];
    if (kind === KIND.gap) state.states[`${market} ${kind}`] = 1;
    else delete state.states[`${market} ${KIND.gap}`];
  } else if (kind === KIND.status || kind === KIND.resolution) state.states[`${market} ${kind}`] = price;
  else if (kind === KIND.placeDelay) state.states[`${market} ${kind}`] = shares;
}

function stateOf(blocks: readonly Block[], below = Number.POSITIVE_INFINITY): ReplayState {
  const state: ReplayState = { levels: {}, states: {} };
  for (const block of blocks) {
    for (let row = 0; row < block.count && (block.tx[row] ?? 0) < below; row += 1) applyRow(state, block, row);
  }
  return state;
}

function readAll(feed: ReplayFeed): Block[] {
  const blocks: Block[] = [];
  for (;;) {
    const block = makeBlock(BLOCK_ROWS);
    if (feed.fill(block) === 0) return blocks;
    blocks.push(block);
  }
}

describe('ReplayFeed', () => {
  it('passes on a whole tape unchanged and counts its rows', () => {
    fc.assert(
      fc.property(arbitraryMessages(), (messages) => {
        const feed = new ReplayFeed(feedOf(blocksOf(messages)), undefined);
        expect(readLines(feed)).toEqual(readLines(feedOf(blocksOf(messages))));
        const rows = messages.reduce((sum, message) => sum + message.rows.length, 0);
        expect([feed.rowsRead, feed.rowsReplayed]).toEqual([rows, rows]);
        expect([feed.firstTime, feed.lastTime]).toEqual([messages[0]?.tx, messages.at(-1)?.tx]);
      }),
    );
  });

  it('opens a window with the state after the earlier rows, then passes on its rows', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.nat(80), (messages, index) => {
        const from = (messages[index % Math.max(messages.length, 1)]?.tx ?? 0) + (index % 2);
        const feed = new ReplayFeed(feedOf(blocksOf(messages, 50)), from);
        const blocks = readAll(feed);
        const tail = messages.filter(({ tx }) => tx >= from);
        const tailRows = tail.reduce((sum, message) => sum + message.rows.length, 0);
        const all = blocks.flatMap((block) => Array.from({ length: block.count }, (_, row) => [block, row] as const));
        const opening = all.slice(0, all.length - tailRows);
        const opened: ReplayState = { levels: {}, states: {} };
        for (const [block, row] of opening) {
          expect(block.tx[row]).toBe(from);
          applyRow(opened, block, row);
        }
        expect(opened).toEqual(stateOf(blocksOf(messages), from));
        expect(stateOf(blocks)).toEqual(stateOf(blocksOf(messages)));
        expect(feed.rowsReplayed).toBe(tailRows);
        expect(feed.firstTime).toBe(tail[0]?.tx);
        for (const block of blocks) expect((block.flags[block.count - 1] ?? 0) & FLAG.last).toBe(FLAG.last);
      }),
    );
  });

  it('opens each market of the window in a separate message', () => {
    const messages: Message[] = [
      {
        tx: 10,
        rx: 10,
        rows: [
          { market: 0, kind: KIND.trade, side: 1, price: 45, shares: 20_000 },
          { market: 1, kind: KIND.level, side: 0, price: 40, shares: 10_000 },
          { market: 0, kind: KIND.level, side: 1, price: 50, shares: 20_000 },
        ],
      },
    ];
    const [opening, ...rest] = readAll(new ReplayFeed(feedOf(blocksOf(messages)), 20));
    expect(rest).toEqual([]);
    expect(Array.from(opening?.flags.subarray(0, opening.count) ?? [])).toEqual([FLAG.last, FLAG.last]);
    expect(Array.from(opening?.market.subarray(0, opening.count) ?? [])).toEqual([0, 1]);
  });
});
