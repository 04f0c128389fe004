/** Cancels at a venue that refuses them, does not know the order or does not answer. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import { epochMs, unchecked, type VenueEvent } from '../../../../src/domain/index.ts';
import type { Operation } from '../../../../src/protocol/index.ts';
import type { SignedRecord } from '../../../../src/runtime/index.ts';
import { AccountState } from '../../../../src/state/index.ts';
import { ExecutionReporter } from '../../../../src/venues/base/execution-reporter.ts';
import { Timers } from '../../../../src/venues/base/timers.ts';
import { type VenueOrder, VenueOrders } from '../../../../src/venues/base/venue-orders.ts';
import { CancelSender } from '../../../../src/venues/service/orders/cancel-sender.ts';
import type { ClientDeps, ServiceProblem } from '../../../../src/venues/service/orders/execution-deps.ts';
import { HeldRefusals } from '../../../../src/venues/service/orders/held-refusals.ts';
import { MissingOrders } from '../../../../src/venues/service/orders/missing-orders.ts';
import type { Answer } from '../../../../src/venues/service/transport/index.ts';
import { setup, usd } from '../../../state/world.ts';
import { SILENT } from '../harness.ts';
import { ownRecord } from '../market-data/own-order.ts';
import { MemoryRecords } from '../memory-records.ts';

const MARKET = unchecked.market(0);
const noop = (): void => {};
const STREAM_SEQ = 100;

function recordOf(number: number): SignedRecord {
  return ownRecord({ number, side: 'bid', price: 5_000, shares: 1_000_000 });
}

/** The scripted answers of the venue. */
interface Script {
  /** The result of a cancel; `lost` loses the whole answer, `nothing` omits the order's result. */
  cancel: (order: number) => { readonly reason: string; readonly retryAfterMs?: number } | 'done' | 'lost' | 'nothing';
  /** The state that a query for the order returns. */
  order: (order: number) => object | null;
}

const UNKNOWN_ORDER: Script = { cancel: () => ({ reason: 'NOT_FOUND' }), order: () => null };

function stateOf(status: string, seq = STREAM_SEQ): object {
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
  const problems: ServiceProblem[] = [];
  /** Time and orders of each cancel request. */
  const sent: (readonly [at: number, orders: readonly number[]])[] = [];
  let lookups = 0;
  const numberOf = (hash: string): number => Number(hash.slice(2));
  const transport = {
    send(_: Operation<unknown, never>, variables: string, onAnswer: (answer: Answer<unknown>) => void): boolean {
      const { ids }: { ids: string[] } = JSON.parse(variables);
      const orders = ids.map(numberOf);
      sent.push([clock.now(), orders]);
      const answers = orders.map(script.cancel);
      queueMicrotask(() => {
        if (answers.includes('lost')) onAnswer({ type: 'lost', problem: 'no answer', isSent: true });
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
          onAnswer({ type: 'data', data: { cancelOrders: { results } }, errors: [] });
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
  const deps = {
    clock,
    orders: venueOrders,
    transport,
    timers: new Timers(clock),
    view: new AccountState({ cash: usd(100), markets: [setup()] }),
    report: (event: VenueEvent) => void received.push(event),
    records: new MemoryRecords(),
    log: SILENT,
    terms: () => ({ maxPlaces: 10, maxCancels, maxClockSkew: 30_000 }),
    onProblem: (reported: ServiceProblem) => void problems.push(reported),
  } as unknown as ClientDeps;
  const reporter = new ExecutionReporter(deps);
  const stream = { seq: STREAM_SEQ, catchUp: noop };
  const heldRefusals = new HeldRefusals(deps.timers, noop);
  const missing = new MissingOrders({ ...deps, reporter, stream });
  const orders = numbers.map((number): VenueOrder => {
    const order = venueOrders.add(recordOf(number));
    order.life.onAccepted();
    return order;
  });
  const cancels = new CancelSender({ ...deps, reporter, heldRefusals, missing });
  reporter.onUnwanted = (order) => cancels.cancel([order], { isRequested: false });
  const advance = async (ms: number): Promise<void> => {
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
    advance,
    received,
    problems,
    orders,
    missing,
    stream,
    sent,
    cancels,
    problemsOf: (type: ServiceProblem['type']) => problems.filter((each) => each.type === type),
    get lookups() {
      return lookups;
    },
  };
}

const HOUR = 3_600_000;

it('cancels are sent one by one when the venue’s maximum batch size is 0', async () => {
  const { cancels, orders, advance, sent } = await fixture({ cancel: () => 'done', order: () => null }, [1, 2], 0);
  cancels.cancel(orders, { isRequested: true });
  await advance(10);
  expect(sent.map(([, batch]) => batch)).toEqual([[1], [2]]);
});

describe('a cancel of an order that the venue does not find', () => {
  it('is sent once, and the order is reported as unknown when a query does not find it either', async () => {
    const scripted = await fixture(UNKNOWN_ORDER);
    const { cancels, orders, advance, sent, received, problemsOf } = scripted;
    cancels.cancel(orders, { isRequested: true });
    await advance(HOUR);
    for (let count = 0; count < 100; count += 1) cancels.cancel(orders, { isRequested: true });
    await advance(HOUR);
    expect(sent).toHaveLength(1);
    expect(scripted.lookups).toBe(1);
    expect(problemsOf('unknownOrder')).toEqual([{ type: 'unknownOrder', order: 1 }]);
    expect(received).toEqual([]);
    expect(orders[0]).toMatchObject({ isMissing: true, life: { status: 'live' } });
    expect(cancels.pendingCount).toBe(0);
  });

  it.each([
    ['FILLED', 'FILLED'],
    ['CANCELLED', 'USER'],
    ['EXPIRED', 'EXPIRED'],
  ])('closes the order with the state that the venue returns: %s', async (status, reason) => {
    const scripted = await fixture({ ...UNKNOWN_ORDER, order: () => stateOf(status) });
    scripted.cancels.cancel(scripted.orders, { isRequested: true });
    await scripted.advance(HOUR);
    expect(scripted.received).toMatchObject([{ type: 'orderClosed', order: 1, reason }]);
    expect(scripted.sent).toHaveLength(1);
    expect(scripted.problemsOf('unknownOrder')).toEqual([]);
  });

  it('is reported as closed only after the stream has caught up, so that fills come first', async () => {
    const scripted = await fixture({ ...UNKNOWN_ORDER, order: () => stateOf('FILLED', STREAM_SEQ + 1) });
    scripted.cancels.cancel(scripted.orders, { isRequested: true });
    await scripted.advance(5_000);
    expect(scripted.received).toEqual([]);
    scripted.stream.seq += 1;
    await scripted.advance(HOUR);
    expect(scripted.received).toMatchObject([{ type: 'orderClosed', reason: 'FILLED' }]);
  });

  it('is sent again when a search for the order that was running finds it open', async () => {
    let cancel: { readonly reason: string } | 'done' = { reason: 'NOT_FOUND' };
    const scripted = await fixture({ cancel: () => cancel, order: () => stateOf('LIVE') });
    const { cancels, missing, orders, advance, sent } = scripted;
    const [order] = orders;
    cancels.cancel(orders, { isRequested: false });
    cancel = 'done';
    missing.search(order!, noop);
    // An event that the query does not show yet, so its answer is not reported.
    order!.seq = STREAM_SEQ + 1;
    await advance(HOUR);
    expect(sent).toHaveLength(2);
    expect(scripted.lookups).toBe(1);
  });

  it('is sent again when the comparison of the account finds the order first', async () => {
    let cancel: { readonly reason: string } | 'done' = { reason: 'NOT_FOUND' };
    const { cancels, orders, advance, sent } = await fixture({
      cancel: () => cancel,
      order: () => stateOf('LIVE', STREAM_SEQ + 1),
    });
    cancels.cancel(orders, { isRequested: true });
    await advance(10);
    cancel = 'done';
    for (const order of orders) order.isMissing = false;
    await advance(HOUR);
    expect(sent).toHaveLength(2);
  });

  it('is sent again with growing pauses while a query shows the order as open, and its market is reported as stuck', async () => {
    const scripted = await fixture({ ...UNKNOWN_ORDER, order: () => stateOf('LIVE') });
    scripted.cancels.cancel(scripted.orders, { isRequested: true });
    await scripted.advance(10_000);
    expect(scripted.sent.length).toBeLessThan(10);
    await scripted.advance(HOUR - 10_000);
    expect(scripted.sent.length).toBeLessThan(375);
    expect(scripted.problemsOf('commandResent')).toHaveLength(scripted.sent.length);
    expect(scripted.problemsOf('stuck')).toMatchObject([{ command: 'cancelOrders', markets: [MARKET] }]);
  });
});

describe('a cancel that fails', () => {
  it.each([
    ['is refused temporarily', () => ({ reason: 'VENUE_MODE' })],
    ['has no answer', () => 'lost' as const],
    ['has an answer without its result', () => 'nothing' as const],
  ])('because it %s is repeated with growing pauses, and each repeat is reported', async (_, cancel) => {
    const scripted = await fixture({ ...UNKNOWN_ORDER, cancel });
    scripted.cancels.cancel(scripted.orders, { isRequested: false });
    await scripted.advance(HOUR);
    const waits = scripted.sent.slice(1).map(([at], index) => at - (scripted.sent[index]?.[0] ?? 0));
    expect(waits.slice(0, 12)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000, 2_000, 10_000, 10_000]);
    expect(scripted.sent.length).toBeLessThan(375);
    expect(scripted.problemsOf('commandResent').length).toBeGreaterThanOrEqual(scripted.sent.length - 1);
    expect(scripted.problemsOf('stuck')).toHaveLength(1);
    expect(scripted.orders[0]?.life.status).toBe('live');
  });

  it('is repeated no sooner than the venue requires', async () => {
    const scripted = await fixture({ ...UNKNOWN_ORDER, cancel: () => ({ reason: 'RATE_LIMITED', retryAfterMs: 700 }) });
    scripted.cancels.cancel(scripted.orders, { isRequested: false });
    await scripted.advance(3_000);
    expect(scripted.sent.map(([at]) => at)).toEqual([1_000, 1_700, 2_400, 3_100, 3_900]);
  });

  it('is sent at once when the venue answers again', async () => {
    let answer: 'lost' | 'done' = 'lost';
    const scripted = await fixture({ ...UNKNOWN_ORDER, cancel: () => answer });
    scripted.cancels.cancel(scripted.orders, { isRequested: false });
    await scripted.advance(60_000);
    const { length } = scripted.sent;
    answer = 'done';
    scripted.cancels.onConnected();
    await scripted.advance(HOUR);
    expect(scripted.sent).toHaveLength(length + 1);
    expect(scripted.cancels.pendingCount).toBe(0);
  });

  it('keeps its pauses although cancels of other orders succeed', async () => {
    const scripted = await fixture(
      { ...UNKNOWN_ORDER, cancel: (order) => (order === 1 ? { reason: 'VENUE_MODE' } : 'done') },
      [1, ...Array.from({ length: 50 }, (_, at) => at + 2)],
    );
    const [refused, ...others] = scripted.orders;
    scripted.cancels.cancel([refused!], { isRequested: false });
    for (const order of others) {
      scripted.cancels.cancel([order], { isRequested: false });
      await scripted.advance(1_000);
    }
    expect(scripted.sent.filter(([, orders]) => orders.includes(1)).length).toBeLessThan(20);
  });
});
