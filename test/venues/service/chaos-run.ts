/**
 * A chaos run: a bot, another trader and random faults of the connection, all from one seed.
 *
 * At the end all faults stop, and bot and venue must agree to the micro-unit, with open quotes and without. During the
 * run the bot may not exceed its limits or send orders on a stale book, and must store each order before sending it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import type { Intent } from '../../../src/domain/index.ts';
import { keyOf } from '../../server/trader.ts';
import { Bot, type BotOptions, IGNORE_CONNECTION_LOSS } from './bot.ts';
import { BookWatch, type Bounds, limitViolations } from './chaos-watch.ts';
import type { Rule } from './faulty-proxy.ts';
import { Harness, Trader } from './harness.ts';
import { accountAt, differences } from './holdings.ts';
import { pairs, quotes, take } from './quoting.ts';

/** Limits of the bot in these runs. */
export const BOUNDS: Bounds = { maxPosition: 25, maxOrder: 12, maxBookAgeMs: 6_500 };
/** How long the books are silent. The venue sends an idle frame every five seconds. */
const FREEZE_MS = 8_000;
const WIDE = { capacity: 1_000_000, perSecond: 1_000_000 };

/** Opens a venue on a file, so that it can be restarted, with rate limits that are never reached. */
export async function openChaosHarness(): Promise<{ readonly harness: Harness; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-chaos-'));
  const access = { buckets: { read: WIDE, order: WIDE, cancel: WIDE, parse: WIDE }, creditCents: 100_000_000 };
  const harness = await Harness.open({ db: join(folder, 'venue.sqlite'), config: {}, access });
  await harness.operate('configure', { max_clock_skew: 2_000 });
  return {
    harness,
    async close() {
      await harness.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export interface ChaosRun {
  readonly harness: Harness;
  readonly seed: number;
  readonly steps: number;
  readonly intercept?: BotOptions['intercept'];
  /** Limits that the run checks. Default `BOUNDS`. */
  readonly bounds?: Bounds;
  /** Risk limits of the bot. Default `BOUNDS`. */
  readonly risk?: BotOptions['risk'];
  readonly books?: BotOptions['books'];
}

/** The result of a run. */
export interface ChaosTally {
  readonly differences: readonly string[];
  readonly faults: readonly string[];
  /** Faults that the proxy applied. */
  readonly faultsInjected: number;
  readonly fills: number;
  readonly uncertain: number;
  readonly crashes: number;
  readonly restarts: number;
  /** Number of periods without book frames. */
  readonly freezes: number;
}

const UP = [
  'placeOrder',
  'cancelOrders',
  'replaceOrders(',
  'reduceOrder(',
  'splitPosition(',
  'mergePosition(',
  'query Order(',
  'subscription OrderEvents',
];
const DOWN = [
  '"placeOrder',
  '"cancelOrders":',
  '"replaceOrders":',
  '"reduceOrder":',
  '"orderEvents":',
  '"kind":"FILLED"',
  '"kind":"CANCELLED"',
  '"splitPosition":',
];

function randomRule(random: Random): Rule {
  const isUp = random.int(2) === 0;
  const patterns = isUp ? UP : DOWN;
  const match = patterns[random.int(patterns.length)] ?? 'placeOrder';
  const faults = isUp
    ? (['drop', 'cut', 'passAndCut', 'late', 'page'] as const)
    : (['drop', 'cut', 'twice', 'passAndCut'] as const);
  const fault = faults[random.int(faults.length)] ?? 'cut';
  // A split or merge that arrives after `settleMs` is found only by an audit.
  const isAllowed = fault !== 'late' || !match.includes('Position');
  return { direction: isUp ? 'up' : 'down', match, fault: isAllowed ? fault : 'cut', times: 1 + random.int(2) };
}

function randomIntent(random: Random): Intent {
  const action = random.int(12);
  if (action === 0) return take(random.int(2) === 0 ? 'BUY' : 'SELL', 4_000 + 10 * random.int(200), 1 + random.int(5));
  if (action === 1) return pairs('split', 1 + random.int(4));
  if (action === 2) return pairs('merge', 1 + random.int(2));
  const levels = (side: 'bid' | 'ask', base: number) =>
    Array.from(
      { length: random.int(3) },
      (_, at) => [side, base + (side === 'bid' ? -10 : 10) * (3 * at + random.int(3)), 2 + random.int(12)] as const,
    );
  const mid = 4_900 + 10 * random.int(20);
  return quotes(...levels('bid', mid - 20), ...levels('ask', mid + 20));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function chaosRun({
  harness,
  seed,
  steps,
  intercept,
  risk,
  books,
  bounds = BOUNDS,
}: ChaosRun): Promise<ChaosTally> {
  const random = seededRandom(seed);
  const id = await harness.market(100_000 + seed);
  const key = keyOf(harness.tools, 100_000 + seed);
  let other = await harness.trader();
  const options: BotOptions = {
    markets: [id],
    key,
    timeoutMs: 400,
    settings: { settleMs: 800 },
    books: books ?? { silenceMs: BOUNDS.maxBookAgeMs, staleMs: BOUNDS.maxBookAgeMs },
    risk: risk ?? {
      max_position: BOUNDS.maxPosition,
      max_order: BOUNDS.maxOrder,
      max_book_age_ms: BOUNDS.maxBookAgeMs,
    },
    intercept: seed % 3 === 0 ? intercept : { ...IGNORE_CONNECTION_LOSS, ...intercept },
  };
  let bot = await Bot.start(harness, options);
  const watch = new BookWatch(bounds);
  watch.join(bot.proxy);
  const tally = { faultsInjected: 0, fills: 0, uncertain: 0, crashes: 0, restarts: 0, freezes: 0 };
  const faults: string[] = [];
  const count = (): void => {
    tally.faultsInjected += bot.proxy.applied.length;
    tally.fills += bot.received('orderFilled').length;
    tally.uncertain += bot.received('orderUncertain').length;
    faults.push(...bot.faults.map(String));
  };
  try {
    for (let step = 0; step < steps; step += 1) {
      const action = random.int(100);
      if (step === Math.floor(steps / 2) && seed % 3 === 1) {
        tally.freezes += 1;
        faults.push(...(await freezeBooks(harness, bot, random)));
      } else if (action < 40) bot.submit(randomIntent(random));
      else if (action < 65) await tradeAsCounterparty(other, id, random);
      else if (action < 85) bot.proxy.rule(randomRule(random));
      else if (action < 90) bot.proxy.cutSockets();
      else if (action < 93) bot.proxy.release();
      else if (action < 96) await bot.service.audit().catch(() => undefined);
      else if (action < 98) {
        count();
        const records = await bot.crash();
        tally.crashes += 1;
        const unansweredConversions = unansweredOf(bot);
        bot = await Bot.start(harness, { ...options, records, options: { unansweredConversions } });
        watch.join(bot.proxy);
      } else {
        tally.restarts += 1;
        await harness.restart();
        other = await Trader.of(harness, other.key);
      }
      await pause(random.int(30));
    }
    bot.proxy.heal();
    await bot.until(() => bot.isSettled, 'settled', 60_000);
    const found = [...(await settledDifferences(harness, bot))];
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'no open order', 60_000);
    found.push(...(await settledDifferences(harness, bot)));
    count();
    found.push(
      ...(await unexpectedEvents(harness, bot)),
      ...limitViolations(bot.records.steps, bounds),
      ...watch.faults,
    );
    return { ...tally, faults, differences: found };
  } finally {
    await bot.close();
  }
}

/** Differences at rest. Waits up to 10 s, because a lost event is noticed at the next SYNC, every five seconds. */
async function settledDifferences(harness: Harness, bot: Bot): Promise<readonly string[]> {
  for (let left = 40; left > 0 && (await differences(harness, bot)).length > 0; left -= 1) await pause(250);
  return differences(harness, bot);
}

/** Drops all book frames for a while: the bot must cancel its orders and may not execute intents. */
async function freezeBooks(harness: Harness, bot: Bot, random: Random): Promise<readonly string[]> {
  bot.proxy.heal();
  await bot.until(() => bot.isSettled, 'settled before the freeze', 60_000);
  bot.submit(randomIntent(random));
  bot.proxy.rule({ direction: 'down', match: 'orderBookUpdated', fault: 'drop', times: Number.POSITIVE_INFINITY });
  const end = performance.now() + FREEZE_MS;
  while (performance.now() < end) await pause(200);
  for (let count = 0; count < 5; count += 1) {
    bot.submit(randomIntent(random));
    await pause(random.int(100));
  }
  const { open } = await accountAt(harness, bot.key);
  bot.proxy.heal();
  return open.size === 0 ? [] : [`${open.size} quotes are open on a book that was not updated for ${FREEZE_MS} ms`];
}

/** Conversions without a result in the stored steps, oldest first. */
function unansweredOf(bot: Bot): readonly Extract<Bot['commands'][number], { type: 'split' | 'merge' | 'claim' }>[] {
  const open: Extract<Bot['commands'][number], { type: 'split' | 'merge' | 'claim' }>[] = [];
  for (const { event, commands } of bot.records.steps) {
    if (event?.type === 'converted' || event?.type === 'conversionRejected') {
      const at = open.findIndex(({ type }) => type === event.conversion);
      if (at >= 0) open.splice(at, 1);
    }
    for (const command of commands) {
      if (command.type === 'split' || command.type === 'merge' || command.type === 'claim') open.push(command);
    }
  }
  return open;
}

/** Corrections and contradictions that must not occur. */
async function unexpectedEvents(harness: Harness, bot: Bot): Promise<readonly string[]> {
  const { open } = await accountAt(harness, bot.key);
  const found: string[] = [];
  if (bot.state.unexplainedEvents > 0) found.push(`${bot.state.unexplainedEvents} events contradict the holdings`);
  if (open.size > 0) found.push(`${open.size} orders are open at the venue`);
  const trader = await Trader.of(harness, bot.key);
  for (let after: string | null = null; ; ) {
    const text =
      'query ($i: OrdersInput) { orders(input: $i) { edges { node { id } } pageInfo { hasNextPage endCursor } } }';
    const { orders } = await trader.query(text, { i: { first: 100, ...(after === null ? {} : { after }) } });
    for (const { node } of orders.edges) {
      if (bot.records.findByHash(node.id) === undefined)
        found.push(`order ${node.id} is at the venue but was never stored`);
    }
    if (!orders.pageInfo.hasNextPage) break;
    after = orders.pageInfo.endCursor;
  }
  const adjusted = bot.records.steps.filter(({ event }) => event?.type === 'holdingAdjusted').length;
  if (adjusted > 0) found.push(`${adjusted} holdings were adjusted`);
  const cash = bot.records.steps.filter(({ event }) => event?.type === 'cashAdjusted').length;
  if (cash !== 1) found.push(`cash was adjusted ${cash} times`);
  return found;
}

/** Places an order that may trade, and mostly cancels its rest. Ignores refusals. */
async function tradeAsCounterparty(other: Trader, marketId: string, random: Random): Promise<void> {
  const isBid = random.int(2) === 0;
  const price = 4_900 + 10 * random.int(20) + (isBid ? 60 : -60);
  const options = { marketId, side: 'BUY', shares: 1 + random.int(8) } as const;
  const rests = random.int(5) === 0;
  try {
    await other.place(
      isBid ? { ...options, outcome: 'YES', priceBps: price } : { ...options, outcome: 'NO', priceBps: 10_000 - price },
    );
    if (!rests) await other.query('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: marketId });
  } catch {
    return;
  }
}
