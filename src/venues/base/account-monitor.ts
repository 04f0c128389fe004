/**
 * Compares the account with the venue, and reports the link to the core. The link is UP only while the venue is
 * connected and the account was compared since the last desync.
 *
 * A *desync* is a lost connection, or a sign that the venue's account may differ from the bot's.
 * States: `agrees` -> (desync) `comparing` -> `agrees` or `disagrees`; `agrees` -> (audit) `disagrees`; `disagrees` ->
 * (`recheck` by an operator) `agrees`.
 * Invariants:
 * - After a desync, the link is DOWN until a comparison that began after the desync finds no unexplained difference.
 * - When two comparisons in a row find the same unexplained difference, the link is DOWN until `recheck` agrees.
 */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, Fault, joinFirst, type VenueChanged } from '../../domain/index.ts';
import { type RecoveryReport, recoveryText } from '../../runtime/index.ts';
import type { Log } from './ports.ts';
import type { ComparisonResult, RecoveryRecorder } from './recovery-recorder.ts';
import type { Timers } from './timers.ts';

export type Agreement = 'agrees' | 'comparing' | 'disagrees';

interface AccountMonitorOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly timers: Timers;
  readonly log: Log;
  /** Compares once. Resolves with undefined if the account changed during the comparison. @throws Fault LINK, VENUE */
  readonly compare: () => Promise<ComparisonResult | undefined>;
  readonly recorder: RecoveryRecorder;
  readonly reportLink: (link: VenueChanged['link'], mode: VenueChanged['mode'], venueTime: EpochMs) => void;
  /** Called after each recovery, and after a comparison that found a difference. */
  readonly onRecovered: (report: RecoveryReport) => void;
  /** Time between two comparisons while the account agrees, ms; 0 for none. */
  readonly auditMs: number;
}

const FIRST_PAUSE_MS = 50;
/** Longest pause between two comparisons. Pauses double while the outcome is unknown. */
const MAX_PAUSE_MS = 1_000;
const MAX_RECHECKS = 20;
/** Maximum number of differences that a fault names. */
const MAX_LISTED = 5;

export class AccountMonitor {
  readonly #options: AccountMonitorOptions;
  #state: Agreement = 'agrees';
  #venue: Pick<VenueChanged, 'link' | 'mode'> | undefined;
  /** Number of desyncs. A comparison is valid only if no desync happened during the comparison. */
  #desyncs = 0;
  #reportedState = '';
  #running: Promise<void> | undefined;

  constructor(options: AccountMonitorOptions) {
    this.#options = options;
  }

  get state(): Agreement {
    return this.#state;
  }

  start(): void {
    const { auditMs, timers, log } = this.#options;
    if (auditMs === 0) return;
    timers.after(auditMs, () => {
      void this.audit()
        .catch((error: unknown) => log.warn({ err: error }, 'the account could not be compared with the venue'))
        .then(() => this.start());
    });
  }

  onVenueChanged(venue: Pick<VenueChanged, 'link' | 'mode'>, venueTime: EpochMs): void {
    this.#venue = venue;
    if (venue.link === 'DOWN') this.onDesync('the venue is not connected', venueTime);
    else {
      this.#reportLink(venueTime);
      void this.#compareUntilKnown();
    }
  }

  /** Handles a desync: reports the link as DOWN, which withdraws quotes, and compares the account again. */
  onDesync(problem: string, venueTime: EpochMs = this.#options.clock.now()): void {
    this.#desyncs += 1;
    if (this.#state !== 'disagrees') {
      if (this.#state === 'agrees')
        this.#options.log.warn({ problem }, 'quotes are withdrawn until the account is compared with the venue');
      this.#state = 'comparing';
      this.#options.recorder.begin(this.#options.clock.now());
    }
    this.#reportLink(venueTime);
    void this.#compareUntilKnown();
  }

  /** Compares once if the state is `agrees`. Waits for a comparison under way instead. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.#runExclusively(async () => {
      if (this.#state !== 'agrees') return;
      this.#options.recorder.beginAudit();
      const result = await this.#options.compare();
      if (result === undefined || result.outcome === 'agrees' || this.#state !== 'agrees') return;
      if (result.outcome === 'adjusted') this.#report('audit', result);
      else if ((await this.#isConfirmed(result)) && this.#state === 'agrees')
        this.#settle('disagrees', 'audit', result);
    });
  }

  /**
   * Compares again after a comparison that disagreed.
   * @throws Fault RECONCILE for the remaining differences, or for an account that keeps changing; LINK, VENUE
   */
  async recheck(): Promise<void> {
    if (this.#state !== 'disagrees') return;
    this.#options.recorder.beginAudit();
    for (let count = 0; count < MAX_RECHECKS; count += 1) {
      const desyncs = this.#desyncs;
      const result = await this.#options.compare();
      if (result?.outcome === 'disagrees') {
        const problem = `the venue's account differs from the bot's: ${joinFirst(result.differences, MAX_LISTED, '; ')}`;
        const remedy = "Find out why, stop the bot, and start it with --adopt to take over the venue's account";
        throw new Fault('RECONCILE', `${problem}. ${remedy}`);
      }
      if (result !== undefined && desyncs === this.#desyncs && this.#venue?.link === 'UP') {
        this.#settle('agrees', 'audit', result);
        return;
      }
      await this.#options.timers.wait(MAX_PAUSE_MS);
    }
    throw new Fault('RECONCILE', 'the account could not be compared with the venue: it keeps changing. Try again');
  }

  /** Runs `work`. If other work is running, waits for the other work and does not run `work`. */
  #runExclusively(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined;
      if (this.#isComparisonDue) void this.#compareUntilKnown();
    });
    return this.#running;
  }

  /** Compares while the venue is connected and the outcome is unknown. Never rejects. */
  #compareUntilKnown(): Promise<void> {
    return this.#runExclusively(async () => {
      for (let wait = FIRST_PAUSE_MS; this.#isComparisonDue; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
        try {
          await this.#compareOnce();
        } catch (error) {
          this.#options.log.warn({ err: error }, 'the account could not be compared with the venue; retrying');
        }
        if (this.#isComparisonDue) await this.#options.timers.pause(wait);
      }
    });
  }

  async #compareOnce(): Promise<void> {
    const desyncs = this.#desyncs;
    const result = await this.#options.compare();
    if (result === undefined || desyncs !== this.#desyncs || !this.#isComparisonDue) return;
    if (result.outcome !== 'disagrees') this.#settle('agrees', 'reconnect', result);
    else if ((await this.#isConfirmed(result)) && desyncs === this.#desyncs)
      this.#settle('disagrees', 'reconnect', result);
  }

  get #isComparisonDue(): boolean {
    return this.#state === 'comparing' && this.#venue?.link === 'UP' && !this.#options.timers.isClosed;
  }

  /** Returns whether a second comparison confirms the first, which may have read the account while it changed. */
  async #isConfirmed({ differences }: ComparisonResult): Promise<boolean> {
    await this.#options.timers.pause(FIRST_PAUSE_MS);
    const secondResult = await this.#options.compare();
    return secondResult?.outcome === 'disagrees' && secondResult.differences.join() === differences.join();
  }

  #settle(state: 'agrees' | 'disagrees', cause: RecoveryReport['cause'], result: ComparisonResult): void {
    this.#state = state;
    this.#reportLink(this.#options.clock.now());
    this.#report(cause, result);
  }

  #report(cause: RecoveryReport['cause'], result: ComparisonResult): void {
    const { recorder, clock, log, onRecovered } = this.#options;
    const report = recorder.end(cause, clock.now(), result);
    log.debug({ recovery: report }, recoveryText(report));
    onRecovered(report);
  }

  #reportLink(venueTime: EpochMs): void {
    if (this.#venue === undefined) return;
    const { mode } = this.#venue;
    const link = this.#state === 'agrees' ? this.#venue.link : 'DOWN';
    if (this.#reportedState === `${mode} ${link}`) return;
    this.#reportedState = `${mode} ${link}`;
    this.#options.reportLink(link, mode, venueTime);
  }
}

export function accountDiffersFault(differences: readonly string[]): Fault {
  const problem = `the venue's account differs from the stored one: ${joinFirst(differences, MAX_LISTED, '; ')}`;
  return new Fault('RECONCILE', `${problem}. Find out why, then start with --adopt to take over the venue's account`);
}

export function accountChangingFault(): Fault {
  return new Fault('RECONCILE', 'the account keeps changing. Stop other programs that trade on it, then start again');
}
