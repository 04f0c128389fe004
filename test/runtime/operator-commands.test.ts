import { describe, expect, it } from 'vitest';
import { epochMs, type Link, unchecked, type VenueMode } from '../../src/domain/index.ts';
import { about, filled, setup, shares, usd } from '../state/world.ts';
import { Bench, createInstance } from './fakes.ts';
import { commandLines, LiveBench } from './live-bench.ts';

describe('an operator’s command', () => {
  it('`pause` cancels all orders and refuses everything until `resume`', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(bench.operate('pause', 'lunch')).toEqual(['cancel all']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'lunch']);
    bench.answer();
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(bench.steps.at(-1)?.refused.map(({ code }) => code)).toEqual(['PAUSED', 'PAUSED']);
    expect(bench.operate('resume')).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
  });

  it('reports the refusal of `pause` and `kill` once for each different quote set', () => {
    const bench = new LiveBench(1);
    const codes = () => bench.steps.flatMap(({ refused }) => refused.map(({ code }) => code));
    bench.operate('pause');
    for (const price of [5_000, 5_000, 5_000]) bench.submit(0, price);
    expect(codes()).toEqual(['PAUSED', 'PAUSED']);
    bench.submit(0, 5_010);
    expect(codes()).toHaveLength(4);
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(6);
    bench.operate('kill');
    for (const price of [5_000, 5_000]) bench.submit(0, price);
    expect(codes().slice(6)).toEqual(['KILLED', 'KILLED']);
    bench.operate('resume');
    expect(bench.submit(0, 5_000)).toHaveLength(2);
    bench.operate('pause');
    bench.submit(0, 5_000);
    expect(codes().slice(8)).toEqual(['PAUSED', 'PAUSED']);
  });

  it('`cancelAll` cancels all orders once', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(bench.operate('cancelAll')).toEqual(['cancel all']);
    bench.answer();
    expect([bench.risk.mode, bench.submit(0, 5_000).length]).toEqual(['ACTIVE', 2]);
  });

  it('`kill` cancels the orders of all instances', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(bench.operate('kill', 'SIGNAL')).toEqual(['cancel all of the account']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['KILLED', 'SIGNAL']);
  });

  it('`cancelAll` does not end flattening, but every other command does', () => {
    const bench = new LiveBench(2);
    bench.reportHoldings(0, 50);
    bench.operate('flatten');
    bench.operate('cancelAll');
    bench.step({ type: 'orderClosed', ...bench.about(1), reason: 'FAK_REMAINDER' });
    expect(commandLines(bench.feed('bid 4010 100').commands)).toEqual(['place 2 in 0']);
    bench.operate('pause');
    bench.step({ type: 'orderClosed', ...bench.about(2), reason: 'FAK_REMAINDER' });
    expect(bench.feed('bid 4020 100').commands).toEqual([]);
    expect(bench.risk.mode).toBe('PAUSED');
  });
});

describe('reduce while a strategy quotes both sides', () => {
  it('reports REDUCE_ONLY once for all refused quotes until the next command', () => {
    const bench = new LiveBench(1);
    bench.reportHoldings(0, 50);
    const codes = () => bench.steps.flatMap(({ refused }) => refused.map(({ code }) => code));
    bench.operate('reduce');
    for (const mid of [5_000, 5_010, 5_020, 5_000]) bench.submit(0, mid);
    expect(codes()).toEqual(['REDUCE_ONLY']);
    expect(bench.openQuotes(0)).toEqual(['10 @ 5100']);
    bench.submit(0, 0);
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(2);
    bench.operate('reduce');
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(3);
  });
});

describe('an unusable venue', () => {
  const changeVenue = (bench: LiveBench, mode: VenueMode, link: Link = 'UP') => {
    const time = epochMs(bench.now);
    return commandLines(bench.step({ type: 'venueChanged', time, venueTime: time, mode, link }).commands);
  };

  it('has its quotes cancelled once, and they return with the next quote set', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(changeVenue(bench, 'POST_ONLY')).toEqual([]);
    expect(changeVenue(bench, 'CANCEL_ONLY')).toEqual(['cancel all']);
    expect(changeVenue(bench, 'HALTED')).toEqual([]);
    bench.answer();
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(changeVenue(bench, 'NORMAL')).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
    bench.answer();
    expect(changeVenue(bench, 'NORMAL', 'DOWN')).toEqual(['cancel all']);
  });

  it('has all orders in a market cancelled when the market halts or its book is unreliable', () => {
    const bench = new LiveBench(2);
    bench.submit(0, 5_000);
    bench.submit(1, 5_000);
    bench.answer();
    const orders = bench.state.markets[0]?.orders.map(({ order }) => `cancel ${order}`);
    expect(orders).toHaveLength(2);
    expect(commandLines(bench.feed('@0 status HALTED').commands)).toEqual(orders);
    expect(commandLines(bench.feed('@0 bid 4000 90').commands)).toEqual([]);
    bench.answer();
    expect([bench.openQuotes(0), bench.openQuotes(1).length]).toEqual([[], 2]);
    expect(commandLines(bench.feed('@0 status OPEN').commands)).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
  });

  it('makes risk recompute a market after a fill of an unknown order', () => {
    const bench = new Bench([createInstance({})], [setup(0), setup(1)]).start();
    bench.step({ ...filled({ order: 1, market: 1 }), order: unchecked.order(0) });
    const { time, venueTime, market } = about(1);
    const holdings = { yes: shares(1), no: shares(0), yesCost: usd(1), noCost: usd(0) };
    bench.step({ type: 'holdingAdjusted', time, venueTime, market, ...holdings });
    expect(bench.risk.changedHoldings).toEqual([1, 0]);
  });
});
