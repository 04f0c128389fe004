/** Assembles a paper bot: real market data, fills by the simulated venue. Sends nothing and reads no key. */
import { dirname } from 'node:path';
import { readLatency } from '../backtest/index.ts';
import { type Clock, type Random, seededRandom, sleep } from '../clock/index.ts';
import type { LiveFile } from '../config/live-schema.ts';
import { type Fault, LOT, type MarketNo, parseUsd, unchecked } from '../domain/index.ts';
import { clearControlPath, guardedClock, RunOutcome } from '../ops/index.ts';
import type { MarketSetup } from '../state/index.ts';
import { BotStore } from '../store/index.ts';
import type { MarketData } from '../venues/base/index.ts';
import { buildModels, type PaperMarket, PaperVenue } from '../venues/sim/index.ts';
import { assembleBot, createMarketChanges } from './live/bot.ts';
import type { VenueConnection } from './live/connection.ts';
import { createLiveCore } from './live/core.ts';
import { allMarkets, readLiveMarkets } from './live/markets.ts';
import { openAlerts, openTargets } from './live/messaging.ts';
import type { LiveInput, LiveStart, OpenedLive } from './live/opened-live.ts';
import { connectPolymarket } from './live/polymarket.ts';
import { connectService } from './live/service.ts';
import { startUp } from './startup.ts';

const PAPER = 'paper';

/** Opens a paper bot without a database. @throws FileFault, InputFault; Fault LINK, BLOCKED, VENUE; as `startUp` */
export function openPaper(input: LiveInput): Promise<OpenedLive> {
  return startUp(input, (closers) => openBot({ ...input, closers, outcome: new RunOutcome() }));
}

async function openBot(start: LiveStart): Promise<OpenedLive> {
  const { live, paths, strategies, log, closers } = start;
  const { file } = live;
  await clearControlPath(paths.socket);
  const targets = openTargets(live, start.redactor);
  const connection = await (file.venue.polymarket === undefined ? connectService(start) : connectPolymarket(start));
  const { clock, directory, marketData } = connection;
  const markets = await readLiveMarkets({ live, directory, log }, undefined);
  const { present, grids } = markets;
  strategies.assertMarkets(allMarkets(markets));
  const random = seededRandom(file.seed);
  const core = createLiveCore({ file, strategies, markets, recovered: undefined, random, strategyLog: { log, clock } });
  const onMarketFailed = (market: MarketNo | undefined, fault: Fault): void => changes.onMarketFailed(market, fault);
  const venue = createPaperVenue(start, { connection, present, random: random.fork('paper'), onMarketFailed });
  for (const each of present) venue.addMarket(toPaperMarket(each));
  const store = BotStore.open({ file: ':memory:', name: PAPER, spec: JSON.stringify(file) });
  closers.add(() => store.close(clock.now()));
  const alerts = openAlerts(start, targets, clock);
  const paperData: Pick<MarketData, 'add' | 'remove'> = {
    add(selected) {
      venue.addMarket(toPaperMarket(selected));
      return marketData.add(selected);
    },
    remove: (market) => marketData.remove(market),
  };
  const changes = createMarketChanges(start, { directory, marketData: paperData, core, grids }, alerts);
  const countOpen = (): Promise<number> => Promise.resolve(venue.exchange.openOrderCount);
  const assembled = assembleBot(start, {
    targets,
    connection,
    core,
    store,
    venue,
    alerts,
    changes,
    account: PAPER,
    earlierRuns: { since: undefined, fillCount: 0, fills: [] },
    // This client cancels nothing. Only the core's own cancel-all can cancel simulated orders.
    client: { countOpenOrders: countOpen, cancelAll: countOpen, cancelOrders: countOpen },
    unfinishedOrders: () => [],
    reconciled: () => 'agrees',
    verifyNoneOpen: (timeoutMs) => waitUntilNoneOpen(countOpen, clock, timeoutMs),
    storeStateAndLease: () => store.storeState(),
  });
  return {
    ...assembled,
    account: PAPER,
    marketCount: markets.chosen.size,
    killReason: undefined,
    async start() {
      await assembled.bot.start();
      await assembled.selection?.begin();
    },
    cancelNow: () => Promise.resolve(),
    close: () => closers.close(),
  };
}

interface PaperDeps {
  readonly connection: VenueConnection;
  readonly present: readonly MarketSetup[];
  readonly random: Random;
  readonly onMarketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

/** Creates a paper venue without markets. The venue's source deposits the play money, then feeds real market data. */
function createPaperVenue({ live, outcome }: LiveStart, deps: PaperDeps): PaperVenue {
  const { connection, present, random, onMarketFailed } = deps;
  const { capital_usd: capitalUsd, ...models }: LiveFile['paper'] = live.file.paper;
  const { clock, marketData, terms } = connection;
  const { minBet, maxBet, maxExposure, feeRateBps, spreadBps } = terms;
  const capital = parseUsd('paper.capital_usd', capitalUsd);
  const fail = (error: unknown): void => outcome.fail(error);
  return new PaperVenue({
    source: {
      async start(sink) {
        const now = clock.now();
        sink.event({ type: 'cashAdjusted', time: now, venueTime: now, amount: capital });
        await connection.open();
        await marketData.start(present, {
          rows: (block, from, to) => sink.rows(block, from, to),
          onLimitsChanged: (market, limits, venueTime) =>
            sink.event({ type: 'limitsChanged', time: clock.now(), venueTime, market, limits }),
          onPricesChanged: (market, { yes, no }, venueTime) =>
            sink.event({ type: 'pricesUpdated', time: clock.now(), venueTime, market, yes, no }),
          onVenueChanged: ({ mode, link }, venueTime) =>
            sink.event({ type: 'venueChanged', time: clock.now(), venueTime, mode, link }),
          onMarketFailed,
          onFailed: fail,
        });
        return {
          async close() {
            marketData.close();
            await connection.close();
          },
        };
      },
    },
    clock: guardedClock(clock, fail),
    capital,
    limits: { minBet, maxBet, maxExposure, feeRateBps, spreadBps, minOrderShares: unchecked.shares(LOT) },
    markets: [],
    models: buildModels(models, random, [], readLatency(models.latency, dirname(live.configuration.path))),
  });
}

function toPaperMarket({ info, limits, state }: MarketSetup): PaperMarket {
  if (state === undefined) throw new Error('Invariant: a selected market has a state');
  return { market: info.market, grid: info.grid, minOrderShares: limits.minOrderShares, state };
}

/** Waits until no order is open, at most `timeoutMs`. @returns the number of orders still open */
async function waitUntilNoneOpen(countOpen: () => Promise<number>, clock: Clock, timeoutMs: number): Promise<number> {
  const deadline = clock.now() + timeoutMs;
  let openCount = await countOpen();
  while (openCount > 0 && clock.now() < deadline) {
    await sleep(clock, 20);
    openCount = await countOpen();
  }
  return openCount;
}
