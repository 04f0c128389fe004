import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { ResolutionCheckFeed } from '../../src/replay/replay-feed.ts';
import { CANCELLED_PAYOUT, KIND } from '../../src/tape/index.ts';
import { anyBlocksOf, feedOf, type Message, readLines } from '../tape/rows.ts';

const row = (tx: number, kind: number, price: number, market = 0): Message => {
  return { tx, rx: tx, rows: [{ market, kind, side: 0, price, shares: 0 }] };
};
const resolution = (tx: number, payout: number, market = 0): Message => row(tx, KIND.resolution, payout, market);
const read = (messages: readonly Message[], perBlock: number) =>
  readLines(new ResolutionCheckFeed(feedOf(anyBlocksOf(messages, perBlock)), 'a.tape'));

describe('ResolutionCheckFeed', () => {
  it.each([1, 2, 100])('refuses a second, different resolution of a market with %i rows per block', (perBlock) => {
    const messages = [row(0, KIND.status, 0), resolution(1_000, 10_000), resolution(1_000, 0, 1), resolution(2_000, 0)];
    expect(() => read(messages, perBlock)).toThrow(FileFault);
    expect(() => read(messages, perBlock)).toThrow(
      /^a\.tape, row 3, 1970-01-01.*00:02.*: market 0 resolves to 0 after it resolved to 10000\. /,
    );
    expect(() => read([resolution(0, 0), resolution(1, CANCELLED_PAYOUT)], perBlock)).toThrow(
      'to 65535 after it resolved to 0',
    );
  });

  it('passes on everything else unchanged', () => {
    const messages = [
      resolution(0, 0),
      resolution(1, 10_000, 1),
      row(2, KIND.status, 1),
      resolution(3, 0),
      resolution(4, 10_000, 1),
    ];
    expect(read(messages, 2)).toEqual(readLines(feedOf(anyBlocksOf(messages, 2))));
  });
});
