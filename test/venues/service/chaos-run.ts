/**
 * A bot, a stranger and a line full of faults, all from one seed; in the end everything heals, and bot and venue have to agree
 * to the micro-unit: with quotes standing, and again without. On the way nothing may be sent beyond the bot's limits or on a
 * stale book, and no order may come to the venue that was not signed and stored first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import type { Intent } from '../../../src/domain/index.ts';
import { keyOf } from '../../server/trader.ts';
import { BookWatch, type Bounds, excesses } from './chaos-watch.ts';
import type { Rule } from './faulty-proxy.ts';
import { accountAt, Bot, type BotOptions, differences, Harness, IGNORE_CONNECTION_LOSS, Trader } from './harness.ts';
import { pairs, quotes, take } from './quoting.ts';

/** What the bot may do in these runs; the watch holds it to them. */
export const BOUNDS: Bounds = { maxPosition: 25, maxOrder: 12, maxBookAgeMs: 6_500 };
/** A venue says every five seconds that a book is as it was. */
const GONE_MS = 8_000;
const WIDE = { capacity: 1_000_000, perSecond: 1_000_000 };

/** A venue on a file that can be restarted; its own rate limits do not matter here. */
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
  readonly bend?: BotOptions['bend'];
  /** What it is held to. Default `BOUNDS`. */
  readonly bounds?: Bounds;
  /** Limits of the bot, where they are to differ from `BOUNDS`. */
  readonly risk?: BotOptions['risk'];
  readonly books?: BotOptions['books'];
}

/** What it came to. */
export interface ChaosTally {
  readonly differences: readonly string[];
  readonly faults: readonly string[];
  /** Faults that the line put in. */
  readonly met: number;
  readonly fills: number;
  readonly uncertain: number;
  readonly crashes: number;
  readonly restarts: number;
  /** Times that the books fell silent. */
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

function ruleOf(random: Random): Rule {
  const isUp = random.int(2) === 0;
  const words = isUp ? UP : DOWN;
  const match = words[random.int(words.length)] ?? 'placeOrder';
  const faults = isUp
    ? (['drop', 'cut', 'passAndCut', 'late', 'page'] as const)
    : (['drop', 'cut', 'twice', 'passAndCut'] as const);
  const fault = faults[random.int(faults.length)] ?? 'cut';
  // Nothing bounds how late a split or merge may come: beyond `settleMs` only an audit finds it.
  const isBounded = fault !== 'late' || !match.includes('Position');
  return { direction: isUp ? 'up' : 'down', match, fault: isBounded ? fault : 'cut', times: 1 + random.int(2) };
}

function randomIntent(random: Random): Intent {
  const what = random.int(12);
  if (what === 0) return take(random.int(2) === 0 ? 'BUY' : 'SELL', 4_000 + 10 * random.int(200), 1 + random.int(5));
  if (what === 1) return pairs('split', 1 + random.int(4));
  if (what === 2) return pairs('merge', 1 + random.int(2));
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
  bend,
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
    bend: seed % 3 === 0 ? bend : { ...IGNORE_CONNECTION_LOSS, ...bend },
  };
  let bot = await Bot.start(harness, options);
  const watch = new BookWatch(bounds);
  watch.join(bot.line);
  const seen = { met: 0, fills: 0, uncertain: 0, crashes: 0, restarts: 0, freezes: 0 };
  const faults: string[] = [];
  const count = (): void => {
    seen.met += bot.line.met.length;
    seen.fills += bot.received('orderFilled').length;
    seen.uncertain += bot.received('orderUncertain').length;
    faults.push(...bot.faults.map(String));
  };
  try {
    for (let step = 0; step < steps; step += 1) {
      const what = random.int(100);
      if (step === Math.floor(steps / 2) && seed % 3 === 1) {
        seen.freezes += 1;
        faults.push(...(await frozen(harness, bot, random)));
      } else if (what < 40) bot.submit(randomIntent(random));
      else if (what < 65) await strangerTrades(other, id, random);
      else if (what < 85) bot.line.rule(ruleOf(random));
      else if (what < 90) bot.line.cutSockets();
      else if (what < 93) bot.line.release();
      else if (what < 96) await bot.service.audit().catch(() => undefined);
      else if (what < 98) {
        count();
        const records = await bot.crash();
        seen.crashes += 1;
        const unanswered = unansweredOf(bot);
        bot = await Bot.start(harness, { ...options, records, options: { unanswered } });
        watch.join(bot.line);
      } else {
        seen.restarts += 1;
        await harness.restart();
        other = await Trader.of(harness, other.key);
      }
      await pause(random.int(30));
    }
    bot.line.heal();
    await bot.until(() => bot.settled, 'settled', 60_000);
    const found = [...(await settledDifferences(harness, bot))];
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrders === 0 && bot.settled, 'no own order left', 60_000);
    found.push(...(await settledDifferences(harness, bot)));
    count();
    found.push(...(await strange(harness, bot)), ...excesses(bot.records.steps, bounds), ...watch.faults);
    return { ...seen, faults, differences: found };
  } finally {
    await bot.close();
  }
}

/** What differs when nothing moves any more. A swallowed line has to be missed first: the stream says each five seconds where it stands. */
async function settledDifferences(harness: Harness, bot: Bot): Promise<readonly string[]> {
  for (let left = 40; left > 0 && (await differences(harness, bot)).length > 0; left -= 1) await pause(250);
  return differences(harness, bot);
}

/** No book message arrives any more, all else does: open orders have to go, and intents may not be executed. */
async function frozen(harness: Harness, bot: Bot, random: Random): Promise<readonly string[]> {
  bot.line.heal();
  await bot.until(() => bot.settled, 'settled before the freeze', 60_000);
  bot.submit(randomIntent(random));
  bot.line.rule({ direction: 'down', match: 'orderBookUpdated', fault: 'drop', times: Number.POSITIVE_INFINITY });
  const end = performance.now() + GONE_MS;
  while (performance.now() < end) await pause(200);
  for (let count = 0; count < 5; count += 1) {
    bot.submit(randomIntent(random));
    await pause(random.int(100));
  }
  const { open } = await accountAt(harness, bot.key);
  bot.line.heal();
  return open.size === 0 ? [] : [`${open.size} quotes stand on a book that was not updated for ${GONE_MS} ms`];
}

/** Splits and merges that the stored steps do not tell the end of, oldest first. */
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

/** What must not have been needed: corrections by the venue's word, and what contradicts itself. */
async function strange(harness: Harness, bot: Bot): Promise<readonly string[]> {
  const { open } = await accountAt(harness, bot.key);
  const found: string[] = [];
  if (bot.state.unexplained > 0) found.push(`${bot.state.unexplained} events contradict the holdings`);
  if (open.size > 0) found.push(`${open.size} orders stand at the venue`);
  const me = await Trader.of(harness, bot.key);
  for (let after: string | null = null; ; ) {
    const text =
      'query ($i: OrdersInput) { orders(input: $i) { edges { node { id } } pageInfo { hasNextPage endCursor } } }';
    const { orders } = await me.ask(text, { i: { first: 100, ...(after === null ? {} : { after }) } });
    for (const { node } of orders.edges) {
      if (bot.records.find(node.id) === undefined)
        found.push(`order ${node.id} came to the venue and was never stored`);
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

/** Somebody takes what he can, and most often leaves nothing behind. Refusals (cash, server down) are no matter here. */
async function strangerTrades(other: Trader, marketId: string, random: Random): Promise<void> {
  const isBid = random.int(2) === 0;
  const price = 4_900 + 10 * random.int(20) + (isBid ? 60 : -60);
  const options = { marketId, side: 'BUY', shares: 1 + random.int(8) } as const;
  const leaves = random.int(5) === 0;
  try {
    await other.place(
      isBid ? { ...options, outcome: 'YES', priceBps: price } : { ...options, outcome: 'NO', priceBps: 10_000 - price },
    );
    if (!leaves) await other.ask('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: marketId });
  } catch {
    return;
  }
}
