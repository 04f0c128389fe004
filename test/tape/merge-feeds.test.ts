import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Feed, KIND, makeBlock, mergeFeeds } from '../../src/tape/index.ts';
import { arbitraryMessages, blocksOf, feedOf, type Message, readLines } from './rows.ts';

/** Moves all messages to one market and removes its resolution. */
const inMarket = (messages: readonly Message[], market: number): Message[] =>
  messages.map(({ tx, rx, rows }) => {
    return { tx, rx, rows: rows.filter(({ kind }) => kind !== KIND.resolution).map((row) => ({ ...row, market })) };
  });

const quote = (tx: number, price: number): Message => ({
  tx,
  rx: tx,
  rows: [{ market: 0, kind: 0, side: 0, price, shares: 10_000 }],
});

const source = (messages: readonly Message[], capacity = 1000) => ({
  feed: feedOf(blocksOf(messages, capacity)),
  markets: 1,
});

describe('merged feeds', () => {
  it('equal sorting all messages by time, then feed, then order within the feed', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryMessages(30), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 6, max: 40 }),
        (tapes, capacity) => {
          const merged = mergeFeeds(tapes.map((messages) => source(inMarket(messages, 0), 8)));
          const expected = tapes
            .flatMap((messages, feed) => inMarket(messages, feed).map((message) => ({ message, feed })))
            .sort((a, b) => a.message.tx - b.message.tx || a.feed - b.feed)
            .map(({ message }) => message);
          expect(readLines(merged, capacity)).toEqual(readLines(feedOf(blocksOf(expected))));
        },
      ),
    );
  });

  it('equal the sorted messages also when many have the same time', () => {
    const steps = fc.array(fc.nat(2), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(steps, { minLength: 2, maxLength: 4 }), (tapes) => {
        const feeds = tapes.map((all) => {
          let tx = 0;
          return all.map((step, i) => {
            tx += step;
            return quote(tx, i + 1);
          });
        });
        const expected = feeds
          .flatMap((messages, feed) => messages.map(({ tx: at, rows }) => ({ at, feed, price: rows[0]?.price })))
          .sort((a, b) => a.at - b.at || a.feed - b.feed)
          .map(({ at, feed, price }) => `${at} ${at} ${feed} 0 0 ${price} 10000 1`);
        expect(readLines(mergeFeeds(feeds.map((messages) => source(messages))))).toEqual(expected);
      }),
    );
  });

  it('put the earlier feed first at equal time and continue the market numbers', () => {
    const merged = mergeFeeds([source([quote(5, 100), quote(9, 101)]), source([quote(5, 200), quote(7, 201)])]);
    expect(
      readLines(merged).map((line) =>
        line
          .split(' ')
          .filter((_, i) => i === 0 || i === 2 || i === 5)
          .join(' '),
      ),
    ).toEqual(['5 0 100', '5 1 200', '7 1 201', '9 0 101']);
  });

  it('are the feed itself when there is only one, and end at once when there is none', () => {
    const only = source([quote(5, 100)]);
    expect(mergeFeeds([only])).toBe(only.feed);
    expect(readLines(mergeFeeds([]))).toEqual([]);
  });

  it('are opened when their rows are due, if their start is known, and closed at their end', () => {
    const log: string[] = [];
    const loggedFeed = (name: string, messages: readonly Message[]): Feed => {
      const { fill } = feedOf(blocksOf(messages));
      return {
        fill: (block) => {
          const rows = fill(block);
          log.push(`${name} ${rows}`);
          return rows;
        },
        close: () => log.push(`${name} closed`),
      };
    };
    const merged = mergeFeeds([
      { feed: loggedFeed('late', [quote(20, 300)]), markets: 1, from: 15 },
      { feed: loggedFeed('early', [quote(5, 100)]), markets: 1, from: 5 },
      { feed: loggedFeed('same', [quote(20, 200)]), markets: 1, from: 20 },
    ]);
    const block = makeBlock(2);
    expect([merged.fill(block), [...block.price], [...block.market]]).toEqual([2, [100, 300], [1, 0]]);
    expect(log).toEqual(['early 1', 'early 0', 'early closed', 'late 1', 'late 0', 'late closed', 'same 1']);
    expect([merged.fill(block), block.price[0], block.market[0]]).toEqual([1, 200, 2]);
    expect(merged.fill(block)).toBe(0);
  });

  it('close every source', () => {
    const closed: string[] = [];
    const feed = (name: string): Feed => ({ fill: () => 0, close: () => closed.push(name) });
    mergeFeeds([
      { feed: feed('a'), markets: 1 },
      { feed: feed('b'), markets: 1 },
    ]).close();
    expect(closed).toEqual(['a', 'b']);
  });

  it('refuse more markets than a block can name, and a block too small for a message', () => {
    const many = { feed: feedOf([]), markets: 40_000 };
    expect(() => mergeFeeds([many, many])).toThrow(/80000 markets/);
    const long: Message = { tx: 1, rx: 1, rows: [1, 2, 3].map((price) => ({ ...quote(1, price).rows[0]! })) };
    expect(() => readLines(mergeFeeds([source([long]), source([])]), 2)).toThrow(/cannot hold the next message/);
  });
});
