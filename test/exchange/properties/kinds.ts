/**
 * The kinds of moves in a random sequence. A move refers to orders, groups and markets by picks (the k-th open one), so
 * that a sequence keeps its meaning while it shrinks.
 */
import fc from 'fast-check';

/** Mostly one of the four accounts of the opening. */
const account = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(1, 2, 3, 4) },
  { weight: 1, arbitrary: fc.constantFrom(0, 5, 6) },
);
/** A market: one that suits the command, any market, or an unknown one. */
const market = fc.record({
  pick: fc.nat({ max: 5 }),
  among: fc.oneof(
    { weight: 24, arbitrary: fc.constant('likely' as const) },
    { weight: 2, arbitrary: fc.constant('any' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
});
export type MarketPick = typeof market extends fc.Arbitrary<infer T> ? T : never;
const pick = fc.nat({ max: 1000 });
/** Mostly undefined. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Size in lots; a few are below the minimum, a few are large. */
const lots = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 100, max: 400 }) },
  { weight: 6, arbitrary: fc.integer({ min: 100, max: 1500 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1500, max: 40_000 }) },
);

const order = fc.record({
  market,
  outcome: fc.constantFrom('YES', 'NO'),
  side: fc.constantFrom('BUY', 'SELL'),
  /** Ticks that a bid is above the middle price, or an ask below it. */
  aggressiveness: fc.integer({ min: -5, max: 4 }),
  lots,
  timeInForce: fc.constantFrom('GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'GTD', 'FAK', 'FOK', 'FOK'),
  postOnly: fc.constantFrom(false, false, false, true),
  /** Milliseconds until a GTD order expires. */
  life: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 1 }) },
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 4000 }) },
  ),
  selfTrade: fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'),
  group: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  ),
  /** A reason why the order is invalid. */
  flaw: rarely(
    fc.constantFrom(
      'offTick',
      'offLot',
      'stale',
      'future',
      'oldEpoch',
      'lowFee',
      'replaces',
      'geo',
      'closeOnly',
      'email',
      'mixed',
      'gtcExpires',
    ),
  ),
  hash: rarely(fc.nat({ max: 60 })),
  clientOrderId: rarely(fc.nat({ max: 60 })),
});
export type OrderMove = typeof order extends fc.Arbitrary<infer T> ? T : never;

const requests = { account, credential: fc.constantFrom(0, 0, 1, 1, 2, 2, 3) };

/** The details of each kind of move, by name. */
export const KINDS = {
  place: fc.record({ ...requests, order }),
  placeBatch: fc.record({ ...requests, orders: fc.array(order, { maxLength: 6 }) }),
  cancel: fc.record({ ...requests, picks: fc.array(pick, { maxLength: 5 }) }),
  reduce: fc.record({ ...requests, pick, lots: fc.integer({ min: 0, max: 800 }) }),
  replace: fc.record({
    ...requests,
    market,
    picks: fc.oneof(fc.constant('all' as const), fc.array(pick, { maxLength: 3 })),
    orders: fc.array(order, { maxLength: 4 }),
    /** Turns FAK and FOK orders into GTC, because a replace refuses them. */
    isResting: fc.constantFrom(true, true, true, true, true, false),
    /** All orders have the hash and client order id of the first. */
    isCopied: fc.constantFrom(false, false, false, false, false, false, false, true),
    hasFillCheck: fc.boolean(),
    mustReplace: fc.constantFrom(false, false, true),
  }),
  cancelMarketOrders: fc.record({
    ...requests,
    market,
    outcome: fc.option(fc.constantFrom('YES', 'NO'), { nil: undefined }),
    side: fc.option(fc.constantFrom('BUY', 'SELL'), { nil: undefined }),
  }),
  cancelAllOrders: fc.record(requests),
  heartbeat: fc.record({ ...requests, timeout: fc.integer({ min: 900, max: 6000 }) }),
  disarmHeartbeat: fc.record(requests),
  revokeCredential: fc.record({ ...requests, credential: fc.constantFrom(3, 4) }),
  createGroup: fc.record({ ...requests, lots: fc.integer({ min: 0, max: 2000 }), window: fc.nat({ max: 3000 }) }),
  updateGroup: fc.record({
    ...requests,
    pick,
    lots: fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined }),
    window: fc.option(fc.nat({ max: 3000 }), { nil: undefined }),
    reset: fc.boolean(),
  }),
  deleteGroup: fc.record({ ...requests, pick }),
  convert: fc.record({ ...requests, market, type: fc.constantFrom('split', 'merge'), lots: fc.nat({ max: 3000 }) }),
  claim: fc.record({ ...requests, market: fc.option(market, { nil: undefined }) }),
  openAccount: fc.record({ address: fc.nat({ max: 9 }), unlimited: fc.boolean() }),
  /** A deposit or withdrawal in cents; with `leaves`, a withdrawal of all cash except that many cents. */
  transfer: fc.record({
    account,
    cents: fc.integer({ min: -200_000, max: 100_000 }),
    leaves: fc.option(fc.nat({ max: 2000 }), { nil: undefined, freq: 3 }),
  }),
  allowReversals: fc.record({ window: fc.constantFrom(0, 2000, 20_000, 20_000, 60_000, 60_000, 60_000, -1) }),
  /** Mostly one of the last trades. */
  reverseTrade: fc.record({ pick: fc.nat({ max: 9 }) }),
  setMode: fc.record({
    mode: fc.oneof(
      { weight: 20, arbitrary: fc.constant('NORMAL' as const) },
      { weight: 3, arbitrary: fc.constantFrom('POST_ONLY', 'CANCEL_ONLY', 'HALTED') },
    ),
  }),
  configure: fc.record({ change: fc.nat({ max: 11 }) }),
  tick: fc.record({}),
  createMarket: fc.record({
    ...requests,
    id: fc.nat({ max: 40 }),
    /** Repeats the previous `createMarket`. */
    isAgain: fc.constantFrom(false, false, false, false, false, true),
    question: fc.constantFrom(1, 1, 1, 2, 2, 2, 0, 3),
    tick: fc.option(fc.constantFrom(1, 10, 50, 100, 100, 250, 7), { nil: undefined }),
    fee: fc.option(fc.constantFrom(0, 0, 200, 1000, 1000, 1001), { nil: undefined }),
    minLots: fc.option(fc.constantFrom(-1, 0, 1, 50, 200), { nil: undefined }),
    initial: fc.option(order, { nil: undefined }),
    inSeconds: fc.oneof(
      { weight: 5, arbitrary: fc.constant(600) },
      { weight: 1, arbitrary: fc.integer({ min: -1, max: 60 }) },
    ),
  }),
  deployed: fc.record({ market }),
  halt: fc.record({ market, type: fc.constantFrom('halt', 'resume', 'resume', 'resume') }),
  changeTick: fc.record({ market, tick: fc.constantFrom(1, 10, 50, 100, 250, 7) }),
  changeMinOrder: fc.record({ market, lots: fc.constantFrom(-1, 0, 50, 100, 200) }),
  moveDate: fc.record({
    market,
    inSeconds: fc.integer({ min: -1, max: 900 }),
    by: fc.constantFrom('operator', 'resolver'),
  }),
  end: fc.record({ market, type: fc.constantFrom('voidMarket', 'closeEarly') }),
  voidByCreator: fc.record({ ...requests, market }),
  dispute: fc.record({ ...requests, market }),
  operator: fc.record({ market, type: fc.constantFrom('upholdDispute', 'retryResolution') }),
  decide: fc.record({ market, decision: fc.constantFrom('YES', 'NO', undefined) }),
  vote: fc.record({
    market,
    model: fc.nat({ max: 3 }),
    vote: fc.constantFrom('YES', 'YES', 'YES', 'NO', 'CANCELLED', undefined),
    confidence: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
    isLate: fc.constantFrom(false, false, false, true),
  }),
  chain: fc.record({
    market,
    result: fc.constantFrom('confirmed', 'confirmed', 'confirmed', 'failed', 'failedPermanently'),
    isLate: fc.constantFrom(false, false, false, true),
  }),
} as const;

type Kinds = typeof KINDS;
export type Kind = keyof Kinds;

/** A kind of move, its details, and the milliseconds since the previous move. */
export type Move = {
  [K in Kind]: {
    readonly kind: K;
    readonly wait: number;
    readonly details: Kinds[K] extends fc.Arbitrary<infer T> ? T : never;
  };
}[Kind];
