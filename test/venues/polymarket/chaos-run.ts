/**
 * Runs the adapter against another trader and a venue behind a faulty proxy, all from one seed. In the end all faults
 * stop, and bot and venue must agree to the micro-unit on orders, shares and cash. During the run, no order may reach
 * the venue before it is stored, be signed twice, be sent when it is too old, or trade after it counts as refused. No
 * cash may appear: nobody deposits any.
 */
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { counted, Fault, type InputEvent, LOT, type PlaceOrder } from '../../../src/domain/index.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { RestClient } from '../../../src/venues/polymarket/rest-client.ts';
import { until } from '../service/real-venue.ts';
import {
  CHEAP,
  type ChaosPlan,
  type ChaosStep,
  COUNTED_FAULTS,
  chaosPlan,
  type NetworkSettings,
  type Template,
  TIMED_FAULTS,
} from './chaos-plan.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import {
  adapter,
  type BotParts,
  openPolymarket,
  openTestMarket,
  type PolymarketHarness,
  recorder,
  type TestMarket,
} from './harness.ts';

const MARKET = counted.market(0);
/** Trades are read again from this long before. A slow trade takes longer to be confirmed. */
const OVERLAP_MS = 1_500;
const OUTAGE_MS = 12_000;
const MAX_STARTS = 30;

/** The result of a run. */
export interface ChaosTally {
  readonly differences: readonly string[];
  readonly faults: readonly string[];
  readonly fills: number;
  readonly reversed: number;
  readonly uncertain: number;
  readonly crashes: number;
}

/** Opens a venue. By seed, transactions are confirmed soon, or later than trades are read again. */
export function openChaos(seed: number): Promise<PolymarketHarness> {
  const ms = [20, 300, 3_000][seed % 3] ?? 20;
  return openPolymarket({
    access: { creditCents: 100_000_000 },
    polymarket: { tier: 'Standard', minedMs: ms, confirmedMs: ms },
  });
}

export async function chaosRun(harness: PolymarketHarness, seed: number, steps: number): Promise<ChaosTally> {
  const plan = chaosPlan(seed, steps);
  const testMarket = await openTestMarket(harness, `Chaos ${seed}?`);
  const other = await harness.venue.openTrader(60_000 + seed);
  const run = new ChaosRun(harness, testMarket, seed, plan);
  try {
    await run.start('cancel');
    for (const step of plan.steps) {
      if (step.type === 'otherTrader') {
        const bet = { outcome: step.isBid ? 'YES' : 'NO', side: 'BUY', size: step.size } as const;
        await other.place({ ...bet, priceBps: step.isBid ? step.price : 10_000 - step.price }, testMarket.id);
        if (step.cancelsRest)
          await other.request('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: testMarket.id });
      } else await run.step(step);
      await pause(step.pauseMs);
    }
    await run.end();
  } catch (error) {
    run.differences.push(String(error));
  }
  return run.close();
}

interface BotProcess {
  readonly parts: BotParts;
  readonly session: VenueSession;
  readonly proxy: ChaosProxy;
}

class ChaosRun {
  readonly differences: string[] = [];
  readonly #harness: PolymarketHarness;
  readonly #testMarket: TestMarket;
  readonly #seed: number;
  readonly #plan: ChaosPlan;
  readonly #direct: RestClient;
  readonly #faults: string[] = [];
  readonly #counts = { fills: 0, reversed: 0, uncertain: 0, crashes: 0 };
  /** Orders that were reported as refused. */
  readonly #refused = new Set<number>();
  #next = 1;
  /** The bot took over holdings that include dust. */
  #isTakenOver = false;
  #version = 2;
  #proxies = 0;
  #settings: NetworkSettings = { rate: 0.05, delayMs: 20, balanceMs: 0, staleMs: 0 };
  #before: Pick<BotParts, 'records' | 'state'> | undefined;
  #process: BotProcess | undefined;

  constructor(harness: PolymarketHarness, testMarket: TestMarket, seed: number, plan: ChaosPlan) {
    this.#harness = harness;
    this.#testMarket = testMarket;
    this.#seed = seed;
    this.#plan = plan;
    this.#direct = new RestClient({
      clobUrl: harness.url,
      clock: wallClock(),
      offset: { offsetMs: 0 },
      timeoutMs: 10_000,
    });
  }

  /** Starts a process of the bot, again if it fails. */
  async start(leftovers: 'adopt' | 'cancel'): Promise<void> {
    for (let count = 1; this.#process === undefined; count += 1) {
      try {
        this.#process = await this.#begin(leftovers, 1 / count);
        Object.assign(this.#process.proxy, this.#settings);
      } catch (error) {
        const isFinal = error instanceof Fault ? error.code === 'RECONCILE' : !/Fault|Error: /.test(String(error));
        if (isFinal || count === MAX_STARTS) throw error;
      }
    }
  }

  /** @param part factor of faults and delays, below 1 in later tries: a start needs many requests */
  async #begin(leftovers: 'adopt' | 'cancel', part: number): Promise<BotProcess> {
    this.#proxies += 1;
    const random = seededRandom(this.#seed).fork(`line ${this.#proxies}`);
    const { isGrouped, dust } = this.#plan;
    const proxy = await ChaosProxy.open({ base: this.#harness.url, random, isGrouped, dust });
    const { rate, delayMs, staleMs } = this.#settings;
    Object.assign(proxy, { rate: rate * part * part, delayMs: delayMs * part, staleMs });
    const before = this.#before;
    let isEnded = false;
    try {
      const parts = await adapter(this.#harness, {
        ...{ no: 50_000 + this.#seed, testMarket: this.#testMarket, url: proxy.url, timeoutMs: 400 / part, ...before },
        settings: { auditMs: 200, overlapMs: OVERLAP_MS, leftovers },
      });
      const isFirst = parts.records.cursor === 0;
      if (parts.rest.credentials !== undefined) this.#direct.setCredentials(parts.rest.credentials);
      this.#before = parts;
      const record = recorder(parts.records);
      let isConnected = false;
      const session = await parts.venue
        .connect({
          rows: () => {},
          event: (event, position) => {
            if (isEnded) return;
            this.#checkEvent(event, parts, proxy, isFirst && !isConnected);
            parts.state.apply(event);
            record(event, position);
          },
        })
        .catch((error: unknown) => {
          isEnded = true;
          this.#before = { records: parts.records.afterCrash(), state: parts.state };
          throw error;
        });
      isConnected = true;
      const close = async (): Promise<void> => {
        isEnded = true;
        proxy.kill();
        this.#faults.push(...parts.faults.map(String));
        this.differences.push(...proxy.violations);
        await session.close();
      };
      return { parts, proxy, session: { send: session.send, close } };
    } catch (error) {
      proxy.kill();
      throw error;
    }
  }

  /** Records events that must not occur. */
  #checkEvent(event: InputEvent, { records }: BotParts, proxy: ChaosProxy, isTakenOver: boolean): void {
    const { type } = event;
    if (type === 'orderFilled') this.#counts.fills += 1;
    if (type === 'fillReversed') this.#counts.reversed += 1;
    if (type === 'orderUncertain') this.#counts.uncertain += 1;
    if (type === 'orderFilled' && this.#refused.has(event.order))
      this.differences.push(`order ${event.order} traded after it was reported as refused`);
    if (type === 'orderRejected') {
      this.#refused.add(event.order);
      const hash = records.numbered(event.order)?.hash ?? '';
      if (event.reason !== 'NOT_FOUND' && proxy.accepted.has(hash))
        this.differences.push(`order ${event.order} was reported as refused, but the venue has accepted it`);
      if (event.reason === 'NOT_FOUND' && !proxy.cancelAnswered.has(hash))
        this.differences.push(`order ${event.order} was reported as absent, but no cancel of it was answered`);
    }
    if (isTakenOver || !(type === 'holdingAdjusted' || (type === 'cashAdjusted' && event.trade === undefined))) return;
    this.differences.push(`${type} without a deposit or withdrawal`);
  }

  async step(step: Exclude<ChaosStep, { readonly type: 'otherTrader' }>): Promise<void> {
    if (this.#process === undefined) return;
    const { parts, session, proxy } = this.#process;
    const { state } = parts;
    switch (step.type) {
      case 'place':
        this.#place(step.orders.filter((each) => each.side === 'BUY' || this.#canSell(each)));
        return;
      case 'cancel': {
        const open = state.market(MARKET).orders;
        const order = open[Math.floor(step.pick * open.length)];
        if (order === undefined) return;
        const cancel = { type: 'cancel', order: order.order, market: MARKET } as const;
        state.sent(cancel, wallClock().now());
        session.send([cancel]);
        return;
      }
      case 'cancelAll':
        session.send([step.everyone ? { type: 'cancelAll', everyone: true } : { type: 'cancelAll' }]);
        return;
      case 'fault': {
        const { fault, for_ms, times } = step;
        await this.#operate('polymarket-fault', { fault, ...(times === undefined ? { for_ms } : { times }) });
        return;
      }
      case 'network':
        this.#settings = { rate: step.rate, delayMs: step.delayMs, balanceMs: step.balanceMs, staleMs: step.staleMs };
        Object.assign(proxy, this.#settings);
        return;
      case 'cut':
        proxy.cut();
        return;
      case 'version':
        await this.#setVersion(this.#version === 2 ? 3 : 2);
        // The version must not change back while a request is in flight.
        await pause(2 * this.#settings.delayMs + 500);
        return;
      case 'outage': {
        proxy.rate = 1;
        await pause(OUTAGE_MS);
        proxy.rate = this.#settings.rate;
        return;
      }
      case 'crash':
        await this.#crash();
        if (step.isLost) await this.#loseDatabase();
        await this.start(step.leftovers);
    }
  }

  /** Stops all faults and checks that bot and venue agree, with open orders and without. */
  async end(): Promise<void> {
    this.#settings = { rate: 0, delayMs: 0, balanceMs: 0, staleMs: 0 };
    if (this.#process === undefined) return;
    const { session, proxy, parts } = this.#process;
    Object.assign(proxy, this.#settings);
    for (const fault of TIMED_FAULTS) await this.#operate('polymarket-fault', { fault, for_ms: 0 });
    for (const fault of COUNTED_FAULTS) await this.#operate('polymarket-fault', { fault, times: 0 });
    await this.#checkAgreement('at the end');
    await this.#checkNewOrders();
    session.send([{ type: 'cancelAll', everyone: true }]);
    await until(() => parts.state.openOrders === 0 && parts.venue.isQuiet, 'no own order left');
    await this.#checkAgreement('after the last cancel');
    if (parts.state.unexplained > 0) this.differences.push(`${parts.state.unexplained} events contradict the holdings`);
    const numbers = parts.records.rows.map(({ order }) => order);
    if (new Set(numbers).size < numbers.length) this.differences.push('an order was signed twice');
  }

  async close(): Promise<ChaosTally> {
    await this.#process?.session.close();
    await this.#setVersion(2);
    this.#direct.close();
    return { ...this.#counts, differences: [...new Set(this.differences)], faults: this.#faults };
  }

  /** Kills the process. Its earlier requests still reach the venue, perhaps while the next process runs. */
  async #crash(): Promise<void> {
    if (this.#process === undefined) return;
    this.#counts.crashes += 1;
    const { parts, session } = this.#process;
    this.#before = { records: parts.records.afterCrash(), state: parts.state };
    this.#process = undefined;
    await session.close();
  }

  /** Deletes the records. All orders are cancelled, and another bot takes the account over. */
  async #loseDatabase(): Promise<void> {
    await pause(2 * this.#settings.delayMs + 100);
    await until(async () => {
      await this.#direct.sendPrivate({ method: 'DELETE', path: '/cancel-all' });
      return (await this.#openIds()).length === 0;
    }, 'an account without orders');
    this.#before = undefined;
    this.#isTakenOver = this.#plan.dust > 0;
    this.#refused.clear();
  }

  #place(templates: readonly Template[]): readonly PlaceOrder[] {
    if (this.#process === undefined || templates.length === 0) return [];
    const { parts, session } = this.#process;
    const orders = templates.map((each): PlaceOrder => ({ ...each, order: counted.order(this.#next++) }));
    parts.state.apply({ type: 'woke', time: wallClock().now() });
    for (const order of orders) parts.state.sent(order, wallClock().now());
    session.send(orders);
    return orders;
  }

  #canSell({ outcome, shares }: Template): boolean {
    const market = this.#process?.parts.state.market(MARKET);
    const selling = (market?.orders ?? []).filter((each) => each.side === 'SELL' && each.outcome === outcome);
    const held = selling.reduce((sum, { life }) => sum + life.remaining, 0);
    return (market?.sellable(outcome) ?? 0) - held >= shares;
  }

  /** Checks that the venue accepts new orders, two in one request. */
  async #checkNewOrders(): Promise<void> {
    const state = this.#process?.parts.state;
    for (let tries = 0; tries < 8; tries += 1) {
      const orders = this.#place([CHEAP, CHEAP]).map(({ order }) => order);
      await pause(700);
      const open = (state?.market(MARKET).orders ?? []).filter(
        (each) => orders.includes(each.order) && each.life.isLive,
      );
      if (open.length === orders.length) return;
    }
    this.differences.push('new orders are no longer accepted');
  }

  /** Waits until orders, shares and cash equal the venue's own figures. */
  async #checkAgreement(when: string): Promise<void> {
    const { venue } = this.#process?.parts ?? {};
    let found: readonly string[] = [];
    for (let tries = 0; tries < 50; tries += 1) {
      await until(() => venue?.isQuiet ?? true, `${when}: quiet`);
      await venue?.audit().catch(() => undefined);
      found = await this.#compare();
      if (found.length === 0) return;
      await pause(300);
    }
    this.differences.push(...found.map((text) => `${when}: ${text}`));
  }

  async #compare(): Promise<readonly string[]> {
    if (this.#process === undefined) return ['no process'];
    const { venue, state, records, orders } = this.#process.parts;
    const found: string[] = [];
    const market = state.market(MARKET);
    const { yes, no } = market.position;
    const token = (token_id: string) => this.#balance({ asset_type: 'CONDITIONAL', token_id });
    const [venueYes, venueNo, cash] = await Promise.all([
      token(this.#testMarket.yes),
      token(this.#testMarket.no),
      this.#balance({ asset_type: 'COLLATERAL' }),
    ]);
    const maxDifference = this.#isTakenOver ? LOT : 0;
    if (Math.abs(yes - venueYes) > maxDifference) found.push(`${yes} YES, ${venueYes} at the venue`);
    if (Math.abs(no - venueNo) > maxDifference) found.push(`${no} NO, ${venueNo} at the venue`);
    if (state.cash !== cash) found.push(`cash ${state.cash}, ${cash} at the venue`);
    for (const outcome of ['YES', 'NO'] as const) {
      const held = outcome === 'YES' ? yes : no;
      if (market.sellable(outcome) !== held)
        found.push(`${market.sellable(outcome)} of ${held} ${outcome} can be sold`);
    }
    for (const { order, life } of market.orders)
      if (life.request === 'cancel') found.push(`order ${order} waits for its cancel`);
    const ids = await this.#openIds();
    if (ids.length !== state.openOrders) found.push(`${state.openOrders} orders, ${ids.length} at the venue`);
    for (const id of ids) if (records.find(id) === undefined) found.push(`order ${id} was never stored`);
    for (const id of ids) if (orders.byHash(id) === undefined) found.push(`order ${id} is not followed`);
    if (venue.agreement !== 'agrees') found.push(`the account is ${venue.agreement}`);
    return found;
  }

  async #balance(query: Readonly<Record<string, string>>): Promise<number> {
    return Number(Reflect.get(Object(await this.#direct.read({ path: '/balance-allowance', query })), 'balance'));
  }

  async #openIds(): Promise<readonly string[]> {
    const list = await this.#direct.read({ path: '/data/orders' });
    return Object(list).data.map(({ id }: { readonly id: string }) => id);
  }

  async #setVersion(version: number): Promise<void> {
    this.#version = version;
    await this.#operate('polymarket-order-version', { version });
  }

  #operate(command: string, input: object): Promise<unknown> {
    return this.#harness.venue.server.operate(command, input);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
