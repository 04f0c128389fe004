/** Price grids of the configuration by name, steps or tape, for all markets or for one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrids } from '../../../src/app/live/grids.ts';
import { readLiveFile } from '../../../src/config/live-file.ts';
import { marketId, onGrid, type PriceGrid, unchecked, ZERO_SHARES, ZERO_USD } from '../../../src/domain/index.ts';
import { TapeFile } from '../../../src/history/index.ts';
import { polymarketMarketId } from '../../../src/runtime/index.ts';
import type { MarketSetup } from '../../../src/state/index.ts';
import { newFolder, ROOT } from '../../cli/halfspread.ts';

const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');
const RECORDED = TapeFile.open(TAPE).manifest.markets[0];
const OTHER = '00000000-0000-4000-8000-000000000001';

/** Returns the grid of a market after the configuration is applied. @param markets keys in YAML */
function gridWith(markets: string, { id = OTHER, slug = 'rain', tickBps = 1 } = {}): PriceGrid {
  const folder = newFolder();
  writeFileSync(
    join(folder, 'bot.yaml'),
    `venue: { url: "http://x" }\nstrategy: ladder\nmarkets: { filter: {}, ${markets} }\n`,
  );
  const limits = { minOrderShares: ZERO_SHARES, minBet: ZERO_USD, maxBet: ZERO_USD, maxExposure: ZERO_USD };
  const info = {
    market: unchecked.market(0),
    id: marketId(id),
    slug,
    question: 'Rain?',
    scheduledResolution: undefined,
  };
  const selected: MarketSetup = {
    info: { ...info, grid: { type: 'tick', tickBps } },
    limits: { ...limits, feeRateBps: 0, spreadBps: 0 },
  };
  return openGrids(readLiveFile('bot.yaml', folder)).apply(selected).info.grid;
}

describe('a price grid', () => {
  it('is the tick of the venue by default', () => {
    expect(gridWith('ids: []', { tickBps: 50 })).toEqual({ type: 'tick', tickBps: 50 });
  });

  it('of a recording with two runners equals the grid of the recorded match, by name and by tape', () => {
    const recorded = { id: RECORDED?.id ?? '', slug: RECORDED?.slug ?? '' };
    expect(gridWith('grid: betfair-two-runners', recorded)).toEqual(RECORDED?.grid);
    expect(gridWith(`grid: { tape: "${TAPE}" }`, recorded)).toEqual(RECORDED?.grid);
  });

  it('of one runner has its odds', () => {
    const grid = gridWith('grid: betfair');
    expect(onGrid(grid, 5_000, 1) && onGrid(grid, 5_000, -1)).toBe(true);
    // Odds of 2.02 are 4950.49… bps, rounded down for a bid and up for an ask.
    expect([4_950, 4_951].map((price) => [onGrid(grid, price, 1), onGrid(grid, price, -1)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('of steps starts each band at the end of the previous one', () => {
    const grid = gridWith(
      'grid: { steps: [{ to: 1000, step: 500 }, { to: 9000, step: 4000 }, { to: 10000, step: 250 }] }',
    );
    const prices = [500, 1_000, 5_000, 9_000, 9_250, 9_500, 9_750].map((price) => unchecked.price(price));
    expect(grid).toEqual({ type: 'list', bids: prices, asks: prices });
  });

  it('of one market overrides the grid of all markets, by slug, id or condition id, and `tick` resets it', () => {
    const preset = 'grid: { steps: [{ to: 10000, step: 2000 }] }';
    expect(gridWith(`${preset}, overrides: { rain: { grid: { steps: [{ to: 10000, step: 5000 }] } } }`)).toMatchObject({
      bids: [5_000],
    });
    expect(gridWith(`${preset}, overrides: { "${OTHER}": { grid: tick } }`)).toMatchObject({ type: 'tick' });
    const condition = `0x${'ab'.repeat(32)}`;
    const market = { id: polymarketMarketId(condition) };
    expect(gridWith(`${preset}, overrides: { "${condition}": { grid: tick } }`, market)).toMatchObject({
      type: 'tick',
    });
    expect(gridWith(`${preset}, overrides: { snow: { grid: tick } }`)).toMatchObject({ bids: { length: 4 } });
  });

  it('of a tape without the market is the tick when it applies to all markets, and an error when it applies to one', () => {
    expect(gridWith(`grid: { tape: "${TAPE}" }`)).toMatchObject({ type: 'tick' });
    expect(() => gridWith(`overrides: { rain: { grid: { tape: "${TAPE}" } } }`)).toThrow(
      /markets\.overrides\.rain\.grid\.tape: expected a tape with the market 0{8}-/,
    );
  });

  it.each([
    ['grid: betfare', /markets\.grid/],
    ['grid: { steps: [{ to: 9000, step: 100 }] }', /a last band that ends at 10000/],
    ['grid: { steps: [{ to: 900, step: 100 }, { to: 500, step: 100 }, { to: 10000, step: 100 }] }', /rising ends/],
    ['grid: { steps: [{ to: 10000, step: 3 }] }', /multiples of their step/],
    ['grid: { steps: [{ to: 1005, step: 5 }, { to: 10000, step: 10 }] }', /multiples of their step/],
    ['grid: { tape: nowhere.tape }', /nowhere\.tape/],
  ])('%s is refused', (markets, message) => {
    expect(() => gridWith(markets)).toThrow(message);
  });

  it('off the venue’s tick is refused', () => {
    expect(() => gridWith('grid: betfair', { tickBps: 10 })).toThrow(
      /markets\.grid: expected prices on the tick of rain, which is 10 bps, got "a list that begins 10, 11, 12"/,
    );
  });
});
