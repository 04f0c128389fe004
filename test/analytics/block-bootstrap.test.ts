import { describe, expect, it } from 'vitest';
import { BlockDraws, BlockSums } from '../../src/analytics/block-bootstrap.ts';
import { seededRandom } from '../../src/clock/index.ts';

const MINUTE = 60_000;
const draws = (seed: number): BlockDraws => new BlockDraws(seededRandom(seed));

describe('BlockSums', () => {
  it('has no interval with fewer than 20 blocks, regardless of the number of values', () => {
    const blocks = new BlockSums(MINUTE);
    for (let value = 0; value < 19_000; value += 1) blocks.add((value % 19) * MINUTE, 1, value);
    expect(blocks.count).toBe(19);
    expect(blocks.interval(draws(1))).toBeUndefined();
    blocks.add(19 * MINUTE, 1, 0);
    expect(blocks.interval(draws(1))).toBeDefined();
  });

  it('draws the same interval for the same seed and a different one for a different seed', () => {
    const blocks = new BlockSums(MINUTE);
    const random = seededRandom(4);
    for (let value = 0; value < 400; value += 1) blocks.add(value * 20_000, 1 + random.int(9), random.normal());
    expect(blocks.interval(draws(7))).toEqual(blocks.interval(draws(7)));
    expect(blocks.interval(draws(7))).not.toEqual(blocks.interval(draws(8)));
  });

  it('has an interval of width zero when all values are equal', () => {
    const blocks = new BlockSums(MINUTE);
    for (let block = 0; block < 30; block += 1) blocks.add(block * MINUTE, block + 1, 12);
    expect(blocks.interval(draws(1))).toEqual([12, 12]);
  });

  it('has an interval of about 1.96 standard errors on each side for independent blocks', () => {
    const blocks = new BlockSums(MINUTE);
    const random = seededRandom(3);
    for (let block = 0; block < 900; block += 1) blocks.add(block * MINUTE, 1, random.normal());
    const [low, high] = blocks.interval(draws(5)) ?? [0, 0];
    expect((high - low) / 2).toBeGreaterThan((1.96 / 30) * 0.85);
    expect((high - low) / 2).toBeLessThan((1.96 / 30) * 1.15);
  });

  it('has a wider interval for bursts of equal values than for the same values spread out', () => {
    const bursts = new BlockSums(MINUTE);
    const spread = new BlockSums(1);
    const random = seededRandom(9);
    for (let block = 0; block < 24; block += 1) {
      const value = random.normal();
      for (let fill = 0; fill < 10; fill += 1) {
        bursts.add(block * MINUTE + fill, 1, value);
        spread.add(block * MINUTE + fill, 1, value);
      }
    }
    const width = (blocks: BlockSums): number => {
      const [low, high] = blocks.interval(draws(1)) ?? [0, 0];
      return high - low;
    };
    expect(width(bursts)).toBeGreaterThan(2 * width(spread));
  });

  it.each([1, 100])('merges blocks %i minutes apart when there are too many, and keeps their weight', (distance) => {
    const blocks = new BlockSums(MINUTE);
    for (let block = 0; block < 5_000; block += 1) blocks.add(block * distance * MINUTE, 2, block % 2 === 0 ? 0 : 10);
    expect(blocks.count).toBeLessThanOrEqual(256);
    const [low, high] = blocks.interval(draws(1)) ?? [0, 0];
    expect(low).toBeGreaterThan(4.8);
    expect(high).toBeLessThan(5.2);
  });
});
