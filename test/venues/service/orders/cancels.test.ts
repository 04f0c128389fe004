/** Cancels at a venue that refuses, forgets or does not answer: what is sent, how often, and what is reported. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import {
  counted,
  epochMs,
  microShares,
  type PlaceOrder,
  priceBps,
  type VenueEvent,
} from '../../../../src/domain/index.ts';
import type { Operation } from '../../../../src/protocol/index.ts';
import type { SignedRecord } from '../../../../src/runtime/index.ts';
import { AccountState } from '../../../../src/state/index.ts';
import { ExecutionReporter } from '../../../../src/venues/base/execution-reporter.ts';
import { Timers } from '../../../../src/venues/base/timers.ts';
import { type VenueOrder, VenueOrders } from '../../../../src/venues/base/venue-orders.ts';
import { Cancels } from '../../../../src/venues/service/orders/cancels.ts';
import type { ExecutionDeps, Trouble } from '../../../../src/venues/service/orders/execution-deps.ts';
import { HeldRefusals } from '../../../../src/venues/service/orders/held-refusals.ts';
import { MissingOrders } from '../../../../src/venues/service/orders/missing-orders.ts';
import type { Answer } from '../../../../src/venues/service/transport/index.ts';
import { setup, usd } from '../../../state/world.ts';
import { SILENT } from '../harness.ts';
import { MemoryRecords } from '../memory-records.ts';

const MARKET = counted.market(0);
const NOTHING = (): void => {};
const SEEN = 100;

function recordOf(number: number): SignedRecord {
  const order = counted.order(number);
  const terms = { outcome: 'YES', side: 'BUY', timeInForce: 'GTC', postOnly: true, expiration: 0 } as const;
  const command: PlaceOrder = {
    type: 'place',
    order,
    bot: counted.bot(0),
    market: MARKET,
    ...terms,
    price: priceBps(5_000),
    shares: microShares(1_000_000),
  };
  const hash = `0x${String(number).padStart(64, '0')}`;
  return { order, market: MARKET, marketId: 'm', hash, timestampMs: 1, epoch: 0, wire: '{}', command };
}

/** What the venue answers to the cancel of an order, and what it shows of the order. */
interface Script {
  cancel: (order: number) => { readonly reason: string; readonly retryAfterMs?: number } | 'done' | 'lost' | 'nothing';
  order: (order: number) => object | null;
}

const NOBODY_KNOWS: Script = { cancel: () => ({ reason: 'NOT_FOUND' }), order: () => null };

function shown(status: string, seq = SEEN): object {
  const at = '2026-01-01T00:00:00Z';
  return {
    status,
    cancelReason: 'USER',
    seq: String(seq),
    updatedAt: at,
    remainingShares: status === 'FILLED' ? 0 : 1,
  };
}

async function fixture(script: Script, numbers: readonly number[] = [1], maxCancels = 10) {
  const clock = new SimClock(epochMs(1_000));
  const received: VenueEvent[] = [];
  const troubles: Trouble[] = [];
  /** Orders named by each cancel that was sent, and when. */
  const cancels: (readonly [at: number, orders: readonly number[]])[] = [];
  let lookups = 0;
  const numberOf = (hash: string): number => Number(hash.slice(2));
  const transport = {
    send(_: Operation<unknown, never>, variables: string, take: (answer: Answer<unknown>) => void): boolean {
      const { ids }: { ids: string[] } = JSON.parse(variables);
      const orders = ids.map(numberOf);
      cancels.push([clock.now(), orders]);
      const answers = orders.map(script.cancel);
      queueMicrotask(() => {
        if (answers.includes('lost')) take({ type: 'lost', problem: 'no answer', sent: true });
        else {
          const results = answers.flatMap((answer) =>
            answer === 'nothing'
              ? []
              : [
                  {
                    filledShares: null,
                    rejection: answer === 'done' ? null : { retryAfterMs: null, ...Object(answer) },
                  },
                ],
          );
          take({ type: 'data', data: { cancelOrders: { results } }, errors: [] });
        }
      });
      return true;
    },
    async query(_: Operation<unknown, never>, { orderHash }: { orderHash: string }): Promise<Answer<unknown>> {
      lookups += 1;
      const order = script.order(numberOf(orderHash));
      return { type: 'data', data: { order: { found: order !== null, order } }, errors: [] };
    },
  };
  const venueOrders = new VenueOrders();
  const of = {
    clock,
    orders: venueOrders,
    transport,
    timers: new Timers(clock),
    view: new AccountState({ cash: usd(100), markets: [setup()] }),
    report: (event: VenueEvent) => void received.push(event),
    records: new MemoryRecords(),
    log: SILENT,
    terms: () => ({ maxPlaces: 10, maxCancels, maxClockSkewMs: 30_000 }),
    trouble: (trouble: Trouble) => void troubles.push(trouble),
  } as unknown as ExecutionDeps;
  const reporter = new ExecutionReporter(of);
  const stream = { seq: SEEN, catchUp: NOTHING };
  const held = new HeldRefusals(of.timers, NOTHING);
  const missing = new MissingOrders(of, reporter, stream);
  const orders = numbers.map((number): VenueOrder => {
    const order = venueOrders.add(recordOf(number));
    order.life.accepted();
    return order;
  });
  const cancelling = new Cancels(of, reporter, held, missing);
  reporter.onUnwanted = (order) => cancelling.cancel([order], false);
  const run = async (ms: number): Promise<void> => {
    const end = clock.now() + ms;
    const settle = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await Promise.resolve();
    };
    await settle();
    while (clock.nextTime() <= end) {
      clock.runNext();
      await settle();
    }
  };
  return {
    run,
    reported: received,
    troubles,
    orders,
    stream,
    sent: cancels,
    cancels: cancelling,
    of: (type: Trouble['type']) => troubles.filter((each) => each.type === type),
    get lookups() {
      return lookups;
    },
  };
}

const HOUR = 3_600_000;

it('cancels are sent one by one when a batch may have no order', async () => {
  const { cancels, orders, run, sent } = await fixture({ cancel: () => 'done', order: () => null }, [1, 2], 0);
  cancels.cancel(orders, true);
  await run(10);
  expect(sent.map(([, named]) => named)).toEqual([[1], [2]]);
});

describe('a cancel of an order that the venue does not find', () => {
  it('is sent once: the venue is queried for the order and does not know it', async () => {
    const scripted = await fixture(NOBODY_KNOWS);
    const { cancels, orders, run, sent, reported: received, of } = scripted;
    cancels.cancel(orders, true);
    await run(HOUR);
    for (let count = 0; count < 100; count += 1) cancels.cancel(orders, true);
    await run(HOUR);
    expect(sent).toHaveLength(1);
    expect(scripted.lookups).toBe(1);
    expect(of('unknownOrder')).toEqual([{ type: 'unknownOrder', order: 1 }]);
    // Nobody has said what became of it.
    expect(received).toEqual([]);
    expect(orders[0]).toMatchObject({ isMissing: true, life: { phase: 'live' } });
    expect(cancels.waiting).toBe(0);
  });

  it.each([
    ['FILLED', 'FILLED'],
    ['CANCELLED', 'USER'],
    ['EXPIRED', 'EXPIRED'],
  ])('ends with the state of the order at the venue: %s', async (status, reason) => {
    const scripted = await fixture({ ...NOBODY_KNOWS, order: () => shown(status) });
    scripted.cancels.cancel(scripted.orders, true);
    await scripted.run(HOUR);
    expect(scripted.reported).toMatchObject([{ type: 'orderClosed', order: 1, reason }]);
    expect(scripted.sent).toHaveLength(1);
    expect(scripted.of('unknownOrder')).toEqual([]);
  });

  it('waits until the stream has caught up, so that fills come first', async () => {
    const scripted = await fixture({ ...NOBODY_KNOWS, order: () => shown('FILLED', SEEN + 1) });
    scripted.cancels.cancel(scripted.orders, true);
    await scripted.run(5_000);
    expect(scripted.reported).toEqual([]);
    scripted.stream.seq += 1;
    await scripted.run(HOUR);
    expect(scripted.reported).toMatchObject([{ type: 'orderClosed', reason: 'FILLED' }]);
  });

  it('is sent again with growing pauses when the order is open after all, and its market is reported as stuck', async () => {
    const scripted = await fixture({ ...NOBODY_KNOWS, order: () => shown('LIVE') });
    scripted.cancels.cancel(scripted.orders, true);
    await scripted.run(10_000);
    expect(scripted.sent.length).toBeLessThan(10);
    await scripted.run(HOUR - 10_000);
    expect(scripted.sent.length).toBeLessThan(375);
    expect(scripted.of('repeated')).toHaveLength(scripted.sent.length);
    expect(scripted.of('stuck')).toMatchObject([{ command: 'cancelOrders', markets: [MARKET] }]);
  });
});

describe('a cancel that fails', () => {
  it.each([
    ['is refused for the moment', () => ({ reason: 'VENUE_MODE' })],
    ['has no answer', () => 'lost' as const],
    ['has an answer without its result', () => 'nothing' as const],
  ])('because it %s is repeated with growing pauses, and each repeat is counted', async (_, cancel) => {
    const scripted = await fixture({ ...NOBODY_KNOWS, cancel });
    scripted.cancels.cancel(scripted.orders, false);
    await scripted.run(HOUR);
    const waits = scripted.sent.slice(1).map(([at], index) => at - (scripted.sent[index]?.[0] ?? 0));
    expect(waits.slice(0, 12)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000, 2_000, 10_000, 10_000]);
    expect(scripted.sent.length).toBeLessThan(375);
    expect(scripted.of('repeated').length).toBeGreaterThanOrEqual(scripted.sent.length - 1);
    expect(scripted.of('stuck')).toHaveLength(1);
    expect(scripted.orders[0]?.life.phase).toBe('live');
  });

  it('is repeated no sooner than the venue requires', async () => {
    const scripted = await fixture({ ...NOBODY_KNOWS, cancel: () => ({ reason: 'RATE_LIMITED', retryAfterMs: 700 }) });
    scripted.cancels.cancel(scripted.orders, false);
    await scripted.run(3_000);
    expect(scripted.sent.map(([at]) => at)).toEqual([1_000, 1_700, 2_400, 3_100, 3_900]);
  });

  it('is sent at once when the venue answers again', async () => {
    let answer: 'lost' | 'done' = 'lost';
    const scripted = await fixture({ ...NOBODY_KNOWS, cancel: () => answer });
    scripted.cancels.cancel(scripted.orders, false);
    await scripted.run(60_000);
    const { length } = scripted.sent;
    answer = 'done';
    scripted.cancels.connected();
    await scripted.run(HOUR);
    expect(scripted.sent).toHaveLength(length + 1);
    expect(scripted.cancels.waiting).toBe(0);
  });

  it('keeps its pauses although others succeed', async () => {
    const scripted = await fixture(
      { ...NOBODY_KNOWS, cancel: (order) => (order === 1 ? { reason: 'VENUE_MODE' } : 'done') },
      [1, ...Array.from({ length: 50 }, (_, at) => at + 2)],
    );
    const [bad, ...good] = scripted.orders;
    scripted.cancels.cancel([bad!], false);
    for (const order of good) {
      scripted.cancels.cancel([order], false);
      await scripted.run(1_000);
    }
    expect(scripted.sent.filter(([, orders]) => orders.includes(1)).length).toBeLessThan(20);
  });
});
