/**
 * The naive exchange's whole memory: lists of plain objects, nothing derived. What can be computed from something else
 * (available cash, books, windows of groups, deadlines) is computed for each query.
 */
import type { CloseReason } from '../../../src/domain/index.ts';
import type { NaiveMarket } from './market.ts';
import type { ExchangeConfig, OrderTerms, RareEvent, Refusal, VenueMode } from './words.ts';

export interface NaiveAccount {
  readonly account: number;
  readonly address: string;
  readonly unlimited: boolean;
  /** All of its cash, reserved or not. */
  cash: number;
  epoch: number;
}

export interface NaiveOrder {
  readonly order: number;
  readonly account: number;
  readonly credential: number;
  readonly market: number;
  readonly terms: OrderTerms;
  /** Micro-shares that are open. */
  left: number;
  filled: number;
  /** `waiting` is an initial order before its market opens. */
  state: 'waiting' | 'taking' | 'resting' | 'closed';
  /** 0 for none, or once its group is deleted. */
  group: number;
  /** Seq of its last fill, 0 for none. */
  lastFill: number;
}

/** A trade that may be reversed. */
export interface NaiveTrade {
  readonly seq: number;
  readonly time: number;
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly fee: number;
  readonly maker: NaiveOrder;
  readonly taker: NaiveOrder;
  /** Costs that went out with sold shares. */
  readonly makerCost: number;
  readonly takerCost: number;
}

export interface NaivePosition {
  readonly account: number;
  readonly market: number;
  yes: number;
  no: number;
  yesCost: number;
  noCost: number;
  /** Cash paid in less cash taken out, without fees. */
  netPaid: number;
  /** Realised P&L after fees, by what the shares were of. */
  yesRealized: number;
  noRealized: number;
  fees: number;
  claimed: boolean;
  /** Of a cancelled market, fixed when it was cancelled; fees included. */
  refund: number;
}

export interface NaiveCredential {
  readonly credential: number;
  readonly account: number;
  /** Both 0 unless armed. */
  readonly timeout: number;
  readonly deadline: number;
  readonly lapsed: boolean;
  readonly revoked: boolean;
}

export interface NaiveGroup {
  readonly group: number;
  readonly account: number;
  maxFilled: number;
  window: number;
  tripped: boolean;
  deleted: boolean;
  /** Each fill since the last reset. */
  fills: { readonly time: number; readonly shares: number }[];
}

/** One call of the sink, its name first. */
export type Call =
  | ['accepted', seq: number, order: number, account: number, terms: OrderTerms]
  | [
      'traded',
      seq: number,
      market: number,
      maker: number,
      taker: number,
      price: number,
      shares: number,
      match: number,
      fee: number,
    ]
  | ['reduced', seq: number, order: number, remaining: number]
  | ['closed', seq: number, order: number, unfilled: number, reason: CloseReason]
  | ['happened', seq: number, event: RareEvent]
  | ['refused', entry: number, refusal: Refusal]
  | ['duplicate', entry: number, order: number];

/** How many there may be. */
export interface NaiveLimits {
  readonly openOrders: number;
  readonly accounts: number;
  readonly markets: number;
  readonly orderGroups: number;
  readonly credentials: number;
  readonly revocations: number;
}

export interface World {
  now: number;
  /** Time of the last event. */
  toldAt: number;
  seq: number;
  mode: VenueMode;
  config: ExchangeConfig;
  readonly limits: NaiveLimits;
  accounts: NaiveAccount[];
  markets: NaiveMarket[];
  orders: NaiveOrder[];
  positions: NaivePosition[];
  credentials: NaiveCredential[];
  groups: NaiveGroup[];
  trades: NaiveTrade[];
  /** How long after it a trade can be reversed. */
  reversalWindow: number;
  /** Fees kept by the venue. */
  fees: number;
  /** What the world outside has given (negative) or got. */
  outside: number;
  /** The events of the current command so far. */
  calls: Call[];
}

export function newWorld(config: ExchangeConfig, limits: NaiveLimits): World {
  const lists = { accounts: [], markets: [], orders: [], positions: [], credentials: [], groups: [], trades: [] };
  const start = { now: 0, toldAt: 0, seq: 0, mode: 'NORMAL', reversalWindow: 0, fees: 0, outside: 0 } as const;
  return { ...start, config, limits, ...lists, calls: [] };
}

/** The number of the next event. */
export function next(world: World): number {
  world.seq += 1;
  world.toldAt = world.now;
  return world.seq;
}

/** Tells something that happens seldom. */
export function emit(world: World, event: RareEvent): void {
  world.calls.push(['happened', next(world), event]);
}

export function refuse(world: World, entry: number, refusal: Refusal): void {
  world.calls.push(['refused', entry, refusal]);
}

/** The orders that are not closed, in the order of their numbers. */
export function openOrders(world: World, which: (order: NaiveOrder) => boolean): NaiveOrder[] {
  return world.orders.filter((order) => order.state !== 'closed' && which(order));
}

/** The account's position in a market, made when it is not there. */
export function positionOf(world: World, account: number, market: number): NaivePosition {
  const found = world.positions.find((position) => position.account === account && position.market === market);
  if (found !== undefined) return found;
  const nothing = { yes: 0, no: 0, yesCost: 0, noCost: 0, netPaid: 0, yesRealized: 0, noRealized: 0 };
  const made: NaivePosition = { account, market, ...nothing, fees: 0, refund: 0, claimed: false };
  world.positions.push(made);
  return made;
}
