/** Why an order is refused: every test of venue.md 2 in the order of the reasons, each written out in one line. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { availableCash, costOf, exposureOf, feeOf, freeShares, LOT } from './accounts.ts';
import { groupOf } from './groups.ts';
import { callerRefusal, credentialOf } from './heartbeats.ts';
import type { NaiveMarket } from './market.ts';
import { enter, isBid, ladder, reachable, yesPriceOf } from './matching.ts';
import { accept } from './placing.ts';
import type { Asked, OrderTerms } from './words.ts';
import type { NaiveAccount, World } from './world.ts';

/** Where an order comes from: what differs between them. */
export interface Setting {
  readonly via: 'place' | 'replace' | 'initial';
  /** Orders that may be named in `replaces`. */
  readonly replaceable: readonly number[];
  /** Client order ids and hashes are tested against these too. */
  readonly mustReplace: boolean;
  /** Fees that earlier places of the same set may still have to pay. */
  readonly feesAhead: number;
}

export const ALONE: Setting = { via: 'place', replaceable: [], mustReplace: false, feesAhead: 0 };

const MOST = 1_000_000_000_000_000;

type Tests = [RejectReason, () => boolean][];

/** The first reason that fails; undefined when the order may come in. `market` is undefined when there is none such. */
export function placeRefusal(
  world: World,
  asked: Asked,
  terms: OrderTerms,
  setting: Setting,
  market: NaiveMarket | undefined,
): RejectReason | undefined {
  const account = world.accounts[asked.account - 1];
  if (setting.via !== 'initial' && isForeign(world, asked, terms)) return 'SIGNER_NOT_ALLOWED';
  const stranger = callerRefusal(world, asked);
  if (stranger !== undefined) return stranger;
  if (account === undefined || market === undefined) return 'NOT_FOUND';
  const tests: Tests = [
    ...permission(world, asked, terms, setting),
    ...state(world, terms, setting, market),
    ...form(world, terms, setting, market, account),
    ...limits(world, asked, terms, setting, market, account),
    ...funds(world, asked, terms, setting, market),
  ];
  return tests.find(([, fails]) => fails())?.[0];
}

function permission(world: World, asked: Asked, terms: OrderTerms, setting: Setting): Tests {
  const { clientOrderId, replaces, restriction, group } = terms;
  const isReplacing = setting.replaceable.includes(replaces);
  return [
    ['NOT_FOUND', () => group !== 0 && groupOf(world, asked.account, group) === undefined],
    ['CONFLICT', () => clientOrderId !== undefined && isTaken(world, asked.account, clientOrderId)],
    ['CONFLICT', () => setting.via === 'initial' && world.orders.some((order) => isSame(order.terms.hash, terms.hash))],
    ['CONFLICT', () => (setting.mustReplace ? !isReplacing : replaces !== 0 && !isReplacing)],
    ['GEO_BLOCKED', () => restriction === 'GEO_BLOCKED' || (restriction === 'CLOSE_ONLY' && terms.side === 'BUY')],
    ['EMAIL_NOT_VERIFIED', () => restriction === 'EMAIL_NOT_VERIFIED'],
  ];
}

function state(world: World, terms: OrderTerms, setting: Setting, market: NaiveMarket): Tests {
  return [
    ['VENUE_MODE', () => world.mode === 'HALTED' || world.mode === 'CANCEL_ONLY'],
    ['VENUE_MODE', () => world.mode === 'POST_ONLY' && !terms.postOnly],
    ['MARKET_NOT_OPEN', () => setting.via !== 'initial' && market.status !== 'OPEN'],
    ['MARKET_HALTED', () => market.halted],
  ];
}

function form(world: World, terms: OrderTerms, setting: Setting, market: NaiveMarket, account: NaiveAccount): Tests {
  const { timeInForce, postOnly, expiration, price, shares } = terms;
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
  return [
    ['INVALID_ORDER', () => postOnly && !rests],
    ['INVALID_ORDER', () => (timeInForce === 'GTD') !== (expiration !== 0)],
    ['INVALID_ORDER', () => setting.via !== 'place' && !rests],
    ['INVALID_ORDER', () => setting.via === 'initial' && terms.side !== 'BUY'],
    [
      'INVALID_TICK',
      () => !(price >= market.tickBps && price <= 10_000 - market.tickBps && price % market.tickBps === 0),
    ],
    ['INVALID_LOT', () => !(Number.isSafeInteger(shares) && shares > 0 && shares % LOT === 0)],
    ['EXPIRED_PARAMS', () => timeInForce === 'GTD' && !(expiration > world.now)],
    ['STALE_TIMESTAMP', () => !account.unlimited && !isFresh(world, terms)],
    ['STALE_EPOCH', () => !account.unlimited && terms.epoch !== account.epoch],
  ];
}

function limits(
  world: World,
  asked: Asked,
  terms: OrderTerms,
  setting: Setting,
  market: NaiveMarket,
  account: NaiveAccount,
): Tests {
  const { price, shares, group } = terms;
  const { config } = world;
  const bet = () => costOf(shares, price);
  const binds = terms.side === 'BUY' && !account.unlimited;
  const most = setting.via === 'initial' ? config.maxInitialBet : config.maxBetPerMarket;
  return [
    ['HEARTBEAT_LAPSED', () => credentialOf(world, asked.credential)?.lapsed === true],
    ['GROUP_TRIPPED', () => group !== 0 && groupOf(world, account.account, group)?.tripped === true],
    ['FEE_ABOVE_MAX', () => !(market.feeRateBps <= terms.maxFeeBps)],
    ['BELOW_MIN', () => binds && (shares < config.minOrderShares || bet() < config.minBet)],
    ['ABOVE_MAX', () => shares > MOST],
    ['ABOVE_MAX', () => binds && bet() > most],
    ['ABOVE_MAX', () => wouldOverflow(world, terms, market)],
    [
      'EXPOSURE_LIMIT',
      () => binds && exposureOf(world, account.account, market.market) + bet() > config.maxExposurePerMarket,
    ],
  ];
}

function funds(world: World, asked: Asked, terms: OrderTerms, setting: Setting, market: NaiveMarket): Tests {
  const { price, shares, outcome, side, timeInForce, postOnly } = terms;
  const { account } = asked;
  const isBound = world.accounts[account - 1]?.unlimited !== true;
  const fee = () => (postOnly ? 0 : feeOf(market.feeRateBps, shares, price));
  const needed = () => costOf(shares, price) + fee() + setting.feesAhead;
  return [
    ['INSUFFICIENT_BALANCE', () => side === 'BUY' && isBound && availableCash(world, account) < needed()],
    ['INSUFFICIENT_SHARES', () => side === 'SELL' && freeShares(world, account, market.market, outcome) < shares],
    ['POST_ONLY_WOULD_CROSS', () => postOnly && reachable(world, { market: market.market, terms }).length > 0],
    ['FOK_NOT_FILLABLE', () => timeInForce === 'FOK' && !fillsWhole(world, asked, terms)],
  ];
}

/** Whether the whole of it trades, played through on a copy of the world: own orders and groups that trip in between. */
function fillsWhole(world: World, asked: Asked, terms: OrderTerms): boolean {
  const trial = structuredClone(world);
  const order = accept(trial, asked, terms, terms.market, 'taking');
  enter(trial, order);
  return trial.calls.at(-1)?.[0] === 'closed' && order.left === 0 && order.filled === terms.shares;
}

/** Levels hold less than 2^53 micro-shares. */
function wouldOverflow(world: World, terms: OrderTerms, market: NaiveMarket): boolean {
  if (terms.timeInForce === 'FOK' || terms.timeInForce === 'FAK') return false;
  const level = ladder(world, market.market, isBid(terms)).filter(
    (order) => yesPriceOf(order.terms) === yesPriceOf(terms),
  );
  return level.reduce((sum, order) => sum + order.left, 0) + terms.shares > Number.MAX_SAFE_INTEGER;
}

function isFresh(world: World, terms: OrderTerms): boolean {
  return Math.abs(terms.timestampMs - world.now) <= world.config.maxClockSkew;
}

function isTaken(world: World, account: number, clientOrderId: string): boolean {
  return world.orders.some((order) => order.account === account && order.terms.clientOrderId === clientOrderId);
}

/** Signed bytes name their maker: another account cannot have signed them. */
function isForeign(world: World, { account }: Asked, { hash }: OrderTerms): boolean {
  return hash !== undefined && world.orders.some((order) => order.terms.hash === hash && order.account !== account);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
