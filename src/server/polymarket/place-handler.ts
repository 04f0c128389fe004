/**
 * Places each signed order of `POST /order` and `/orders` with one exchange command. An order's id is its EIP-712 hash,
 * so the exchange recognises duplicates.
 */
import { InputFault, LOT, timeAfter, unchecked } from '../../domain/index.ts';
import type { ExchangeEvent, OrderTerms, Refusal, Restriction } from '../../exchange/index.ts';
import {
  areTakerDecimalsValid,
  dollarsText,
  POLYMARKET_ERRORS,
  type PolymarketExchange,
  type PolymarketOrderBody,
  type PolymarketOrderVersion,
  polymarketExchange,
  polymarketTerms,
  priceText,
  readPolymarketOrder,
  sharesText,
} from '../../protocol/polymarket/index.ts';
import type { PolymarketOrders } from '../../signing/index.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import { findNearestPrices } from '../resolvers/recorded-price.ts';
import type { PolymarketCaller } from './accounts.ts';
import type { PolymarketToken } from './markets.ts';
import { findOrderError, isMarketable, type OrderToCheck, sumFills } from './order-rules.ts';
import { EXPIRES_EARLY_S } from './records.ts';
import { badRequest, noBook, PolymarketRefusal } from './request.ts';
import type { Settlement } from './settlement.ts';
import type { PolymarketShared } from './shared.ts';

export interface PlaceHandlerDeps extends PolymarketShared {
  readonly settlement: Settlement;
  readonly delays: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  readonly orders: Readonly<Record<PolymarketExchange, PolymarketOrders>>;
}

export interface PlacedAnswer {
  readonly success: boolean;
  readonly errorMsg: string;
  readonly orderID: string;
  readonly status: string;
  readonly makingAmount: string;
  readonly takingAmount: string;
  readonly transactionsHashes?: readonly string[];
  readonly tradeIDs?: readonly string[];
}

interface VerifiedOrder {
  readonly body: PolymarketOrderBody;
  readonly id: string;
  readonly token: PolymarketToken;
}

/** The members of every answer, in Polymarket's order. */
const ACCEPTED = { success: true, errorMsg: '', orderID: '', status: '', makingAmount: '', takingAmount: '' };
/** Minimum time from now to a GTD order's expiration. */
const MIN_LIFETIME_S = 180;
/** Seconds until a client should retry in the mode POST_ONLY. */
const POST_ONLY_RETRY_S = 5;

export class PlaceHandler {
  readonly #deps: PlaceHandlerDeps;
  readonly #delayed = new Set<() => void>();

  constructor(deps: PlaceHandlerDeps) {
    this.#deps = deps;
  }

  /** @throws PolymarketRefusal */
  async place(json: unknown, caller: PolymarketCaller, restriction: Restriction | undefined): Promise<PlacedAnswer> {
    const { delays, queue, faults, markets } = this.#deps;
    const order = this.#verifyOrder(json, caller);
    const { account, key } = caller;
    const run = (): PlacedAnswer | Promise<PlacedAnswer> =>
      queue.run({
        command: () => {
          const terms = this.#checkAndCreateTerms(order, caller, restriction);
          return { type: 'place', time: queue.now, account, credential: key.number, ...terms };
        },
        answer: (events) => this.#createAnswer(order, events),
      });
    const delayMs = faults.drawDelay(queue.now);
    if (delayMs > 0 && (await queue.read(() => this.#isMarketable(order))))
      return this.#placeLater(order, delayMs, run);
    const replayDelay = delays.isIdle ? undefined : delays.delayOrders([markets.record(order.token.market).id]);
    if (replayDelay !== undefined) await replayDelay.passed;
    return run();
  }

  /** Discards delayed orders. */
  close(): void {
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
  }

  /** Parses an order, and checks its signature and the rules that do not depend on the market's state. */
  #verifyOrder(json: unknown, { key }: PolymarketCaller): VerifiedOrder {
    const { markets } = this.#deps;
    const body = readBody(json);
    const { order, owner, orderType } = body;
    if (owner !== key.id) throw badRequest(POLYMARKET_ERRORS.otherOwner);
    const token = markets.findToken(String(order.tokenId));
    if (token === undefined) throw noBook();
    const id = this.#verifySignature(body, token, key.address);
    const isTaker = orderType === 'FOK' || orderType === 'FAK';
    if (isTaker && body.postOnly) throw badRequest(POLYMARKET_ERRORS.badPayload);
    if (isTaker && !areTakerDecimalsValid(order)) throw badRequest(POLYMARKET_ERRORS.accuracy);
    return { body, id, token };
  }

  /** @returns the order's id */
  #verifySignature({ order }: PolymarketOrderBody, { market }: PolymarketToken, address: string): string {
    const verifyAs = (version: PolymarketOrderVersion) =>
      this.#deps.orders[polymarketExchange(version, market.negRiskId !== undefined)].verify(order, order.signature);
    const acceptedVersion = this.#deps.orderFormat.version;
    const signed = verifyAs(acceptedVersion);
    if (!signed.ok) {
      const isOtherVersion = verifyAs(acceptedVersion === 2 ? 3 : 2).ok;
      throw badRequest(isOtherVersion ? POLYMARKET_ERRORS.versionMismatch : POLYMARKET_ERRORS.badSignature);
    }
    if (signed.address !== address) throw badRequest(POLYMARKET_ERRORS.otherSigner);
    return signed.id;
  }

  #isMarketable({ body: { order }, token }: VerifiedOrder): boolean {
    const { markets } = this.#deps;
    const { price } = polymarketTerms(order.side, order, markets.record(token.market).tickBps);
    return isMarketable({ side: order.side, price, touch: markets.touch(token) });
  }

  #placeLater({ id }: VerifiedOrder, delayMs: number, run: () => PlacedAnswer | Promise<PlacedAnswer>): PlacedAnswer {
    const { clock, log } = this.#deps;
    const cancel = clock.schedule(timeAfter(clock.now(), delayMs), () => {
      this.#delayed.delete(cancel);
      void Promise.resolve()
        .then(run)
        .catch((error: unknown) => log.info({ order: id, err: error }, 'polymarket: a delayed order was refused'));
    });
    this.#delayed.add(cancel);
    return { ...ACCEPTED, orderID: id, status: 'delayed' };
  }

  /** Checks an order; binds its wallet to the caller. Call this in the queue's `command`. @throws PolymarketRefusal */
  #checkAndCreateTerms(
    { body, id, token }: VerifiedOrder,
    caller: PolymarketCaller,
    restriction: Restriction | undefined,
  ): OrderTerms {
    const { ids, accounts, markets, queue } = this.#deps;
    const { order, orderType, postOnly } = body;
    if (ids.orderNo(id) !== 0) throw badRequest(POLYMARKET_ERRORS.duplicated(id));
    if (!accounts.bindMaker(caller.key.address, order.maker.toLowerCase()))
      throw badRequest(POLYMARKET_ERRORS.otherSigner);
    const record = markets.record(token.market);
    if (record.status !== 'OPEN') throw noBook();
    const terms = polymarketTerms(order.side, order, record.tickBps);
    const orderToCheck: OrderToCheck = {
      id,
      side: order.side,
      type: orderType,
      price: terms.price,
      shares: terms.shares,
      tickBps: record.tickBps,
      isExact: terms.isExactPrice && terms.signedShares % LOT === 0,
      minShares: record.minOrderShares,
      touch: markets.touch(token),
    };
    const error = findOrderError(orderToCheck);
    if (error !== undefined) throw badRequest(error);
    this.#assertFunds(orderToCheck, token, caller);
    return {
      market: record.number,
      outcome: token.outcome,
      side: order.side,
      price: unchecked.price(terms.price),
      shares: unchecked.shares(terms.shares),
      timeInForce: orderType,
      postOnly,
      expiration: toExpiration(body, queue.now),
      // Polymarket does not limit the order's signed timestamp, so this is the exchange's time.
      timestampMs: queue.now,
      epoch: queue.view.account(caller.account)?.epoch ?? 0,
      maxFeeBps: 10_000,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: unchecked.group(0),
      restriction,
      hash: id,
      clientOrderId: undefined,
    };
  }

  /** Refuses an order that would spend or sell unconfirmed or unapproved assets. */
  #assertFunds(
    { side, price, shares }: OrderToCheck,
    { market, outcome }: PolymarketToken,
    { key, account }: PolymarketCaller,
  ): void {
    const { queue, settlement, approvals, orderFormat } = this.#deps;
    const { view } = queue;
    const exchange = polymarketExchange(orderFormat.version, market.negRiskId !== undefined);
    const isBuy = side === 'BUY';
    const position = isBuy ? undefined : view.holding(account, market.number)?.[outcome === 'YES' ? 'yes' : 'no'];
    const free = isBuy
      ? (view.account(account)?.available ?? 0) - settlement.unsettledDollars(account)
      : (position?.shares ?? 0) -
        (position?.reservedShares ?? 0) -
        settlement.unsettledShares(account, market.number, outcome);
    const needed = isBuy ? (shares / LOT) * price : shares;
    if (needed > free || !approvals.isApproved(key.address, isBuy ? 'COLLATERAL' : 'CONDITIONAL', exchange))
      throw badRequest(POLYMARKET_ERRORS.balance);
  }

  #createAnswer(order: VerifiedOrder, events: readonly ExchangeEvent[]): PlacedAnswer {
    const { body, id } = order;
    for (const event of events) {
      if (event.type === 'duplicate') throw badRequest(POLYMARKET_ERRORS.duplicated(id));
      if (event.type === 'refused') throw this.#toRefusal(order, event.refusal);
    }
    const { making, taking, trades, transactions } = sumFills(events, body.order.side);
    if (trades.length === 0) return { ...ACCEPTED, orderID: id, status: 'live' };
    const amounts = { makingAmount: sharesText(making), takingAmount: sharesText(taking) };
    const matched = { ...amounts, transactionsHashes: transactions, tradeIDs: trades };
    return { ...ACCEPTED, orderID: id, status: 'matched', ...matched };
  }

  #toRefusal(order: VerifiedOrder, { reason, value = 0, limit = 0 }: Refusal): PolymarketRefusal {
    const { id } = order;
    if (reason === 'INVALID_TICK') return this.#tickRefusal(order);
    if (reason === 'BELOW_MIN')
      return badRequest(POLYMARKET_ERRORS.size(id, `$${dollarsText(value)}`, `$${dollarsText(limit)}`));
    const { mode } = this.#deps.queue.view;
    if (reason === 'VENUE_MODE') return modeRefusal(mode) ?? badRequest(POLYMARKET_ERRORS.delayed);
    if (reason === 'GEO_BLOCKED') return badRequest(POLYMARKET_ERRORS.closedOnly);
    return badRequest(ERRORS_BY_REASON[reason] ?? `order ${id} is invalid. ${reason}`);
  }

  /** Refuses a price that is on the tick, but is not a price of the recorded market. */
  #tickRefusal({ id, body: { order, orderType }, token }: VerifiedOrder): PolymarketRefusal {
    const record = this.#deps.markets.record(token.market);
    const { price } = polymarketTerms(order.side, order, record.tickBps);
    const pricedOrder = { outcome: token.outcome, side: order.side, priceBps: price, timeInForce: orderType };
    const nearest = findNearestPrices(pricedOrder, record) ?? [];
    const rule =
      nearest.length === 0
        ? priceText(record.tickBps)
        : `the market is a recording with fixed prices: the nearest are ${nearest.map(priceText).join(' and ')}`;
    return badRequest(POLYMARKET_ERRORS.tick(id, priceText(price), rule));
  }
}

/** Returns the refusal of new orders in a mode; undefined for NORMAL. */
export function modeRefusal(mode: string): PolymarketRefusal | undefined {
  if (mode === 'POST_ONLY') return postOnlyRefusal(POST_ONLY_RETRY_S);
  if (mode === 'CANCEL_ONLY') return new PolymarketRefusal(503, POLYMARKET_ERRORS.cancelOnly);
  return mode === 'HALTED' ? new PolymarketRefusal(503, POLYMARKET_ERRORS.disabled) : undefined;
}

export function postOnlyRefusal(retryAfterSeconds: number): PolymarketRefusal {
  const detail = { code: 'post_only_mode', retry_after_seconds: retryAfterSeconds };
  return new PolymarketRefusal(503, POLYMARKET_ERRORS.postOnlyMode, detail);
}

const ERRORS_BY_REASON: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: POLYMARKET_ERRORS.balance,
  INSUFFICIENT_SHARES: POLYMARKET_ERRORS.balance,
  POST_ONLY_WOULD_CROSS: POLYMARKET_ERRORS.postOnly,
  FOK_NOT_FILLABLE: POLYMARKET_ERRORS.fok,
  EXPIRED_PARAMS: POLYMARKET_ERRORS.expiration,
  MARKET_NOT_OPEN: POLYMARKET_ERRORS.notReady,
  MARKET_HALTED: POLYMARKET_ERRORS.notReady,
};

function readBody(json: unknown): PolymarketOrderBody {
  try {
    return readPolymarketOrder(json);
  } catch (fault) {
    if (fault instanceof InputFault) throw badRequest(POLYMARKET_ERRORS.badPayload);
    throw fault;
  }
}

/** Returns the time at which the order expires. @throws PolymarketRefusal for an early or unexpected expiration */
function toExpiration({ order, orderType }: PolymarketOrderBody, now: number): OrderTerms['expiration'] {
  const { expiration } = order;
  const isValid = orderType === 'GTD' ? expiration * 1_000 >= now + MIN_LIFETIME_S * 1_000 : expiration === 0;
  if (!isValid) throw badRequest(POLYMARKET_ERRORS.expiration);
  return expiration === 0 ? 0 : unchecked.time((expiration - EXPIRES_EARLY_S) * 1_000);
}
