import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logit } from '../../../src/strategy/index.ts';
import { logOddsQuotes, logOddsVariance } from '../../../strategies/logit-avellaneda-stoikov/log-odds-quotes.ts';
import logitMaker from '../../../strategies/logit-avellaneda-stoikov/strategy.ts';
import { contextOf } from '../../strategy/context.ts';
import { book, bookAround, moveMid } from '../maker-quotes.ts';

const MODEL = { gamma: 0.0024, kappa: 12, orderAmount: 100 };

describe('quotes in log-odds', () => {
  it.each([
    [0.6, 500, 0.01, 0.576_825, 0.617_081],
    [0.97, 500, 0.01, 0.967_086, 0.972_018],
    [0.03, 500, 0.01, 0.027_336_7, 0.032_158_6],
    [0.97, -2_000, 0.1, 0.979_399, 0.982_886],
  ])('at mid %d with %d shares and variance %d are %d and %d', (mid, net, variance, bid, ask) => {
    const quotes = logOddsQuotes({ ...MODEL, mid, net, variance });
    expect([quotes.bid, quotes.ask]).toEqual([expect.closeTo(bid, 6), expect.closeTo(ask, 6)]);
  });

  it('have a half-spread of .0837109, and of .0945109 with ten times the variance', () => {
    const half = (variance: number) => logOddsQuotes({ ...MODEL, mid: 0.6, net: 0, variance }).half;
    expect([half(0.01), half(0.1)]).toEqual([expect.closeTo(0.083_710_9, 7), expect.closeTo(0.094_510_9, 7)]);
  });

  it('have no more variance than a price that ends at 0 or 1', () => {
    expect(logOddsVariance(1 / 600, 3_600, 0.6)).toBeCloseTo(0.01, 12);
    expect(logOddsVariance(1, 1e9, 0.98)).toBeCloseTo(1 / (0.98 * 0.02), 9);
  });

  it('never cross, stay within 0 and 1, and fall with the position', () => {
    const inputs = fc.record({
      mid: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      net: fc.integer({ min: -3_000, max: 3_000 }),
      variance: fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, ({ mid, net, variance }) => {
        const [base, larger] = [net, net + 100].map((held) => logOddsQuotes({ ...MODEL, mid, net: held, variance }));
        expect(base?.bid).toBeLessThan(base?.ask ?? 0);
        for (const price of [base?.bid, base?.ask]) {
          expect(price).toBeGreaterThanOrEqual(0);
          expect(price).toBeLessThanOrEqual(1);
        }
        expect(larger?.bid).toBeLessThanOrEqual(base?.bid ?? 0);
      }),
    );
  });
});

describe('logit-avellaneda-stoikov', () => {
  const PARAMS = { gamma_x: 0.0024, kappa_x: 12, horizon: 3_600, order_amount: 100, max_position: 5_000 };
  const startStrategy = (params: object = {}) =>
    logitMaker.create(logitMaker.params.parse({ ...PARAMS, ...params }), contextOf());

  it('uses the measured volatility of the log-odds', () => {
    const handlers = startStrategy();
    moveMid(handlers, 6_000);
    // 24 changes of 10 bps in 150 s.
    const step = logit(0.601) - logit(0.6);
    const variance = ((24 * step * step) / 150) * 3_600;
    const { bid, ask } = logOddsQuotes({ ...MODEL, mid: 0.6, net: 500, variance });
    const [down, up] = [Math.floor(bid * 1_000) * 10, Math.ceil(ask * 1_000) * 10];
    expect(book(handlers, 150.001, { ...bookAround(6_000), yes: 500 })).toEqual([
      `bid ${down} x 100`,
      `ask ${up} x 100`,
    ]);
  });

  it('quotes nothing if the mid is nearer than min_mid_bps to 0 or 1', () => {
    const handlers = startStrategy({ min_mid_bps: 4_000 });
    moveMid(handlers, 6_100);
    expect(book(handlers, 150.001, bookAround(6_100))).toEqual([]);
    const open = startStrategy({ min_mid_bps: 3_900 });
    moveMid(open, 6_000);
    expect(book(open, 150.001, bookAround(6_000))).toHaveLength(2);
  });

  it('shifts by max_skew_x at max_position', () => {
    const [flat = 0, long = 0] = [0, 5_000].map((yes) => {
      const handlers = startStrategy({ gamma_x: undefined, max_skew_x: 0.1 });
      moveMid(handlers, 6_000);
      const ask = book(handlers, 150.001, { ...bookAround(6_000), yes }).find((text) => text.startsWith('ask'));
      return logit(Number(ask?.split(' ')[1]) / 10_000);
    });
    expect(flat - long).toBeCloseTo(0.1, 2);
  });

  it.each([
    ['both gamma_x and max_skew_x', { max_skew_x: 1 }],
    ['neither gamma_x nor max_skew_x', { gamma_x: undefined }],
    ['no kappa_x', { kappa_x: undefined }],
  ])('refuses %s', (_, params) => {
    expect(() => startStrategy(params)).toThrow();
  });
});
