/** Heartbeats of a credential and order groups with a fill limit. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { openVenueForTest, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;
let bob: Trader;
let market: string;

beforeEach(async () => {
  venue = await openVenueForTest({ secretBytes: (count) => new Uint8Array(count).fill(0xff) });
  market = await venue.market();
  alice = await venue.trader('alice', 1000);
  bob = await venue.trader('bob', 1000);
});

describe('a heartbeat', () => {
  it('cancels the orders of its credential when it stops', async () => {
    const { heartbeat } = await venue.execute(alice, ALL_OPERATIONS.heartbeat, { timeoutMs: 5000 });
    expect(heartbeat).toEqual({ armed: true, deadline: '2027-01-15T08:00:05Z', serverTime: '2027-01-15T08:00:00Z' });
    const guarded = await venue.place(alice, { marketId: market });
    const other = { ...alice, credential: 77 };
    const free = await venue.place(other, { marketId: market });
    const { tradingSafety } = await venue.execute(alice, ALL_OPERATIONS.tradingSafety, {});
    expect(tradingSafety).toEqual({
      heartbeatArmed: true,
      heartbeatTimeoutMs: 5000,
      heartbeatDeadline: '2027-01-15T08:00:05Z',
      orderEpoch: '0',
      openOrderCount: 2,
      groups: [],
      mode: 'NORMAL',
    });
    venue.clock.runNext();
    const reasonOf = async (id: string | undefined) => {
      const { order } = await venue.execute(alice, ALL_OPERATIONS.order, { id: id ?? '' });
      return order?.order?.cancelReason;
    };
    expect(await reasonOf(guarded.order?.id)).toBe('HEARTBEAT_LAPSED');
    expect(await reasonOf(free.order?.id)).toBe(null);
    expect((await venue.place(alice, { marketId: market })).rejection?.reason).toBe('HEARTBEAT_LAPSED');
    const safe = await venue.execute(alice, ALL_OPERATIONS.tradingSafety, {});
    expect(safe.tradingSafety).toMatchObject({ heartbeatArmed: false, heartbeatDeadline: null, openOrderCount: 1 });
    const { disarmHeartbeat } = await venue.execute(alice, ALL_OPERATIONS.disarmHeartbeat, {});
    expect(disarmHeartbeat).toEqual({ armed: false, deadline: null, serverTime: '2027-01-15T08:00:05Z' });
    expect((await venue.place(alice, { marketId: market })).accepted).toBe(true);
  });

  it('is refused with a timeout outside the allowed range', async () => {
    for (const timeoutMs of [999, 300_001, -1]) {
      const { data, errors } = await venue.request(alice, ALL_OPERATIONS.heartbeat, { timeoutMs });
      expect(data).toEqual({ heartbeat: null });
      expect(errors[0]?.message).toMatch(/^invalid argument: (timeoutMs|duration)/);
    }
  });
});

describe('order groups', () => {
  const group = { label: 'quotes', maxFilledShares: 5.25, windowSeconds: 60 };

  it('trip at their limit and can be reset, changed and deleted', async () => {
    const { createOrderGroup } = await venue.execute(alice, ALL_OPERATIONS.createOrderGroup, { input: group });
    const id = createOrderGroup?.group.id ?? '';
    expect(id).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
    expect(createOrderGroup?.group).toEqual({ id, ...group, filledInWindow: 0, tripped: false });
    const placed = await venue.place(alice, { marketId: market, groupId: id.toUpperCase(), size: 10 });
    expect(placed.order?.groupId).toBe(id);
    await venue.place(bob, { marketId: market, outcome: 'NO', size: 6 });
    const { order } = await venue.execute(alice, ALL_OPERATIONS.order, { id: placed.order?.id ?? '' });
    expect(order?.order).toMatchObject({ status: 'CANCELLED', cancelReason: 'ORDER_GROUP_LIMIT', filledShares: 6 });
    const { tradingSafety } = await venue.execute(alice, ALL_OPERATIONS.tradingSafety, {});
    expect(tradingSafety.groups).toEqual([{ id, ...group, filledInWindow: 6, tripped: true }]);
    expect((await venue.place(alice, { marketId: market, groupId: id })).rejection?.reason).toBe('GROUP_TRIPPED');
    const { updateOrderGroup } = await venue.execute(alice, ALL_OPERATIONS.updateOrderGroup, {
      input: { id, windowSeconds: 30, reset: true },
    });
    const changed = { id, ...group, windowSeconds: 30, filledInWindow: 0, tripped: false };
    expect(updateOrderGroup?.group).toEqual(changed);
    const again = await venue.place(alice, { marketId: market, groupId: id });
    const { deleteOrderGroup } = await venue.execute(alice, ALL_OPERATIONS.deleteOrderGroup, { id });
    expect(deleteOrderGroup).toEqual({ deletedId: id });
    const afterDelete = await venue.execute(alice, ALL_OPERATIONS.order, { id: again.order?.id ?? '' });
    expect(afterDelete.order?.order).toMatchObject({ status: 'LIVE', groupId: null });
    expect((await venue.execute(alice, ALL_OPERATIONS.tradingSafety, {})).tradingSafety.groups).toEqual([]);
    expect(venue.store.registry.load('orderGroup')).toEqual([]);
    for (const [windowSeconds, expected] of [
      [0, 'at least 1 seconds, got 0'],
      [86_401, 'at most 86400 seconds, got 86401'],
    ]) {
      const { errors } = await venue.request(alice, ALL_OPERATIONS.createOrderGroup, {
        input: { ...group, windowSeconds: Number(windowSeconds) },
      });
      expect(errors[0]?.message).toBe(`invalid argument: windowSeconds: expected ${expected}`);
    }
  });

  it('cannot be used, changed or deleted by another account', async () => {
    const { createOrderGroup } = await venue.execute(alice, ALL_OPERATIONS.createOrderGroup, { input: group });
    const id = createOrderGroup?.group.id ?? '';
    expect((await venue.place(bob, { marketId: market, groupId: id })).rejection?.reason).toBe('NOT_FOUND');
    for (const [operation, variables] of [
      [ALL_OPERATIONS.deleteOrderGroup, { id }],
      [ALL_OPERATIONS.updateOrderGroup, { input: { id, reset: true } }],
    ] as const) {
      const { errors } = await venue.request(
        bob,
        operation as typeof ALL_OPERATIONS.deleteOrderGroup,
        variables as { id: string },
      );
      expect(errors[0]?.message).toMatch(/^invalid argument: id: not found/);
    }
    expect(venue.store.registry.load('orderGroup')).toMatchObject([{ key: id, value: { label: 'quotes' } }]);
  });

  it('are refused with an invalid limit, window or label', async () => {
    for (const invalid of [
      { maxFilledShares: 0.005 },
      { windowSeconds: 0 },
      { windowSeconds: -5 },
      { maxFilledShares: 0 },
      { label: 'x'.repeat(101) },
      { label: '' },
      { label: '  ' },
    ]) {
      const { data, errors } = await venue.request(alice, ALL_OPERATIONS.createOrderGroup, {
        input: { ...group, ...invalid },
      });
      expect(data).toEqual({ createOrderGroup: null });
      expect(errors[0]?.message).toMatch(/^invalid argument: /);
    }
    expect(venue.store.registry.load('orderGroup')).toEqual([]);
  });
});
