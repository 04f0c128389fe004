/**
 * Why an order is refused: every test of docs/spec/venue.md#refusals in the order of the reasons, each written out in a
 * line.
 */
import type { RejectReason } from '../../../src/domain/index.ts';
import { LOT } from './accounts.ts';
import { groupOf } from './groups.ts';
import { callerRefusal } from './heartbeats.ts';
import { funds, limits } from './limit-tests.ts';
import type { NaiveMarket } from './market.ts';
import type { AccountCommand, OrderTerms } from './words.ts';
import type { NaiveAccount, World } from './world.ts';

/** Where an order comes from: what differs between them. */
export interface Setting {
  readonly via: 'place' | 'replace' | 'initial';
  /** Orders that may be named in `replaces`. */
  readonly replaceable: readonly number[];
  readonly mustReplace: boolean;
  /** Fees that earlier places of the same set may still have to pay. */
  readonly feesAhead: number;
}

export const ALONE: Setting = { via: 'place', replaceable: [], mustReplace: false, feesAhead: 0 };

/** Everything a test may look at. */
export interface Case {
  readonly world: World;
  readonly request: AccountCommand;
  readonly terms: OrderTerms;
  readonly setting: Setting;
  readonly market: NaiveMarket;
  readonly account: NaiveAccount;
}

/** Reasons and whether they apply, in their order. */
export type Tests = [RejectReason, () => boolean][];

/** The first reason that fails; undefined when the order is accepted. `market` is undefined when it does not exist. */
export function placeRefusal(
  world: World,
  request: AccountCommand,
  terms: OrderTerms,
  setting: Setting,
  market: NaiveMarket | undefined,
): RejectReason | undefined {
  const account = world.accounts[request.account - 1];
  if (setting.via !== 'initial' && isForeign(world, request, terms)) return 'SIGNER_NOT_ALLOWED';
  const stranger = callerRefusal(world, request);
  if (stranger !== undefined) return stranger;
  if (account === undefined || market === undefined) return 'NOT_FOUND';
  const one: Case = { world, request: request, terms, setting, market, account };
  const tests = [...permission(one), ...state(one), ...form(one), ...limits(one), ...funds(one)];
  return tests.find(([, fails]) => fails())?.[0];
}

function permission({ world, request, terms, setting }: Case): Tests {
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

function state({ world, terms, setting, market }: Case): Tests {
  return [
    ['VENUE_MODE', () => world.mode === 'HALTED' || world.mode === 'CANCEL_ONLY'],
    ['VENUE_MODE', () => world.mode === 'POST_ONLY' && !terms.postOnly],
    ['MARKET_NOT_OPEN', () => setting.via !== 'initial' && market.status !== 'OPEN'],
    ['MARKET_HALTED', () => market.halted],
  ];
}

function form({ world, terms, setting, market, account }: Case): Tests {
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

/** Signed bytes name their maker: another account cannot have signed them. */
function isForeign(world: World, { account }: AccountCommand, { hash }: OrderTerms): boolean {
  return hash !== undefined && world.orders.some((order) => order.terms.hash === hash && order.account !== account);
}
