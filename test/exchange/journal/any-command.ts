/** Random commands of every type, with valid and invalid members. */
import fc from 'fast-check';
import type { ExchangeCommand } from '../../../src/exchange/command.ts';
import type { CreateMarket } from '../../../src/exchange/market-command.ts';
import { MARKET_TEXT_RULES, type MarketTexts } from '../../../src/exchange/markets/market-texts.ts';
import type { OrderTerms } from '../../../src/exchange/order-terms.ts';
import { anyCharacter } from '../../any-character.ts';

/** Numbers, including fractions, 2^53 and beyond, NaN and negative zero. */
const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 4, arbitrary: fc.maxSafeInteger() },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -0, -1, 1.5, 2 ** 53, 2 ** 53 - 1, 1 - 2 ** 53, NaN, Infinity, -Infinity),
  },
  { weight: 1, arbitrary: fc.double() },
);
/** Texts, including lone surrogates. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('', '\ud800', 'ÿĀ', '"\\\u0000'),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyTime = fc.oneof(fc.integer({ min: 1.6e12, max: 1.9e12 }), anyNumber);
const anyHash = fc.oneof(
  fc.stringMatching(/^0x[0-9a-f]{64}$/),
  fc.stringMatching(/^0x[0-9A-F]{64}$/),
  fc.stringMatching(/^0x[0-9a-f]{63}$/),
  anyText,
);
const requests = { time: anyTime, account: anyNumber, credential: anyNumber };
const anyDecision = fc.constantFrom('YES', 'NO', 'CANCELLED', undefined);

const terms = {
  market: anyNumber,
  outcome: fc.constantFrom('YES', 'NO'),
  side: fc.constantFrom('BUY', 'SELL'),
  price: anyNumber,
  shares: anyNumber,
  timeInForce: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  postOnly: fc.boolean(),
  expiration: anyTime,
  timestampMs: anyTime,
  epoch: anyNumber,
  maxFeeBps: anyNumber,
  replaces: anyNumber,
  selfTrade: fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'),
  group: anyNumber,
  restriction: fc.constantFrom(undefined, 'GEO_BLOCKED', 'CLOSE_ONLY', 'EMAIL_NOT_VERIFIED'),
  hash: maybe(anyHash),
  clientOrderId: maybe(anyText),
} satisfies Record<keyof OrderTerms, unknown>;
const anyTerms = fc.record(terms);
const marketMembers = { time: anyTime, market: anyNumber, note: anyText };

const tapeMembers = {
  time: anyTime,
  market: anyNumber,
  row: anyNumber,
  recordedAt: anyTime,
  rows: fc.array(anyNumber),
};
const anyGrid = fc.oneof(
  fc.record({ type: fc.constant('tick'), tickBps: anyNumber }),
  fc.record({ type: fc.constant('list'), bids: fc.array(anyNumber), asks: fc.array(anyNumber) }),
);

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Members of each type of command besides `type`. */
const MEMBERS = {
  place: { ...requests, ...terms },
  placeBatch: { ...requests, orders: fc.array(anyTerms, { maxLength: 4 }) },
  cancel: { ...requests, orders: fc.array(anyNumber) },
  reduce: { ...requests, order: anyNumber, by: anyNumber },
  replace: {
    ...requests,
    market: anyNumber,
    cancel: fc.oneof(fc.array(anyNumber), fc.constant('all')),
    place: fc.array(anyTerms, { maxLength: 4 }),
    ifNoFillSince: maybe(anyNumber),
    mustReplace: fc.boolean(),
  },
  cancelMarketOrders: {
    ...requests,
    market: anyNumber,
    outcome: fc.constantFrom('YES', 'NO', undefined),
    side: fc.constantFrom('BUY', 'SELL', undefined),
  },
  cancelAllOrders: requests,
  heartbeat: { ...requests, timeout: anyNumber },
  disarmHeartbeat: requests,
  revokeCredential: requests,
  createGroup: { ...requests, maxFilled: anyNumber, window: anyNumber },
  updateGroup: {
    ...requests,
    group: anyNumber,
    maxFilled: maybe(anyNumber),
    window: maybe(anyNumber),
    reset: fc.boolean(),
  },
  deleteGroup: { ...requests, group: anyNumber },
  split: { ...requests, market: anyNumber, shares: anyNumber },
  merge: { ...requests, market: anyNumber, shares: anyNumber },
  claim: { ...requests, market: maybe(anyNumber) },
  openAccount: { time: anyTime, address: anyText, unlimited: fc.boolean() },
  transfer: { time: anyTime, account: anyNumber, amount: anyNumber },
  allowReversals: { time: anyTime, window: anyNumber },
  reverseTrade: { time: anyTime, trade: anyNumber },
  setMode: { time: anyTime, mode: fc.constantFrom('NORMAL', 'HALTED') },
  configure: {
    time: anyTime,
    config: fc.record({ minBet: anyNumber, quorum: anyNumber, tickBps: anyNumber }, { requiredKeys: [] }),
  },
  tick: { time: anyTime },
  createMarket: {
    ...requests,
    id: anyText,
    ...Object.fromEntries(MARKET_TEXT_RULES.map(([name, rule]) => [name, rule.isOptional ? maybe(anyText) : anyText])),
    slug: maybe(anyText),
    topicSlugs: fc.array(anyText),
    resolutionDate: anyTime,
    tickBps: maybe(anyNumber),
    minOrderShares: maybe(anyNumber),
    feeRateBps: maybe(anyNumber),
    initialOrder: maybe(anyTerms),
    restriction: terms.restriction,
  } satisfies Members & Record<Exclude<keyof CreateMarket, 'type' | keyof MarketTexts>, unknown>,
  voidByCreator: { ...requests, market: anyNumber },
  dispute: { ...requests, market: anyNumber, reason: anyText },
  halt: marketMembers,
  resume: marketMembers,
  voidMarket: marketMembers,
  closeEarly: marketMembers,
  moveDate: { ...marketMembers, by: fc.constantFrom('operator', 'resolver'), resolutionDate: anyTime },
  changeTick: { ...marketMembers, tickBps: anyNumber },
  changeMinOrder: { ...marketMembers, minOrderShares: anyNumber },
  castVote: {
    ...marketMembers,
    round: anyNumber,
    vote: fc.record({
      id: anyText,
      model: anyText,
      vote: anyDecision,
      confidenceBps: maybe(anyNumber),
      rationale: anyText,
      sources: fc.array(anyText),
    }),
  },
  decideManually: { ...marketMembers, decision: fc.constantFrom('YES', 'NO', undefined) },
  upholdDispute: marketMembers,
  retryResolution: marketMembers,
  chainConfirmed: { ...marketMembers, step: fc.constantFrom('DEPLOY'), attempt: anyNumber, transactionHash: anyText },
  chainFailed: { ...marketMembers, step: fc.constantFrom('DEPLOY'), attempt: anyNumber, permanent: fc.boolean() },
  followTape: { ...tapeMembers, account: anyNumber, tape: anyText, grid: anyGrid, models: fc.jsonValue() },
  playTape: tapeMembers,
} satisfies Record<ExchangeCommand['type'], Members>;

export const COMMAND_TYPES = Object.keys(MEMBERS) as readonly ExchangeCommand['type'][];

export function anyCommandOf(type: ExchangeCommand['type']): fc.Arbitrary<ExchangeCommand> {
  const members: Members = MEMBERS[type];
  // The members are deliberately invalid.
  return fc.record({ type: fc.constant(type), ...members }) as fc.Arbitrary<unknown> as fc.Arbitrary<ExchangeCommand>;
}

export const anyCommand: fc.Arbitrary<ExchangeCommand> = fc.oneof(...COMMAND_TYPES.map(anyCommandOf));
