/** What is full refuses what would need more, and nothing breaks: no order, no reserve, no place in a batch or a set. */
import { describe, expect, it } from 'vitest';
import type { ExchangeEvent, ExchangeLimits, Refusal } from '../../../src/exchange/index.ts';
import { type OrderOverrides, SHARE, Stage, story } from './stage.ts';

function staged(limits: Partial<ExchangeLimits>) {
  const stage = new Stage({ limits });
  const [a, b] = [stage.account(), stage.account()];
  stage.market();
  return { stage, a, b };
}

/** What came of it, which left nothing behind. */
function traceless(stage: Stage, act: () => readonly ExchangeEvent[]): readonly ExchangeEvent[] {
  const before = [stage.hash(), stage.view.seq];
  const events = act();
  expect([stage.hash(), stage.view.seq]).toEqual(before);
  return events;
}

function full(field: keyof ExchangeLimits, limit: number): ExchangeEvent {
  const refusal: Refusal = { reason: 'ABOVE_MAX', field, limit, value: limit + 1, unit: 'COUNT' };
  return { type: 'refused', entry: 0, refusal };
}

const LOW: OrderOverrides = { price: 4000, size: 1 };

describe('an exchange with the maximum number of open orders', () => {
  function fullBook() {
    const { stage, a, b } = staged({ openOrders: 3 });
    for (let count = 0; count < 3; count++) stage.order(a, LOW);
    return { stage, a, b };
  }

  it('refuses orders that would rest and accepts orders that only take', () => {
    const { stage, a, b } = fullBook();
    expect(traceless(stage, () => stage.place(b, LOW))).toEqual([full('openOrders', 3)]);
    expect(traceless(stage, () => stage.place(b, { ...LOW, postOnly: true }))).toEqual([full('openOrders', 3)]);
    stage.send('split', { account: b, market: 0, shares: SHARE });
    const sell = { outcome: 'YES', side: 'SELL', price: 4000, size: 0.5 } as const;
    for (const timeInForce of ['FAK', 'FOK'] as const) {
      expect(story(stage.place(b, { ...sell, timeInForce })).at(-1)).toContain('FILLED');
    }
    expect(stage.view.openOrderCount).toBe(2);
    expect(story(stage.place(a, LOW))).toEqual(['accepted 6']);
  });

  it('accepts entries of a batch while there is room', () => {
    const { stage, a } = fullBook();
    stage.send('cancel', { account: a, orders: [2] });
    const orders = [LOW, LOW, LOW].map((overrides) => stage.terms(overrides));
    expect(story(stage.send('placeBatch', { account: a, orders }))).toEqual([
      'accepted 4',
      'refused 1 ABOVE_MAX openOrders',
      'refused 2 ABOVE_MAX openOrders',
    ]);
  });

  it('accepts a replace that places at most as many orders as it cancels, and refuses others', () => {
    const { stage, a } = fullBook();
    const set = { account: a, market: 0, ifNoFillSince: undefined, mustReplace: false };
    const place = [LOW, LOW].map((overrides) => stage.terms(overrides));
    expect(traceless(stage, () => stage.send('replace', { ...set, cancel: [1], place })).map(entryOf)).toEqual([2, -1]);
    expect(story(stage.send('replace', { ...set, cancel: [1, 2], place }))).toHaveLength(4);
    expect(stage.view.openOrderCount).toBe(3);
  });

  it('refuses a market with an initial order and accepts one without', () => {
    const { stage, a } = fullBook();
    const before = stage.view.seq;
    stage.deploying({ account: a, initialOrder: stage.terms(LOW) });
    expect(stage.view.seq).toBe(before);
    stage.deploying({ account: a });
    expect(stage.view.markets).toHaveLength(2);
  });
});

describe('an exchange with the maximum number of', () => {
  it('holdings refuses the first order and split of an account in a market', () => {
    const { stage, a, b } = staged({ holdings: 1 });
    stage.order(a, LOW);
    expect(traceless(stage, () => stage.place(b, { ...LOW, timeInForce: 'FAK' }))).toEqual([full('holdings', 1)]);
    expect(traceless(stage, () => stage.send('split', { account: b, market: 0, shares: SHARE }))).toEqual([
      full('holdings', 1),
    ]);
    const set = { account: b, market: 0, cancel: [], ifNoFillSince: undefined, mustReplace: false };
    traceless(stage, () => stage.send('replace', { ...set, place: [stage.terms(LOW)] }));
    expect(story(stage.place(a, LOW))).toEqual(['accepted 2']);
    expect(story(stage.send('split', { account: a, market: 0, shares: SHARE }))).toEqual(['converted']);
  });

  it('accounts opens no more', () => {
    const { stage } = staged({ accounts: 2 });
    const address = '0xmore';
    expect(traceless(stage, () => stage.send('openAccount', { address, unlimited: false }))).toEqual([
      full('accounts', 2),
    ]);
  });

  it('markets creates no more and still recognises repeated inputs', () => {
    const { stage } = staged({ markets: 1 });
    expect(traceless(stage, () => createAgain(stage, 'ffffffff-0000-4000-8000-000000000000'))).toEqual([
      full('markets', 1),
    ]);
    expect(createAgain(stage, stage.view.market(0)?.id ?? '')).toMatchObject([
      { type: 'refused', refusal: { reason: 'CONFLICT' } },
    ]);
  });

  it('order groups creates no more until one is deleted', () => {
    const { stage, a } = staged({ orderGroups: 1 });
    const create = () => stage.send('createGroup', { account: a, maxFilled: SHARE, window: 1000 });
    create();
    expect(traceless(stage, create)).toEqual([full('orderGroups', 1)]);
    stage.send('deleteGroup', { account: a, group: 1 });
    expect(story(create())).toEqual(['groupChanged']);
  });

  it('armed credentials arms no others and still revokes any', () => {
    const { stage, a } = staged({ credentials: 1 });
    const beat = (credential: number) => stage.send('heartbeat', { account: a, credential, timeout: 1000 });
    beat(1);
    expect(traceless(stage, () => beat(2))).toEqual([full('credentials', 1)]);
    expect(story(beat(1))).toEqual(['heartbeatArmed']);
    for (const credential of [2, 1]) {
      expect(story(stage.send('revokeCredential', { account: a, credential }))).toEqual(['credentialRevoked']);
    }
    // Neither has a switch any more.
    expect(story(beat(3))).toEqual(['heartbeatArmed']);
  });

  it('revoked credentials revokes no others, armed or not, and still arms', () => {
    const { stage, a } = staged({ revocations: 1 });
    const beat = (credential: number) => stage.send('heartbeat', { account: a, credential, timeout: 1000 });
    const revoke = (credential: number) => stage.send('revokeCredential', { account: a, credential });
    revoke(1);
    beat(2);
    expect(traceless(stage, () => revoke(2))).toEqual([full('revocations', 1)]);
    expect(traceless(stage, () => revoke(3))).toEqual([full('revocations', 1)]);
    expect(story(beat(3))).toEqual(['heartbeatArmed']);
  });
});

function entryOf(event: ExchangeEvent): number | undefined {
  return event.type === 'refused' ? event.entry : undefined;
}

function createAgain(stage: Stage, id: string): readonly ExchangeEvent[] {
  const texts = { question: 'Another?', rules: 'r', description: undefined, categorySlug: 'c', topicSlugs: [] };
  const none = { tickBps: undefined, feeRateBps: undefined, minOrderShares: undefined, eventId: undefined };
  const rest = { resolutionDate: stage.time + 1000, initialOrder: undefined, restriction: undefined };
  return stage.send('createMarket', { id: id as never, ...texts, ...none, ...rest });
}
