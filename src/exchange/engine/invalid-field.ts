/**
 * Finds fields with a wrong JavaScript type, which are errors of the host. A wrong type (no list, a null text) could
 * stop a command halfway, or break the writing of a snapshot. Each command checks values of the right type itself.
 *
 * Frequent commands skip this check, because it would take longer than the command. Instead they check their lists and
 * texts; their checks of numbers refuse any other type.
 */
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeConfig } from '../config.ts';
import type { ModelVote } from '../market-command.ts';
import { MARKET_TEXT_RULES, type MarketTexts } from '../markets/market-texts.ts';
import type { OrderTerms } from '../order-terms.ts';

type Kind = (value: unknown) => boolean;

const number: Kind = (value) => typeof value === 'number';
const text: Kind = (value) => typeof value === 'string';
const flag: Kind = (value) => typeof value === 'boolean';
const orNone =
  (kind: Kind): Kind =>
  (value) =>
    value === undefined || kind(value);
const list =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && areAll(value, kind);
/** An object with members of these kinds, and perhaps others. */
const withMembers =
  <T>(kinds: Kinds<T>): Kind =>
  (value) =>
    typeof value === 'object' && value !== null && firstInvalidField(value, kinds) === undefined;

type Kinds<T> = { readonly [Key in keyof Required<T>]: Kind };
/** Commands that check their own members. */
type Frequent = 'place' | 'placeBatch' | 'cancel' | 'reduce' | 'replace';
export type RareCommand = Exclude<ExchangeCommand, { readonly type: Frequent }>;
export type RareType = RareCommand['type'];
/** Kinds of a command's fields, except type and time. */
type FieldKinds<Command> = Command extends RareCommand ? Kinds<Omit<Command, 'type' | 'time'>> : never;
export type RareCommandOf<T extends RareType, Command = RareCommand> = Command extends { readonly type: infer Types }
  ? T extends Types
    ? Command
    : never
  : never;

const terms: Kinds<OrderTerms> = {
  market: number,
  outcome: text,
  side: text,
  price: number,
  shares: number,
  timeInForce: text,
  postOnly: flag,
  expiration: number,
  timestampMs: number,
  epoch: number,
  maxFeeBps: number,
  replaces: number,
  selfTrade: text,
  group: number,
  restriction: orNone(text),
  hash: orNone(text),
  clientOrderId: orNone(text),
};
const vote: Kinds<ModelVote> = {
  id: text,
  model: text,
  vote: orNone(text),
  confidenceBps: orNone(number),
  rationale: text,
  sources: list(text),
};
const caller = { account: number, credential: number };
const textKinds = MARKET_TEXT_RULES.map(([name, { isOptional }]) => [name, isOptional ? orNone(text) : text]);
const marketTexts: Kinds<MarketTexts> = Object.fromEntries(textKinds);
const ofMarket = { market: number, note: text };
const present: Kind = (value) => value !== undefined;
const priceList: Kind = (value) =>
  list((price) => typeof price === 'number' && Number.isInteger(price) && price > 0 && price < 10_000)(value) &&
  isRising(value);
const grid: Kind = (value) =>
  typeof value === 'object' &&
  value !== null &&
  (withMembers({ type: (type) => type === 'tick', tickBps: number })(value) ||
    withMembers({ type: (type) => type === 'list', bids: priceList, asks: priceList })(value));
const config: Kind = (value): value is Partial<ExchangeConfig> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(orNone(number));

/** Kinds of the fields of each command. */
const KINDS: { readonly [T in RareType]: FieldKinds<RareCommandOf<T>> } = {
  cancelMarketOrders: { ...caller, market: number, outcome: orNone(text), side: orNone(text) },
  cancelAllOrders: caller,
  heartbeat: { ...caller, timeout: number },
  disarmHeartbeat: caller,
  revokeCredential: caller,
  createGroup: { ...caller, maxFilled: number, window: number },
  updateGroup: { ...caller, group: number, maxFilled: orNone(number), window: orNone(number), reset: flag },
  deleteGroup: { ...caller, group: number },
  split: { ...caller, market: number, shares: number },
  merge: { ...caller, market: number, shares: number },
  claim: { ...caller, market: orNone(number) },
  openAccount: { address: text, unlimited: flag },
  transfer: { account: number, amount: number },
  allowReversals: { window: number },
  reverseTrade: { trade: number },
  setMode: { mode: text },
  configure: { config },
  tick: {},
  followTape: {
    market: number,
    account: number,
    tape: text,
    grid,
    models: present,
    row: number,
    recordedAt: number,
    rows: list(number),
  },
  playTape: { market: number, row: number, recordedAt: number, rows: list(number) },
  createMarket: {
    ...caller,
    id: text,
    ...marketTexts,
    slug: orNone(text),
    topicSlugs: list(text),
    resolutionDate: number,
    tickBps: orNone(number),
    feeRateBps: orNone(number),
    minOrderShares: orNone(number),
    initialOrder: orNone(withMembers(terms)),
    restriction: orNone(text),
  },
  voidByCreator: { ...caller, market: number },
  dispute: { ...caller, market: number, reason: text },
  halt: ofMarket,
  resume: ofMarket,
  voidMarket: ofMarket,
  closeEarly: ofMarket,
  moveDate: { ...ofMarket, by: text, resolutionDate: number },
  changeTick: { ...ofMarket, tickBps: number },
  changeMinOrder: { ...ofMarket, minOrderShares: number },
  castVote: { ...ofMarket, round: number, vote: withMembers(vote) },
  decideManually: { ...ofMarket, decision: orNone(text) },
  upholdDispute: ofMarket,
  retryResolution: ofMarket,
  chainConfirmed: { ...ofMarket, step: text, attempt: number, transactionHash: text },
  chainFailed: { ...ofMarket, step: text, attempt: number, permanent: flag },
};

/** Returns a command's first member with a wrong type, `type` for an unknown command, or undefined. */
export function findInvalidField(command: RareCommand): string | undefined {
  if (typeof command.type !== 'string' || !Object.hasOwn(KINDS, command.type)) return 'type';
  return number(command.time) ? firstInvalidField(command, KINDS[command.type]) : 'time';
}

/** Returns an order command's first member with a wrong type; undefined if there is none. */
export function findInvalidOrderField(order: object): string | undefined {
  return firstInvalidField(order, { ...caller, ...terms });
}

/** Returns whether the value is a list of objects. The fields of the objects are checked later. */
export function areOrders(value: unknown): boolean {
  return Array.isArray(value) && areAll(value, (order) => typeof order === 'object' && order !== null);
}

function isRising(value: unknown): boolean {
  return Array.isArray(value) && value.every((price, at) => at === 0 || price > value[at - 1]);
}

/** Unlike `every`, this also checks the holes of a list. */
function areAll(list: readonly unknown[], kind: Kind): boolean {
  for (const value of list) if (!kind(value)) return false;
  return true;
}

function firstInvalidField(value: object, kinds: object): string | undefined {
  for (const [member, kind] of Object.entries(kinds)) {
    if (!kind(Reflect.get(value, member))) return member;
  }
  return undefined;
}
