import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkRecipe,
  checkTape,
  DEFAULT_RECIPE,
  generateTape,
  type SyntheticRecipe,
  TapeFile,
} from '../../../src/history/index.ts';
import { BLOCK_ROWS, FLAG, KIND, makeBlock, SIDE } from '../../../src/tape/index.ts';
import { scratchFolder } from '../scratch.ts';

const generate = (change: Partial<SyntheticRecipe> = {}) => {
  const path = join(scratchFolder(), 'a.tape');
  const manifest = generateTape({ ...DEFAULT_RECIPE, events: 20_000, ...change }, path);
  return { path, manifest, tape: TapeFile.open(path) };
};

describe('a synthetic tape', () => {
  it('is the same for the same recipe, on every Node version', () => {
    const a = generate();
    expect(a.manifest.contentHash).toBe('69b3aa76933b886fd3acc652be2990ca19920123188828f291773755cff86a00');
    expect(generate({ seed: 2 }).manifest.contentHash).not.toBe(a.manifest.contentHash);
  });

  it('has the requested number of rows and at most one message more', () => {
    const { manifest } = generate({ events: 5_000, markets: 7 });
    expect(manifest.rows).toBeGreaterThanOrEqual(5_000);
    expect(manifest.rows).toBeLessThan(5_000 + 2 * 4);
    expect(manifest.markets).toHaveLength(7);
    expect(new Set(manifest.markets.map(({ id }) => id)).size).toBe(7);
  });

  it('describes its recipe', () => {
    const { manifest } = generate({ receiveDelayMs: 40 });
    expect(manifest.source.description).toContain('"seed":1');
    expect(manifest.receiveTime).toBe('recorded');
    expect(generate().manifest.receiveTime).toBe('missing');
  });

  it('follows every rule of a tape with uncrossed books, for very different recipes', () => {
    const recipes: Partial<SyntheticRecipe>[] = [
      {},
      { markets: 5, totalVolatility: 8, haltEvery: 300, placeDelayMs: 5_000 },
      { totalVolatility: 100, events: 2_000 },
      { tickBps: 1, errorBps: 300, informedShare: 1 },
      { tickBps: 100, openingBps: 200, depthBps: 500 },
      { tickBps: 1_000, minLevels: 3, takeShare: 0.6, cancelShare: 0.4 },
      { openingBps: 9_950, halfSpreadBps: 0, sizeSpread: 3, messagesPerSecond: 5_000 },
    ];
    for (const recipe of recipes) {
      const { tape } = generate(recipe);
      const { markets } = checkTape(tape);
      for (const market of markets) {
        expect([market.crossed, market.offGrid]).toEqual([0, 0]);
        expect([0, 10_000]).toContain(market.payout);
      }
    }
  });

  it('prints no more than the level had, and reduces the level in the same message', () => {
    const { tape } = generate({ sizeSpread: 2, haltEvery: 300, haltMs: 1_000 });
    const feed = tape.feed();
    const block = makeBlock(BLOCK_ROWS);
    const book = new Map<string, number>();
    const owed = new Map<string, number>();
    let prints = 0;
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        const [kind, side, price, shares] = [block.kind[row]!, block.side[row]!, block.price[row]!, block.shares[row]!];
        if (kind === KIND.trade) {
          const key = `${side === SIDE.bid ? SIDE.ask : SIDE.bid} ${price}`;
          const left = (book.get(key) ?? 0) - shares;
          expect(left).toBeGreaterThanOrEqual(0);
          owed.set(key, left);
          prints += 1;
        } else if (kind === KIND.level) {
          const key = `${side} ${price}`;
          if (owed.has(key)) expect(shares).toBe(owed.get(key));
          owed.delete(key);
          book.set(key, shares);
        }
        if (kind === KIND.clear) book.clear();
        if ((block.flags[row]! & FLAG.last) !== 0) expect(owed.size).toBe(0);
      }
    }
    feed.close();
    expect(prints).toBeGreaterThan(1_000);
  });

  it('halts, clears the book and reopens as the recipe requires', () => {
    const { tape } = generate({ haltEvery: 500, haltMs: 2_000 });
    const [market] = checkTape(tape).markets;
    expect(market!.rows.clear).toBeGreaterThan(10);
    // Opening, closing and two for each halt, except that the end may precede one.
    expect([0, 1]).toContain(market!.rows.status - 2 - 2 * market!.rows.clear);
    expect(market!.haltedMs).toBeGreaterThan(10 * 2_000);
  });

  it('ends with YES about as often as its fair price implies', () => {
    const { tape } = generate({ markets: 400, openingBps: 3_000, events: 12_000, totalVolatility: 2 });
    const yes = checkTape(tape).markets.filter(({ payout }) => payout === 10_000).length;
    // 400 draws of 0.3: standard deviation 9
    expect(Math.abs(yes - 120)).toBeLessThan(36);
  });

  it('pays makers a spread of which they lose most, as in recorded markets', () => {
    const { tape } = generate({ events: 200_000 });
    const { effectiveBps, horizons } = checkTape(tape).markets[0]!.takerFlow;
    const after30s = horizons.find(({ horizonMs }) => horizonMs === 30_000)?.realisedBps;
    expect(effectiveBps).toBeGreaterThan(20);
    expect(after30s).toBeLessThan((effectiveBps ?? 0) / 2);
  });

  it('reports its progress, and leaves no file when it is stopped early', () => {
    const folder = scratchFolder();
    const seen: number[] = [];
    const stop = (share: number) => {
      seen.push(share);
      throw new Error('stopped');
    };
    expect(() => generateTape({ ...DEFAULT_RECIPE, events: 500_000 }, join(folder, 'a.tape'), stop)).toThrow('stopped');
    expect(seen[0]).toBeCloseTo(0.4, 2);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a recipe', () => {
  it('is valid by default', () => {
    expect(() => checkRecipe(DEFAULT_RECIPE)).not.toThrow();
  });

  it('is refused with the invalid field before anything is written', () => {
    const invalid: [Partial<SyntheticRecipe>, RegExp][] = [
      [{ seed: -1 }, /seed: expected an integer from 0 to 4294967295, got -1/],
      [{ events: 0 }, /events: expected an integer from 1/],
      [{ events: 1.5 }, /events/],
      [{ markets: 70_000 }, /markets/],
      [{ messagesPerSecond: 0 }, /messagesPerSecond/],
      [{ tickBps: 3 }, /tickBps: expected a divisor of 10000/],
      [{ openingBps: 5 }, /openingBps: expected a number from 10 to 9990/],
      [{ totalVolatility: Number.NaN }, /totalVolatility/],
      [{ sizeSpread: 4 }, /sizeSpread/],
      [{ medianShares: 0 }, /medianShares/],
      [{ takeShare: 0.7 }, /cancelShare: expected at most 1 minus the share of takers/],
      [{ informedShare: 2 }, /informedShare/],
      [{ haltMs: 0 }, /haltMs/],
      [{ receiveDelayMs: 0.5 }, /receiveDelayMs/],
    ];
    const path = join(scratchFolder(), 'a.tape');
    for (const [change, message] of invalid) {
      expect(() => generateTape({ ...DEFAULT_RECIPE, ...change }, path)).toThrow(message);
      expect(existsSync(`${path}.partial`)).toBe(false);
    }
  });
});
