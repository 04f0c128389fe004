/** Translation between ids of the API and numbers of the exchange, also after a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupNo, marketId } from '../../src/domain/index.ts';
import { type Json, type RegistryChange, unsignedId } from '../../src/exchange/index.ts';
import { OrderGroups, WireIds } from '../../src/server/wire-ids.ts';
import { ALL_OPERATIONS } from '../protocol/generated/operations.ts';
import { openVenue, type Trader, type Venue } from './resolvers/trading/venue.ts';

/** A registry in memory that records its changes. */
function registryOf(rows: Readonly<Record<string, Json>>) {
  const table = new Map(Object.entries(rows));
  const changes: RegistryChange[] = [];
  return {
    changes,
    put: (change: RegistryChange) => void changes.push(change),
    sync: () => {},
    load: () => [...table].map(([key, value]) => ({ key, value })),
    find: (_: string, key: string) => table.get(key),
  };
}

const ID = '11111111-2222-4333-8444-555555555555';

describe('order group ids', () => {
  it('are stored, and found by UUID and by number', () => {
    const registry = registryOf({ [ID]: { group: 3, label: 'quotes' } });
    const names = new OrderGroups(registry);
    expect([names.find(ID), names.findId(3), names.findId(4)]).toEqual([{ group: 3, label: 'quotes' }, ID, undefined]);
    const other = ID.replace('1', '2');
    names.put(other, { group: groupNo(4), label: '' });
    names.delete(ID);
    names.delete(ID);
    expect([names.find(ID), names.findId(3), names.findId(4)]).toEqual([undefined, undefined, other]);
    expect(registry.changes).toEqual([
      { table: 'orderGroup', key: other, value: { group: 4, label: '' } },
      { table: 'orderGroup', key: ID, value: undefined },
    ]);
  });

  it('throw when a stored row is invalid', () => {
    for (const value of [1, null, [], { group: 3 }, { group: '3', label: 'x' }]) {
      expect(() => new OrderGroups(registryOf({ [ID]: value }))).toThrow('Put back a good copy');
    }
  });
});

describe('ids in the API', () => {
  let venue: Venue;
  let alice: Trader;
  let market: string;

  beforeEach(async () => {
    venue = await openVenue();
    market = await venue.market();
    alice = await venue.trader('alice', 100);
  });
  afterEach(() => venue.close());

  it('translate accounts, markets and orders in both directions', async () => {
    const { ids } = venue;
    const { order } = await venue.place(alice, { marketId: market, clientOrderId: 'a' });
    const number = ids.orderNo(order?.id ?? '');
    expect(number).toBe(venue.view.orderCount);
    expect(ids.orderNoOfClientId(alice.account, 'a')).toBe(number);
    expect(ids.orderNoOfClientId(1, 'a')).toBe(0);
    expect(ids.orderId(number)).toBe(order?.id);
    expect(ids.accountNo(alice.address)).toBe(alice.account);
    expect(ids.accountNo('0x')).toBeUndefined();
    expect(ids.address(alice.account)).toBe(alice.address);
    expect(ids.marketId(ids.marketNo(marketId(market)) ?? -1)).toBe(market);
    for (const read of [() => ids.address(99), () => ids.marketId(99), () => ids.orderId(99)])
      expect(read).toThrow('Invariant');
  });

  it('find unsigned orders by their number, but not signed orders', async () => {
    const { ids, view } = venue;
    const signed = await venue.place(alice, { marketId: market });
    const terms = {
      market: ids.marketNo(marketId(market)),
      outcome: 'YES',
      side: 'BUY',
      price: 5000,
      shares: 1_000_000,
    };
    await venue.send(
      JSON.parse(
        JSON.stringify({
          type: 'place',
          time: venue.now(),
          account: 1,
          credential: 0,
          ...terms,
          timeInForce: 'GTC',
          postOnly: false,
          expiration: 0,
          timestampMs: 0,
          epoch: 0,
          maxFeeBps: 0,
          replaces: 0,
          selfTrade: 'CANCEL_TAKER',
          group: 0,
        }),
      ),
    );
    const unsigned = view.orderCount;
    expect(ids.orderNo(unsignedId(unsigned))).toBe(unsigned);
    expect(ids.orderNo(unsignedId(ids.orderNo(signed.order?.id ?? '')))).toBe(0);
    expect(ids.orderNo(unsignedId(unsigned + 1))).toBe(0);
    expect(ids.orderNo(unsignedId(0))).toBe(0);
  });

  it('of order groups are the same after a restart', async () => {
    const input = { label: 'quotes', maxFilledShares: 5, windowSeconds: 60 };
    const { createOrderGroup } = await venue.execute(alice, ALL_OPERATIONS.createOrderGroup, { input });
    const id = createOrderGroup?.group.id ?? '';
    const { archive, registry, identities } = venue.store;
    const again = new WireIds({ view: venue.view, identities, archive, registry });
    expect(again.groups.find(id)).toEqual({ group: 1, label: 'quotes' });
    expect(again.groups.findId(1)).toBe(id);
  });
});
