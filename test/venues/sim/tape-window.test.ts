import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/tape/index.ts';
import { TapeWindow } from '../../../src/venues/sim/tape-window.ts';
import type { Message } from './naive-venue.ts';
import { feedOf, row } from './rows.ts';

/** Messages of 1 to 3 rows; row n of the tape has n micro-shares. */
function tapeOf(sizes: readonly number[]): Message[] {
  let rows = 0;
  return sizes.map((size, at) => ({
    tx: 1_000 + at,
    rows: Array.from({ length: size }, () => {
      rows += 1;
      return { ...row('bid 5000 0'), shares: rows };
    }),
  }));
}

describe('the window on a tape', () => {
  it('passes every row to the venue and later to the bot, however far they are apart', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 80 });
    const turns = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(sizes, turns, fc.integer({ min: 3, max: 12 }), (messages, turn, blockRows) => {
        const blocks = new Set<Block>();
        const window = new TapeWindow(feedOf(tapeOf(messages)), blockRows);
        const seen: [number[], number[]] = [[], []];
        for (let done = false; !done; ) {
          const time = window.venueTime;
          const behind = window.botRows < window.venueRows;
          expect(window.botTime < Number.POSITIVE_INFINITY).toBe(behind);
          done = time === Number.POSITIVE_INFINITY && !behind;
          if (time < Number.POSITIVE_INFINITY && (!behind || turn.next().value)) {
            expect(time).toBe(window.venueBlock.tx[window.venueRow]);
            const to = window.venueRow + (messages[time - 1_000] ?? 0);
            for (let at = window.venueRow; at < to; at += 1) seen[0].push(window.venueBlock.shares[at]!);
            blocks.add(window.venueBlock);
            window.advanceVenue(to);
          } else if (behind) {
            const to = window.messageEnd();
            expect(window.botTime).toBe(window.botBlock.rx[window.botRow]);
            for (let at = window.botRow; at < to; at += 1) seen[1].push(window.botBlock.shares[at]!);
            window.advanceBot(to);
          }
          expect([window.venueRows, window.botRows]).toEqual([seen[0].length, seen[1].length]);
        }
        const all = Array.from({ length: messages.reduce((sum, size) => sum + size, 0) }, (_, at) => at + 1);
        expect(seen).toEqual([all, all]);
      }),
    );
  });

  it('needs at most two blocks when the bot reads each row at once', () => {
    const window = new TapeWindow(feedOf(tapeOf(new Array<number>(1_000).fill(1))), 10);
    const blocks = new Set<Block>();
    while (window.venueTime < Number.POSITIVE_INFINITY) {
      blocks.add(window.venueBlock);
      window.advanceVenue(window.venueRow + 1);
      window.advanceBot(window.messageEnd());
    }
    expect(blocks.size).toBeLessThanOrEqual(2);
  });
});
