/** Private endpoints: orders, cancels, balances, trades, keys (docs/spec/polymarket.md#endpoints). */
import { z } from 'zod';
import { epochMs } from '../../domain/index.ts';
import type { Restriction } from '../../exchange/index.ts';
import { POLYMARKET_ERRORS, POLYMARKET_EXCHANGES, type PolymarketExchange } from '../../protocol/polymarket/index.ts';
import { fillsOfTrade } from '../presenters/order-presenter.ts';
import type { PolymarketCaller } from './accounts.ts';
import { type CanceledAnswer, type CancelHandler, getOrderNumber } from './cancel-handler.ts';
import type { Channels } from './channels.ts';
import type { MakerPayments } from './payments.ts';
import { modeRefusal, type PlacedAnswer, type PlaceHandler, postOnlyRefusal } from './place-handler.ts';
import type { PolymarketRates } from './rates.ts';
import { type PolymarketRecords, parseTradeId } from './records.ts';
import {
  badRequest,
  EMPTY_PAGE,
  END_CURSOR,
  PAGE_SIZE,
  PolymarketRefusal,
  parseCursor,
  readOr400,
  toCursor,
  toPage,
} from './request.ts';
import type { Settlement } from './settlement.ts';
import type { PolymarketShared } from './shared.ts';

export interface AccountDeps extends PolymarketShared {
  readonly records: PolymarketRecords;
  readonly settlement: Settlement;
  readonly placeHandler: PlaceHandler;
  readonly cancelHandler: CancelHandler;
  readonly rates: PolymarketRates;
  readonly payments: MakerPayments;
  readonly channels: Channels;
}

interface AccountRequest {
  readonly caller: PolymarketCaller;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The final part of a path such as `/data/order/{id}`. */
  readonly name: string;
  readonly body: unknown;
  /** The restriction of the caller's country. */
  readonly restriction: Restriction | undefined;
  /** Headers of the answer. Handlers add to these headers. */
  readonly headers: Record<string, string>;
}

/** Returns the answer or its promise; `NO_ANSWER` to send no answer. */
export type AccountHandler = (request: AccountRequest) => unknown;

export const NO_ANSWER = Symbol('no answer');

const MAX_ORDERS = 15;
/** Maximum number of fills that one page of trades scans. */
const SCANNED_FILLS = 500;
const NO_MARKET = -1;
const UNLIMITED_ALLOWANCE = String((1n << 256n) - 1n);
const idText = z.string().max(200);
const orderIdBody = z.object({ orderID: idText });
const orderIdList = z.array(idText).max(1_000);
const marketCancelBody = z.object({ market: idText.optional().default(''), asset_id: idText.optional().default('') });
const heartbeatBody = z.object({ heartbeat_id: idText.nullish() });

export function createAccountRoutes(deps: AccountDeps): ReadonlyMap<string, AccountHandler> {
  const { accounts, cancelHandler, channels, records, archive, ids, rates } = deps;
  const cancel = (request: AccountRequest, orders: readonly string[], cost: number): Promise<CanceledAnswer> => {
    Object.assign(request.headers, rates.consume(request.caller.key.address, 'cancel', cost));
    return cancelHandler.cancel(orders, request.caller);
  };
  const cancelOpen = (request: AccountRequest, market = '', asset = ''): Promise<CanceledAnswer> => {
    const open = cancelHandler.openOrders(request.caller, market, asset);
    return cancel(request, open, 1 + open.length);
  };
  return new Map<string, AccountHandler>([
    ['GET /auth/api-keys', ({ caller }) => ({ apiKeys: accounts.listKeys(caller.key.address).map((key) => key.id) })],
    [
      'DELETE /auth/api-key',
      async ({ caller }) => {
        await accounts.revoke(caller);
        channels.onRevoked(caller.key.id);
        return 'OK';
      },
    ],
    ['GET /auth/ban-status/closed-only', ({ restriction }) => ({ closed_only: restriction === 'CLOSE_ONLY' })],
    ['POST /order', (request) => placeOne(request, deps)],
    ['POST /orders', (request) => placeAll(request, deps)],
    ['DELETE /order', (request) => cancel(request, [readOr400(orderIdBody, request.body).orderID], 1)],
    [
      'DELETE /orders',
      (request) => {
        const orders = readOr400(orderIdList, request.body);
        return cancel(request, orders, orders.length);
      },
    ],
    ['DELETE /cancel-all', (request) => cancelOpen(request)],
    [
      'DELETE /cancel-market-orders',
      (request) => {
        const { market, asset_id: asset } = readOr400(marketCancelBody, request.body);
        if (market === '' && asset === '') throw badRequest('Invalid payload: market or asset_id is needed');
        return cancelOpen(request, market, asset);
      },
    ],
    [
      'GET /data/order/',
      ({ caller, name }) => {
        const order = getOrderNumber(name, ids);
        const row = deps.queue.view.openOrder(order)?.account === caller.account ? archive.order(order) : undefined;
        if (row === undefined) throw new PolymarketRefusal(404, POLYMARKET_ERRORS.notFound);
        return records.order(row);
      },
    ],
    ['GET /data/orders', (request) => listOpenOrders(request, deps)],
    ['GET /data/trades', (request) => listTrades(request, deps)],
    ['GET /data/pre-migration-orders', () => EMPTY_PAGE],
    ['GET /balance-allowance', (request) => getBalance(request, deps)],
    ['GET /balance-allowance/update', (request) => getBalance(request, deps)],
    [
      'POST /v1/heartbeats',
      ({ caller, body }) => cancelHandler.heartbeat(readOr400(heartbeatBody, body).heartbeat_id ?? '', caller),
    ],
    ['GET /order-scoring', ({ query, caller }) => ({ scoring: isScoring(query['order_id'] ?? '', caller, deps) })],
    [
      'POST /orders-scoring',
      ({ body, caller }) =>
        Object.fromEntries(readOr400(orderIdList, body).map((order) => [order, isScoring(order, caller, deps)])),
    ],
    [
      'GET /rewards/user',
      ({ caller, query }) =>
        toPage(deps.payments.rewards(caller.key.address, query['date']), parseCursor(query['next_cursor'])),
    ],
    ['GET /rewards/user/total', () => EMPTY_PAGE],
    ['GET /rewards/user/percentages', () => EMPTY_PAGE],
    ['GET /rewards/user/markets', () => EMPTY_PAGE],
  ]);
}

async function placeOne(request: AccountRequest, deps: AccountDeps): Promise<PlacedAnswer | typeof NO_ANSWER> {
  admitOrders(request, [request.body], deps);
  await deps.cancelHandler.disarm(request.caller);
  const answer = await deps.placeHandler.place(request.body, request.caller, request.restriction);
  return deps.faults.consume('lose-answer') ? NO_ANSWER : answer;
}

async function placeAll(request: AccountRequest, deps: AccountDeps): Promise<readonly object[] | typeof NO_ANSWER> {
  const bodies = readOr400(z.array(z.unknown()), request.body);
  if (bodies.length > MAX_ORDERS) throw badRequest(POLYMARKET_ERRORS.tooMany(bodies.length, MAX_ORDERS));
  if (bodies.length === 0) throw badRequest(POLYMARKET_ERRORS.badPayload);
  admitOrders(request, bodies, deps);
  await deps.cancelHandler.disarm(request.caller);
  const placements = bodies.map(async (body) => {
    try {
      return await deps.placeHandler.place(body, request.caller, request.restriction);
    } catch (fault) {
      if (!(fault instanceof PolymarketRefusal) || fault.status >= 500) throw fault;
      return { success: true, errorMsg: fault.message, orderID: '', status: '', makingAmount: '', takingAmount: '' };
    }
  });
  const answers = await Promise.all(placements);
  return deps.faults.consume('lose-answer') ? NO_ANSWER : answers;
}

/** Checks the region and the venue's mode, and consumes rate-limit tokens. @throws PolymarketRefusal */
function admitOrders(request: AccountRequest, bodies: readonly unknown[], { queue, faults, rates }: AccountDeps): void {
  const { caller, restriction, headers } = request;
  const { now, view } = queue;
  if (restriction === 'GEO_BLOCKED' || faults.remainingMs('region', now) > 0)
    throw new PolymarketRefusal(403, POLYMARKET_ERRORS.region);
  const isAllPostOnly = bodies.every(
    (body) => typeof body === 'object' && body !== null && 'postOnly' in body && body.postOnly === true,
  );
  const remainingMs = faults.remainingMs('post-only', now);
  if (remainingMs > 0 && !isAllPostOnly) throw postOnlyRefusal(Math.ceil(remainingMs / 1_000));
  const refusal = view.mode === 'POST_ONLY' && isAllPostOnly ? undefined : modeRefusal(view.mode);
  if (refusal !== undefined) throw refusal;
  Object.assign(headers, rates.consume(caller.key.address, 'order', bodies.length));
}

function listOpenOrders(
  { caller, query }: AccountRequest,
  { queue, archive, records, markets, ids }: AccountDeps,
): object {
  const { asset_id: asset, market: condition, id: orderHash } = query;
  const token = asset === undefined ? undefined : markets.findToken(asset);
  const market = condition === undefined ? undefined : markets.findByCondition(condition);
  const order = orderHash === undefined ? undefined : getOrderNumber(orderHash, ids);
  const selected = queue.view
    .openOrders(caller.account)
    .filter((open) => asset === undefined || (token?.market.number === open.market && token.outcome === open.outcome))
    .filter((open) => condition === undefined || market?.number === open.market)
    .filter((open) => order === undefined || order === open.order);
  const { data, ...page } = toPage(selected, parseCursor(query['next_cursor']));
  const rows = data.flatMap((open) => archive.order(open.order) ?? []);
  return { ...page, data: rows.map((row) => records.order(row)) };
}

/** Lists trades, newest first. A page scans a limited number of fills, so a short page need not be the last one. */
function listTrades({ caller, query }: AccountRequest, { archive, records, markets }: AccountDeps): object {
  if (query['id'] !== undefined) {
    const seq = parseTradeId(query['id']) ?? 0;
    const ownFill = fillsOfTrade(seq, archive).find((fill) => fill?.account === caller.account);
    const trade = ownFill && records.trade(ownFill);
    return toPage(trade === undefined ? [] : [trade], 0);
  }
  const cursor = parseCursor(query['next_cursor']);
  const market =
    query['market'] === undefined ? undefined : (markets.findByCondition(query['market'])?.number ?? NO_MARKET);
  const token = query['asset_id'] === undefined ? undefined : markets.findToken(query['asset_id']);
  const afterMs = parseSeconds(query['after']);
  const beforeMs = parseSeconds(query['before']) ?? Number.POSITIVE_INFINITY;
  const filter = { market, since: afterMs === undefined ? undefined : epochMs(afterMs) };
  const { rows } = archive.fills(caller.account, filter, 'newest', {
    maxRows: SCANNED_FILLS,
    direction: 'forward',
    from: cursor === 0 ? undefined : cursor,
  });
  const selected = rows.filter(
    ({ at, market: number, outcome }) =>
      at < beforeMs &&
      (query['asset_id'] === undefined || (token?.market.number === number && token.outcome === outcome)),
  );
  const pageFills = selected.slice(0, PAGE_SIZE);
  const resumeAfter =
    selected.length > PAGE_SIZE ? pageFills.at(-1) : rows.length === SCANNED_FILLS ? rows.at(-1) : undefined;
  const data = pageFills.flatMap((fill) => records.trade(fill) ?? []);
  const next = resumeAfter === undefined ? END_CURSOR : toCursor(resumeAfter.id);
  return { limit: PAGE_SIZE, count: data.length, next_cursor: next, data };
}

/** Converts whole seconds to milliseconds. @throws PolymarketRefusal for any other text */
function parseSeconds(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (!/^\d{1,11}$/.test(seconds)) throw badRequest('invalid filters');
  return Number(seconds) * 1_000;
}

function getBalance({ caller, query }: AccountRequest, deps: AccountDeps): object {
  const { queue, approvals, contracts, settlement, markets } = deps;
  const { account, key } = caller;
  const asset = query['asset_type'];
  if (asset !== 'COLLATERAL' && asset !== 'CONDITIONAL') throw badRequest('Invalid asset type');
  const getAllowance = (exchange: PolymarketExchange) =>
    approvals.isApproved(key.address, asset, exchange) ? UNLIMITED_ALLOWANCE : '0';
  const allowances = Object.fromEntries(POLYMARKET_EXCHANGES.map((name) => [contracts[name], getAllowance(name)]));
  if (asset === 'COLLATERAL') {
    const cash = queue.view.account(account);
    const balance = (cash?.available ?? 0) + (cash?.reserved ?? 0) - settlement.unsettledDollars(account);
    return { balance: String(Math.max(0, balance)), allowances };
  }
  const token = markets.findToken(query['token_id'] ?? '');
  if (token === undefined) throw badRequest('Invalid token id');
  const holding = queue.view.holding(account, token.market.number);
  // A claim (Polymarket's redeeming) burns both tokens.
  const position = holding?.claimed === true ? undefined : holding?.[token.outcome === 'YES' ? 'yes' : 'no'];
  const shares = (position?.shares ?? 0) - settlement.unsettledShares(account, token.market.number, token.outcome);
  return { balance: String(Math.max(0, shares)), allowances };
}

/** Returns true for each of the caller's open orders, because the scoring of orders is not simulated. */
function isScoring(order: string, { account }: PolymarketCaller, { queue, ids }: AccountDeps): boolean {
  return queue.view.openOrder(getOrderNumber(order, ids))?.account === account;
}
