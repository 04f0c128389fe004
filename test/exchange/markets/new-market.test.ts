import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { epochMs, groupNo, marketId, marketNo, priceBps, unchecked } from '../../../src/domain/index.ts';
import type { CreateMarket } from '../../../src/exchange/market-command.ts';
import { findRecordError, transparencyRecord } from '../../../src/exchange/markets/transparency-record.ts';
import type { OrderTerms } from '../../../src/exchange/order-terms.ts';
import { CREATOR, creation, Harness, INITIAL, START, sha256, stateOf } from './harness.ts';

const CAPITALS = 'AAAAAAAA-0000-4000-8000-000000000001';
const OTHER_ID = marketId('00000000-0000-4000-8000-000000000001');

/** Returns the result of an input, and expects that a refusal changes nothing. */
function resultOf(overrides: Partial<CreateMarket>, harness = new Harness()): unknown {
  const before = stateOf(harness.markets);
  const answered = harness.send(creation(START, overrides));
  if (answered !== undefined) {
    expect(stateOf(harness.markets)).toEqual(before);
    expect(harness.takeCalls()).toEqual([]);
  }
  return answered;
}

describe('createMarket', () => {
  it('uses the input and, for absent fields, the configuration', () => {
    const harness = new Harness();
    harness.config = { ...harness.config, tickBps: 50, feeRateBps: 7, quorum: 3, panelSize: 5 };
    expect(resultOf({ description: 'More.', eventId: 'e1', topicSlugs: ['a', 'b'] }, harness)).toBeUndefined();
    expect(resultOf({ id: OTHER_ID, tickBps: 1, feeRateBps: 0 }, harness)).toBeUndefined();
    expect(harness.market(0)).toMatchObject({
      number: 0,
      slug: 'will-it-rain',
      question: 'Will it rain?',
      rules: 'By the gauge.',
      description: 'More.',
      categorySlug: 'weather',
      topicSlugs: ['a', 'b'],
      eventId: 'e1',
      creator: CREATOR,
      createdAt: START,
      updatedAt: START,
      resolutionDate: START + 10_000,
      tickBps: 50,
      feeRateBps: 7,
      quorum: 3,
      panelSize: 5,
      status: 'PENDING_BLOCKCHAIN',
      chainStep: 'DEPLOY',
      deadline: START + 100,
    });
    expect(harness.market(1)).toMatchObject({ number: 1, slug: 'will-it-rain-2', tickBps: 1, feeRateBps: 0 });
  });

  it('keeps its quorum when the configuration changes, because the quorum is part of its record', () => {
    const harness = new Harness();
    resultOf({}, harness);
    harness.config = { ...harness.config, quorum: 1, panelSize: 1 };
    const { quorum, panelSize } = harness.market();
    expect([quorum, panelSize]).toEqual([2, 3]);
    expect(findRecordError(transparencyRecord(harness.market()), sha256)).toBeUndefined();
  });

  it('emits the market before its initial order and the chain request last', () => {
    const harness = new Harness();
    expect(resultOf({ initialOrder: INITIAL }, harness)).toBeUndefined();
    expect(harness.takeCalls()).toEqual([
      'newBook 10',
      'marketChanged',
      'resolutionStepped',
      'reserve',
      'chainRequested',
    ]);
    expect(harness.market().initialOrder).toBe(7);
    expect(harness.events[0]).toEqual({
      type: 'marketChanged',
      market: 0,
      previous: undefined,
      status: 'PENDING_BLOCKCHAIN',
      step: 'DEPLOY',
      halted: false,
      reason: 'created',
    });
  });

  it('accepts an initial order that expires', () => {
    const initialOrder = { ...INITIAL, timeInForce: 'GTD', expiration: epochMs(START + 50) } as const;
    expect(resultOf({ initialOrder })).toBeUndefined();
  });

  it('opens with an empty book when there is no initial order', () => {
    const harness = new Harness();
    resultOf({}, harness);
    const question = { time: epochMs(START), market: marketNo(0), step: 'DEPLOY', attempt: 1, note: '' } as const;
    harness.takeCalls();
    harness.send({ type: 'chainConfirmed', transactionHash: '0x00', ...question });
    expect(harness.takeCalls()).toEqual(['marketChanged', 'resolutionStepped']);
  });
});

describe('a repeated createMarket', () => {
  const options = {
    description: 'More.',
    eventId: 'e',
    tickBps: 20,
    feeRateBps: 5,
    minOrderShares: unchecked.shares(7),
    topicSlugs: ['a', 'b'],
  };
  const input = { ...options, initialOrder: { ...INITIAL, clientOrderId: 'a' } };

  it('returns the existing market, even later and for a caller who is restricted by then', () => {
    const harness = new Harness();
    expect(resultOf(input, harness)).toBeUndefined();
    harness.takeCalls();
    const duplicate = { duplicate: 0, order: 7 };
    expect(resultOf(input, harness)).toEqual(duplicate);
    expect(resultOf({ ...input, time: epochMs(START + 9), restriction: 'GEO_BLOCKED' }, harness)).toEqual(duplicate);
    const initialOrder = { ...input.initialOrder, market: marketNo(9), restriction: 'GEO_BLOCKED' } as const;
    expect(resultOf({ ...input, initialOrder }, harness)).toEqual(duplicate);
    expect(harness.markets.size).toBe(1);
  });

  it('returns no initial order when the market has none', () => {
    const harness = new Harness();
    resultOf({}, harness);
    harness.takeCalls();
    expect(resultOf({}, harness)).toEqual({ duplicate: 0, order: 0 });
  });

  it('returns the existing market when a new one would be refused', () => {
    const harness = new Harness();
    resultOf(input, harness);
    harness.pass(START + 20_000);
    harness.takeCalls();
    harness.mode = 'HALTED';
    harness.initialRefusal = { reason: 'INSUFFICIENT_BALANCE' };
    expect(resultOf({ ...input, time: epochMs(START + 20_000) }, harness)).toEqual({ duplicate: 0, order: 7 });
  });

  const others: readonly Partial<CreateMarket>[] = [
    { account: accountNo(2) },
    { question: 'Will it snow?' },
    { rules: 'By the ruler.' },
    { description: undefined },
    { description: '' },
    { description: 'Less.' },
    { categorySlug: 'climate' },
    { topicSlugs: ['b', 'a'] },
    { topicSlugs: ['a,b'] },
    { resolutionDate: epochMs(START + 10_001) },
    { tickBps: undefined },
    { minOrderShares: undefined },
    { feeRateBps: undefined },
    { eventId: undefined },
    { initialOrder: undefined },
    ...(
      [
        { outcome: 'NO' },
        { price: priceBps(5010) },
        { timeInForce: 'GTD', expiration: epochMs(START + 1) },
        { postOnly: true },
        { timestampMs: epochMs(START + 1) },
        { epoch: 1 },
        { maxFeeBps: 1 },
        { selfTrade: 'CANCEL_BOTH' },
        { group: groupNo(1) },
        { hash: undefined },
        { hash: '0x02' },
        { clientOrderId: undefined },
        { clientOrderId: 'b' },
      ] satisfies Partial<OrderTerms>[]
    ).map((overrides) => ({ initialOrder: { ...input.initialOrder, ...overrides } })),
  ];

  it.each(others.map((overrides) => [JSON.stringify(overrides), overrides]))(
    'is a conflict when the repeated input differs: %s',
    (_, overrides) => {
      const harness = new Harness();
      expect(resultOf(input, harness)).toBeUndefined();
      harness.takeCalls();
      expect(resultOf({ ...input, ...overrides }, harness)).toEqual({ reason: 'CONFLICT', field: 'id' });
    },
  );
});

describe('createMarket is refused', () => {
  it.each<[string, Partial<CreateMarket>, object]>([
    ['where the caller is blocked', { restriction: 'GEO_BLOCKED' }, { reason: 'GEO_BLOCKED' }],
    ['for a caller who may only sell', { restriction: 'CLOSE_ONLY' }, { reason: 'GEO_BLOCKED' }],
    [
      'without a verified e-mail address where it is required',
      { restriction: 'EMAIL_NOT_VERIFIED' },
      { reason: 'EMAIL_NOT_VERIFIED' },
    ],
    ['with an invalid id', { id: 'x' as never }, { reason: 'INVALID_ORDER', field: 'id' }],
    ['with an id after a letter', { id: `x${OTHER_ID}` as never }, { reason: 'INVALID_ORDER', field: 'id' }],
    ['with an id before a letter', { id: `${OTHER_ID}x` as never }, { reason: 'INVALID_ORDER', field: 'id' }],
    ['with an id in upper case', { id: CAPITALS as never }, { reason: 'INVALID_ORDER', field: 'id' }],
    [
      'without a question',
      { question: '' },
      { reason: 'BELOW_MIN', field: 'question', limit: 1, value: 0, unit: 'COUNT' },
    ],
    [
      'with a question of white space',
      { question: ' \n ' },
      { reason: 'BELOW_MIN', field: 'question', limit: 1, value: 0, unit: 'COUNT' },
    ],
    [
      'with a question of 301 characters',
      { question: '☕'.repeat(301) },
      { reason: 'ABOVE_MAX', field: 'question', limit: 300, value: 301, unit: 'COUNT' },
    ],
    [
      'with rules of 10,001 characters',
      { rules: '𝄞'.repeat(10_001) },
      { reason: 'ABOVE_MAX', field: 'rules', limit: 10_000, value: 10_001, unit: 'COUNT' },
    ],
    [
      'with a description of 10,001 characters',
      { description: '𝄞'.repeat(10_001) },
      { reason: 'ABOVE_MAX', field: 'description', limit: 10_000, value: 10_001, unit: 'COUNT' },
    ],
    [
      'with a resolution date that is now',
      { resolutionDate: epochMs(START) },
      { reason: 'EXPIRED_PARAMS', field: 'resolutionDate', limit: START, value: START, unit: 'MILLISECONDS' },
    ],
    [
      'with a resolution date of NaN',
      { resolutionDate: Number.NaN as never },
      { reason: 'INVALID_ORDER', field: 'resolutionDate' },
    ],
    ['with a tick that does not divide 10,000', { tickBps: 30 }, { reason: 'INVALID_TICK', field: 'tickBps' }],
    [
      'with a fee above the maximum',
      { feeRateBps: 1001 },
      { reason: 'ABOVE_MAX', field: 'feeRateBps', limit: 1000, value: 1001, unit: 'BPS' },
    ],
    [
      'with a fee below zero',
      { feeRateBps: -1 },
      { reason: 'BELOW_MIN', field: 'feeRateBps', limit: 0, value: -1, unit: 'BPS' },
    ],
    ['with a fractional fee', { feeRateBps: 0.5 }, { reason: 'INVALID_ORDER', field: 'feeRateBps' }],
    [
      'with an initial SELL',
      { initialOrder: { ...INITIAL, side: 'SELL' } },
      { reason: 'INVALID_ORDER', field: 'side' },
    ],
    [
      'with an initial order that cannot rest',
      { initialOrder: { ...INITIAL, timeInForce: 'FOK' } },
      { reason: 'INVALID_ORDER', field: 'timeInForce' },
    ],
    [
      'with an initial order that cannot rest',
      { initialOrder: { ...INITIAL, timeInForce: 'FAK' } },
      { reason: 'INVALID_ORDER', field: 'timeInForce' },
    ],
  ])('%s', (_, overrides, refusal) => {
    expect(resultOf(overrides)).toEqual(refusal);
  });

  it('in a halted venue, and accepted while the venue accepts no orders', () => {
    const harness = new Harness();
    harness.mode = 'HALTED';
    expect(resultOf({}, harness)).toEqual({ reason: 'VENUE_MODE' });
    harness.mode = 'CANCEL_ONLY';
    expect(resultOf({}, harness)).toBeUndefined();
  });

  it('with the first refusal reason of its initial order', () => {
    const harness = new Harness();
    harness.initialRefusal = { reason: 'INVALID_LOT', field: 'shares' };
    const initialOrder = INITIAL;
    expect(resultOf({ initialOrder }, harness)).toEqual(harness.initialRefusal);
    expect(resultOf({ initialOrder, question: '' }, harness)).toEqual(harness.initialRefusal);
    expect(resultOf({ initialOrder, tickBps: 3 }, harness)).toEqual({ reason: 'INVALID_TICK', field: 'tickBps' });
    expect(resultOf({ question: '' }, harness)).toMatchObject({ reason: 'BELOW_MIN', field: 'question' });
    harness.initialRefusal = { reason: 'BELOW_MIN', field: 'shares' };
    expect(resultOf({ initialOrder, question: '' }, harness)).toMatchObject({ reason: 'BELOW_MIN', field: 'question' });
  });

  it('only for too many code points, not for many UTF-16 units', () => {
    const harness = new Harness();
    expect(resultOf({ question: '☕'.repeat(300) }, harness)).toBeUndefined();
    const long = '𝄞'.repeat(10_000);
    expect(
      resultOf({ id: OTHER_ID, question: '𝄞'.repeat(300), rules: long, description: long }, harness),
    ).toBeUndefined();
  });
});
