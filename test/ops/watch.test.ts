import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, Fault, type InputEvent, microShares, microUsd, priceBps, unchecked } from '../../src/domain/index.ts';
import { type BotStatus, guardedClock, Redactor, RunCounters, runSummary, summaryText } from '../../src/ops/index.ts';
import type { Step } from '../../src/runtime/index.ts';
import { filled, place } from '../state/world.ts';
import { STATUS } from './controlled-bot.ts';

const SUMMARISED: BotStatus = {
  ...STATUS,
  startedAt: 1_000,
  now: 61_000,
  account: '0xab',
  mode: 'KILLED',
  killReason: 'too much',
  killVerified: true,
  clockSkewMs: 3,
  cash: 9_000_000,
  available: 8_000_000,
  equity: 10_000_000,
  pnl: -250_000,
  openOrders: 2,
  fills: 2,
  run: { pnl: -250_000, fills: 2 },
  markets: [
    {
      slug: 'rain',
      id: '1',
      status: 'OPEN',
      acceptingOrders: true,
      strategy: 'ladder',
      bidBps: 1,
      askBps: 2,
      bookAgeMs: 40,
      openOrders: 2,
      position: 5_000_000,
      worth: 500,
      feeBps: 0,
      acceptedFeeBps: 0,
      stopped: null,
    },
  ],
};

const order = unchecked.order(1);
const market = unchecked.market(0);
const received = { time: epochMs(5), venueTime: epochMs(4), market } as const;

function fill(more: object = {}): InputEvent {
  return { ...filled({ order: 1 }), fee: microUsd(100), ...more };
}

function step(event: InputEvent | undefined, more: Partial<Step> = {}): Step {
  return { seq: unchecked.seq(1), time: epochMs(5), row: 0, event, refused: [], commands: [], ...more };
}

/** Counters of two fills (one external), a refusal, a rejection, a lost answer, a place, a replace by two, a cancel. */
function makeCounters(): RunCounters {
  const counters = new RunCounters();
  const placed = place({ order: 1 });
  const cancel = { type: 'cancel', order, market } as const;
  counters.addSteps([
    step(fill()),
    step(fill({ order: unchecked.order(0), liquidity: 'taker' })),
    step({ type: 'orderRejected', ...received, order, reason: 'BELOW_MIN' }),
    step({ type: 'orderUncertain', ...received, order }),
    step(undefined, { refused: [{ ok: false, market, code: 'STALE_BOOK', limit: 1, actual: 2 }] }),
    step(undefined, { commands: [placed, cancel, { type: 'replace', market, cancels: [], places: [placed, placed] }] }),
  ]);
  return counters;
}

describe('the counters of a bot', () => {
  it('stores fills with the tag that their quote has when they arrive', () => {
    const tags = new Map([[order, 'inner']]);
    const counters = new RunCounters((number) => tags.get(number));
    counters.addSteps([step(fill())]);
    tags.clear();
    counters.addSteps([step(fill())]);
    expect(counters.fills(2).map(({ tag }) => tag)).toEqual([undefined, 'inner']);
  });

  it('counts the activity of the bot', () => {
    const counters = makeCounters();
    expect(counters).toMatchObject({ fillCount: 2, makerFills: 1, externalFills: 1, fees: 200, uncertain: 1 });
    expect(counters.volume).toBe(10_000_000);
    expect(counters.commands).toEqual({ place: 1, cancel: 1, replace: 2 });
    expect([counters.refused, counters.rejected]).toEqual([{ STALE_BOOK: 1 }, { BELOW_MIN: 1 }]);
    expect(counters.fills(1)).toMatchObject([{ liquidity: 'taker' }]);
  });

  it('counts a reversed fill only in the number of fills ever received', () => {
    const counters = makeCounters();
    const terms = { ...received, outcome: 'YES', side: 'BUY', order } as const;
    const reversed = { ...terms, price: priceBps(5_000), shares: microShares(10_000_000), fee: microUsd(100) };
    counters.addSteps([step({ type: 'fillReversed', ...reversed, liquidity: 'maker', trade: 't' })]);
    expect([counters.fillCount, counters.everFilled]).toEqual([1, { maker: 1, taker: 1 }]);
    expect(counters.externalFills).toBe(1);
    counters.addSteps([
      step({ type: 'fillReversed', ...reversed, order: unchecked.order(0), liquidity: 'taker', trade: 'u' }),
    ]);
    expect([counters.fillCount, counters.externalFills]).toEqual([0, 0]);
  });

  it('is summarised at the end, with the number of orders still open at the venue', () => {
    const summary = runSummary(SUMMARISED, makeCounters(), { openAtVenue: 0 });
    expect(summary).toMatchObject({ seconds: 60, openOrdersAtVenue: 0, positions: [{ market: 'rain', shares: 5 }] });
    const text = summaryText(summary);
    expect(text).toMatch(/^ran +60 s on 1 market as 0xab\n/);
    expect(text).toMatch(/^fills +2 \(1 as maker, 1 external\), volume \$10\.00, fees \$0\.00$/m);
    expect(text).toMatch(/^refused +1 by the bot's risk limits: 1 STALE_BOOK$/m);
    expect(text).toMatch(/^rejected +1 by the venue: 1 BELOW_MIN$/m);
    expect(text).toMatch(/^open +0 own orders at the venue, verified$/m);
    expect(text).toMatch(/^mode +KILLED \(too much\)$/m);
    expect(summaryText(runSummary(SUMMARISED, new RunCounters(), { openAtVenue: null }))).toMatch(/NOT VERIFIED/);
    const early = runSummary(SUMMARISED, new RunCounters(), { openAtVenue: 0, hasBegun: false });
    expect(early).toMatchObject({ hasBegun: false, pnlMicros: 0, equityMicros: 0 });
    expect(summaryText(early)).toMatch(/^p&l +unknown: the run ended before it began to trade$/m);
  });
});

describe('a background failure', () => {
  it('in a timer is reported instead of ending the process', () => {
    const clock = new SimClock(epochMs(0));
    const failures: unknown[] = [];
    guardedClock(clock, (error) => failures.push(error)).schedule(epochMs(5), () => {
      throw new Error('broke');
    });
    clock.runNext();
    expect(failures).toEqual([new Error('broke')]);
  });

  it('is shown without secrets, including its causes', () => {
    const redactor = new Redactor();
    redactor.addSecret('hunter2hunter2');
    const error = new Error('bad hunter2hunter2', { cause: new Error('hunter2hunter2 again') });
    expect(redactor.error(error)).toBe(error);
    expect(`${error.message} ${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''}`).not.toMatch(
      /hunter2/,
    );
  });

  it('is replaced by a copy of its class without secrets when it is frozen', () => {
    const redactor = new Redactor();
    redactor.addSecret('hunter2hunter2');
    const frozen = Object.freeze(new Fault('LINK', 'bad hunter2hunter2', { retryable: true }));
    const joined = Object.freeze(new AggregateError(Object.freeze([frozen]), 'hunter2hunter2 failed'));
    const error = new Error('the run ended', { cause: joined });
    expect(redactor.error(error)).toBe(error);
    const cause: unknown = error.cause;
    if (!(cause instanceof AggregateError)) throw new Error('the cause has another class');
    const [inner]: readonly unknown[] = cause.errors;
    expect(inner).toBeInstanceOf(Fault);
    expect(inner).toMatchObject({ message: 'bad [redacted]', code: 'LINK', retryable: true });
    expect(`${cause.message} ${cause.stack} ${inner instanceof Fault ? inner.stack : ''}`).not.toMatch(/hunter2/);
  });

  it('is shown without secrets in the errors that it joins and in cyclic causes', () => {
    const redactor = new Redactor();
    redactor.addSecret('hunter2hunter2');
    const inner = new Error('bad hunter2hunter2');
    const joined = new AggregateError([inner, 'not an error'], 'both failed');
    inner.cause = new Error('hunter2hunter2 again', { cause: joined });
    redactor.error(new Error('the run ended', { cause: joined }));
    expect(`${inner.stack} ${inner.message} ${inner.cause}`).not.toMatch(/hunter2/);
  });
});
