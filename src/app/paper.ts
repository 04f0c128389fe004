/** Assembles a paper bot: real market data, own orders filled by the simulated venue. Sends nothing and reads no key. */
import { dirname, resolve } from 'node:path';
import { type Clock, type Random, seededRandom, sleep } from '../clock/index.ts';
import type { LiveFile } from '../config/live-schema.ts';
import { Fault, type MicroUsd, parseUsd } from '../domain/index.ts';
import { readStepLog } from '../history/index.ts';
import { type BotChanges, clearControlPath, guardedClock, RunOutcome } from '../ops/index.ts';
import type { Bot } from '../runtime/index.ts';
import { BotStore } from '../store/index.ts';
import type { Selected } from '../venues/service/index.ts';
import { buildModels, type PaperSource, PaperVenue, sessionLatency } from '../venues/sim/index.ts';
import { assembleBot, openAlerts } from './live/bot.ts';
import { connect, openAccess, type VenueConnection } from './live/connection.ts';
import { liveCore } from './live/core.ts';
import { openGrids } from './live/grids.ts';
import { allMarkets, type LiveMarkets, readLiveMarkets } from './live/markets.ts';
import type { LiveInput, LiveStart, OpenedLive } from './live/opened-live.ts';
import { startUp } from './startup.ts';

const PAPER = 'paper';

/** Opens a bot with play money and without a database file. @throws FileFault, InputFault; Fault LINK, BLOCKED, VENUE; as `startUp` */
export function openPaper(input: LiveInput): Promise<OpenedLive> {
  return startUp(input, (closers) => opened({ ...input, closers, outcome: new RunOutcome() }));
}

async function opened(start: LiveStart): Promise<OpenedLive> {
  const { live, paths, plans, closers } = start;
  const { file } = live;
  // Before the first request to the venue.
  await clearControlPath(paths.socket);
  const access = await openAccess(start);
  const { clock } = access;
  const connection = await connect(start, access);
  const { transport, terms } = connection;
  const grids = openGrids(live);
  const markets = await readLiveMarkets({ transport, terms, grids, markets: file.markets, state: undefined });
  plans.demandMarkets(allMarkets(markets));
  const random = seededRandom(file.seed);
  const core = liveCore({ file, plans, markets, recovered: undefined, random, log: { log: start.log, clock } });
  const venue = paperVenue(start, { connection, markets, clock, random: random.fork('paper') });
  const store = BotStore.open({ file: ':memory:', name: PAPER, spec: JSON.stringify(file) });
  closers.add(() => store.close(clock.now()));
  const open = (): Promise<number> => Promise.resolve(venue.exchange.openOrderCount);
  const assembled = assembleBot(start, {
    access,
    connection,
    core,
    store,
    venue,
    alerts: openAlerts(start, access),
    changes: unchangeable(core.bots),
    account: PAPER,
    before: { since: undefined, fillCount: 0, fills: [] },
    // Only the core's own cancel-all can cancel simulated orders.
    client: { openOrders: open, cancelAll: open, cancelThese: open },
    unsettled: () => [],
    reconciled: () => 'agrees',
    verifyNoneOpen: (timeoutMs) => closed(open, clock, timeoutMs),
    touch: () => store.touch(),
  });
  return {
    ...assembled,
    account: PAPER,
    markets: markets.chosen.size,
    killed: undefined,
    start: () => assembled.bot.start(),
    cancelNow: () => Promise.resolve(),
    close: () => closers.close(),
  };
}

interface PaperParts {
  readonly connection: VenueConnection;
  readonly markets: LiveMarkets;
  readonly clock: Clock;
  readonly random: Random;
}

/** @throws Fault VENUE without a market */
function paperVenue({ live, outcome }: LiveStart, { connection, markets, clock, random }: PaperParts): PaperVenue {
  const { capital_usd: capitalUsd, ...assumed }: LiveFile['paper'] = live.file.paper;
  const { present } = markets;
  const { latency } = assumed;
  const folder = dirname(live.configuration.path);
  const [first] = present;
  if (first === undefined) throw new Fault('VENUE', 'the configuration chooses no market of the venue');
  const capital = parseUsd('paper.capital_usd', capitalUsd);
  const fail = (error: unknown): void => outcome.fail(error);
  return new PaperVenue({
    source: sourceOf({ ...connection, clock, markets: present, capital, fail }),
    clock: guardedClock(clock, fail),
    capital,
    limits: first.setup.limits,
    markets: present.map(({ setup }) => ({ grid: setup.info.grid })),
    models: buildModels(
      assumed,
      random,
      present.map(() => 0),
      latency.model === 'recorded' ? sessionLatency(readStepLog(resolve(folder, latency.session)).steps()) : undefined,
    ),
  });
}

interface SourceParts extends Pick<VenueConnection, 'transport' | 'marketData'> {
  readonly clock: Clock;
  readonly markets: readonly Selected[];
  readonly capital: MicroUsd;
  readonly fail: (error: unknown) => void;
}

/** Feeds the venue's market data to the paper venue, after the play money. */
function sourceOf({ transport, marketData, clock, markets, capital, fail }: SourceParts): PaperSource {
  return {
    async start(sink) {
      const now = clock.now();
      sink.event({ type: 'cashAdjusted', time: now, venueTime: now, amount: capital });
      await transport.open();
      await marketData.start(markets, {
        rows: (block, from, to) => sink.rows(block, from, to),
        limitsChanged: (market, limits, venueTime) =>
          sink.event({ type: 'limitsChanged', time: clock.now(), venueTime, market, limits }),
        pricesChanged: (market, { yes, no }, venueTime) =>
          sink.event({ type: 'pricesUpdated', time: clock.now(), venueTime, market, yes, no }),
        venueChanged: ({ mode, link }, venueTime) =>
          sink.event({ type: 'venueChanged', time: clock.now(), venueTime, mode, link }),
        marketFailed: (_market, fault) => fail(fault),
        failed: fail,
      });
      return {
        async close() {
          marketData.close();
          await transport.close();
        },
      };
    },
  };
}

/** Refuses changes: markets and parameters of a paper run are fixed. */
function unchangeable(bots: readonly Bot[]): BotChanges {
  const refused = (): Fault =>
    new Fault('INPUT', 'a paper run keeps its markets and parameters: change the file and start it again');
  return {
    strategyOn: (market) => namesOn(market, bots),
    addMarket: () => Promise.reject(refused()),
    removeMarket: () => {
      throw refused();
    },
    setParameter: () => {
      throw refused();
    },
  };
}

function namesOn(market: number, bots: readonly Bot[]): string | undefined {
  const names = bots.filter(({ markets }) => markets.some((on) => on === market)).map(({ name }) => name);
  return names.length === 0 ? undefined : names.join(', ');
}

/** Waits until the cancels have arrived. @returns orders still open */
async function closed(open: () => Promise<number>, clock: Clock, timeoutMs: number): Promise<number> {
  const end = clock.now() + timeoutMs;
  let left = await open();
  while (left > 0 && clock.now() < end) {
    await sleep(clock, 20);
    left = await open();
  }
  return left;
}
