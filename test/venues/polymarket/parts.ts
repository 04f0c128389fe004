/** Parts of the adapter without a venue. A test advances the clock and sets the venue's lists and responses. */
import { SimClock } from '../../../src/clock/index.ts';
import {
  epochMs,
  microShares,
  type PlaceOrder,
  priceBps,
  SHARE,
  unchecked,
  type VenueEvent,
} from '../../../src/domain/index.ts';
import type { PolymarketOrderVersion } from '../../../src/protocol/polymarket/index.ts';
import type { SignedRecord } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { ExecutionReporter } from '../../../src/venues/base/execution-reporter.ts';
import { saltSecret, Timers, type VenueOrder, VenueOrders } from '../../../src/venues/base/index.ts';
import { AccountPoller } from '../../../src/venues/polymarket/account-poller.ts';
import { CancelSender } from '../../../src/venues/polymarket/cancel-sender.ts';
import type { PolymarketDeps, PolymarketProblem } from '../../../src/venues/polymarket/deps.ts';
import { MarketTable } from '../../../src/venues/polymarket/market-table.ts';
import { PolymarketSigner } from '../../../src/venues/polymarket/order-signer.ts';
import { OwnEventTranslator } from '../../../src/venues/polymarket/own-event-translator.ts';
import { RestClient, type RestOutcome, type RestRequest } from '../../../src/venues/polymarket/rest-client.ts';
import { UnknownOrders } from '../../../src/venues/polymarket/unknown-orders.ts';
import { openSigner } from '../../signing/harness.ts';
import { setup, usd } from '../../state/world.ts';
import { SILENT } from '../service/harness.ts';
import { MemoryRecords } from '../service/memory-records.ts';
import { recorder } from './harness.ts';

export const MARKET = unchecked.market(0);
const START = epochMs(1_700_000_000_000);
const CHAIN = 137;
const CONDITION = `0x${'ab'.repeat(32)}`;
export const YES = '11';
export const NO = '22';
const OWNER = 'own-key';

type Answer = (request: RestRequest) => RestOutcome | Promise<RestOutcome>;

/** A trade in which own orders bought YES at 0.45 as makers. */
export interface TradeRow {
  readonly id: string;
  readonly status: string;
  /** Epoch ms. */
  readonly at: number;
  readonly makers: readonly (readonly [hash: string, shares: number])[];
}

/** @param aheadMs how far our clock is ahead of the venue's */
export async function openParts({ maxCancels = 100, aheadMs = 0 } = {}) {
  const clock = new SimClock(START);
  const records = new MemoryRecords();
  const { info } = setup();
  const table = new MarketTable();
  table.add({ id: info.id, condition: CONDITION, tokens: [YES, NO], isNegRisk: false });
  const state = new AccountState({ cash: usd(1_000), markets: [setup()] });
  const events: VenueEvent[] = [];
  const problems: PolymarketProblem[] = [];
  const requests: string[] = [];
  const answers = new Map<string, Answer>();
  const listed: { orders: readonly object[]; trades: readonly object[] } = { orders: [], trades: [] };
  const lists: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['GET /data/orders', () => page(listed.orders)],
    ['GET /data/trades', ({ query = {} }) => page(listed.trades.filter((row) => matchesQuery(row, query)))],
  ]);
  const rest = new RestClient({ clobUrl: 'http://127.0.0.1:1', clock, offset: { offsetMs: 0 }, timeoutMs: 1_000 });
  rest.sendPrivate = async (request) => {
    const key = `${request.method ?? 'GET'} ${request.path.replace(/(?<=order\/).*/, '*')}`;
    requests.push(key);
    return (answers.get(key) ?? lists.get(key) ?? (() => refusal('REFUSED', 'Order not found')))(request);
  };
  const timers = new Timers(clock);
  const record = recorder(records);
  let version: PolymarketOrderVersion = 2;
  const deps: PolymarketDeps = {
    ...{ rest, clock, timers, records, view: state, markets: table, maxCancels, overlapMs: 600_000 },
    log: SILENT,
    orders: new VenueOrders(),
    signer: await openOrderSigner(table),
    venueTime: (ours) => epochMs(ours - aheadMs),
    version: () => version,
    report(event, position) {
      state.apply(event);
      record(event, position);
      events.push(event);
    },
    onPositionPassed: (position) => records.advanceStreamPosition(position),
    onProblem: (reported) => problems.push(reported),
  };
  const reporter = new ExecutionReporter(deps);
  const onTradesMissing = (): void => {};
  const translator = new OwnEventTranslator({
    ...deps,
    reporter,
    sellableFrom: 'confirmed',
    owner: () => OWNER,
    onTradesMissing,
  });
  const pollerDeps = { ...deps, reporter, translator };
  const poller = new AccountPoller(pollerDeps);
  const cancels = new CancelSender({ ...pollerDeps, poller });
  const unknown = new UnknownOrders({ ...pollerDeps, poller });
  reporter.onUnwanted = (order) => cancels.cancel([order], { isRequested: false });
  /** Returns the adapter's parts in a later run on the same records and state. */
  const laterRun = () => {
    const later = { ...deps, orders: new VenueOrders() };
    const laterReporter = new ExecutionReporter(later);
    const laterTranslator = new OwnEventTranslator({
      ...later,
      reporter: laterReporter,
      sellableFrom: 'confirmed',
      owner: () => OWNER,
      onTradesMissing,
    });
    laterTranslator.restore((state.snapshot().money.unsettled ?? []).map(({ trade }) => trade));
    return {
      translator: laterTranslator,
      poller: new AccountPoller({ ...later, reporter: laterReporter, translator: laterTranslator }),
    };
  };
  const sentOrder = (number: number, more: Partial<PlaceOrder> = {}): VenueOrder => {
    const command = placeCommand(number, more);
    const hash = `0x${String(number).padStart(64, '0')}`;
    const head = { order: command.order, market: MARKET, marketId: info.id, hash, timestampMs: clock.now() };
    const row: SignedRecord = { ...head, epoch: 0, wire: `{"no":${number}}`, command };
    records.addSigned([row]);
    state.applyCommand(command, clock.now());
    return deps.orders.add(row);
  };
  return {
    ...{ clock, deps, records, state, events, problems, requests, answers, listed, rest },
    ...{ reporter, translator, poller, cancels, unknown, place: placeCommand, sentOrder, laterRun },
    types: () => events.map(({ type }) => type),
    setVersion(next: PolymarketOrderVersion) {
      version = next;
    },
    /** An order that the venue has accepted. */
    acceptedOrder(number: number): VenueOrder {
      const order = sentOrder(number);
      translator.onAccepted(order, clock.now());
      return order;
    },
    /** Advances the clock and runs due timers. */
    async pass(ms: number): Promise<void> {
      const end = clock.now() + ms;
      await settlePromises();
      while (clock.nextTime() <= end) {
        clock.runNext();
        await settlePromises();
      }
      clock.advanceTo(end);
    },
  };
}

/** Returns the command of an order that buys 10 YES at 0.45. */
export function placeCommand(number: number, more: Partial<PlaceOrder> = {}): PlaceOrder {
  return {
    type: 'place',
    order: unchecked.order(number),
    bot: unchecked.instance(0),
    market: MARKET,
    outcome: 'YES',
    side: 'BUY',
    price: priceBps(4_500),
    shares: microShares(10 * SHARE),
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
    ...more,
  };
}

async function openOrderSigner(markets: MarketTable): Promise<PolymarketSigner> {
  const signer = await openSigner('native');
  const key = signer.key(`0x${'7'.repeat(64)}`);
  return new PolymarketSigner({
    ...{ signer, key, markets, maker: key.address, signatureType: 0, owner: OWNER },
    chainId: CHAIN,
    saltSecret: saltSecret(signer, key),
  });
}

/** Waits until promises that need no timer have settled. */
async function settlePromises(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

function page(data: readonly object[]): RestOutcome {
  return { type: 'done', json: { data, next_cursor: 'LTE=' } };
}

function matchesQuery(row: object, { after = '0', id }: Readonly<Record<string, string>>): boolean {
  return id === undefined ? Number(Reflect.get(row, 'match_time')) >= Number(after) : Reflect.get(row, 'id') === id;
}

export function refusal(
  kind: Extract<RestOutcome, { type: 'refused' }>['error']['kind'],
  text: string,
  retryAfterMs?: number,
): RestOutcome {
  return { type: 'refused', error: { kind, text, retryAfterMs }, json: {} };
}

export const NO_ANSWER: RestOutcome = { type: 'unknown', problem: 'cut', isSent: true };

/** An order as the venue lists it. @param matched shares */
export function orderRow({ hash }: Pick<VenueOrder, 'hash'>, matched = 0): object {
  return {
    ...{ id: hash, market: CONDITION, asset_id: YES, side: 'BUY', price: '0.45', original_size: '10' },
    ...{ size_matched: String(matched), status: 'LIVE' },
  };
}

/** A trade as the venue lists it. */
export function tradeRow({ id, status, at, makers }: TradeRow): object {
  const size = makers.reduce((sum, [, shares]) => sum + shares, 0);
  return {
    ...{ id, status, taker_order_id: `0x${'9'.repeat(64)}`, market: CONDITION, asset_id: YES, side: 'SELL' },
    ...{ price: '0.45', size: String(size), trader_side: 'MAKER', match_time: String(Math.floor(at / 1_000)) },
    maker_orders: makers.map(([hash, shares]) => ({
      ...{ order_id: hash, owner: OWNER, asset_id: YES, side: 'BUY', price: '0.45', matched_amount: String(shares) },
    })),
  };
}
