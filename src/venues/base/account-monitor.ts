/**
 * Keeps the account compared with the venue, and reports the link to the core: UP only while the venue is connected and the
 * account was compared since the connection was last lost.
 *
 * States: agrees -> (any loss) comparing -> agrees, or disagrees -> (an operator requests another comparison) agrees.
 * Invariants: after a loss nothing is UP before a comparison that began after it has found that the account agrees, or that the
 * ledger explains what differs. A difference that nothing explains is believed when two comparisons in a row find it; the link
 * is DOWN from then on, until `recheck` finds that the account agrees.
 */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, Fault, type VenueChanged } from '../../domain/index.ts';
import { type RecoveryReport, recoveryText } from '../../runtime/index.ts';
import type { Log } from './ports.ts';
import type { Compared, RecoveryRecorder } from './recovery-recorder.ts';
import type { Timers } from './timers.ts';

export type Agreement = 'agrees' | 'comparing' | 'disagrees';

interface MonitorDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly timers: Timers;
  readonly log: Log;
}

export interface AccountMonitorOptions {
  /** Compares once; undefined where something moved meanwhile. @throws Fault LINK, VENUE */
  readonly compare: () => Promise<Compared | undefined>;
  readonly recorder: RecoveryRecorder;
  readonly report: (link: VenueChanged['link'], mode: VenueChanged['mode'], venueTime: EpochMs) => void;
  /** After each recovery, and after a comparison that found a difference. */
  readonly recovered: (report: RecoveryReport) => void;
  /** Between two comparisons while all is well, ms; 0 for never. */
  readonly auditMs: number;
}

const PAUSE_MS = 50;
const MOST_PAUSE_MS = 1_000;
/** Comparisons for one operator's question. */
const RECHECKS = 20;

export class AccountMonitor {
  readonly #deps: MonitorDeps;
  readonly #options: AccountMonitorOptions;
  #state: Agreement = 'agrees';
  /** State of the venue according to market data. */
  #venue: Pick<VenueChanged, 'link' | 'mode'> | undefined;
  /** Number of lost connections. A comparison covers those before it began. */
  #losses = 0;
  #reported = '';
  #running: Promise<void> | undefined;

  constructor(deps: MonitorDeps, options: AccountMonitorOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  get state(): Agreement {
    return this.#state;
  }

  /** Begins to compare from time to time. */
  start(): void {
    const { auditMs } = this.#options;
    if (auditMs === 0) return;
    this.#deps.timers.after(auditMs, () => {
      void this.audit()
        .catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'the account could not be compared with the venue'),
        )
        .then(() => this.start());
    });
  }

  /** Market data has another state of the venue. */
  venueChanged(venue: Pick<VenueChanged, 'link' | 'mode'>, venueTime: EpochMs): void {
    this.#venue = venue;
    if (venue.link === 'DOWN') this.lost('the venue is not connected', venueTime);
    else {
      this.#reportLink(venueTime);
      void this.#compareUntilKnown();
    }
  }

  /** Something was lost after which the venue may have another account than ours: nothing is quoted until it was compared. */
  lost(problem: string, venueTime: EpochMs = this.#deps.clock.now()): void {
    this.#losses += 1;
    if (this.#state !== 'disagrees') {
      if (this.#state === 'agrees')
        this.#deps.log.warn({ problem }, 'quotes are withdrawn until the account was compared');
      this.#state = 'comparing';
      this.#options.recorder.begin(this.#deps.clock.now());
    }
    this.#reportLink(venueTime);
    void this.#compareUntilKnown();
  }

  /** Compares once; where that is being done, waits for it. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.#alone(async () => {
      if (this.#state !== 'agrees') return;
      const compared = await this.#options.compare();
      if (compared === undefined || compared.outcome === 'agrees' || this.#state !== 'agrees') return;
      if (compared.outcome === 'adjusted') this.#report('audit', compared);
      else if ((await this.#confirmed(compared)) && this.#state === 'agrees') this.#disagrees('audit', compared);
    });
  }

  /**
   * Another comparison after one that disagreed.
   * @throws Fault RECONCILE naming what still differs, or that it could not be compared; LINK, VENUE
   */
  async recheck(): Promise<void> {
    if (this.#state !== 'disagrees') return;
    for (let count = 0; count < RECHECKS; count += 1) {
      const losses = this.#losses;
      const compared = await this.#options.compare();
      if (compared?.outcome === 'disagrees') {
        throw new Fault(
          'RECONCILE',
          `the venue's account is not what the bot has: ${compared.differences.join('; ')}. Find out why, end the bot, and start it with --adopt to take the venue's word`,
        );
      }
      if (compared !== undefined && losses === this.#losses && this.#venue?.link === 'UP') {
        this.#agrees('audit', compared);
        return;
      }
      await this.#deps.timers.wait(MOST_PAUSE_MS);
    }
    throw new Fault('RECONCILE', 'the account could not be compared with the venue: it keeps changing. Try again');
  }

  /** One at a time: a call meanwhile waits for the one that is under way. */
  #alone(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined;
      if (this.#isWanted) void this.#compareUntilKnown();
    });
    return this.#running;
  }

  /** As long as the venue is connected and it is not known whether the account agrees. Never rejects. */
  #compareUntilKnown(): Promise<void> {
    return this.#alone(async () => {
      for (let wait = PAUSE_MS; this.#isWanted; wait = Math.min(2 * wait, MOST_PAUSE_MS)) {
        try {
          await this.#compareOnce();
        } catch (error) {
          this.#deps.log.warn({ err: error }, 'the account could not be compared with the venue: tried again');
        }
        if (this.#isWanted) await this.#deps.timers.pause(wait);
      }
    });
  }

  async #compareOnce(): Promise<void> {
    const losses = this.#losses;
    const compared = await this.#options.compare();
    if (compared === undefined || losses !== this.#losses || !this.#isWanted) return;
    if (compared.outcome !== 'disagrees') this.#agrees('reconnect', compared);
    else if ((await this.#confirmed(compared)) && losses === this.#losses) this.#disagrees('reconnect', compared);
  }

  get #isWanted(): boolean {
    return this.#state === 'comparing' && this.#venue?.link === 'UP' && !this.#deps.timers.isClosed;
  }

  /** The same once more: what was read in pieces may not have fitted together. */
  async #confirmed({ differences }: Compared): Promise<boolean> {
    await this.#deps.timers.pause(PAUSE_MS);
    const again = await this.#options.compare();
    return again?.outcome === 'disagrees' && again.differences.join() === differences.join();
  }

  #agrees(cause: RecoveryReport['cause'], compared: Compared): void {
    this.#state = 'agrees';
    this.#reportLink(this.#deps.clock.now());
    this.#report(cause, compared);
  }

  #disagrees(cause: RecoveryReport['cause'], compared: Compared): void {
    this.#state = 'disagrees';
    this.#reportLink(this.#deps.clock.now());
    this.#report(cause, compared);
  }

  #report(cause: RecoveryReport['cause'], compared: Compared): void {
    const { recorder, recovered } = this.#options;
    const report = recorder.end(cause, this.#deps.clock.now(), compared);
    this.#deps.log.debug({ recovery: report }, recoveryText(report));
    recovered(report);
  }

  #reportLink(venueTime: EpochMs): void {
    if (this.#venue === undefined) return;
    const { mode } = this.#venue;
    const link = this.#state === 'agrees' ? this.#venue.link : 'DOWN';
    if (this.#reported === `${mode} ${link}`) return;
    this.#reported = `${mode} ${link}`;
    this.#options.report(link, mode, venueTime);
  }
}
