import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { type InputEvent, type OrderCommand, unchecked } from '../../../src/domain/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import { measureSessionLatency } from '../../../src/venues/sim/index.ts';
import { recordedLatency } from '../../../src/venues/sim/session-latency.ts';

const START = 1_000_000;
const market = unchecked.market(0);
const orderNo = (order: number) => unchecked.order(order);
const timeAfterStart = (ms: number) => unchecked.time(START + ms);

function step(ms: number, event: InputEvent | undefined, ...commands: OrderCommand[]): Step {
  return { seq: unchecked.seq(1), time: timeAfterStart(ms), row: 0, event, refused: [], commands };
}

function place(order: number): Extract<OrderCommand, { type: 'place' }> {
  return {
    type: 'place',
    order: orderNo(order),
    bot: unchecked.instance(0),
    market,
    outcome: 'YES',
    side: 'BUY',
    price: unchecked.price(5_000),
    shares: unchecked.shares(1_000_000),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  };
}

const eventTimes = (time: number, venueTime: number) => ({
  time: timeAfterStart(time),
  venueTime: timeAfterStart(venueTime),
  market,
});
const accepted = (order: number, time: number, venueTime: number): Step =>
  step(time, { type: 'orderAccepted', ...eventTimes(time, venueTime), order: orderNo(order) });

/** Two orders at once, of which the first takes 503 ms and the second 530; a cancel; a rejection; two fills. */
const STEPS: readonly Step[] = [
  step(0, undefined, place(1), place(2)),
  accepted(1, 507, 503),
  accepted(2, 540, 530),
  step(1_000, undefined, { type: 'cancel', market, order: orderNo(1) }, place(3)),
  step(1_020, { type: 'orderClosed', ...eventTimes(1_020, 1_008), order: orderNo(1), reason: 'USER' }),
  step(1_520, { type: 'orderRejected', ...eventTimes(1_520, 1_520), order: orderNo(3), reason: 'CONFLICT' }),
  ...[2_010, 2_030].map((time) =>
    step(time, {
      type: 'orderFilled',
      ...eventTimes(time, 2_000),
      order: orderNo(2),
      outcome: 'YES',
      side: 'BUY',
      price: unchecked.price(5_000),
      shares: unchecked.shares(10_000),
      remaining: unchecked.shares(0),
      fee: unchecked.usd(0),
      liquidity: 'maker',
      basis: 'real',
      inside: false,
    }),
  ),
  step(3_004, { type: 'timerFired', time: timeAfterStart(3_004), bot: unchecked.instance(0), timer: 'refresh' }),
];

describe('the latency of a recorded session', () => {
  it('is measured to the venue and back, with the median response latency subtracted from that of a rejection', () => {
    expect(measureSessionLatency(STEPS)).toEqual({
      places: [
        { at: START, ms: 503 },
        { at: START, ms: 530 },
        { at: START + 1_000, ms: 510 },
      ],
      cancels: [{ at: START + 1_000, ms: 8 }],
      answers: [
        { at: START + 503, ms: 4 },
        { at: START + 530, ms: 10 },
        { at: START + 1_008, ms: 12 },
        { at: START + 1_510, ms: 10 },
      ],
      fills: [
        { at: START + 2_000, ms: 10 },
        { at: START + 2_000, ms: 30 },
      ],
      timers: [START + 3_004],
    });
  });

  it('measures a refused replace by its first response, whichever order it names', () => {
    const replace: OrderCommand = {
      type: 'replace',
      market,
      cancels: [{ order: orderNo(1), remaining: unchecked.shares(1_000_000) }],
      places: [place(5)],
    };
    const refusedCancel = (ms: number): Step =>
      step(ms, { type: 'cancelRejected', ...eventTimes(ms, ms), order: orderNo(1), reason: 'CONFLICT' });
    const { places, cancels } = measureSessionLatency([
      step(0, undefined, replace),
      refusedCancel(505),
      // The bot was busy in between.
      step(540, { type: 'orderRejected', ...eventTimes(540, 540), order: orderNo(5), reason: 'CONFLICT' }),
      step(600, undefined, { type: 'cancel', market, order: orderNo(1) }),
      refusedCancel(607),
    ]);
    expect(places).toEqual([{ at: START, ms: 505 }]);
    expect(cancels).toEqual([{ at: START + 600, ms: 7 }]);
  });

  it('counts an event 1 ms earlier when the bot received it before a market message of the same millisecond', () => {
    const rows = STEPS.map((step, index) => ({ ...step, row: index }));
    // The bot received the row after its first answer at the same time, and those after its fills later.
    const { answers, fills } = measureSessionLatency(rows, (row) => START + (row === 1 ? 507 : 9_999));
    expect(answers.slice(0, 2)).toEqual([
      { at: START + 503, ms: 3 },
      { at: START + 530, ms: 10 },
    ]);
    expect(fills.map(({ ms }) => ms)).toEqual([10, 30]);
  });

  it('gives each message the recorded latency nearest in time, and messages of one time different ones', () => {
    const model = recordedLatency(measureSessionLatency(STEPS), seededRandom(1));
    expect([model.placedAt?.(START), model.placedAt?.(START), model.placedAt?.(START + 900)]).toEqual([
      START + 503,
      START + 530,
      START + 1_410,
    ]);
    expect(model.entry(START)).toBe(8);
    expect([model.response(START + 503), model.response(START + 1_200)]).toEqual([4, 12]);
    expect([model.fill?.(START + 2_000), model.fill?.(START + 2_000), model.fill?.(START + 2_000)]).toEqual([
      10, 30, 10,
    ]);
  });

  it('delays market data by the median latency of fills, without reading the fills for each message', () => {
    let reads = 0;
    const fills = [30, 10, 50].map((ms) => ({
      at: START,
      get ms() {
        reads += 1;
        return ms;
      },
    }));
    const model = recordedLatency({ ...measureSessionLatency([]), fills }, seededRandom(1));
    const readsBefore = reads;
    expect([model.feed(START), model.feed(START + 1)]).toEqual([30, 30]);
    expect(reads).toBe(readsBefore);
  });

  it('fires timers when the recorded ones fired, and on time when none was recorded', () => {
    const model = recordedLatency(measureSessionLatency(STEPS), seededRandom(1));
    expect([model.firesAt?.(START + 3_000), model.firesAt?.(START + 4_000)]).toEqual([START + 3_004, START + 4_000]);
  });

  it('draws recorded latencies at random far from the session, repeatable by seed', () => {
    const draws = () => {
      const model = recordedLatency(measureSessionLatency(STEPS), seededRandom(1));
      return Array.from({ length: 50 }, () => (model.placedAt?.(9e12) ?? 0) - 9e12);
    };
    expect(new Set(draws())).toEqual(new Set([503, 530, 510]));
    expect(draws()).toEqual(draws());
  });

  it('adds nothing for a session without a message', () => {
    const model = recordedLatency(measureSessionLatency([]), seededRandom(1));
    expect([model.feed(0), model.entry(5), model.response(5), model.fill?.(5), model.placedAt]).toEqual([
      0,
      0,
      0,
      0,
      undefined,
    ]);
  });
});
