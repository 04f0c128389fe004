/**
 * Reports of a bot for its watchers. Each report is created once for all watchers, as JSON. A further watcher costs
 * only a write.
 *
 * Invariant: creating reports takes about a fiftieth of the bot's time, so reports come less often with many markets.
 * An operator's command triggers a report at once and delays the following reports.
 */
import { repeatEvery, seededRandom } from '../../clock/index.ts';
import type { InputEvent } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { TradedMarket } from '../../state/index.ts';
import { type Block, FLAG, KIND, SIDE } from '../../tape/index.ts';
import type { BotStatus } from '../control/bot-port.ts';
import type { LiveBotDeps } from '../live/live-bot-deps.ts';
import { findByName } from '../live/market-names.ts';
import { Measures } from './measures.ts';
import { type Pace, PacedReport } from './paced-report.ts';
import type { MeasuredReport, TradeReport } from './report-types.ts';
import { botReport, botSlices, type MarketExtras, marketSlices, type ReportSource } from './reports.ts';

const SAMPLE_MS = 100;
/** Shortest time between two reports, except after an operator's command. */
const REPORT_MS = 100;
/** Interval at which a watcher's connection checks for a new report. */
export const WATCH_MS = 10;
const MARKOUTS_INTERVAL_MS = 5_000;
/** Time without a request after which a market is no longer watched, ms. */
const UNWATCHED_MS = 10_000;
const MAX_TRADES = 50;

/** Rare events that an operator waits for. Each event triggers a report at once. */
const AWAITED: ReadonlySet<string> = new Set<InputEvent['type']>([
  'operatorCommanded',
  'cancelCommanded',
  'parameterSet',
  'marketAdded',
  'marketRemoved',
  'feeConfirmed',
]);

interface WatchedMarket {
  requestedAt: number;
  readonly report: PacedReport;
  /** The last trades, the oldest first. */
  readonly trades: TradeReport[];
  markouts: MarketExtras['markouts'];
  markoutsAt: number;
}

export class BotFeed {
  readonly #deps: LiveBotDeps;
  readonly #source: ReportSource;
  readonly #measures: Measures;
  /** By market number. */
  readonly #watched = new Map<number, WatchedMarket>();
  /** Code of the last refusal by market number. */
  readonly #lastRefusals = new Map<number, string>();
  readonly #botReport = new PacedReport();
  readonly #stop: () => void;

  constructor(deps: LiveBotDeps, status: () => BotStatus) {
    const { state, clock, uptimeConditions, times } = deps;
    this.#deps = deps;
    const onAnswer = (ms: number): void => times.recordAnswer(ms);
    this.#measures = new Measures({ state, uptimeConditions, startedAt: clock.now(), onAnswer });
    this.#source = { deps, measures: this.#measures, status };
    this.#stop = repeatEvery(clock, SAMPLE_MS, () => this.#sample());
  }

  close(): void {
    this.#stop();
    this.#deps.run.listenToRows(undefined);
  }

  onSteps(steps: readonly Step[]): void {
    this.#measures.onSteps(steps);
    if (steps.some(({ event }) => event !== undefined && AWAITED.has(event.type))) {
      this.#botReport.renewSoon();
      for (const { report } of this.#watched.values()) report.renewSoon();
    }
    for (const { event, refused } of steps) {
      // The last refusal may have been PAUSED or KILLED, which no longer explains missing quotes.
      if (event?.type === 'operatorCommanded' && event.command === 'resume') this.#lastRefusals.clear();
      for (const { market, code } of refused) this.#lastRefusals.set(market, code);
    }
  }

  /** Returns the current report, with markouts and the use of every limit. */
  report(): MeasuredReport {
    return { ...botReport(this.#source), markouts: this.#measures.markouts() };
  }

  reportJson(): string {
    return this.#botReport.text(this.#pace(), () => botSlices(this.#source));
  }

  /** Returns a market's report as JSON; the text `null` for an unknown market. @param name slug or id */
  marketReportJson(name: string): string {
    const market = findByName(this.#deps.state.markets, name);
    if (market === undefined) return 'null';
    const watched = this.#watch(market);
    return watched.report.text(this.#pace(), () =>
      marketSlices(this.#source, market, () => this.#extras(market, watched)),
    );
  }

  /** Splits the allowed time equally between the reports of the bot and of all watched markets. */
  #pace(): Pace {
    return { now: this.#deps.clock.now(), everyMs: REPORT_MS, reportCount: 1 + this.#watched.size };
  }

  #watch({ info: { market } }: TradedMarket): WatchedMarket {
    const now = this.#deps.clock.now();
    const existing = this.#watched.get(market);
    if (existing !== undefined) {
      existing.requestedAt = now;
      return existing;
    }
    const watched = { requestedAt: now, report: new PacedReport(), trades: [], markouts: undefined, markoutsAt: 0 };
    this.#watched.set(market, watched);
    this.#deps.run.listenToRows((block, from, to) => this.#onRows(block, from, to));
    return watched;
  }

  #extras({ info: { market } }: TradedMarket, watched: WatchedMarket): MarketExtras {
    const now = this.#deps.clock.now();
    if (now - watched.markoutsAt >= MARKOUTS_INTERVAL_MS) {
      // A fixed seed, so that intervals change only with fills.
      watched.markouts = this.#measures.market(market)?.markouts(seededRandom(1));
      watched.markoutsAt = now;
    }
    return { trades: watched.trades.toReversed(), markouts: watched.markouts, refused: this.#lastRefusals.get(market) };
  }

  #sample(): void {
    const now = this.#deps.clock.now();
    this.#measures.sample(now);
    for (const [market, { requestedAt }] of this.#watched) {
      if (now - requestedAt >= UNWATCHED_MS) this.#watched.delete(market);
    }
    if (this.#watched.size === 0) this.#deps.run.listenToRows(undefined);
  }

  #onRows(block: Block, from: number, to: number): void {
    for (let row = from; row < to; row += 1) {
      if (block.kind[row] !== KIND.trade) continue;
      const trades = this.#watched.get(block.market[row] ?? -1)?.trades;
      if (trades === undefined) continue;
      const side = block.side[row];
      trades.push({
        time: block.tx[row] ?? 0,
        taker: side === SIDE.bid ? 'BID' : side === SIDE.ask ? 'ASK' : null,
        price: block.price[row] ?? 0,
        shares: block.shares[row] ?? 0,
        own: ((block.flags[row] ?? 0) & FLAG.own) !== 0,
      });
      if (trades.length > MAX_TRADES) trades.shift();
    }
  }
}
