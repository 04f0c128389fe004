/**
 * What a bot says to those who watch it. Each report is made once for all of them, and as JSON, so that a watcher more costs the
 * bot a write.
 *
 * Invariant: making reports takes at most a fiftieth of the bot's time. With many markets they come less often. What an operator waits
 * for comes at once, and the next reports later.
 */
import { type Clock, repeatEvery, seededRandom } from '../../clock/index.ts';
import type { InputEvent, MarketNo } from '../../domain/index.ts';
import type { Run, Step } from '../../runtime/index.ts';
import type { MarketWorld } from '../../state/index.ts';
import type { BotStatus, LogReport } from '../control/bot-port.ts';
import type { LiveBotParts } from '../live/live-bot-parts.ts';
import { Measures } from './measures.ts';
import { type Pace, PacedReport } from './paced-report.ts';
import type { RecentLog } from './recent-log.ts';
import type { MeasuredReport } from './report-types.ts';
import { botReport, botSlices, type MarketExtras, marketNamed, marketSlices, type ReportSource } from './reports.ts';
import { WatchedTrades } from './trades.ts';

const LOOK_MS = 100;
/** A report is made as often at most, but for what an operator waits for. */
const REPORT_MS = 100;
/** A watcher's connection looks so often for a new report. */
export const WATCH_MS = 10;
const MARKOUTS_MS = 5_000;
/** Without a request for so long a market is not watched any more, ms. */
const UNWATCHED_MS = 10_000;

/** Events that an operator waits for: rare ones, each of which is reported at once. */
const AWAITED: ReadonlySet<string> = new Set<InputEvent['type']>([
  'operatorCommanded',
  'cancelCommanded',
  'parameterSet',
  'marketAdded',
  'marketRemoved',
  'feeConfirmed',
]);

export interface BotFeedOptions {
  readonly parts: LiveBotParts;
  readonly status: () => BotStatus;
}

interface Watched {
  askedAt: number;
  readonly report: PacedReport;
  markouts: MarketExtras['markouts'];
  markoutsAt: number;
}

export class BotFeed {
  readonly #run: Run;
  readonly #clock: Clock;
  readonly #source: ReportSource;
  readonly #log: RecentLog;
  readonly #measures: Measures;
  readonly #trades = new WatchedTrades();
  readonly #watched = new Map<MarketNo, Watched>();
  /** Code of the last refusal by market. */
  readonly #refused = new Map<MarketNo, string>();
  readonly #bot = new PacedReport();
  readonly #stop: () => void;

  constructor({ parts, status }: BotFeedOptions) {
    const { state, clock, run } = parts;
    this.#run = run;
    this.#clock = clock;
    this.#log = parts.recentLog;
    this.#measures = new Measures({
      state,
      standard: parts.quoteStandard,
      now: clock.now(),
      answered: (ms) => parts.times.answered(ms),
    });
    this.#source = {
      parts,
      measures: this.#measures,
      status,
      alerts: parts.recentAlerts,
    };
    this.#stop = repeatEvery(clock, LOOK_MS, () => this.#look());
  }

  close(): void {
    this.#stop();
    this.#run.tapRows(undefined);
  }

  /** Tap of the run. */
  take(steps: readonly Step[]): void {
    this.#measures.take(steps);
    if (steps.some(({ event }) => event !== undefined && AWAITED.has(event.type))) this.#hurry();
    for (const { event, refused } of steps) {
      // Else PAUSED and KILLED would stay the reason why a quote does not stand.
      if (event?.type === 'operatorCommanded' && event.command === 'resume') this.#refused.clear();
      for (const { market, code } of refused) this.#refused.set(market, code);
    }
  }

  /** The bot's report of now, with the use of every limit and with markouts. */
  report(): MeasuredReport {
    return { ...botReport(this.#source), markouts: this.#measures.markouts() };
  }

  /** The bot's report as JSON. */
  bot(): string {
    return this.#bot.text(this.#pace(), () => botSlices(this.#source));
  }

  /** A market's report as JSON; `null` while the bot does not have it. @param name slug or id */
  market(name: string): string {
    const market = marketNamed(this.#source.parts.state, name);
    if (market === undefined) return 'null';
    const watched = this.#watch(market);
    return watched.report.text(this.#pace(), () =>
      marketSlices(this.#source, market, () => this.#extras(market, watched)),
    );
  }

  log(level: LogReport['level'], limit: number, after: number | undefined): readonly LogReport[] {
    return this.#log.read(level, limit, after);
  }

  /** The bot's report and those of the watched markets share the time. */
  #pace(): Pace {
    return { now: this.#clock.now(), everyMs: REPORT_MS, sharers: 1 + this.#watched.size };
  }

  #hurry(): void {
    this.#bot.hurry();
    for (const { report } of this.#watched.values()) report.hurry();
  }

  #watch({ info: { market } }: MarketWorld): Watched {
    const now = this.#clock.now();
    const watched = this.#watched.get(market) ?? {
      askedAt: now,
      report: new PacedReport(),
      markouts: undefined,
      markoutsAt: 0,
    };
    watched.askedAt = now;
    if (!this.#watched.has(market)) {
      this.#watched.set(market, watched);
      this.#trades.watch(market);
      this.#run.tapRows((...rows) => this.#trades.rows(...rows));
    }
    return watched;
  }

  #extras({ info: { market } }: MarketWorld, watched: Watched): MarketExtras {
    const now = this.#clock.now();
    if (now - watched.markoutsAt >= MARKOUTS_MS) {
      // Always the same draws: an interval changes with fills, not with each look.
      watched.markouts = this.#measures.of(market)?.markouts(seededRandom(1));
      watched.markoutsAt = now;
    }
    return { trades: this.#trades.in(market), markouts: watched.markouts, refused: this.#refused.get(market) };
  }

  #look(): void {
    const now = this.#clock.now();
    this.#measures.look(now);
    for (const [market, { askedAt }] of this.#watched) {
      if (now - askedAt < UNWATCHED_MS) continue;
      this.#watched.delete(market);
      this.#trades.forget(market);
    }
    if (!this.#trades.isWatching) this.#run.tapRows(undefined);
  }
}
