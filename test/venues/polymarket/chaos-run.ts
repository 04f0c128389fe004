/**
 * The adapter, a stranger and a venue behind a line full of faults, all from one seed. In the end everything heals, and bot and
 * venue have to agree to the micro-unit: orders, shares and cash, trades that were taken back included. On the way no order may
 * come to the venue that was not stored first, none may be signed twice or sent when it is old, none may trade that counts as
 * refused, and no money may appear: nobody deposits anything here.
 *
 * What it can find, by undoing fixes one at a time and running three or four seeds of 150 steps, 28 November 2026: late trades that
 * are not read again, in one run or after a crash; parts of a trade that come one by one; trades that were taken over and are booked
 * by the next run; dust; an unknown order whose cancel was not answered; an adopted order whose cancel is forgotten. Not found so: an
 * order that a proxy's 408 makes count as refused (found when 408 is the only fault), a sending that comes twice, a batch's entry
 * that is refused for its version, cash of a failing trade that is taken for a deposit. Those have tests of their own.
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
  COUNTED,
  chaosPlan,
  LASTING,
  type LineSettings,
  type Template,
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
/** Trades are read again from so long before: shorter than a slow trade takes here. */
const OVERLAP_MS = 1_500;
const AWAY_MS = 12_000;
const MAX_STARTS = 30;

/** What it came to. */
export interface ChaosTally {
  readonly differences: readonly string[];
  readonly faults: readonly string[];
  readonly fills: number;
  readonly reversed: number;
  readonly uncertain: number;
  readonly crashes: number;
}

/** Transactions are mined and confirmed after so long each: soon, or later than trades are read again. */
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
      if (step.type === 'stranger') {
        const bet = { outcome: step.isBid ? 'YES' : 'NO', side: 'BUY', size: step.size } as const;
        await other.place({ ...bet, priceBps: step.isBid ? step.price : 10_000 - step.price }, testMarket.id);
        if (step.goes)
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

interface Life {
  readonly parts: BotParts;
  readonly session: VenueSession;
  readonly line: ChaosProxy;
}

class ChaosRun {
  readonly differences: string[] = [];
  readonly #harness: PolymarketHarness;
  readonly #testMarket: TestMarket;
  readonly #seed: number;
  readonly #plan: ChaosPlan;
  readonly #direct: RestClient;
  readonly #faults: string[] = [];
  readonly #seen = { fills: 0, reversed: 0, uncertain: 0, crashes: 0 };
  /** Orders that counted as refused. */
  readonly #refused = new Set<number>();
  #next = 1;
  /** Holdings were taken over, dust included. */
  #isTakenOver = false;
  #version = 2;
  #lines = 0;
  #settings: LineSettings = { rate: 0.05, delayMs: 20, balanceMs: 0, staleMs: 0 };
  #before: Pick<BotParts, 'records' | 'state'> | undefined;
  #life: Life | undefined;

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

  /** A process begins; one that cannot is begun again. */
  async start(leftovers: 'adopt' | 'cancel'): Promise<void> {
    for (let count = 1; this.#life === undefined; count += 1) {
      try {
        this.#life = await this.#begin(leftovers, 1 / count);
        Object.assign(this.#life.line, this.#settings);
      } catch (error) {
        const isFinal = error instanceof Fault ? error.code === 'RECONCILE' : !/Fault|Error: /.test(String(error));
        if (isFinal || count === MAX_STARTS) throw error;
      }
    }
  }

  /** @param part of what goes wrong at other times, and the reverse of the time for an answer: a start needs many */
  async #begin(leftovers: 'adopt' | 'cancel', part: number): Promise<Life> {
    this.#lines += 1;
    const random = seededRandom(this.#seed).fork(`line ${this.#lines}`);
    const { isGrouped, dust } = this.#plan;
    const line = await ChaosProxy.open({ base: this.#harness.url, random, isGrouped, dust });
    const { rate, delayMs, staleMs } = this.#settings;
    Object.assign(line, { rate: rate * part * part, delayMs: delayMs * part, staleMs });
    const before = this.#before;
    let isOver = false;
    try {
      const parts = await adapter(this.#harness, {
        ...{ no: 50_000 + this.#seed, testMarket: this.#testMarket, url: line.url, timeoutMs: 400 / part, ...before },
        settings: { auditMs: 200, overlapMs: OVERLAP_MS, leftovers },
      });
      const isFirst = parts.records.cursor === 0;
      if (parts.rest.credentials !== undefined) this.#direct.use(parts.rest.credentials);
      this.#before = parts;
      const record = recorder(parts.records);
      let isConnected = false;
      const session = await parts.venue
        .connect({
          rows: () => {},
          event: (event, position) => {
            if (isOver) return;
            this.#look(event, parts, line, isFirst && !isConnected);
            parts.state.fold(event);
            record(event, position);
          },
        })
        .catch((error: unknown) => {
          isOver = true;
          this.#before = { records: parts.records.afterCrash(), state: parts.state };
          throw error;
        });
      isConnected = true;
      const close = async (): Promise<void> => {
        isOver = true;
        line.kill();
        this.#faults.push(...parts.faults.map(String));
        this.differences.push(...line.broken);
        await session.close();
      };
      return { parts, line, session: { send: session.send, close } };
    } catch (error) {
      line.kill();
      throw error;
    }
  }

  /** What an event may never say. */
  #look(event: InputEvent, { records }: BotParts, line: ChaosProxy, isTakenOver: boolean): void {
    const { type } = event;
    if (type === 'orderFilled') this.#seen.fills += 1;
    if (type === 'fillReversed') this.#seen.reversed += 1;
    if (type === 'orderUncertain') this.#seen.uncertain += 1;
    if (type === 'orderFilled' && this.#refused.has(event.order))
      this.differences.push(`order ${event.order} traded after it was reported as refused`);
    if (type === 'orderRejected') {
      this.#refused.add(event.order);
      const hash = records.numbered(event.order)?.hash ?? '';
      if (event.reason !== 'NOT_FOUND' && line.taken.has(hash))
        this.differences.push(`order ${event.order} is reported as refused, and the venue had taken it`);
      if (event.reason === 'NOT_FOUND' && !line.answered.has(hash))
        this.differences.push(`order ${event.order} is believed to be absent, and no cancel of it was answered`);
    }
    if (isTakenOver || !(type === 'holdingAdjusted' || (type === 'cashAdjusted' && event.trade === undefined))) return;
    this.differences.push(`${type} though nobody brought or took anything`);
  }

  async step(step: Exclude<ChaosStep, { readonly type: 'stranger' }>): Promise<void> {
    if (this.#life === undefined) return;
    const { parts, session, line } = this.#life;
    const { state } = parts;
    switch (step.type) {
      case 'place':
        this.#place(step.orders.filter((each) => each.side === 'BUY' || this.#canSell(each)));
        return;
      case 'cancel': {
        const open = state.market(MARKET).orders;
        const one = open[Math.floor(step.pick * open.length)];
        if (one === undefined) return;
        const cancel = { type: 'cancel', order: one.order, market: MARKET } as const;
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
      case 'line':
        this.#settings = { rate: step.rate, delayMs: step.delayMs, balanceMs: step.balanceMs, staleMs: step.staleMs };
        Object.assign(line, this.#settings);
        return;
      case 'cut':
        line.cut();
        return;
      case 'version':
        await this.#setVersion(this.#version === 2 ? 3 : 2);
        // No venue goes there and back while a request is under way.
        await pause(2 * this.#settings.delayMs + 500);
        return;
      case 'away': {
        line.rate = 1;
        await pause(AWAY_MS);
        line.rate = this.#settings.rate;
        return;
      }
      case 'crash':
        await this.#crash();
        if (step.isLost) await this.#lose();
        await this.start(step.leftovers);
    }
  }

  /** Everything heals, and has to agree: with orders standing, and without. */
  async end(): Promise<void> {
    this.#settings = { rate: 0, delayMs: 0, balanceMs: 0, staleMs: 0 };
    if (this.#life === undefined) return;
    const { session, line, parts } = this.#life;
    Object.assign(line, this.#settings);
    for (const fault of LASTING) await this.#operate('polymarket-fault', { fault, for_ms: 0 });
    for (const fault of COUNTED) await this.#operate('polymarket-fault', { fault, times: 0 });
    await this.#healed('at the end');
    await this.#places();
    session.send([{ type: 'cancelAll', everyone: true }]);
    await until(() => parts.state.openOrders === 0 && parts.venue.isQuiet, 'no own order left');
    await this.#healed('after the last cancel');
    if (parts.state.unexplained > 0) this.differences.push(`${parts.state.unexplained} events contradict the holdings`);
    const numbers = parts.records.rows.map(({ order }) => order);
    if (new Set(numbers).size < numbers.length) this.differences.push('an order was signed twice');
  }

  async close(): Promise<ChaosTally> {
    await this.#life?.session.close();
    await this.#setVersion(2);
    this.#direct.close();
    return { ...this.#seen, differences: [...new Set(this.differences)], faults: this.#faults };
  }

  /** The process is gone. What it sent before comes to the venue all the same, perhaps when the next one runs. */
  async #crash(): Promise<void> {
    if (this.#life === undefined) return;
    this.#seen.crashes += 1;
    const { parts, session } = this.#life;
    this.#before = { records: parts.records.afterCrash(), state: parts.state };
    this.#life = undefined;
    await session.close();
  }

  /** The database is gone: a person cancels what stands, and another bot takes the account over. */
  async #lose(): Promise<void> {
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
    if (this.#life === undefined || templates.length === 0) return [];
    const { parts, session } = this.#life;
    const orders = templates.map((each): PlaceOrder => ({ ...each, order: counted.order(this.#next++) }));
    parts.state.fold({ type: 'woke', time: wallClock().now() });
    for (const order of orders) parts.state.sent(order, wallClock().now());
    session.send(orders);
    return orders;
  }

  #canSell({ outcome, shares }: Template): boolean {
    const market = this.#life?.parts.state.market(MARKET);
    const selling = (market?.orders ?? []).filter((each) => each.side === 'SELL' && each.outcome === outcome);
    const held = selling.reduce((sum, { life }) => sum + life.remaining, 0);
    return (market?.sellable(outcome) ?? 0) - held >= shares;
  }

  /** New orders are taken, two in one request. */
  async #places(): Promise<void> {
    const state = this.#life?.parts.state;
    for (let tries = 0; tries < 8; tries += 1) {
      const orders = this.#place([CHEAP, CHEAP]).map(({ order }) => order);
      await pause(700);
      const open = (state?.market(MARKET).orders ?? []).filter(
        (each) => orders.includes(each.order) && each.life.isLive,
      );
      if (open.length === orders.length) return;
    }
    this.differences.push('new orders are not taken any more');
  }

  /** Waits for agreement, and compares orders, shares and cash with the venue's own figures. */
  async #healed(when: string): Promise<void> {
    const { venue } = this.#life?.parts ?? {};
    let left: readonly string[] = [];
    for (let tries = 0; tries < 50; tries += 1) {
      await until(() => venue?.isQuiet ?? true, `${when}: quiet`);
      await venue?.audit().catch(() => undefined);
      left = await this.#compare();
      if (left.length === 0) return;
      await pause(300);
    }
    this.differences.push(...left.map((text) => `${when}: ${text}`));
  }

  async #compare(): Promise<readonly string[]> {
    if (this.#life === undefined) return ['no process'];
    const { venue, state, records, orders } = this.#life.parts;
    const found: string[] = [];
    const market = state.market(MARKET);
    const { yes, no } = market.position;
    const token = (token_id: string) => this.#balance({ asset_type: 'CONDITIONAL', token_id });
    const [venueYes, venueNo, cash] = await Promise.all([
      token(this.#testMarket.yes),
      token(this.#testMarket.no),
      this.#balance({ asset_type: 'COLLATERAL' }),
    ]);
    const most = this.#isTakenOver ? LOT : 0;
    if (Math.abs(yes - venueYes) > most) found.push(`${yes} YES, ${venueYes} at the venue`);
    if (Math.abs(no - venueNo) > most) found.push(`${no} NO, ${venueNo} at the venue`);
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
