import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderLifecycle, unchecked } from '../../src/domain/index.ts';
import type { LifecycleStatus, OrderRequest } from '../../src/domain/order-lifecycle.ts';

const SIZE = 10;

function life(status: LifecycleStatus = 'sent', request: OrderRequest = 'none', remaining = SIZE): OrderLifecycle {
  return new OrderLifecycle(unchecked.shares(remaining), status, request);
}

/** Returns status, remaining size and pending request as text. */
function stateOf({ status, remaining, request }: OrderLifecycle): string {
  return `${status} ${remaining} ${request}`;
}

const micros = (shares: number) => unchecked.shares(shares);

describe('the life cycle of an order', () => {
  it('has one acceptance, also when the order was uncertain before', () => {
    const order = new OrderLifecycle(micros(SIZE));
    expect([order.onUncertain(), order.onUncertain(), order.onAccepted(), order.onAccepted()]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(stateOf(order)).toBe('live 10 none');
  });

  it('cannot become uncertain once the venue is known to have the order', () => {
    const order = life('live');
    expect(order.onUncertain()).toBe(false);
    expect(order.status).toBe('live');
  });

  it('waits for the stream again when a late response arrives', () => {
    const order = life('unknown');
    expect(order.onFoundAtVenue()).toBe(true);
    expect([order.status, order.onFoundAtVenue()]).toEqual(['sent', false]);
  });

  it('ignores a rejection once the venue is known to have the order', () => {
    expect([life('live').onRejected(), life('sent').onRejected(), life('unknown').onRejected()]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('ends when nothing remains', () => {
    const [filled, reduced] = [life(), life('live', 'reduce')];
    expect([filled.onFilled(micros(0)), reduced.onReduced(micros(0))]).toEqual([true, true]);
    expect([filled.status, reduced.status]).toEqual(['ended', 'ended']);
  });

  it('keeps the remaining size when a later event has a larger one', () => {
    const order = life('live', 'none', 4);
    order.onFilled(micros(6));
    order.onReduced(micros(5));
    expect(order.remaining).toBe(4);
  });

  it('clears a requested reduce after the reduce, and keeps a requested cancel', () => {
    const [reducing, cancelling] = [life('live', 'reduce'), life('live', 'cancel')];
    reducing.onReduced(micros(5));
    cancelling.onReduced(micros(5));
    expect([reducing.request, cancelling.request]).toEqual(['none', 'cancel']);
  });

  it('prefers a requested cancel to a requested reduce, independent of their order', () => {
    const [first, second] = [life(), life()];
    expect([first.onRequested('reduce'), first.onRequested('cancel')]).toEqual([true, true]);
    expect([second.onRequested('cancel'), second.onRequested('reduce')]).toEqual([true, false]);
    expect([first.request, second.request]).toEqual(['cancel', 'cancel']);
    expect([first.onRequestRejected(), first.onRequestRejected()]).toEqual([true, false]);
  });
});

const event = fc.oneof(
  fc.constantFrom(
    ...(['onAccepted', 'onUncertain', 'onFoundAtVenue', 'onRejected', 'onEnded', 'onRequestRejected'] as const).map(
      (name) => ({
        name,
      }),
    ),
  ),
  fc.record({ name: fc.constantFrom('onFilled' as const, 'onReduced' as const), micros: fc.nat(SIZE) }),
  fc.record({
    name: fc.constant('onRequested' as const),
    request: fc.constantFrom('reduce' as const, 'cancel' as const),
  }),
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

function apply(order: OrderLifecycle, change: Event): boolean {
  if (change.name === 'onRequested') return order.onRequested(change.request);
  if (change.name === 'onFilled' || change.name === 'onReduced') return order[change.name](micros(change.micros));
  return order[change.name]();
}

it('no event grows an order, reopens it, or changes it without reporting a change', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const order = new OrderLifecycle(micros(SIZE));
      for (const change of events) {
        const [before, state] = [{ ended: order.hasEnded, remaining: order.remaining }, stateOf(order)];
        const hasChanged = apply(order, change);
        if (!hasChanged || before.ended) expect([hasChanged, stateOf(order)]).toEqual([false, state]);
        expect(order.remaining).toBeLessThanOrEqual(before.remaining);
        expect(order.hasEnded || order.remaining > 0).toBe(true);
      }
    }),
  );
});
