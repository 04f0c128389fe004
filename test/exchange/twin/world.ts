/**
 * The state of the naive exchange: lists of plain objects. Available cash, books, fills within a group's window and the
 * next deadline are computed for each query.
 */
import type { CloseReason } from '../../../src/domain/index.ts';
import type { ExchangeConfig, OrderTerms, RareEvent, Refusal, VenueMode } from './exchange-types.ts';
import type { NaiveMarket } from './market.ts';

export interface NaiveAccount {
  readonly account: number;
  readonly address: string;
  readonly unlimited: boolean;
  /** All cash, including reserved cash. */
  cash: number;
  epoch: number;
}

export interface NaiveOrder {
  readonly order: number;
  readonly account: number;
  readonly credential: number;
  readonly market: number;
  readonly terms: OrderTerms;
  /** Open micro-shares. */
  remaining: number;
  filled: number;
  /** `waiting` is an initial order before its market opens. */
  state: 'waiting' | 'taking' | 'resting' | 'closed';
  /** 0 without a group, and after the group is deleted. */
  group: number;
  /** Sequence number of its last fill, 0 without fills. */
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
  /** Cost basis of the shares that the maker and the taker sold; 0 for a buyer. */
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
  /** Payments less proceeds, without fees. */
  netPaid: number;
  /** Realized P&L after fees, by outcome. */
  yesRealized: number;
  noRealized: number;
  fees: number;
  claimed: boolean;
  /** Refund of a cancelled market, fees included. */
  refund: number;
}

export interface NaiveCredential {
  readonly credential: number;
  readonly account: number;
  /** `timeout` and `deadline` are 0 unless a heartbeat is armed. */
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
  /** Fills since the last reset. Each fill and each update removes those before the window. */
  fills: { readonly time: number; readonly shares: number }[];
}

/** A call of the sink: its name and arguments. */
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
  | ['rareEvent', seq: number, event: RareEvent]
  | ['refused', entry: number, refusal: Refusal]
  | ['duplicate', entry: number, order: number];

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
  lastEventAt: number;
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
  /** Milliseconds in which a trade can be reversed; 0 disables reversals. */
  reversalWindow: number;
  /** Fees kept by the venue. */
  fees: number;
  /** Withdrawals less deposits. */
  outside: number;
  /** The sink calls of the current command so far. */
  calls: Call[];
}

export function newWorld(config: ExchangeConfig, limits: NaiveLimits): World {
  const lists = { accounts: [], markets: [], orders: [], positions: [], credentials: [], groups: [], trades: [] };
  const start = { now: 0, lastEventAt: 0, seq: 0, mode: 'NORMAL', reversalWindow: 0, fees: 0, outside: 0 } as const;
  return { ...start, config, limits, ...lists, calls: [] };
}

/** Advances `seq` and returns it as the number of the next event. */
export function next(world: World): number {
  world.seq += 1;
  world.lastEventAt = world.now;
  return world.seq;
}

export function emit(world: World, event: RareEvent): void {
  world.calls.push(['rareEvent', next(world), event]);
}

export function refuse(world: World, entry: number, refusal: Refusal): void {
  world.calls.push(['refused', entry, refusal]);
}

/** Returns the matching orders that are not closed, by number. */
export function openOrders(world: World, matches: (order: NaiveOrder) => boolean): NaiveOrder[] {
  return world.orders.filter((order) => order.state !== 'closed' && matches(order));
}

/** Returns the account's position in a market, and creates it if necessary. */
export function positionOf(world: World, account: number, market: number): NaivePosition {
  const found = world.positions.find((position) => position.account === account && position.market === market);
  if (found !== undefined) return found;
  const nothing = { yes: 0, no: 0, yesCost: 0, noCost: 0, netPaid: 0, yesRealized: 0, noRealized: 0 };
  const created: NaivePosition = { account, market, ...nothing, fees: 0, refund: 0, claimed: false };
  world.positions.push(created);
  return created;
}
