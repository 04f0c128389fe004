/** What is full refuses what would need more, and nothing breaks: no order, no reserve, no place in a batch or a set. */
import { describe, expect, it } from 'vitest';
import type { ExchangeEvent, ExchangeLimits, Refusal } from '../../../src/exchange/index.ts';
import { Harness, type OrderOverrides, SHARE, scenario } from './harness.ts';

function staged(limits: Partial<ExchangeLimits>) {
  const harness = new Harness({ limits });
  const [a, b] = [harness.account(), harness.account()];
  harness.market();
  return { harness, a, b };
}

/** What came of it, which left nothing behind. */
function traceless(harness: Harness, act: () => readonly ExchangeEvent[]): readonly ExchangeEvent[] {
  const before = [harness.hash(), harness.view.seq];
  const events = act();
  expect([harness.hash(), harness.view.seq]).toEqual(before);
  return events;
}

function full(field: keyof ExchangeLimits, limit: number): ExchangeEvent {
  const refusal: Refusal = { reason: 'ABOVE_MAX', field, limit, value: limit + 1, unit: 'COUNT' };
  return { type: 'refused', entry: 0, refusal };
}

const LOW: OrderOverrides = { price: 4000, size: 1 };

describe('an exchange with the maximum number of open orders', () => {
  function fullBook() {
    const { harness, a, b } = staged({ openOrders: 3 });
    for (let count = 0; count < 3; count++) harness.order(a, LOW);
    return { harness, a, b };
  }

  it('refuses orders that would rest and accepts orders that only take', () => {
    const { harness, a, b } = fullBook();
    expect(traceless(harness, () => harness.place(b, LOW))).toEqual([full('openOrders', 3)]);
    expect(traceless(harness, () => harness.place(b, { ...LOW, postOnly: true }))).toEqual([full('openOrders', 3)]);
    harness.send('split', { account: b, market: 0, shares: SHARE });
    const sell = { outcome: 'YES', side: 'SELL', price: 4000, size: 0.5 } as const;
    for (const timeInForce of ['FAK', 'FOK'] as const) {
      expect(scenario(harness.place(b, { ...sell, timeInForce })).at(-1)).toContain('FILLED');
    }
    expect(harness.view.openOrderCount).toBe(2);
    expect(scenario(harness.place(a, LOW))).toEqual(['accepted 6']);
  });

  it('accepts entries of a batch while there is room', () => {
    const { harness, a } = fullBook();
    harness.send('cancel', { account: a, orders: [2] });
    const orders = [LOW, LOW, LOW].map((overrides) => harness.terms(overrides));
    expect(scenario(harness.send('placeBatch', { account: a, orders }))).toEqual([
      'accepted 4',
      'refused 1 ABOVE_MAX openOrders',
      'refused 2 ABOVE_MAX openOrders',
    ]);
  });

  it('accepts a replace that places at most as many orders as it cancels, and refuses others', () => {
    const { harness, a } = fullBook();
    const set = { account: a, market: 0, ifNoFillSince: undefined, mustReplace: false };
    const place = [LOW, LOW].map((overrides) => harness.terms(overrides));
    expect(traceless(harness, () => harness.send('replace', { ...set, cancel: [1], place })).map(entryOf)).toEqual([
      2, -1,
    ]);
    expect(scenario(harness.send('replace', { ...set, cancel: [1, 2], place }))).toHaveLength(4);
    expect(harness.view.openOrderCount).toBe(3);
  });

  it('refuses a market with an initial order and accepts one without', () => {
    const { harness, a } = fullBook();
    const before = harness.view.seq;
    harness.deploying({ account: a, initialOrder: harness.terms(LOW) });
    expect(harness.view.seq).toBe(before);
    harness.deploying({ account: a });
    expect(harness.view.markets).toHaveLength(2);
  });
});

describe('an exchange with the maximum number of', () => {
  it('holdings refuses the first order and split of an account in a market', () => {
    const { harness, a, b } = staged({ holdings: 1 });
    harness.order(a, LOW);
    expect(traceless(harness, () => harness.place(b, { ...LOW, timeInForce: 'FAK' }))).toEqual([full('holdings', 1)]);
    expect(traceless(harness, () => harness.send('split', { account: b, market: 0, shares: SHARE }))).toEqual([
      full('holdings', 1),
    ]);
    const set = { account: b, market: 0, cancel: [], ifNoFillSince: undefined, mustReplace: false };
    traceless(harness, () => harness.send('replace', { ...set, place: [harness.terms(LOW)] }));
    expect(scenario(harness.place(a, LOW))).toEqual(['accepted 2']);
    expect(scenario(harness.send('split', { account: a, market: 0, shares: SHARE }))).toEqual(['converted']);
  });

  it('accounts opens no more', () => {
    const { harness } = staged({ accounts: 2 });
    const address = '0xmore';
    expect(traceless(harness, () => harness.send('openAccount', { address, unlimited: false }))).toEqual([
      full('accounts', 2),
    ]);
  });

  it('markets creates no more and still recognises repeated inputs', () => {
    const { harness } = staged({ markets: 1 });
    expect(traceless(harness, () => createAgain(harness, 'ffffffff-0000-4000-8000-000000000000'))).toEqual([
      full('markets', 1),
    ]);
    expect(createAgain(harness, harness.view.market(0)?.id ?? '')).toMatchObject([
      { type: 'refused', refusal: { reason: 'CONFLICT' } },
    ]);
  });

  it('order groups creates no more until one is deleted', () => {
    const { harness, a } = staged({ orderGroups: 1 });
    const create = () => harness.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    create();
    expect(traceless(harness, create)).toEqual([full('orderGroups', 1)]);
    harness.send('deleteGroup', { account: a, group: 1 });
    expect(scenario(create())).toEqual(['groupChanged']);
  });

  it('armed credentials arms no others and still revokes any', () => {
    const { harness, a } = staged({ credentials: 1 });
    const beat = (credential: number) => harness.send('heartbeat', { account: a, credential, timeout: 1000 });
    beat(1);
    expect(traceless(harness, () => beat(2))).toEqual([full('credentials', 1)]);
    expect(scenario(beat(1))).toEqual(['heartbeatArmed']);
    for (const credential of [2, 1]) {
      expect(scenario(harness.send('revokeCredential', { account: a, credential }))).toEqual(['credentialRevoked']);
    }
    // Neither has a switch any more.
    expect(scenario(beat(3))).toEqual(['heartbeatArmed']);
  });

  it('revoked credentials revokes no others, armed or not, and still arms', () => {
    const { harness, a } = staged({ revocations: 1 });
    const beat = (credential: number) => harness.send('heartbeat', { account: a, credential, timeout: 1000 });
    const revoke = (credential: number) => harness.send('revokeCredential', { account: a, credential });
    revoke(1);
    beat(2);
    expect(traceless(harness, () => revoke(2))).toEqual([full('revocations', 1)]);
    expect(traceless(harness, () => revoke(3))).toEqual([full('revocations', 1)]);
    expect(scenario(beat(3))).toEqual(['heartbeatArmed']);
  });
});

function entryOf(event: ExchangeEvent): number | undefined {
  return event.type === 'refused' ? event.entry : undefined;
}

function createAgain(harness: Harness, id: string): readonly ExchangeEvent[] {
  const texts = { question: 'Another?', rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [] };
  const none = { tickBps: undefined, feeRateBps: undefined, minOrderShares: undefined, eventId: undefined };
  const rest = { resolutionDate: harness.time + 1000, initialOrder: undefined, restriction: undefined };
  return harness.send('createMarket', { id: id as never, ...texts, ...none, ...rest });
}
