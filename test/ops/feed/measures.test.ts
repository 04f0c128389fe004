import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { DAY_MS, epochMs, type InputEvent, type OrderCommand, unchecked } from '../../../src/domain/index.ts';
import { splitMicros } from '../../../src/ledger/index.ts';
import { limitUses } from '../../../src/ops/feed/limit-use.ts';
import { Measures } from '../../../src/ops/feed/measures.ts';
import { computeExposure, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import type { AccountState } from '../../../src/state/index.ts';
import { about, account, applyMessages, filled, place, shares, usd } from '../../state/world.ts';

const MARKET = unchecked.market(0);
const CONDITIONS = { minShares: 0, maxSpreadBps: 10_000 };

function step(event: InputEvent | undefined, time = 2_000, commands: readonly OrderCommand[] = []): Step {
  return { seq: unchecked.seq(1), time: epochMs(time), row: 0, event, refused: [], commands };
}

/** An account with a book of 50/52 cents. */
function openMeasures(): { readonly state: AccountState; readonly measures: Measures } {
  const state = account();
  applyMessages(state, '1000 | bid 5000 100 | ask 5200 50');
  const measures = new Measures({ state, uptimeConditions: CONDITIONS, startedAt: 1_000 });
  measures.sample(1_000);
  return { state, measures };
}

function fill(state: AccountState, measures: Measures, terms: Parameters<typeof filled>[0]): void {
  const event = filled(terms);
  state.apply(event);
  measures.onSteps([step(event)]);
}

/** Causes in dollars, without those that are 0. */
function today(measures: Measures): Readonly<Record<string, number>> {
  const parts = Object.entries(splitMicros(measures.pnlToday().halves));
  return Object.fromEntries(
    parts.filter(([, micros]) => micros !== 0).map(([name, micros]) => [name.replace('Micros', ''), micros / 1e6]),
  );
}

describe('P&L by cause of a running bot', () => {
  it('adds spread, mark changes and payout to the change of equity', () => {
    const { state, measures } = openMeasures();
    fill(state, measures, { order: 1, price: 5_000, size: 100 });
    expect(today(measures)).toEqual({ spread: 1 });
    applyMessages(state, '1100 | bid 5000 0 | bid 5100 100 | ask 5200 0 | ask 5300 50');
    measures.sample(1_100);
    expect(today(measures)).toEqual({ spread: 1, inventory: 1 });
    applyMessages(state, '1200 | resolution 10000');
    measures.sample(1_200);
    expect(today(measures)).toEqual({ spread: 1, inventory: 1, settlement: 48 });
    expect(state.exitEquity).toBe(usd(1_050));
  });

  it('is zero in a cancelled market that refunds every trade', () => {
    const { state, measures } = openMeasures();
    fill(state, measures, { order: 1, price: 5_000, size: 100 });
    applyMessages(state, '1200 | resolution CANCELLED');
    measures.sample(1_200);
    expect(Object.values(today(measures)).reduce((sum, part) => sum + part, 0)).toBe(0);
    expect(state.exitEquity).toBe(usd(1_000));
  });

  it('excludes a reversed fill', () => {
    const { state, measures } = openMeasures();
    const event = filled({ order: 1, price: 5_000, size: 100 });
    state.apply(event);
    measures.onSteps([step(event)]);
    const { market, outcome, side, price, shares, fee, liquidity } = event;
    measures.onSteps([
      step({ type: 'fillReversed', ...about(1), market, outcome, side, price, shares, fee, liquidity, trade: 't' }),
    ]);
    expect(today(measures)).toEqual({});
  });

  it('counts maker payments of the venue as rewards, also in a market without fills', () => {
    const { state, measures } = openMeasures();
    const { time, venueTime, market } = about(1);
    const paid = {
      type: 'makerPaid',
      time,
      venueTime,
      market,
      cause: 'reward',
      day: epochMs(0),
      amount: usd(2),
    } as const;
    state.apply(paid);
    measures.onSteps([step(paid)]);
    expect(today(measures)).toEqual({ rewards: 2 });
  });

  it('values positions from before the start at the mark of the start', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 100 | ask 5200 50');
    state.apply(filled({ order: 1, price: 4_000, size: 100 }));
    const measures = new Measures({ state, uptimeConditions: CONDITIONS, startedAt: 1_000 });
    measures.sample(1_000);
    expect(today(measures)).toEqual({});
    applyMessages(state, '1100 | bid 5000 0 | bid 5100 100 | ask 5200 0 | ask 5300 50');
    measures.sample(1_100);
    expect(today(measures)).toEqual({ inventory: 1 });
  });

  it('starts again at zero at midnight UTC, while sums of the run continue', () => {
    const { state, measures } = openMeasures();
    fill(state, measures, { order: 1, price: 5_000, size: 100 });
    measures.sample(DAY_MS + 1);
    expect(measures.pnlToday().from).toBe(DAY_MS);
    expect(today(measures)).toEqual({});
    expect(splitMicros(measures.pnlSinceStart(MARKET).halves).spreadMicros).toBe(1_000_000);
  });
});

describe('other measures of a running bot', () => {
  it('include the share of open time with quotes on both sides', () => {
    const { state, measures } = openMeasures();
    const [bid, ask] = [
      place({ order: 1, price: 4_900 }),
      place({ order: 2, side: 'SELL', price: 5_300, outcome: 'YES' }),
    ];
    for (const command of [bid, ask]) state.applyCommand(command, epochMs(1_000));
    state.apply({ type: 'orderAccepted', ...about(1, 1_000) });
    measures.sample(1_000);
    state.apply({ type: 'orderAccepted', ...about(2, 1_000) });
    measures.sample(2_000);
    expect(measures.twoSided(3_000)).toBe(0.5);
    expect(measures.market(MARKET)?.uptime(3_000)).toMatchObject({ both: 0.5, bidOnly: 0.5, askOnly: 0, none: 0 });
  });

  it('include an upper bound of the shares ahead of an order, which falls when the level shrinks and never rises', () => {
    const { state, measures } = openMeasures();
    state.applyCommand(place({ order: 1, price: 5_000 }), epochMs(1_000));
    measures.sample(1_000);
    expect(measures.market(MARKET)?.ahead(unchecked.order(1))).toBeUndefined();
    state.apply({ type: 'orderAccepted', ...about(1, 1_000) });
    measures.sample(1_100);
    const ahead = () => (measures.market(MARKET)?.ahead(unchecked.order(1)) ?? Number.NaN) / 1e6;
    expect(ahead()).toBe(100);
    applyMessages(state, '1200 | bid 5000 30');
    measures.sample(1_200);
    expect(ahead()).toBe(30);
    applyMessages(state, '1300 | bid 5000 80');
    measures.sample(1_300);
    expect(ahead()).toBe(30);
  });

  it('include the half-spread of maker fills against the mark before the fill', () => {
    const { state, measures } = openMeasures();
    fill(state, measures, { order: 1, price: 5_000, size: 100 });
    expect(measures.market(MARKET)?.markouts(seededRandom(1)).effective).toMatchObject({ bps: 100, count: 1 });
  });

  it('include the markouts of maker fills over all markets', () => {
    const { state, measures } = openMeasures();
    fill(state, measures, { order: 1, price: 5_000, size: 100 });
    expect(measures.markouts()).toContainEqual({ after: 'at fill', micros: 1_000_000, shares: 100_000_000 });
    expect(measures.markouts()).toContainEqual({ after: '1 s', micros: 0, shares: 0 });
    applyMessages(state, '2100 | bid 5000 0 | bid 4800 100 | ask 5200 0 | ask 5000 50');
    measures.sample(2_100);
    applyMessages(state, '3200 | bid 4800 0 | bid 4900 100');
    measures.sample(3_200);
    const after = measures.markouts();
    expect(after.find(({ after: time }) => time === '1 s')).toEqual({
      after: '1 s',
      micros: -1_000_000,
      shares: 100_000_000,
    });
    expect(after.map(({ after: time }) => time)).toEqual([
      'at fill',
      '1 s',
      '5 s',
      '30 s',
      '1 m',
      '5 m',
      '15 m',
      '1 h',
    ]);
  });

  it('include the time from a command to its answer', () => {
    const answers: number[] = [];
    const measures = new Measures({
      state: account(),
      uptimeConditions: CONDITIONS,
      startedAt: 1_000,
      onAnswer: (ms) => answers.push(ms),
    });
    expect(measures.answerTimes()).toBeNull();
    measures.onSteps([step(undefined, 1_000, [place({ order: 1 }), place({ order: 2 })])]);
    measures.onSteps([step({ type: 'orderAccepted', ...about(1) }, 1_040)]);
    measures.onSteps([step({ type: 'orderAccepted', ...about(1) }, 9_000)]);
    expect(measures.answerTimes()).toEqual({ count: 1, p50Ms: 40, p99Ms: 40 });
    expect(answers).toEqual([40]);
  });
});

describe('limits in use', () => {
  const risk = {
    mode: 'ACTIVE',
    reason: null,
    losses: { day: 0, dayStart: 10_000_000, peak: 30_000_000, last: null },
  } as const;

  it('are listed with their use, the one closest to its limit first', () => {
    const { state } = openMeasures();
    state.apply(filled({ order: 1, price: 5_000, size: 100 }));
    const limits = riskLimits(
      riskSchema.parse({ max_position: 125, max_notional_usd: 'none', max_total_notional_usd: 100 }),
    );
    const uses = limitUses({ limits, state, risk, exposure: computeExposure(state), bookAgeMs: () => 15_000 });
    expect(uses.slice(0, 3).map(({ name, scope, used, limit }) => [name, scope, used, limit])).toEqual([
      ['max_position', 'market-0', 100, 125],
      ['max_total_notional_usd', 'account', 50, 100],
      ['max_book_age_ms', 'market-0', 15_000, 30_000],
    ]);
    expect(uses.find(({ name }) => name === 'max_notional_usd')).toMatchObject({ used: 50, limit: null });
    expect(uses.find(({ name }) => name === 'daily_loss_usd')).toMatchObject({ used: 0, atBreach: 'kill' });
  });

  it('count an order that is being replaced once, and no order that takes', () => {
    const { state } = openMeasures();
    const send = (command: OrderCommand): void => state.applyCommand(command, epochMs(2_000));
    send(place({ order: 1 }));
    send(place({ order: 2, timeInForce: 'FAK' }));
    state.apply({ type: 'orderAccepted', ...about(1) });
    const cancels = [{ order: unchecked.order(1), remaining: shares(10) }];
    send({ type: 'replace', market: MARKET, cancels, places: [place({ order: 3 })] });
    const limits = riskLimits(riskSchema.parse({ max_open_orders: 2 }));
    const uses = limitUses({ limits, state, risk, exposure: computeExposure(state), bookAgeMs: () => 0 });
    expect(uses.find(({ name }) => name === 'max_open_orders')).toMatchObject({ used: 1, limit: 2 });
  });
});
