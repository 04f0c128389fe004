import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom, wallClock } from '../../../src/clock/index.ts';
import { Fault, LOT, type PlaceOrder, unchecked } from '../../../src/domain/index.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { RestClient } from '../../../src/venues/polymarket/rest-client.ts';
import { until } from '../service/real-venue.ts';
import { VenueAccount } from './chaos-account.ts';
import { EventCheck } from './chaos-events.ts';
import {
  CHEAP,
  type ChaosPlan,
  type ChaosStep,
  COUNTED_FAULTS,
  type NetworkSettings,
  type Template,
  TIMED_FAULTS,
} from './chaos-plan.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { adapter, type BotParts, type PolymarketHarness, recorder, type TestMarket } from './harness.ts';

const MARKET = unchecked.market(0);
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

interface BotProcess {
  readonly parts: BotParts;
  readonly session: VenueSession;
  readonly proxy: ChaosProxy;
}

/** The bot of a run, its processes, and the checks of its reports. */
export class ChaosBot {
  readonly #harness: PolymarketHarness;
  readonly #testMarket: TestMarket;
  readonly #seed: number;
  readonly #plan: ChaosPlan;
  readonly #direct: RestClient;
  readonly #account: VenueAccount;
  readonly #faults: string[] = [];
  readonly #events = new EventCheck();
  #crashes = 0;
  #next = 1;
  /** The bot took over holdings that include dust. */
  #isTakenOver = false;
  #version = 2;
  #proxies = 0;
  #settings: NetworkSettings = { rate: 0.05, delayMs: 20, balanceMs: 0, staleMs: 0 };
  #before: Pick<BotParts, 'records' | 'state'> | undefined;
  #process: BotProcess | undefined;

  /** Differences from what must hold, as text. */
  get differences(): string[] {
    return this.#events.differences;
  }

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
    this.#account = new VenueAccount(this.#direct);
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
      const isFirst = parts.records.streamPosition === 0;
      if (parts.rest.credentials !== undefined) this.#direct.setCredentials(parts.rest.credentials);
      this.#before = parts;
      const record = recorder(parts.records);
      let isConnected = false;
      const session = await parts.venue
        .connect({
          rows: () => {},
          event: (event, position) => {
            if (isEnded) return;
            this.#events.check(event, parts, proxy, isFirst && !isConnected);
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

  async step(step: Exclude<ChaosStep, { readonly type: 'otherTrader' }>): Promise<void> {
    if (this.#process === undefined) return;
    const { parts, session, proxy } = this.#process;
    switch (step.type) {
      case 'place':
        this.#place(step.orders.filter((each) => each.side === 'BUY' || this.#canSell(each)));
        return;
      case 'cancel': {
        const open = parts.state.market(MARKET).orders;
        const order = open[Math.floor(step.pick * open.length)];
        if (order === undefined) return;
        const cancel = { type: 'cancel', order: order.order, market: MARKET } as const;
        parts.state.applyCommand(cancel, wallClock().now());
        session.send([cancel]);
        return;
      }
      case 'cancelAll':
        session.send([step.everyone ? { type: 'cancelAll', isAccountWide: true } : { type: 'cancelAll' }]);
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
      case 'outage':
        proxy.rate = 1;
        await pause(OUTAGE_MS);
        proxy.rate = this.#settings.rate;
        return;
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
    session.send([{ type: 'cancelAll', isAccountWide: true }]);
    await until(() => parts.state.openOrderCount === 0 && parts.venue.isQuiet, 'no own order left');
    await this.#checkAgreement('after the last cancel');
    if (parts.state.unexplainedEvents > 0)
      this.differences.push(`${parts.state.unexplainedEvents} events contradict the holdings`);
    const numbers = parts.records.rows.map(({ order }) => order);
    if (new Set(numbers).size < numbers.length) this.differences.push('an order was signed twice');
  }

  async close(): Promise<ChaosTally> {
    await this.#process?.session.close();
    await this.#setVersion(2);
    this.#direct.close();
    const { fills, reversed, uncertain } = this.#events;
    const differences = [...new Set(this.differences)];
    return { fills, reversed, uncertain, crashes: this.#crashes, differences, faults: this.#faults };
  }

  /** Kills the process. Its earlier requests still reach the venue, perhaps while the next process runs. */
  async #crash(): Promise<void> {
    if (this.#process === undefined) return;
    this.#crashes += 1;
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
      return (await this.#account.openIds()).length === 0;
    }, 'an account without orders');
    this.#before = undefined;
    this.#isTakenOver = this.#plan.dust > 0;
    this.#events.refused.clear();
  }

  #place(templates: readonly Template[]): readonly PlaceOrder[] {
    if (this.#process === undefined || templates.length === 0) return [];
    const { parts, session } = this.#process;
    const orders = templates.map((each): PlaceOrder => ({ ...each, order: unchecked.order(this.#next++) }));
    parts.state.apply({ type: 'woke', time: wallClock().now() });
    for (const order of orders) parts.state.applyCommand(order, wallClock().now());
    session.send(orders);
    return orders;
  }

  #canSell({ outcome, shares }: Template): boolean {
    const market = this.#process?.parts.state.market(MARKET);
    const selling = (market?.orders ?? []).filter((each) => each.side === 'SELL' && each.outcome === outcome);
    const held = selling.reduce((sum, { lifecycle }) => sum + lifecycle.remaining, 0);
    return (market?.sellable(outcome) ?? 0) - held >= shares;
  }

  /** Checks that the venue accepts new orders, two in one request. */
  async #checkNewOrders(): Promise<void> {
    const state = this.#process?.parts.state;
    for (let tries = 0; tries < 8; tries += 1) {
      const orders = this.#place([CHEAP, CHEAP]).map(({ order }) => order);
      await pause(700);
      const open = (state?.market(MARKET).orders ?? []).filter(
        (each) => orders.includes(each.order) && each.lifecycle.isLive,
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
    return this.#account.compare(this.#process.parts, this.#testMarket, this.#isTakenOver ? LOT : 0);
  }

  async #setVersion(version: number): Promise<void> {
    this.#version = version;
    await this.#operate('polymarket-order-version', { version });
  }

  #operate(command: string, input: object): Promise<unknown> {
    return this.#harness.venue.server.operate(command, input);
  }
}
