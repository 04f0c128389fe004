/**
 * Finds fields with a wrong JavaScript type, which are errors of the calling program. Such a field, for example a null
 * list, could stop a command halfway, or break the writing of a snapshot. Each command itself then checks the values.
 *
 * Frequent commands skip this check, because it would take longer than the command. They check their lists and texts
 * themselves, and their checks of numbers refuse any other type.
 */
import type { ExchangeCommand } from '../command.ts';
import type { ExchangeConfig } from '../config.ts';
import type { ModelVote } from '../market-command.ts';
import { MARKET_TEXT_RULES, type MarketTexts } from '../markets/market-texts.ts';
import type { OrderTerms } from '../order-terms.ts';

type TypeCheck = (value: unknown) => boolean;

const isNumber: TypeCheck = (value) => typeof value === 'number';
const isText: TypeCheck = (value) => typeof value === 'string';
const isFlag: TypeCheck = (value) => typeof value === 'boolean';
const optional =
  (check: TypeCheck): TypeCheck =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: TypeCheck): TypeCheck =>
  (value) =>
    Array.isArray(value) && areAll(value, check);
/** Accepts an object whose members pass these checks. Other members are allowed. */
const objectWith =
  <T>(checks: TypeChecks<T>): TypeCheck =>
  (value) =>
    typeof value === 'object' && value !== null && firstInvalidField(value, checks) === undefined;

type TypeChecks<T> = { readonly [Key in keyof Required<T>]: TypeCheck };
/** Types of the commands that check their own members. */
type Frequent = 'place' | 'placeBatch' | 'cancel' | 'reduce' | 'replace';
export type RareCommand = Exclude<ExchangeCommand, { readonly type: Frequent }>;
export type RareType = RareCommand['type'];
/** Checks of a command's fields, except type and time. */
type FieldChecks<Command> = Command extends RareCommand ? TypeChecks<Omit<Command, 'type' | 'time'>> : never;
/** The command with type `T`. */
export type RareCommandOf<T extends RareType, Command = RareCommand> = Command extends { readonly type: infer Types }
  ? T extends Types
    ? Command
    : never
  : never;

const terms: TypeChecks<OrderTerms> = {
  market: isNumber,
  outcome: isText,
  side: isText,
  price: isNumber,
  shares: isNumber,
  timeInForce: isText,
  postOnly: isFlag,
  expiration: isNumber,
  timestampMs: isNumber,
  epoch: isNumber,
  maxFeeBps: isNumber,
  replaces: isNumber,
  selfTrade: isText,
  group: isNumber,
  restriction: optional(isText),
  hash: optional(isText),
  clientOrderId: optional(isText),
};
const vote: TypeChecks<ModelVote> = {
  id: isText,
  model: isText,
  vote: optional(isText),
  confidenceBps: optional(isNumber),
  rationale: isText,
  sources: listOf(isText),
};
const caller = { account: isNumber, credential: isNumber };
const textChecks = MARKET_TEXT_RULES.map(([name, { isOptional }]) => [name, isOptional ? optional(isText) : isText]);
const marketTexts: TypeChecks<MarketTexts> = Object.fromEntries(textChecks);
const marketAndNote = { market: isNumber, note: isText };
const isPresent: TypeCheck = (value) => value !== undefined;
const isPriceList: TypeCheck = (value) =>
  listOf((price) => typeof price === 'number' && Number.isInteger(price) && price > 0 && price < 10_000)(value) &&
  isRising(value);
const isGrid: TypeCheck = (value) =>
  objectWith({ type: (type) => type === 'tick', tickBps: isNumber })(value) ||
  objectWith({ type: (type) => type === 'list', bids: isPriceList, asks: isPriceList })(value);
const isConfig: TypeCheck = (value): value is Partial<ExchangeConfig> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(optional(isNumber));

const FIELD_CHECKS: { readonly [T in RareType]: FieldChecks<RareCommandOf<T>> } = {
  cancelMarketOrders: { ...caller, market: isNumber, outcome: optional(isText), side: optional(isText) },
  cancelAllOrders: caller,
  heartbeat: { ...caller, timeout: isNumber },
  disarmHeartbeat: caller,
  revokeCredential: caller,
  createGroup: { ...caller, maxFilled: isNumber, window: isNumber },
  updateGroup: { ...caller, group: isNumber, maxFilled: optional(isNumber), window: optional(isNumber), reset: isFlag },
  deleteGroup: { ...caller, group: isNumber },
  split: { ...caller, market: isNumber, shares: isNumber },
  merge: { ...caller, market: isNumber, shares: isNumber },
  claim: { ...caller, market: optional(isNumber) },
  openAccount: { address: isText, unlimited: isFlag },
  transfer: { account: isNumber, amount: isNumber },
  allowReversals: { window: isNumber },
  reverseTrade: { trade: isNumber },
  setMode: { mode: isText },
  configure: { config: isConfig },
  tick: {},
  followTape: {
    market: isNumber,
    account: isNumber,
    tape: isText,
    grid: isGrid,
    models: isPresent,
    row: isNumber,
    recordedAt: isNumber,
    rows: listOf(isNumber),
  },
  playTape: { market: isNumber, row: isNumber, recordedAt: isNumber, rows: listOf(isNumber) },
  createMarket: {
    ...caller,
    id: isText,
    ...marketTexts,
    slug: optional(isText),
    topicSlugs: listOf(isText),
    resolutionDate: isNumber,
    tickBps: optional(isNumber),
    feeRateBps: optional(isNumber),
    minOrderShares: optional(isNumber),
    initialOrder: optional(objectWith(terms)),
    restriction: optional(isText),
  },
  voidByCreator: { ...caller, market: isNumber },
  dispute: { ...caller, market: isNumber, reason: isText },
  halt: marketAndNote,
  resume: marketAndNote,
  voidMarket: marketAndNote,
  closeEarly: marketAndNote,
  moveDate: { ...marketAndNote, by: isText, resolutionDate: isNumber },
  changeTick: { ...marketAndNote, tickBps: isNumber },
  changeMinOrder: { ...marketAndNote, minOrderShares: isNumber },
  castVote: { ...marketAndNote, round: isNumber, vote: objectWith(vote) },
  decideManually: { ...marketAndNote, decision: optional(isText) },
  upholdDispute: marketAndNote,
  retryResolution: marketAndNote,
  chainConfirmed: { ...marketAndNote, step: isText, attempt: isNumber, transactionHash: isText },
  chainFailed: { ...marketAndNote, step: isText, attempt: isNumber, permanent: isFlag },
};

/** Returns a command's first member with a wrong type, `type` for an unknown command, or undefined. */
export function findInvalidField(command: RareCommand): string | undefined {
  if (typeof command.type !== 'string' || !Object.hasOwn(FIELD_CHECKS, command.type)) return 'type';
  return isNumber(command.time) ? firstInvalidField(command, FIELD_CHECKS[command.type]) : 'time';
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
function areAll(list: readonly unknown[], check: TypeCheck): boolean {
  for (const value of list) if (!check(value)) return false;
  return true;
}

function firstInvalidField(value: object, checks: object): string | undefined {
  for (const [member, check] of Object.entries(checks)) {
    if (!check(Reflect.get(value, member))) return member;
  }
  return undefined;
}
