/**
 * Measures the time from a breach of a limit to the last byte of the cancel of all orders. Meanwhile, 5,000 book
 * changes per second arrive, and 200 markets are quoted on both sides. Also measures ages of book frames when they are
 * read.
 *
 * The cause of a breach is a book frame (a loss), an account event (another client bought a position) or a timer (clock
 * skew). The time starts when the feeder wrote the frame, at the venue time of the fill, or when the timer fired. It
 * includes waits in the kernel and behind other frames.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unchecked } from '../src/domain/index.ts';
import { keyOf, login, openSigningTools, queryVenue, type SigningTools, signOrder } from '../test/server/trader.ts';
import { type Bench, type BenchRow, quantile } from './harness.ts';
import { LiveHarness } from './workload/live-harness.ts';
import { VenueProcess } from './workload/venue-process.ts';

const MARKETS = 200;
const PER_SECOND = 5_000;
/** Share of the changes that move a best price. */
const MOVING = 0.1;
const SECONDS = 30;
const KILLS = 20;
const FOLDER = join(import.meta.dirname, 'out', 'kill-switch');
const ACCOUNT = 21;
const MAKER = 22;
/** Shares of the position that falls, and the limit of a position. */
const HELD = 1_000;
const MAX_HELD = 1_500;
const MICRO_SHARES_PER_SHARE = 1_000_000;
const MICROS_PER_SECOND = 1e6;
const KINDS = ['frame', 'event', 'timer'] as const;
type Kind = (typeof KINDS)[number];

/** A client with a key that trades without a bot. */
class ManualTrader {
  readonly #tools: SigningTools;
  readonly #url: string;
  readonly #keyNumber: number;
  #salt = Date.now() * 1_000;

  constructor(tools: SigningTools, url: string, keyNumber: number) {
    this.#tools = tools;
    this.#url = url;
    this.#keyNumber = keyNumber;
  }

  async trade(marketId: string, outcome: 'YES' | 'NO', side: 'BUY' | 'SELL', priceBps: number, shares: number) {
    const key = keyOf(this.#tools, this.#keyNumber);
    const token = await login(this.#url, this.#tools, key);
    const { tradingSafety } = await queryVenue(this.#url, token, '{ tradingSafety { orderEpoch } }', {});
    this.#salt += 1;
    const microShares = shares * MICRO_SHARES_PER_SHARE;
    const request = { marketId, outcome, side, priceBps, shares: microShares, timestampMs: Date.now() };
    const { message: unsigned } = signOrder(this.#tools, key, request, this.#salt);
    const message = { ...unsigned, epoch: Number(tradingSafety.orderEpoch) };
    const { wire, sign } = this.#tools.messages.order;
    const order = { ...wire(message), signature: sign(message, key).signature };
    const text = 'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted rejection { reason message } } }';
    const { placeOrder } = await queryVenue(this.#url, token, text, { i: { order } });
    if (placeOrder.accepted !== true) throw new Error(`refused: ${JSON.stringify(placeOrder)}`);
  }
}

async function until(condition: () => boolean, description: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`timed out waiting for: ${description}`);
    await pause(5);
  }
}

/** Triggers the kill switch once and resumes. @returns time from the breach to the cancel, ms */
async function timeKill(harness: LiveHarness, owner: ManualTrader, kind: Kind, markets: readonly string[]) {
  const [lossMarket = '', heldMarket = ''] = markets;
  let begunAt = 0;
  const before = harness.cancelled.length;
  if (kind === 'event') {
    harness.onStep = ({ event }) => {
      if (event?.type === 'orderFilled' && event.order === 0 && begunAt === 0) begunAt = event.venueTime;
    };
    await owner.trade(heldMarket, 'YES', 'BUY', 5_010, 2 * HELD);
  } else if (kind === 'timer') {
    harness.sawSkewAt = undefined;
    harness.skewMs = 5_000;
  } else {
    begunAt = Date.now();
    harness.changeBids(lossMarket, 'remove');
  }
  await until(() => harness.cancelled.length > before, `a cancel after a breach by ${kind}`);
  const elapsedMs = (harness.cancelled[before] ?? 0) - (kind === 'timer' ? (harness.sawSkewAt ?? 0) : begunAt);
  await until(() => harness.bot.status().killVerified === true, 'the venue confirms the kill');
  harness.onStep = () => {};
  harness.skewMs = 0;
  if (kind === 'event') await owner.trade(heldMarket, 'YES', 'SELL', 4_990, 2 * HELD);
  if (kind === 'frame') harness.changeBids(lossMarket, 'restore');
  const isSold = () =>
    Math.abs(harness.state.market(unchecked.market(1)).position.net) <= MAX_HELD * MICRO_SHARES_PER_SHARE;
  await until(isSold, 'the bought shares are sold');
  await pause(300);
  await harness.bot.operate('resume', undefined);
  await until(() => harness.state.openOrderCount >= 2 * MARKETS - 4, 'all markets are quoted again');
  return elapsedMs;
}

const bench: Bench = async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const tools = await openSigningTools();
  const venue = await VenueProcess.open();
  const markets = await venue.openMarkets(MARKETS);
  const [lossMarket = '', heldMarket = ''] = markets;
  const [owner, maker] = [new ManualTrader(tools, venue.url, ACCOUNT), new ManualTrader(tools, venue.url, MAKER)];
  for (const market of [lossMarket, heldMarket]) {
    await maker.trade(market, 'YES', 'BUY', 4_990, 1_000_000);
    await maker.trade(market, 'NO', 'BUY', 4_990, 1_000_000);
  }
  await owner.trade(lossMarket, 'YES', 'BUY', 5_010, HELD);
  const harness = await LiveHarness.open({
    url: venue.url,
    markets,
    tools,
    account: ACCOUNT,
    folder: FOLDER,
    lossUsd: 20,
    maxHeld: MAX_HELD,
    minAgeMs: 1_000,
  });
  await harness.feed({ perSecond: PER_SECOND, seconds: 5, moving: MOVING });
  harness.ages.length = 0;
  const before = harness.orders;
  const cpu = process.cpuUsage();
  await harness.feed({ perSecond: PER_SECOND, seconds: SECONDS, moving: MOVING });
  const placed = harness.orders - before;
  const { user, system } = process.cpuUsage(cpu);
  const ages = harness.ages.splice(0);
  const cpuMicros = (user + system) / (PER_SECOND * SECONDS);

  const times: Record<Kind, number[]> = { frame: [], event: [], timer: [] };
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) await harness.feed({ perSecond: PER_SECOND, seconds: 1, moving: MOVING });
  })();
  for (let count = 0; count < KILLS; count += 1) {
    for (const kind of KINDS) times[kind].push(await timeKill(harness, owner, kind, markets));
  }
  isOver = true;
  await feeding;
  await harness.close();
  await venue.close();
  const all = KINDS.flatMap((kind) => times[kind]);
  const rows = KINDS.flatMap((kind): BenchRow[] => [
    { label: `breach by a ${kind} to cancelAll written, p50`, value: quantile(times[kind], 0.5), unit: 'ms' },
    { label: 'the same, maximum', value: quantile(times[kind], 1), unit: 'ms' },
  ]);
  const [moves, orders] = [PER_SECOND * MOVING, placed / SECONDS];
  return {
    results: [
      ...rows,
      { label: 'all breaches, p99', value: quantile(all, 0.99), unit: 'ms' },
      { label: `age of frames when read, ${PER_SECOND}/s, p50`, value: quantile(ages, 0.5), unit: 'ms' },
      { label: 'the same, p99', value: quantile(ages, 0.99), unit: 'ms' },
      { label: 'the same, maximum', value: quantile(ages, 1), unit: 'ms' },
      { label: 'processor time per frame, including requotes', value: cpuMicros, unit: 'us' },
      { label: 'moves of a best price per second', value: moves, unit: '' },
      { label: 'orders placed per second', value: orders, unit: '' },
    ],
    ratios: { movesAnOrder: moves / orders },
    values: {
      p50Ms: quantile(all, 0.5),
      p99Ms: quantile(all, 0.99),
      mostMs: quantile(all, 1),
      oldestUnreadP99Ms: quantile(ages, 0.99),
      oldestUnreadMostMs: quantile(ages, 1),
      ordersPerSecond: orders,
      cpuUsPerFrame: cpuMicros,
      coreShare: (cpuMicros * PER_SECOND) / MICROS_PER_SECOND,
    },
    notes: [
      `${all.length} kills, each confirmed by the venue before trading resumed; whole milliseconds. ${ages.length} frames in ${SECONDS} s, ${MARKETS} markets quoted.`,
      'A feeder sends 5,000 book changes per second, and orders go to the embedded venue: three processes on this machine.',
      'A quote stays for at least a second, as with the included strategies. Moves within that second are coalesced.',
    ],
  };
};

export default bench;
