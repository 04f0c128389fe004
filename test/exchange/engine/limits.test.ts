/** A full exchange refuses commands that need more capacity, and they change nothing. */

import { describe, expect, it } from 'vitest';
import type { ExchangeLimits } from '../../../src/exchange/engine/exchange-state.ts';
import type { ExchangeEvent, Refusal } from '../../../src/exchange/index.ts';
import { eventTexts, expectUnchanged, Harness, type OrderOverrides, SHARE } from './harness.ts';

function newHarness(limits: Partial<ExchangeLimits>) {
  const harness = new Harness({ limits });
  const [a, b] = [harness.account(), harness.account()];
  harness.market();
  return { harness, a, b };
}

function capacityRefusal(field: keyof ExchangeLimits, limit: number): ExchangeEvent {
  const refusal: Refusal = { reason: 'ABOVE_MAX', field, limit, value: limit + 1, unit: 'COUNT' };
  return { type: 'refused', entry: 0, refusal };
}

const RESTING: OrderOverrides = { price: 4000, size: 1 };

describe('an exchange with the maximum number of open orders', () => {
  function fullBook() {
    const { harness, a, b } = newHarness({ openOrders: 3 });
    for (let count = 0; count < 3; count++) harness.order(a, RESTING);
    return { harness, a, b };
  }

  it('refuses orders that would rest and accepts FAK and FOK orders', () => {
    const { harness, a, b } = fullBook();
    expect(expectUnchanged(harness, () => harness.place(b, RESTING))).toEqual([capacityRefusal('openOrders', 3)]);
    expect(expectUnchanged(harness, () => harness.place(b, { ...RESTING, postOnly: true }))).toEqual([
      capacityRefusal('openOrders', 3),
    ]);
    harness.send('split', { account: b, market: 0, shares: SHARE });
    const sell = { outcome: 'YES', side: 'SELL', price: 4000, size: 0.5 } as const;
    for (const timeInForce of ['FAK', 'FOK'] as const) {
      expect(eventTexts(harness.place(b, { ...sell, timeInForce })).at(-1)).toContain('FILLED');
    }
    expect(harness.view.openOrderCount).toBe(2);
    expect(eventTexts(harness.place(a, RESTING))).toEqual(['accepted 6']);
  });

  it('accepts entries of a batch up to the maximum', () => {
    const { harness, a } = fullBook();
    harness.send('cancel', { account: a, orders: [2] });
    const orders = [RESTING, RESTING, RESTING].map((overrides) => harness.terms(overrides));
    expect(eventTexts(harness.send('placeBatch', { account: a, orders }))).toEqual([
      'accepted 4',
      'refused 1 ABOVE_MAX openOrders',
      'refused 2 ABOVE_MAX openOrders',
    ]);
  });

  it('accepts a replace that places at most as many orders as it cancels, and refuses others', () => {
    const { harness, a } = fullBook();
    const set = { account: a, market: 0, ifNoFillSince: undefined, mustReplace: false };
    const place = [RESTING, RESTING].map((overrides) => harness.terms(overrides));
    expect(
      expectUnchanged(harness, () => harness.send('replace', { ...set, cancel: [1], place })).map(entryOf),
    ).toEqual([2, -1]);
    expect(eventTexts(harness.send('replace', { ...set, cancel: [1, 2], place }))).toHaveLength(4);
    expect(harness.view.openOrderCount).toBe(3);
  });

  it('refuses a market with an initial order and accepts one without', () => {
    const { harness, a } = fullBook();
    const before = harness.view.seq;
    harness.createMarket({ account: a, initialOrder: harness.terms(RESTING) });
    expect(harness.view.seq).toBe(before);
    harness.createMarket({ account: a });
    expect(harness.view.markets).toHaveLength(2);
  });
});

describe('an exchange at a capacity limit', () => {
  it('refuses the first order and split of an account in a market beyond the maximum of holdings', () => {
    const { harness, a, b } = newHarness({ holdings: 1 });
    harness.order(a, RESTING);
    expect(expectUnchanged(harness, () => harness.place(b, { ...RESTING, timeInForce: 'FAK' }))).toEqual([
      capacityRefusal('holdings', 1),
    ]);
    expect(expectUnchanged(harness, () => harness.send('split', { account: b, market: 0, shares: SHARE }))).toEqual([
      capacityRefusal('holdings', 1),
    ]);
    const set = { account: b, market: 0, cancel: [], ifNoFillSince: undefined, mustReplace: false };
    expectUnchanged(harness, () => harness.send('replace', { ...set, place: [harness.terms(RESTING)] }));
    expect(eventTexts(harness.place(a, RESTING))).toEqual(['accepted 2']);
    expect(eventTexts(harness.send('split', { account: a, market: 0, shares: SHARE }))).toEqual(['converted']);
  });

  it('opens no account beyond the maximum', () => {
    const { harness } = newHarness({ accounts: 2 });
    const address = '0xmore';
    expect(expectUnchanged(harness, () => harness.send('openAccount', { address, unlimited: false }))).toEqual([
      capacityRefusal('accounts', 2),
    ]);
  });

  it('creates no market beyond the maximum, and reports a conflict for the id of an existing one', () => {
    const { harness } = newHarness({ markets: 1 });
    expect(expectUnchanged(harness, () => createMarket(harness, 'ffffffff-0000-4000-8000-000000000000'))).toEqual([
      capacityRefusal('markets', 1),
    ]);
    expect(createMarket(harness, harness.view.market(0)?.id ?? '')).toMatchObject([
      { type: 'refused', refusal: { reason: 'CONFLICT' } },
    ]);
  });

  it('creates no order group beyond the maximum until one is deleted', () => {
    const { harness, a } = newHarness({ orderGroups: 1 });
    const create = () => harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    create();
    expect(expectUnchanged(harness, create)).toEqual([capacityRefusal('orderGroups', 1)]);
    harness.send('deleteGroup', { account: a, group: 1 });
    expect(eventTexts(create())).toEqual(['groupChanged']);
  });

  it('arms no credential beyond the maximum, but revokes any credential', () => {
    const { harness, a } = newHarness({ credentials: 1 });
    const arm = (credential: number) => harness.send('heartbeat', { account: a, credential, timeout: 1000 });
    arm(1);
    expect(expectUnchanged(harness, () => arm(2))).toEqual([capacityRefusal('credentials', 1)]);
    expect(eventTexts(arm(1))).toEqual(['heartbeatArmed']);
    for (const credential of [2, 1]) {
      expect(eventTexts(harness.send('revokeCredential', { account: a, credential }))).toEqual(['credentialRevoked']);
    }
    // Both credentials are disarmed.
    expect(eventTexts(arm(3))).toEqual(['heartbeatArmed']);
  });

  it('revokes no credential beyond the maximum, whether it is armed or not, but arms others', () => {
    const { harness, a } = newHarness({ revocations: 1 });
    const arm = (credential: number) => harness.send('heartbeat', { account: a, credential, timeout: 1000 });
    const revoke = (credential: number) => harness.send('revokeCredential', { account: a, credential });
    revoke(1);
    arm(2);
    expect(expectUnchanged(harness, () => revoke(2))).toEqual([capacityRefusal('revocations', 1)]);
    expect(expectUnchanged(harness, () => revoke(3))).toEqual([capacityRefusal('revocations', 1)]);
    expect(eventTexts(arm(3))).toEqual(['heartbeatArmed']);
  });
});

function entryOf(event: ExchangeEvent): number | undefined {
  return event.type === 'refused' ? event.entry : undefined;
}

function createMarket(harness: Harness, id: string): readonly ExchangeEvent[] {
  const texts = { question: 'Another?', rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [] };
  const none = { tickBps: undefined, feeRateBps: undefined, minOrderShares: undefined, eventId: undefined };
  const rest = { resolutionDate: harness.time + 1000, initialOrder: undefined, restriction: undefined };
  return harness.send('createMarket', { id: id as never, ...texts, ...none, ...rest });
}
