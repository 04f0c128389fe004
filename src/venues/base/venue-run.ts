import { Fault, type MarketNo, type VenueEvent } from '../../domain/index.ts';
import type { OrderRecords, RecoveryReport, VenueSink } from '../../runtime/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { Selected, StuckCommand } from './ports.ts';
import type { RecoveryRecorder } from './recovery-recorder.ts';
import type { Timers } from './timers.ts';

/** Options of every venue of a live bot. */
export interface VenueRunOptions {
  /** Markets in the order of their numbers, as in the core's state. */
  readonly markets: readonly Selected[];
  readonly records: OrderRecords;
  /** The core's state, which results from these reports. */
  readonly view: Pick<AccountState, 'market'> & AccountView;
  /** When an earlier process of this bot was last alive, epoch ms; undefined if unknown. */
  readonly lastAlive?: number | undefined;
  /** Called once with the error that ends the run. */
  readonly onFault: (error: Error) => void;
  /** Called with the result of a start or a recovery. Default: ignored. */
  readonly onRecovered?: (report: RecoveryReport) => void;
  /** Called when a command failed and is sent again. Default: ignored. */
  readonly onRepeated?: (command: string, problem: string) => void;
  /** Called when a command keeps failing. Default: ignored. */
  readonly onStuckCommand?: (command: StuckCommand) => void;
  /**
   * Called when one market fails. No more rows of it follow, and its orders must be withdrawn.
   * @param market undefined for a market outside this run
   */
  readonly onMarketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

/** Account settings of every venue. */
export interface AccountSettings {
  /** Treatment of own orders that an earlier run left open. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** Whether the start takes over the venue's account if a difference is unexplained. Default false. */
  readonly adopt: boolean;
  /** Time between two comparisons with the venue, ms; 0 for none. */
  readonly auditMs: number;
}

/** The run that a venue serves. After its first failure it receives no more events, but the venue may still send. */
export class VenueRun {
  readonly #timers: Timers;
  readonly #recorder: RecoveryRecorder;
  readonly #ended: (error: unknown) => void;
  #sink: VenueSink | undefined;
  #hasFailed = false;
  #isFaulty = false;

  /** @param ended called once, unless the venue was closed before */
  constructor(timers: Timers, recorder: RecoveryRecorder, ended: (error: unknown) => void) {
    this.#timers = timers;
    this.#recorder = recorder;
    this.#ended = ended;
  }

  begin(sink: VenueSink): void {
    if (this.#sink !== undefined) throw new Error('Invariant: a venue serves one run');
    this.#sink = sink;
  }

  /** @throws Fault STOPPED once the venue is closed */
  requireOpen(): void {
    if (this.#timers.isClosed) throw closedDuringStart();
  }

  report(event: VenueEvent, position?: number): void {
    const recorded = event.type === 'orderFilled' ? this.#recorder.onFilled(event) : event;
    this.guard(() => this.#sink?.event(recorded, position));
  }

  /** Calls `work` unless the run has failed; an error fails the run. */
  guard(work: () => void): void {
    if (this.#hasFailed) return;
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Fails the run: it receives no more events. */
  fail(error: unknown): void {
    this.#hasFailed = true;
    this.fault(error);
  }

  /** Reports the error that ends the run. Only the first is reported. */
  fault(error: unknown): void {
    if (this.#isFaulty || this.#timers.isClosed) return;
    this.#isFaulty = true;
    this.#ended(error);
  }
}

/** The fault of a venue that was closed during its start. */
export function closedDuringStart(cause?: unknown): Fault {
  return new Fault('STOPPED', 'the venue was closed while it was connecting', { cause });
}
