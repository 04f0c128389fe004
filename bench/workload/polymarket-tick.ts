/**
 * Measures the time from a book frame to the bytes of the signed order, with the Polymarket adapter and with the
 * service adapter. They take turns, on one venue and with one strategy.
 *
 * The strategy quotes while the best bid is high, and cancels the quote when the bid falls. It never moves a quote,
 * because Polymarket has no replace: a move would wait for the venue between the cancel and the new order.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compileEarly } from '../../src/app/v8-flags.ts';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { gridBelow } from '../../src/domain/index.ts';
import { HttpClient } from '../../src/network/index.ts';
import { POLYMARKET_CONTRACTS } from '../../src/protocol/polymarket/index.ts';
import type { Run } from '../../src/runtime/index.ts';
import { polymarketSignIns } from '../../src/signing/index.ts';
import type { BotStore } from '../../src/store/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import { saltSecret } from '../../src/venues/base/index.ts';
import {
  openApiKey,
  PolymarketDirectory,
  PolymarketMarketData,
  PolymarketSigner,
  PolymarketVenue,
  RestClient,
  readOrderVersion,
} from '../../src/venues/polymarket/index.ts';
import { keyOf, openSigningTools } from '../../test/server/trader.ts';
import { collectGarbage, quantile, type Sample, summarise } from '../harness.ts';
import type { MoveRequest } from './book-mover.ts';
import { Child } from './child.ts';
import { botParts, SILENT, SIZE } from './live-parts.ts';
import { bindOwnCore } from './own-core.ts';
import { markedRecords, TickBot, type TickBotOptions, TickWarmup, tickRun } from './tick-bot.ts';
import { MARK, type Tick, TickClock } from './tick-clock.ts';
import { VenueProcess } from './venue-process.ts';

const FOLDER = join(import.meta.dirname, '..', 'out', 'polymarket-tick');
const CHAIN = 137;
const NAMES = ['polymarket', 'service'] as const;
type Name = (typeof NAMES)[number];
const WARM_UP_MOVES = 1_000;
const MOVES = 400;
/** As in `npm run bench -- tick-to-order`. */
const PAUSE_MS = 4;
/** The mover's bids are 4,000 and 4,500. */
const HIGH_BPS = 4_250;

/** Median microseconds from a frame to the signed order, and to the system call that wrote it. */
export interface TickTimes {
  readonly signed: Sample;
  readonly written: Sample;
}

export async function polymarketTicks(rounds: number): Promise<Readonly<Record<Name, TickTimes>>> {
  // As in `halfspread run`.
  compileEarly();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const [tools, clock] = [await openSigningTools(), new TickClock()];
  const venue = await VenueProcess.open(['polymarket']);
  const ids = await venue.openMarkets(NAMES.length);
  const findMarket = (name: Name): string => ids[NAMES.indexOf(name)] ?? '';
  const mover = await Child.open('book-mover.ts', [venue.url]);
  const move = (request: MoveRequest) => mover.request(request);
  bindOwnCore([venue.pid, mover.pid]);
  for (const name of NAMES) await move({ market: findMarket(name), moves: 0, pauseMs: 0 });
  const common = { url: venue.url, tools, folder: FOLDER, clock, sides: 1, handlers: quoter } as const;
  const service = await TickBot.start({ ...common, market: findMarket('service'), account: 21 });
  const polymarket = await PolymarketTickBot.start({ ...common, market: findMarket('polymarket'), account: 22 });
  const ticks: Record<Name, Tick[][]> = { polymarket: [], service: [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      collectGarbage();
      service.use(name === 'service' ? 'on' : 'off');
      polymarket.use(name === 'polymarket' ? 'on' : 'off');
      const moves = round < 0 ? WARM_UP_MOVES : MOVES;
      clock.start();
      await move({ market: findMarket(name), moves, pauseMs: PAUSE_MS });
      const found = [...clock.stop()];
      // The strategy quotes at every second move.
      if (found.length < moves / 4) throw new Error(`${name}: ${found.length} orders after ${moves} moves`);
      if (round >= 0) ticks[name].push(found);
    }
  }
  clock.close();
  await mover.close();
  await service.close();
  await polymarket.close();
  await venue.close();
  rmSync(FOLDER, { recursive: true });
  const medianOf = (name: Name, micros: (tick: Tick) => number): Sample =>
    summarise(ticks[name].map((round) => quantile(round.map(micros), 0.5)));
  const summariseTimes = (name: Name): TickTimes => {
    return { signed: medianOf(name, untilSigned), written: medianOf(name, ({ wall }) => wall) };
  };
  return { polymarket: summariseTimes('polymarket'), service: summariseTimes('service') };
}

function untilSigned({ stages }: Tick): number {
  return stages.slice(0, MARK.logged + 1).reduce((sum, micros) => sum + micros, 0);
}

function quoter(): StrategyHandlers {
  return {
    onBook({ book, info }) {
      const bid = book.bestBid();
      const lower = bid === undefined ? undefined : gridBelow(info.grid, gridBelow(info.grid, bid) ?? bid);
      if (bid === undefined || lower === undefined) return undefined;
      const quotes = bid > HIGH_BPS ? [{ side: 'bid', price: lower, shares: SIZE } as const] : [];
      return [{ type: 'quote', market: info.market, quotes }];
    },
  };
}

/** A complete Polymarket bot, assembled as in `halfspread run`, with its database file. */
class PolymarketTickBot {
  readonly #run: Run;
  readonly #store: BotStore;
  readonly #http: HttpClient;
  readonly #warmup: TickWarmup;
  readonly #faults: readonly Error[];

  private constructor(run: Run, store: BotStore, http: HttpClient, warmup: TickWarmup, faults: readonly Error[]) {
    this.#run = run;
    this.#store = store;
    this.#http = http;
    this.#warmup = warmup;
    this.#faults = faults;
  }

  static async start({ url, tools, market, account, folder, clock: ticks, handlers = quoter }: TickBotOptions) {
    const clock = wallClock();
    const { signer } = tools;
    const [key, clobUrl, http] = [keyOf(tools, account), `${url}/polymarket`, new HttpClient({ clock })];
    const wsUrl = `${clobUrl.replace('http', 'ws')}/ws`;
    const directory = new PolymarketDirectory({ http, log: SILENT, gammaUrl: `${clobUrl}/gamma`, clobUrl });
    const markets = await directory.select({ slugs: [await readSlug(url, market)] });
    const random = seededRandom(account);
    const marketData = new PolymarketMarketData({ clock, random, log: SILENT, http, clobUrl, wsUrl, directory });
    const rest = new RestClient({ clobUrl, clock, offset: marketData.offset, timeoutMs: 5_000 });
    const credentials = await openApiKey(rest, polymarketSignIns(signer, CHAIN), key);
    rest.setCredentials(credentials);
    const options = { folder, file: `${account}.db`, handlers, cancelsFirst: true };
    const { store, state, core, instances, follow } = botParts(markets, options);
    const contracts = POLYMARKET_CONTRACTS[CHAIN];
    if (contracts === undefined) throw new Error('Invariant: the chain has no contracts');
    const faults: Error[] = [];
    const counts = { signed: 0 };
    const venue = new PolymarketVenue({
      ...{ rest, credentials, clock, random, marketData, markets, table: directory.table, signatureType: 0 },
      userUrl: `${wsUrl}/user`,
      log: SILENT,
      signer: new PolymarketSigner({
        ...{ signer, key, maker: key.address, signatureType: 0, owner: credentials.apiKey, markets: directory.table },
        chainId: CHAIN,
        saltSecret: saltSecret(signer, key),
      }),
      readVersion: () => readOrderVersion(rest),
      contracts,
      records: markedRecords(store, ticks, counts),
      view: state,
      onFault: (error) => faults.push(error),
      onMarketFailed: (_market, fault) => faults.push(fault),
    });
    const run = tickRun({ core, instances, venue }, store, ticks);
    follow();
    const warmup = await TickWarmup.open(tools, join(folder, `${account}.db`), () => counts.signed);
    await run.start();
    return new PolymarketTickBot(run, store, http, warmup, faults);
  }

  use(mode: 'off' | 'on'): void {
    this.#warmup.use(mode);
  }

  async close(): Promise<void> {
    await this.#warmup.close();
    await this.#run.close();
    await this.#store.close(Date.now());
    this.#http.close();
    const [fault] = this.#faults;
    if (fault !== undefined) throw fault;
  }
}

async function readSlug(url: string, id: string): Promise<string> {
  const query = JSON.stringify({ query: `{ market(id: "${id}") { slug } }` });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: query });
  return String(Object(await answer.json()).data.market.slug);
}
