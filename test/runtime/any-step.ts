/** Steps of every kind, for property tests. */
import fc from 'fast-check';
import {
  CLOSE_REASONS,
  FILL_BASES,
  type InputEvent,
  LINKS,
  MARKET_STATUSES,
  marketId,
  OPERATOR_COMMANDS,
  type OrderCommand,
  type PlaceOrder,
  RATE_BUCKETS,
  REJECT_REASONS,
  type Refused,
  RISK_CODES,
  unchecked,
  VENUE_MODES,
} from '../../src/domain/index.ts';
import type { Step } from '../../src/runtime/index.ts';
import type { StateChange } from '../../src/runtime/strategy-states.ts';
import { anyCharacter } from '../any-character.ts';

const whole = fc.maxSafeNat();
const signed = fc.maxSafeInteger();
const market = whole.map(unchecked.market);
const bot = whole.map(unchecked.instance);
const order = whole.map(unchecked.order);
const shares = whole.map(unchecked.shares);
const usd = signed.map(unchecked.usd);
const price = fc.nat(10_000).map(unchecked.price);
const time = signed.map(unchecked.time);
const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const outcome = fc.constantFrom('YES' as const, 'NO' as const);
const side = fc.constantFrom('BUY' as const, 'SELL' as const);
const conversion = fc.constantFrom('split' as const, 'merge' as const, 'claim' as const);
const received = { time, venueTime: time, market };
const limits = fc.record({
  minOrderShares: shares,
  minBet: usd,
  maxBet: usd,
  maxExposure: usd,
  feeRateBps: whole,
  spreadBps: whole,
});
const literal = <T extends string>(type: T) => fc.constant(type);
const filled = {
  type: literal('orderFilled'),
  ...received,
  order,
  outcome,
  side,
  price,
  shares,
  remaining: shares,
  fee: usd,
  liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  basis: fc.constantFrom(...FILL_BASES),
  inside: fc.boolean(),
};
const cash = { type: literal('cashAdjusted'), time, venueTime: time, amount: usd };

const anyEvent: fc.Arbitrary<InputEvent> = fc.oneof(
  fc.record({ type: literal('orderAccepted'), ...received, order }),
  fc.record({ type: literal('orderRejected'), ...received, order, reason: fc.constantFrom(...REJECT_REASONS) }),
  fc.record({ type: literal('cancelRejected'), ...received, order, reason: fc.constantFrom(...REJECT_REASONS) }),
  fc.record(filled),
  fc.record({ ...filled, trade: text }),
  fc.record({ ...filled, recovery: fc.constantFrom('start' as const, 'reconnect' as const) }),
  fc.record({ ...filled, trade: text, provisional: fc.constant(true as const) }),
  fc.record({ type: literal('fillSettled'), ...received, order, trade: text }),
  fc.record({
    type: literal('fillReversed'),
    ...received,
    order,
    trade: text,
    outcome,
    side,
    price,
    shares,
    fee: usd,
    liquidity: fc.constantFrom('maker' as const, 'taker' as const),
  }),
  fc.record({ type: literal('orderReduced'), ...received, order, remaining: shares }),
  fc.record({ type: literal('orderClosed'), ...received, order, reason: fc.constantFrom(...CLOSE_REASONS) }),
  fc.record({
    type: literal('ordersReplaced'),
    ...received,
    closed: fc.array(order, { maxLength: 3 }),
    accepted: fc.array(order, { maxLength: 3 }),
  }),
  fc.record({
    type: literal('makerPaid'),
    ...received,
    cause: fc.constantFrom('rebate' as const, 'reward' as const),
    day: time,
    amount: usd,
  }),
  fc.record({ type: literal('converted'), ...received, bot, conversion, shares, paid: usd, fee: usd }),
  fc.record({
    type: literal('conversionRejected'),
    ...received,
    bot,
    conversion,
    reason: fc.constantFrom(...REJECT_REASONS),
  }),
  fc.record({
    type: literal('limitsChanged'),
    ...received,
    limits,
  }),
  fc.record({ type: literal('started'), time }),
  fc.record({ type: literal('stopped'), time }),
  fc.record({ type: literal('timerFired'), time, bot, timer: text }),
  fc.record({ type: literal('signalReceived'), time, name: text, value: fc.double() }),
  fc.record({
    type: literal('operatorCommanded'),
    time,
    command: fc.constantFrom(...OPERATOR_COMMANDS),
  }),
  fc.record({ type: literal('operatorCommanded'), time, command: fc.constantFrom(...OPERATOR_COMMANDS), reason: text }),
  fc.record({ type: literal('orderUncertain'), ...received, order }),
  fc.record(cash),
  fc.record({ ...cash, trade: text }),
  fc.record({ type: literal('holdingAdjusted'), ...received, yes: shares, no: shares, yesCost: usd, noCost: usd }),
  fc.record({
    type: literal('venueChanged'),
    time,
    venueTime: time,
    mode: fc.constantFrom(...VENUE_MODES),
    link: fc.constantFrom(...LINKS),
  }),
  fc.record({
    type: literal('rateLimitUpdated'),
    time,
    venueTime: time,
    bucket: fc.constantFrom(...RATE_BUCKETS),
    capacity: fc.double(),
    refillPerSecond: fc.double(),
    remaining: fc.double(),
    retryAfterMs: whole,
  }),
  fc.record({ type: literal('parameterSet'), time, bot, name: text, value: text }),
  fc.record({
    type: literal('marketAdded'),
    time,
    info: fc.record(
      {
        market,
        id: fc.uuid().map(marketId),
        slug: text,
        question: text,
        grid: fc.oneof(
          fc.record({ type: literal('tick'), tickBps: fc.integer({ min: 1, max: 10_000 }) }),
          fc.record({
            type: literal('list'),
            bids: fc.array(price, { maxLength: 3 }),
            asks: fc.array(price, { maxLength: 3 }),
          }),
        ),
        scheduledResolution: fc.option(time, { nil: undefined }),
        venue: text,
        eventId: text,
        exclusive: fc.constant(true as const),
      },
      { requiredKeys: ['market', 'id', 'slug', 'question', 'grid', 'scheduledResolution'] },
    ),
    limits,
    state: fc.record({
      status: fc.constantFrom(...MARKET_STATUSES),
      acceptingOrders: fc.boolean(),
      placeDelay: whole.map(unchecked.duration),
    }),
    bots: fc.array(fc.record({ bot, strategy: text, params: text }), { maxLength: 2 }),
  }),
  fc.record({ type: literal('marketRemoved'), time, market }),
  fc.record({ type: literal('marketRemoved'), time, market, byOperator: fc.constant(true as const) }),
  fc.record({ type: literal('cancelCommanded'), time, market, order }),
  fc.record({ type: literal('feeConfirmed'), time, market, feeRateBps: whole }),
  fc.record({ type: literal('woke'), time }),
);

const untagged = {
  type: literal('place'),
  order,
  bot,
  market,
  outcome,
  side,
  price,
  shares,
  timeInForce: fc.constantFrom('GTC' as const, 'GTD' as const, 'FOK' as const, 'FAK' as const),
  postOnly: fc.boolean(),
  expiration: time,
};
const tag = fc.string({ minLength: 1, maxLength: 64 });
const anyPlace: fc.Arbitrary<PlaceOrder> = fc.oneof(fc.record(untagged), fc.record({ ...untagged, tag }));

const anyCommand: fc.Arbitrary<OrderCommand> = fc.oneof(
  anyPlace,
  fc.record({ type: literal('cancel'), order, market }),
  fc.record({ type: literal('reduce'), order, market, by: shares }),
  fc.record({
    type: literal('replace'),
    market,
    cancels: fc.array(fc.record({ order, remaining: shares }), { maxLength: 3 }),
    places: fc.array(anyPlace, { maxLength: 3 }),
  }),
  fc.record({ type: conversion, bot, market, shares }),
  fc.record({ type: literal('cancelAll') }),
  fc.record({ type: literal('cancelAll'), isAccountWide: fc.constant(true as const) }),
);

const anyRefused: fc.Arbitrary<Refused> = fc.record({
  ok: fc.constant(false as const),
  market,
  code: fc.constantFrom(...RISK_CODES),
  limit: fc.double(),
  actual: fc.double(),
});

const anyState: fc.Arbitrary<StateChange> = fc
  .tuple(fc.string(), fc.option(market, { nil: undefined }), fc.option(fc.json(), { nil: undefined }))
  .map(([strategy, inMarket, value]) => ({ strategy, ...(inMarket !== undefined && { market: inMarket }), value }));

const anyStateless: fc.Arbitrary<Step> = fc.record({
  seq: whole.map(unchecked.seq),
  time,
  row: whole,
  event: fc.option(anyEvent, { nil: undefined }),
  refused: fc.array(anyRefused, { maxLength: 3 }),
  commands: fc.array(anyCommand, { maxLength: 3 }),
});

export const anyStep: fc.Arbitrary<Step> = fc
  .tuple(anyStateless, fc.array(anyState, { maxLength: 2 }))
  .map(([step, states]) => (states.length === 0 ? step : { ...step, states }));
