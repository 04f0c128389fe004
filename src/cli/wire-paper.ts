/** Puts a paper bot together: real market data, own orders filled by the simulated venue. Nothing is sent, no key is read. */
import process from 'node:process';
import { type Clock, secureSeed, seededRandom } from '../clock/index.ts';
import { Fault, type MicroUsd, parseUsd, timeAfter } from '../domain/index.ts';
import { Alerts, guardedClock, KillSwitch, LiveBot, Tally } from '../ops/index.ts';
import { Run } from '../runtime/index.ts';
import { BotStore } from '../store/index.ts';
import {
  createMarketData,
  createTransport,
  endpointOf,
  type MarketData,
  readTerms,
  type Selected,
  type Transport,
} from '../venues/remote/index.ts';
import { buildModels, type PaperSource, PaperVenue } from '../venues/sim/index.ts';
import type { Closers } from './closers.ts';
import { bookSettings, killLimits } from './live-checks.ts';
import { liveCore } from './live-core.ts';
import { openGrids } from './live-grids.ts';
import { readLiveMarkets } from './live-markets.ts';
import { opening } from './live-opening.ts';
import { placeOptions } from './live-paths.ts';
import { type LiveRecording, openRecording, tapOf } from './live-recording.ts';
import type { LiveInput, OpenedLive } from './opened-live.ts';
import { version } from './version.ts';
import { openVenue, openWebhooks } from './wire-venue.ts';

/** What the account of a paper bot is called. */
const PAPER = 'paper';

/**
 * A bot with play money that begins anew each time: what it had is gone with the process, but for its recording.
 * @throws FileFault, InputFault; Fault LINK, BLOCKED, VENUE; as `opening`
 */
export function openPaper(input: LiveInput): Promise<OpenedLive> {
  return opening(input, (closers) => opened(input, closers));
}

async function opened({ live, paths, plans, log, redactor }: LiveInput, closers: Closers): Promise<OpenedLive> {
  const { file } = live;
  const { clock, line, headers, operations } = await openVenue(live, redactor);
  const webhooks = openWebhooks(live, redactor);
  const { url, ws_url: wsUrl, timeout_ms: timeoutMs } = file.venue;
  let recording: LiveRecording | undefined;
  const transport = createTransport({
    endpoint: endpointOf({ url, headers, ...(wsUrl === undefined ? {} : { wsUrl }) }),
    random: seededRandom(secureSeed()),
    operations,
    clock,
    log,
    settings: { timeoutMs },
    tap: tapOf(paths, () => recording),
  });
  closers.add(() => transport.close());
  const terms = await readTerms(transport);
  const wanted = { markets: file.markets, grids: openGrids(live), state: undefined };
  const markets = await readLiveMarkets({ transport, terms, ...wanted });
  const [first] = markets.present;
  if (first === undefined) throw new Fault('VENUE', 'the venue has no market that the configuration chooses');
  const random = seededRandom(file.seed);
  const made = liveCore({ file, plans, markets, recovered: undefined, random });
  const { state, gate, core, bots } = made;
  const capital = parseUsd('paper.capital_usd', file.paper.capital_usd);
  const marketData = createMarketData({
    transport,
    terms,
    settings: bookSettings(file),
  });
  const { capital_usd: _, ...assumed } = file.paper;
  const venue = new PaperVenue({
    source: sourceOf({
      transport,
      marketData,
      clock,
      markets: markets.present,
      capital,
      fail: (error) => bot.fail(error),
    }),
    clock: guardedClock(clock, (error) => bot.fail(error)),
    capital,
    limits: first.setup.limits,
    markets: markets.present.map(({ setup }) => ({ grid: setup.info.grid })),
    models: buildModels(
      assumed,
      random.fork('paper'),
      markets.present.map(() => 0),
    ),
  });
  const store = BotStore.open({ file: ':memory:', name: PAPER, spec: JSON.stringify(file) });
  closers.add(() => store.close(clock.now()));
  recording = paths.record === undefined ? undefined : openRecording({ live, log }, paths.record, made, clock);
  if (recording !== undefined) closers.add(() => recording?.finish());
  const tally = new Tally();
  const run = new Run({
    core,
    bots,
    venue: recording?.venue(venue) ?? venue,
    store: recording?.store(store) ?? store,
    clock: guardedClock(clock, (error) => bot.fail(error)),
    taps: [(steps) => tally.take(steps), (steps) => bot.steps(steps)],
  });
  closers.add(() => run.close());
  store.follow({ account: state, risk: () => gate.snapshot(), snapshot: () => made.snapshot() }, clock.now());
  const alerts = new Alerts({ webhooks, clock, log, redactor });
  closers.add(() => alerts.settled());
  const open = (): Promise<number> => Promise.resolve(venue.exchange.openOrderCount);
  const bot: LiveBot = new LiveBot({
    clock,
    log,
    run,
    state,
    gate,
    maxFeeBps: file.risk.max_fee_bps,
    place: placeOptions(paths, live.configuration.path),
    tally,
    fillsBefore: [],
    pid: process.pid,
    version: version(),
    account: PAPER,
    venue: line.base,
    // The core's own cancel-all is the only way to orders that nobody else has.
    desk: { openOrders: open, cancelAll: open, cancelThese: open },
    unsettled: () => [],
    changes: {
      strategyOn: (market) => bots.find((each) => each.markets.some((on) => on === market))?.name,
      addMarket: () => Promise.reject(unchangeable()),
      removeMarket: () => {
        throw unchangeable();
      },
      setParameter: () => {
        throw unchangeable();
      },
    },
    killSwitch: new KillSwitch(killLimits(file, terms.maxClockSkew), (market) => state.market(market).position.net),
    health: () => ({
      link: marketData.link,
      mode: marketData.mode,
      ages: marketData.ages(),
      skewMs: transport.offset.leastSkewMs,
      reconciled: 'agrees',
    }),
    verifyNoneOpen: (timeoutMs) => closed(open, clock, timeoutMs),
    alert: (kind, text, fields) => alerts.tell(kind, text, fields),
    touch: () => store.touch(),
  });
  return {
    bot,
    state,
    clock,
    tally,
    account: PAPER,
    markets: markets.chosen.size,
    killed: undefined,
    start: () => bot.start(),
    alert: (kind, text, fields) => alerts.tell(kind, text, fields),
    cancelNow: () => Promise.resolve(),
    close: () => closers.close(),
  };
}

interface SourceParts {
  readonly transport: Transport;
  readonly marketData: MarketData;
  readonly clock: Clock;
  readonly markets: readonly Selected[];
  readonly capital: MicroUsd;
  readonly fail: (error: unknown) => void;
}

/** The venue's market data as that of a paper venue; the play money comes first. */
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
        pricesTold: (market, { yes, no }, venueTime) =>
          sink.event({ type: 'pricesTold', time: clock.now(), venueTime, market, yes, no }),
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

function unchangeable(): Fault {
  return new Fault('INPUT', 'a paper run keeps its markets and parameters: change the file and start it again');
}

/** Waits until the cancels have arrived. */
function closed(open: () => Promise<number>, clock: Clock, timeoutMs: number): Promise<number> {
  const end = clock.now() + timeoutMs;
  return new Promise((resolve) => {
    const look = async (): Promise<void> => {
      const left = await open();
      if (left === 0 || clock.now() >= end) resolve(left);
      else clock.schedule(timeAfter(clock.now(), 20), () => void look());
    };
    void look();
  });
}
