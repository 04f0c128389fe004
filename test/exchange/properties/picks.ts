/** Resolves picks to numbers of existing accounts, orders, groups and markets, from the read model of the events. */
import { type MarketNo, type MarketStatus, type OrderNo, unchecked } from '../../../src/domain/index.ts';
import type { AccountCommand, OrderTerms } from '../twin/exchange-types.ts';
import type { MarketPick, OrderMove } from './kinds.ts';
import type { ReadMarket, ReadModel } from './read-model.ts';

export const LOT = 10_000;

/** Returns a lower-case address. The addresses are not in account order, so that they decide ties of refunds. */
export function addressOf(number: number): string {
  return `0x${((number * 7 + 3) % 10).toString(16).repeat(40)}`;
}

/** Resolves picks at one moment. */
export class Picks {
  readonly #model: ReadModel;
  readonly #tickOf: (market: number) => number | undefined;
  readonly now: number;

  constructor(model: ReadModel, now: number, tickOf: (market: number) => number | undefined) {
    this.#model = model;
    this.#tickOf = tickOf;
    this.now = now;
  }

  request({ account, credential }: { readonly account: number; readonly credential: number }): AccountCommand {
    return {
      time: unchecked.time(this.now),
      account: unchecked.account(account),
      // A credential belongs to one account; 0 means no credential.
      credential: unchecked.credential(credential === 0 ? 0 : account * 10 + credential),
    };
  }

  /** A likely pick is a market that accepts orders. */
  market(pick: MarketPick): MarketNo {
    return this.#market(pick, ({ status, halted }) => status === 'OPEN' && !halted);
  }

  /** A likely pick is a market in one of the statuses. */
  marketIn(pick: MarketPick, ...statuses: readonly MarketStatus[]): MarketNo {
    return this.#market(pick, ({ status }) => statuses.includes(status));
  }

  /** Mostly an open order of the account; otherwise any order, also a closed, foreign or unknown one. */
  order(pick: number, account: number, market?: number): OrderNo {
    const own = [...this.#model.orders.values()].filter(
      (order) => order.account === account && (market ?? order.market) === order.market,
    );
    const order = pick % 10 === 0 ? undefined : own[pick % Math.max(1, own.length)]?.order;
    return unchecked.order(order ?? 1 + (pick % (this.#model.accepted + 1)));
  }

  /** The number of one of the last trades; 9 gives an event that is not a trade. */
  trade(pick: number): number {
    return pick === 9 ? 1 : (this.#model.trades.at(-1 - pick)?.seq ?? 0);
  }

  /** Cash that an account can spend, in micro-USD. */
  free(account: number): number {
    return (this.#model.cash[account] ?? 0) - this.#model.reserved(account);
  }

  /** Returns a sequence number shortly before the last event for `ifNoFillSince`. */
  recentSeq(hasFillCheck: boolean): number | undefined {
    return hasFillCheck ? Math.max(0, this.#model.seq - 3) : undefined;
  }

  step(market: number): 'DEPLOY' | 'REPORT_PAYOUT' {
    return this.#model.markets[market]?.step ?? 'DEPLOY';
  }

  attempt(market: number): number {
    return this.#model.markets[market]?.attempt ?? 1;
  }

  round(market: number): number {
    return this.#model.markets[market]?.round ?? 1;
  }

  /** A group of the account, 0 without one; sometimes another account's or an unknown one. */
  group(pick: number, account: number): number {
    const own = [...this.#model.groups].filter(([, owner]) => owner === account);
    if (pick % 40 === 0) return 1 + (pick % 7);
    return own[pick % Math.max(1, own.length)]?.[0] ?? 0;
  }

  #market({ pick, among }: MarketPick, isLikely: (market: ReadMarket) => boolean): MarketNo {
    const { markets } = this.#model;
    if (among === 'unknown') return unchecked.market(markets.length);
    const likely = [...markets.entries()].filter(([, market]) => isLikely(market)).map(([number]) => number);
    const from = among === 'any' || likely.length === 0 ? [...markets.keys()] : likely;
    return unchecked.market(from[pick % from.length] ?? 0);
  }

  terms(move: OrderMove, account: number): OrderTerms {
    const market = this.market(move.market);
    const tick = this.#tickOf(market) ?? 100;
    const isBid = (move.outcome === 'YES') === (move.side === 'BUY');
    const middle = Math.round(5000 / tick) * tick;
    const yesPrice = middle + (isBid ? move.aggressiveness : -move.aggressiveness) * tick;
    const price = move.outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
    const flaw = move.flaw;
    const isMixed = flaw === 'mixed' && (move.timeInForce === 'FAK' || move.timeInForce === 'FOK');
    const isPostOnly = move.postOnly && (move.timeInForce === 'GTC' || move.timeInForce === 'GTD');
    const isTimed = move.timeInForce === 'GTD' || flaw === 'gtcExpires';
    const clock = flaw === 'stale' ? -31_000 : flaw === 'future' ? 30_001 : 0;
    const restrictions = { geo: 'GEO_BLOCKED', closeOnly: 'CLOSE_ONLY', email: 'EMAIL_NOT_VERIFIED' } as const;
    return {
      market,
      outcome: move.outcome,
      side: move.side,
      price: unchecked.price(price + (flaw === 'offTick' ? 1 : 0)),
      shares: unchecked.shares(move.lots * LOT + (flaw === 'offLot' ? 1 : 0)),
      timeInForce: move.timeInForce,
      postOnly: isPostOnly || isMixed,
      expiration: isTimed ? unchecked.time(this.now + move.life) : 0,
      timestampMs: unchecked.time(this.now + clock),
      epoch: (this.#model.epochs[account] ?? 0) - (flaw === 'oldEpoch' ? 1 : 0),
      maxFeeBps: flaw === 'lowFee' ? 199 : 1000,
      replaces: flaw === 'replaces' ? -1 : 0,
      selfTrade: move.selfTrade,
      group: unchecked.group(move.group === 0 ? 0 : this.group(move.group, account)),
      restriction: flaw === 'geo' || flaw === 'closeOnly' || flaw === 'email' ? restrictions[flaw] : undefined,
      hash: move.hash === undefined ? undefined : `0xhash${move.hash}`,
      clientOrderId: move.clientOrderId === undefined ? undefined : `own-${move.clientOrderId}`,
    };
  }
}
