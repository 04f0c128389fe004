/** All checks of an order in the sequence of docs/spec/venue.md#refusals. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { LOT } from './accounts.ts';
import type { AccountCommand, OrderTerms } from './exchange-types.ts';
import { groupOf } from './groups.ts';
import { callerRefusal } from './heartbeats.ts';
import { funds, limits } from './limit-checks.ts';
import type { NaiveMarket } from './market.ts';
import type { NaiveAccount, World } from './world.ts';

/** How an order arrives. */
export interface Setting {
  readonly via: 'place' | 'replace' | 'initial';
  /** Orders that may be named in `replaces`. */
  readonly replaceable: readonly number[];
  readonly mustReplace: boolean;
  /** Possible fees of earlier new orders of the same replace, in micro-USD. */
  readonly earlierFees: number;
}

export const SINGLE_ORDER: Setting = { via: 'place', replaceable: [], mustReplace: false, earlierFees: 0 };

/** Inputs of the checks. */
export interface OrderCase {
  readonly world: World;
  readonly request: AccountCommand;
  readonly terms: OrderTerms;
  readonly setting: Setting;
  readonly market: NaiveMarket;
  readonly account: NaiveAccount;
}

/** Reasons and whether they apply, in checking order. */
export type Checks = [RejectReason, () => boolean][];

/** Returns the reason of the first failing check, or undefined for a valid order. `market` is undefined if unknown. */
export function placeRefusal(
  world: World,
  request: AccountCommand,
  terms: OrderTerms,
  setting: Setting,
  market: NaiveMarket | undefined,
): RejectReason | undefined {
  const account = world.accounts[request.account - 1];
  if (setting.via !== 'initial' && isForeign(world, request, terms)) return 'SIGNER_NOT_ALLOWED';
  const callerReason = callerRefusal(world, request);
  if (callerReason !== undefined) return callerReason;
  if (account === undefined || market === undefined) return 'NOT_FOUND';
  const orderCase: OrderCase = { world, request, terms, setting, market, account };
  const checks = [
    ...permission(orderCase),
    ...state(orderCase),
    ...form(orderCase),
    ...limits(orderCase),
    ...funds(orderCase),
  ];
  return checks.find(([, fails]) => fails())?.[0];
}

function permission({ world, request, terms, setting }: OrderCase): Checks {
  const { clientOrderId, replaces, restriction, group, hash } = terms;
  const isReplacing = setting.replaceable.includes(replaces);
  return [
    ['NOT_FOUND', () => group !== 0 && groupOf(world, request.account, group) === undefined],
    ['CONFLICT', () => clientOrderId !== undefined && isTaken(world, request.account, clientOrderId)],
    ['CONFLICT', () => setting.via === 'initial' && hash !== undefined && isKnown(world, hash)],
    ['CONFLICT', () => (setting.mustReplace ? !isReplacing : replaces !== 0 && !isReplacing)],
    ['GEO_BLOCKED', () => restriction === 'GEO_BLOCKED' || (restriction === 'CLOSE_ONLY' && terms.side === 'BUY')],
    ['EMAIL_NOT_VERIFIED', () => restriction === 'EMAIL_NOT_VERIFIED'],
  ];
}

function state({ world, terms, setting, market }: OrderCase): Checks {
  return [
    ['VENUE_MODE', () => world.mode === 'HALTED' || world.mode === 'CANCEL_ONLY'],
    ['VENUE_MODE', () => world.mode === 'POST_ONLY' && !terms.postOnly],
    ['MARKET_NOT_OPEN', () => setting.via !== 'initial' && market.status !== 'OPEN'],
    ['MARKET_HALTED', () => market.halted],
  ];
}

function form({ world, terms, setting, market, account }: OrderCase): Checks {
  const { timeInForce, postOnly, expiration, price, shares } = terms;
  const { tickBps } = market;
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
  const clock = Math.abs(terms.timestampMs - world.now);
  return [
    ['INVALID_ORDER', () => postOnly && !rests],
    ['INVALID_ORDER', () => (timeInForce === 'GTD') !== (expiration !== 0)],
    ['INVALID_ORDER', () => setting.via !== 'place' && !rests],
    ['INVALID_ORDER', () => setting.via === 'initial' && terms.side !== 'BUY'],
    ['INVALID_TICK', () => !(price >= tickBps && price <= 10_000 - tickBps && price % tickBps === 0)],
    ['INVALID_LOT', () => !(Number.isSafeInteger(shares) && shares > 0 && shares % LOT === 0)],
    ['EXPIRED_PARAMS', () => timeInForce === 'GTD' && !(expiration > world.now)],
    ['STALE_TIMESTAMP', () => !account.unlimited && !(clock <= world.config.maxClockSkew)],
    ['STALE_EPOCH', () => !account.unlimited && terms.epoch !== account.epoch],
  ];
}

function isTaken(world: World, account: number, clientOrderId: string): boolean {
  return world.orders.some((order) => order.account === account && order.terms.clientOrderId === clientOrderId);
}

function isKnown(world: World, hash: string): boolean {
  return world.orders.some((order) => order.terms.hash === hash);
}

/** A known hash belongs to one account: no other account can have signed it. */
function isForeign(world: World, { account }: AccountCommand, { hash }: OrderTerms): boolean {
  return hash !== undefined && world.orders.some((order) => order.terms.hash === hash && order.account !== account);
}
