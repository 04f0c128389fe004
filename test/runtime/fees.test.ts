/** The core withdraws quotes while a market's fee is above the accepted one, and resumes afterwards. */
import { describe, expect, it } from 'vitest';
import { epochMs, INVALID_FEE_BPS, type RejectReason, unchecked } from '../../src/domain/index.ts';
import { account, setup } from '../state/world.ts';
import { createInstance, MARKET } from './fakes.ts';
import { commandLines, LiveBench, quotesAround } from './live-bench.ts';

function changeFee(bench: LiveBench, feeRateBps: number, market = 0): readonly string[] {
  const { limits } = bench.state.market(unchecked.market(market));
  const time = epochMs(bench.now);
  const received = { time, venueTime: time, market: unchecked.market(market), limits: { ...limits, feeRateBps } };
  return commandLines(bench.step({ type: 'limitsChanged', ...received }).commands);
}

function confirm(bench: LiveBench, feeRateBps: number): readonly string[] {
  const time = epochMs(bench.now);
  return commandLines(bench.step({ type: 'feeConfirmed', time, market: MARKET, feeRateBps }).commands);
}

function refusals(bench: LiveBench): readonly string[] {
  return bench.steps.flatMap(({ refused }) => refused.map(({ code, limit, actual }) => `${code} ${limit}/${actual}`));
}

/** Quotes around the mid on each book update. */
const ALWAYS = createInstance({ onBook: ({ info }) => [quotesAround(info.market, 5_000)] }, { markets: [0] });

describe.each([
  ['above the accepted one', 80, 'FEE_ROSE 50/80'],
  ['above the maximum', 1_001, 'FEE_ABOVE_MAX 1000/1001'],
  ['that is invalid', INVALID_FEE_BPS, `FEE_ABOVE_MAX 1000/${INVALID_FEE_BPS}`],
])('a fee %s', (_, fee, refusal) => {
  const state = () => account([setup(0, { feeRateBps: 50 }), setup(1)]);

  it('cancels all orders in that market and refuses every intent there', () => {
    const bench = new LiveBench(2, { state: state() });
    bench.submit(0, 5_000);
    bench.submit(1, 5_000);
    bench.answer();
    expect(changeFee(bench, fee)).toEqual(['cancel 1', 'cancel 2']);
    bench.answer();
    expect(bench.submit(0, 5_010)).toEqual([]);
    expect(refusals(bench)).toEqual([refusal, refusal]);
    expect(bench.openQuotes(0)).toEqual([]);
    expect(bench.openQuotes(1)).toHaveLength(2);
  });

  it('is reported once for a quote set that stays the same', () => {
    const bench = new LiveBench(1, { state: state() });
    changeFee(bench, fee);
    for (const mid of [5_000, 5_000, 5_000]) bench.submit(0, mid);
    expect(refusals(bench)).toEqual([refusal, refusal]);
  });

  it('cancels orders that a refused replace left open', () => {
    const bench = new LiveBench(1, { state: state() });
    bench.submit(0, 5_000);
    bench.answer();
    expect(bench.submit(0, 5_050)).toEqual(['replace 2 by 2 in 0']);
    changeFee(bench, fee);
    bench.sent.splice(0);
    const time = epochMs(bench.now);
    const received = { time, venueTime: time, market: MARKET, reason: 'FEE_ABOVE_MAX' as RejectReason };
    const sent = [1, 2].flatMap((order) =>
      commandLines(bench.step({ type: 'cancelRejected', ...received, order: unchecked.order(order) }).commands),
    );
    expect(sent).toEqual(['cancel 1', 'cancel 2']);
  });

  it('lets the market trade again as soon as it falls', () => {
    const bench = new LiveBench(1, { state: state() }, [ALWAYS]);
    changeFee(bench, fee);
    expect(changeFee(bench, 20)).toEqual(['place 1 in 0', 'place 2 in 0']);
  });

  it('stops a market from the start', () => {
    const initial = state();
    const { limits } = initial.market(MARKET);
    const time = epochMs(1_000);
    initial.apply({
      type: 'limitsChanged',
      time,
      venueTime: time,
      market: MARKET,
      limits: { ...limits, feeRateBps: fee },
    });
    const bench = new LiveBench(1, { state: initial }, [ALWAYS]);
    bench.feed('bid 4010 100');
    expect(bench.sent).toEqual([]);
    expect(refusals(bench)[0]).toEqual(refusal);
  });
});

describe('an operator’s fee confirmation', () => {
  it('allows orders up to that fee', () => {
    const bench = new LiveBench(1, { state: account([setup(0, { feeRateBps: 50 })]) }, [ALWAYS]);
    changeFee(bench, 80);
    expect(confirm(bench, 80)).toEqual(['place 1 in 0', 'place 2 in 0']);
    bench.answer();
    expect(changeFee(bench, 60)).toEqual([]);
    expect(changeFee(bench, 80)).toEqual([]);
    expect(changeFee(bench, 81)).toEqual(['cancel 1', 'cancel 2']);
  });

  it('cannot exceed the maximum fee', () => {
    const bench = new LiveBench(1, { state: account([setup(0, { feeRateBps: 50 })]) }, [ALWAYS]);
    changeFee(bench, 1_001);
    expect(confirm(bench, 1_001)).toEqual([]);
  });
});

it('a change of limits with an unchanged fee sends no command', () => {
  const bench = new LiveBench(1, {}, [ALWAYS]);
  const count = bench.steps.length;
  expect(changeFee(bench, 0)).toEqual([]);
  expect(bench.steps).toHaveLength(count + 1);
});
