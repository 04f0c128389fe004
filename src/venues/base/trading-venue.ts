/** The venue of a live bot. Starts, serves and ends one run, and compares the bot's account with the venue's. */
import type { Clock } from '../../clock/index.ts';
import { Fault, type MarketNo, type RateLimitUpdated, toError, type VenueEvent } from '../../domain/index.ts';
import { boundedWait } from '../../network/index.ts';
import type {
  OrderRecords,
  RecoveryReport,
  SignedRecord,
  Venue,
  VenueSession,
  VenueSink,
} from '../../runtime/index.ts';
import type { AccountState, AccountView, MarketSetup } from '../../state/index.ts';
import { AccountMonitor, type Agreement } from './account-monitor.ts';
import type { FailingCommand, Log, MarketDataSink, VenueProblem } from './ports.ts';
import { type ComparisonResult, type Leftovers, RecoveryRecorder } from './recovery-recorder.ts';
import { Timers } from './timers.ts';
import type { MarketData } from './venue-market-data.ts';

export interface TradingVenueOptions {
  readonly marketData: MarketData;
  /** In the order of their numbers. */
  readonly markets: readonly MarketSetup[];
  readonly records: OrderRecords;
  readonly view: Pick<AccountState, 'market'> & AccountView;
  /** When an earlier process of this bot was last alive, epoch ms; undefined if unknown. */
  readonly lastAlive?: number | undefined;
  /** Called once with the error that ends the run. */
  readonly onFault: (error: Error) => void;
  /** Called with the result of a start or a recovery. Default: ignored. */
  readonly onRecovered?: (report: RecoveryReport) => void;
  /** Called when a command failed and is sent again. Default: ignored. */
  readonly onCommandResent?: (command: string, problem: string) => void;
  /** Called when a command keeps failing. Default: ignored. */
  readonly onStuckCommand?: (command: FailingCommand) => void;
  /** Called when a market fails. Its orders must be cancelled. `market` is undefined for a market outside the run. */
  readonly onMarketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

export interface AccountSettings {
  /** Treatment of own orders that an earlier run left open. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** Whether the start takes over the venue's account if a difference is unexplained. Default false. */
  readonly adopt: boolean;
  /** Time between two comparisons with the venue, ms; 0 for none. */
  readonly auditMs: number;
}

export interface StartPolicy extends Pick<AccountSettings, 'leftovers' | 'adopt'> {
  /** Whether no earlier state is stored. The core then takes over the account's cash, shares and orders. */
  readonly isFirst: boolean;
  readonly journal: readonly SignedRecord[];
}

export interface StartResult extends ComparisonResult {
  readonly leftovers: Leftovers;
}

interface Execution extends Pick<VenueSession, 'send'> {
  /** Whether no request is in flight and no outcome is unknown. */
  readonly isQuiet: boolean;
  /** Hashes of all open orders of the account at the venue. @throws Fault LINK, VENUE */
  openHashes(): Promise<readonly string[]>;
}

const PAUSE_MS = 25;

/**
 * States: new -> (`connect`) connecting -> connected -> closed. A failed start closes the venue. Invariants: a venue
 * serves one run. A failed run receives no more events, but the run's commands are still sent, because its orders must
 * be cancelled. `onFault` is called at most once, and never after a close.
 */
export abstract class TradingVenue<Options extends TradingVenueOptions = TradingVenueOptions> implements Venue {
  protected readonly options: Options;
  protected readonly clock: Clock;
  protected readonly timers: Timers;
  protected readonly monitor: AccountMonitor;
  protected abstract readonly execution: Execution;
  readonly #recorder: RecoveryRecorder;
  #sink: VenueSink | undefined;
  #isConnected = false;
  #hasFailed = false;
  #isFaultReported = false;

  constructor(options: Options, clock: Clock, log: Log, auditMs: number) {
    const { view, lastAlive, onRecovered } = options;
    this.options = options;
    this.clock = clock;
    this.timers = new Timers(clock);
    this.#recorder = new RecoveryRecorder(view, () => this.openOrderCount, lastAlive);
    this.monitor = new AccountMonitor({
      clock,
      log,
      timers: this.timers,
      auditMs,
      recorder: this.#recorder,
      compare: () => this.compare(),
      reportLink: (link, mode, venueTime) =>
        this.report({ type: 'venueChanged', time: clock.now(), venueTime, mode, link }),
      onRecovered: (report) => onRecovered?.(report),
    });
  }

  /** Starts everything that the run needs before its first quote. @throws Fault if the run cannot begin */
  protected abstract open(sink: VenueSink): Promise<void>;

  /** Compares the account. Resolves with undefined if the account changed meanwhile. @throws Fault LINK, VENUE */
  protected abstract compare(): Promise<ComparisonResult | undefined>;

  protected abstract close(): Promise<void>;

  /** @throws Fault like `open`; STOPPED if the venue was closed meanwhile */
  async connect(sink: VenueSink): Promise<VenueSession> {
    if (this.#sink !== undefined) throw new Error('Invariant: a venue serves one run');
    this.#sink = sink;
    try {
      this.#assertNotClosed();
      this.#recorder.begin(this.clock.now());
      await this.open(sink);
      this.#assertNotClosed();
      this.monitor.start();
    } catch (error) {
      // After a close, the error is only a consequence of the close.
      const wasClosed = this.timers.isClosed;
      await this.close();
      throw wasClosed ? closedDuringStartFault(error) : this.toError(error);
    }
    this.#isConnected = true;
    return { send: this.execution.send.bind(this.execution), close: () => this.close() };
  }

  async abortConnect(): Promise<void> {
    if (!this.#isConnected) await this.close();
  }

  get agreement(): Agreement {
    return this.monitor.state;
  }

  /** Number of own orders whose end was not reported. */
  get openOrderCount(): number {
    return this.options.marketData.orders.size;
  }

  get isQuiet(): boolean {
    return this.execution.isQuiet;
  }

  /** Compares account and orders with the venue once. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.monitor.audit();
  }

  /** Compares again after a difference. @throws Fault RECONCILE for remaining differences; LINK, VENUE */
  recheck(): Promise<void> {
    return this.monitor.recheck();
  }

  /**
   * Waits until no own order is open, or the venue is closed, and then reads the venue's orders. Orders that the venue
   * does not know are not open.
   * @returns number of own orders that are open at the venue, in flight, or have an unknown end
   * @throws Fault LINK, VENUE
   */
  async verifyNoneOpen(timeoutMs: number): Promise<number> {
    const { records, marketData } = this.options;
    const unfinished = () => marketData.orders.open().filter(({ isMissing }) => !isMissing);
    await this.timers.until(() => unfinished().length === 0 && this.isQuiet, this.clock.now() + timeoutMs, PAUSE_MS);
    const hashes = await this.execution.openHashes();
    const atVenue = hashes.filter((hash) => records.findByHash(hash) !== undefined);
    return atVenue.length + unfinished().filter(({ hash }) => !atVenue.includes(hash)).length;
  }

  /** Restores the own orders of earlier runs. Returns their records. */
  protected restoreOrders(): readonly SignedRecord[] {
    const { records, view, marketData } = this.options;
    const journal = records.unfinishedOrders();
    for (const record of journal) {
      const known = view.market(record.market).orders.find(({ order }) => order === record.order);
      marketData.orders.restore(record, known?.lifecycle);
    }
    return journal;
  }

  protected onStarted(started: StartResult): void {
    this.options.onRecovered?.(this.#recorder.end('start', this.clock.now(), started, started.leftovers));
  }

  protected marketDataSink(sink: VenueSink): MarketDataSink {
    const { clock } = this;
    return {
      rows: sink.rows.bind(sink),
      onLimitsChanged: (market, limits, venueTime) =>
        this.report({ type: 'limitsChanged', time: clock.now(), venueTime, market, limits }),
      onPricesChanged: (market, { yes, no }, venueTime) =>
        this.report({ type: 'pricesUpdated', time: clock.now(), venueTime, market, yes, no }),
      onVenueChanged: (state, venueTime) => this.monitor.onVenueChanged(state, venueTime),
      onMarketFailed: (market, fault) => this.options.onMarketFailed(market, fault),
      onFailed: (error) => this.#fail(error),
    };
  }

  protected report(event: VenueEvent, position?: number): void {
    const recorded = event.type === 'orderFilled' ? this.#recorder.onFilled(event) : event;
    this.guard(() => this.#sink?.event(recorded, position));
  }

  /** Reports the state of a rate limit. @param retryAfterMs delay that a refusal demands for an empty bucket */
  protected reportRate(
    bucket: Pick<RateLimitUpdated, 'bucket' | 'capacity' | 'refillPerSecond' | 'remaining'>,
    retryAfterMs?: number,
  ): void {
    const time = this.clock.now();
    const remaining = retryAfterMs === undefined ? bucket.remaining : 0;
    const wait = boundedWait(retryAfterMs ?? 0);
    this.report({ type: 'rateLimitUpdated', time, venueTime: time, ...bucket, remaining, retryAfterMs: wait });
  }

  protected onProblem(reported: VenueProblem): void {
    const { onCommandResent, onStuckCommand, onMarketFailed, marketData } = this.options;
    if (reported.type === 'commandResent') onCommandResent?.(reported.command, reported.problem);
    else if (reported.type === 'stuck') onStuckCommand?.(reported);
    else if (reported.type === 'termsChanged') void marketData.refresh();
    else {
      this.monitor.onDesync(reported.fault.message);
      onMarketFailed(reported.market, reported.fault);
    }
  }

  /** Calls `work` unless the run has failed. An error fails the run. */
  protected guard(work: () => void): void {
    if (this.#hasFailed) return;
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Reports the first error that ends the run. Reports no error after a close. */
  protected reportFault(error: unknown): void {
    if (this.#isFaultReported || this.timers.isClosed) return;
    this.#isFaultReported = true;
    this.options.onFault(this.toError(error));
  }

  protected toError(error: unknown): Error {
    return toError(error);
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.reportFault(error);
  }

  /** @throws Fault STOPPED once the venue is closed */
  #assertNotClosed(): void {
    if (this.timers.isClosed) throw closedDuringStartFault();
  }
}

function closedDuringStartFault(cause?: unknown): Fault {
  return new Fault('STOPPED', 'the venue was closed while it was connecting', { cause });
}

/** A period whose orders may be missing in the journal. Times are epoch ms by this machine's clock. */
export type UnrecordedPeriod = Readonly<Record<'from' | 'to', number>>;
