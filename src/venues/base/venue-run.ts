import { Fault, type MarketNo, type VenueEvent } from '../../domain/index.ts';
import type { OrderRecords, RecoveryReport, VenueSink } from '../../runtime/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { Selected, StuckCommand } from './ports.ts';
import type { RecoveryRecorder } from './recovery-recorder.ts';
import type { Timers } from './timers.ts';

/** What every venue of a live bot is given. */
export interface VenueRunOptions {
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
  readonly records: OrderRecords;
  /** The core's state, which is folded from what is reported here. */
  readonly view: Pick<AccountState, 'market'> & AccountView;
  /** When the last process of this bot was last alive, epoch ms; undefined if unknown. */
  readonly lastAlive?: number | undefined;
  /** Something that ends the run: the venue is closed to us, or does not make sense. Called once. */
  readonly fault: (error: Error) => void;
  /** What a start or a recovery found and did. Default: ignored. */
  readonly recovered?: (report: RecoveryReport) => void;
  /** A command failed and is sent again. Default: ignored. */
  readonly repeated?: (command: string, problem: string) => void;
  /** A command was sent many times and does not get through. Default: ignored. */
  readonly stuck?: (command: StuckCommand) => void;
  /**
   * One market cannot go on: no row of it comes any more, its orders are to be withdrawn.
   * @param market undefined where it is outside of this run
   */
  readonly marketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

/** How every venue keeps the account. */
export interface AccountSettings {
  /** Own orders that an earlier run left standing. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** At the start, takes the venue's account where nothing explains what differs. Default false. */
  readonly adopt: boolean;
  /** Between two comparisons with the venue, ms; 0 for never. */
  readonly auditMs: number;
}

/** The run that a venue serves. The first failure ends it: it takes nothing more then, but may still send. */
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
  demandOpen(): void {
    if (this.#timers.isClosed) throw wasLeft();
  }

  report(event: VenueEvent, position?: number): void {
    const shown = event.type === 'orderFilled' ? this.#recorder.filled(event) : event;
    this.guard(() => this.#sink?.event(shown, position));
  }

  /** Does something for the run, unless it has failed. */
  guard(work: () => void): void {
    if (this.#hasFailed) return;
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** The run cannot take what comes. */
  fail(error: unknown): void {
    this.#hasFailed = true;
    this.fault(error);
  }

  /** The venue is closed to us, or does not make sense. */
  fault(error: unknown): void {
    if (this.#isFaulty || this.#timers.isClosed) return;
    this.#isFaulty = true;
    this.#ended(error);
  }
}

/** The venue was closed during its start. */
export function wasLeft(cause?: unknown): Fault {
  return new Fault('STOPPED', 'the venue was left while it was being connected to', { cause });
}
