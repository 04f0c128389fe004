/** Independent parts of the demo: durations, and the view in a terminal. */
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { clockText, type DemoSnapshot, demoLines, signedUsd } from '../../../src/app/demo/demo-view.ts';
import { parseDuration } from '../../../src/cli/actions/demo.ts';
import { unchecked } from '../../../src/domain/index.ts';
import type { BotFill, BotStatus } from '../../../src/ops/index.ts';
import type { OpenOrder } from '../../../src/state/index.ts';
import { STATUS } from '../../ops/controlled-bot.ts';
import { marketView } from '../../strategy/market-view.ts';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['0.0005s', 1],
    ['24h', 86_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration('--duration', text)).toBe(ms);
  });

  it.each(['', '30', 's', '-1s', '0s', '1d', '30 s', '25h', '1e3s', 'Infinitys', '0x10s', '1.s'])(
    '%s is not a duration',
    (text) => {
      expect(() => parseDuration('--duration', text)).toThrow(
        /^--duration: expected a time with its unit, above 0 and at most a day: 30s, 5m, 1h, (got|but)/,
      );
    },
  );
});

const PLAIN = pc.createColors(false);

/** A bot with one bid of its own, 30 shares at 58.00 cents. */
function fixture(more: Partial<DemoSnapshot> = {}): DemoSnapshot {
  const market = {
    ...marketView({
      bids: [
        [5_800, 100],
        [5_700, 7],
      ],
      asks: [[6_200, 50]],
      yes: 12,
    }),
    orders: [OWN],
  };
  return {
    status: DEMO_STATUS,
    market,
    fills: [FILL],
    elapsedMs: 65_000,
    durationMs: 3_661_000,
    recorded: '12:01:05',
    speed: 60,
    url: 'http://127.0.0.1:1',
    ...more,
  };
}

const OWN: OpenOrder = {
  order: unchecked.order(1),
  bot: unchecked.instance(0),
  market: unchecked.market(0),
  outcome: 'YES',
  side: 'BUY',
  price: unchecked.price(5_800),
  sign: 1,
  yesPrice: unchecked.price(5_800),
  remaining: unchecked.shares(30_000_000),
  phase: 'live',
  since: unchecked.time(0),
  rests: true,
};

const FILL: BotFill = {
  time: 0,
  order: 1,
  market: 'rain-tomorrow',
  outcome: 'NO',
  side: 'BUY',
  priceBps: 4_250,
  shares: 5_500_000,
  fee: 0,
  liquidity: 'maker',
  trade: 'trade-1',
  tag: null,
};

const DEMO_STATUS: BotStatus = {
  ...STATUS,
  now: 65_000,
  cash: 9_990_000_000,
  available: 9_000_000_000,
  equity: 9_997_000_001,
  pnl: -2_999_999,
  openOrders: 1,
  fills: 1,
  run: { pnl: -2_999_999, fills: 1 },
  rejected: { CONFLICT: 3, INVALID_TICK: 1 },
  markets: [
    {
      slug: 'rain-tomorrow',
      id: 'x',
      status: 'OPEN',
      acceptingOrders: true,
      strategy: 'ladder',
      bidBps: 5_800,
      askBps: 6_200,
      bookAgeMs: 1_250,
      openOrders: 1,
      position: 12_000_000,
      worth: 6_960_000,
      feeBps: 0,
      acceptedFeeBps: 0,
      stopped: null,
    },
  ],
};

describe('the view of the demo', () => {
  it('shows both sides with own quotes, money to the micro-dollar, health and fills', () => {
    const text = demoLines(fixture(), { columns: 200, rows: 40 }, PLAIN).join('\n');
    expect(text).toContain('wall clock 01:05 of 1:01:01, the recording at about 12:01:05 (60 x)');
    expect(text).toMatch(/^ask +62\.00 +50\.00 *$/m);
    expect(text).toMatch(/^bid +58\.00 +100\.00 +30\.00$/m);
    expect(text).toMatch(/^bid +57\.00 +7\.00 *$/m);
    expect(text).toContain('p&l       -$2.999999  equity $9997.000001');
    expect(text).toContain('rejected 1 (1 INVALID_TICK)');
    expect(text).toContain('health    ACTIVE, venue NORMAL, link UP, book 1.3 s old, market OPEN');
    expect(text).toContain('BUY 5.5 NO at 42.50 (maker)');
  });

  it.each([
    [80, 24],
    [40, 16],
    [20, 5],
    [10, 1],
  ])('of %d columns and %d rows fits', (columns, rows) => {
    const lines = demoLines(fixture(), { columns, rows }, PLAIN);
    expect(lines.length).toBeLessThanOrEqual(Math.max(0, rows - 1));
    for (const line of lines) expect(line.length).toBeLessThan(columns);
  });

  it('shows own quotes first when space is short, and reports an empty book', () => {
    const bids: [number, number][] = [5_800, 5_790, 5_780, 5_770].map((price) => [price, 1]);
    const far = { ...OWN, yesPrice: unchecked.price(5_000) };
    const crowded = { ...marketView({ bids }), orders: [far] };
    expect(demoLines(fixture({ market: crowded }), { columns: 80, rows: 16 }, PLAIN).join('\n')).toMatch(
      /^bid +50\.00/m,
    );
    const empty = marketView({ bids: [], asks: [] });
    expect(demoLines(fixture({ market: empty }), { columns: 80, rows: 24 }, PLAIN).join('\n')).toContain(
      'the book is empty',
    );
  });

  it('formats times and signs for readers', () => {
    expect([0, 59_999, 3_600_000].map((ms) => clockText(ms))).toEqual(['00:00', '00:59', '1:00:00']);
    expect([signedUsd(0), signedUsd(-1), signedUsd(1_500_000)]).toEqual(['+$0.000000', '-$0.000001', '+$1.500000']);
  });
});
