import { describe, expect, it } from 'vitest';
import { SIDE } from '../../../src/tape/index.ts';
import { RowWriter } from '../../../src/venues/base/row-writer.ts';

/**
 * Writes messages of one row each and returns their `tx` and `rx`.
 * @param messages venue time (0: the message originates here) and receive time, ms
 */
function times(messages: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const received: [number, number][] = [];
  const writer = new RowWriter({
    rows: (block, from) => void received.push([block.tx[from] ?? 0, block.rx[from] ?? 0]),
  });
  for (const [at, rx] of messages) {
    writer.level(0, SIDE.bid, 5_000, 10_000);
    writer.end(at, rx);
  }
  return received;
}

describe('the times of a message', () => {
  it('are those of the venue and of this machine, and neither decreases', () => {
    const received = [
      [1_000, 1_066],
      [1_100, 1_160],
      [1_090, 1_150],
    ] as const;
    expect(times(received)).toEqual([
      [1_000, 1_066],
      [1_100, 1_160],
      [1_100, 1_160],
    ]);
  });

  it('are on the venue’s clock for a message that originates here, also after a silence', () => {
    const silence = [
      [1_000, 1_066],
      [0, 33_066],
      [33_500, 33_570],
    ] as const;
    expect(times(silence)).toEqual([
      [1_000, 1_066],
      [33_000, 33_066],
      [33_500, 33_570],
    ]);
    const ahead = [
      [5_000, 1_000],
      [0, 9_000],
    ] as const;
    expect(times(ahead)[1]).toEqual([13_000, 9_000]);
  });

  it('are those of this machine before the first message of the venue', () => {
    expect(times([[0, 700]])).toEqual([[700, 700]]);
  });
});
