/**
 * Receives the signals of all sources for a running bot. Validates each signal, limits the rate of each source, and
 * counts refused signals. Refusals and failures are logged at most once a minute for each source and reason.
 */
import type { Clock } from '../../clock/index.ts';
import { Fault, InputFault, thrownText } from '../../domain/index.ts';
import type { Signal } from '../../history/index.ts';
import { ReportLimiter } from '../../network/index.ts';
import type { Run } from '../../runtime/index.ts';
import { nearest } from '../../strategy/index.ts';
import type { Log } from '../log/log.ts';

/** A signal further in the future is refused, because one of the clocks is wrong. */
const MAX_FUTURE_MS = 1_000;
/** Maximum number of signals from one source. Each signal is written to durable storage. */
const MAX_PER_SECOND = 100;
const REPORT_EVERY_MS = 60_000;

export interface SignalIntakeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly run: Pick<Run, 'submit' | 'signalNames'>;
  readonly onFailed: (error: unknown) => void;
}

export class SignalIntake {
  readonly #deps: SignalIntakeDeps;
  readonly #reports = new ReportLimiter(REPORT_EVERY_MS);
  readonly #budgets = new Map<string, { second: number; count: number }>();
  #received = 0;
  #refused = 0;

  constructor(deps: SignalIntakeDeps) {
    this.#deps = deps;
  }

  get counts(): { readonly received: number; readonly refused: number } {
    return { received: this.#received, refused: this.#refused };
  }

  /** Delivers a signal of a source, or logs why it is refused. */
  accept(source: string, signal: Signal): void {
    try {
      this.deliver(source, () => signal);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#warn(source, error.code, error.message, 'a signal was refused');
    }
  }

  /**
   * Delivers the signal that `read` returns. A failure of `read` counts as a refused signal.
   * @throws InputFault for a name that no strategy reads, or a future time; Fault RATE_LIMITED above 100 a second
   * @throws as `read`
   */
  deliver(source: string, read: () => Signal): void {
    const now = this.#deps.clock.now();
    let signal: Signal;
    try {
      signal = read();
      const { name, time } = signal;
      this.#assertBudget(source, now);
      this.#assertKnown(name);
      if (time !== undefined && time > now + MAX_FUTURE_MS) {
        const expected = `a time that is not after now (${new Date(now).toISOString()})`;
        throw new InputFault('time', new Date(time).toISOString(), expected);
      }
    } catch (error) {
      this.#refused += 1;
      throw error;
    }
    this.#received += 1;
    try {
      this.#deps.run.submit({ type: 'signalReceived', name: signal.name, value: signal.value });
    } catch (error) {
      this.#deps.onFailed(error);
    }
  }

  /** Counts and logs an input without a valid signal. @param kind code; the log limit applies per source and kind */
  refuse(source: string, kind: string, error: unknown): void {
    this.#refused += 1;
    this.#warn(source, kind, problemText(error), 'a signal was refused');
  }

  /** Logs a failure of a source. @param kind see `refuse` */
  logFailure(source: string, kind: string, error: unknown): void {
    this.#warn(source, kind, problemText(error), 'a source of signals failed');
  }

  #warn(source: string, kind: string, problem: string, text: string): void {
    const repeated = this.#reports.count(`${source} ${kind}`, this.#deps.clock.now());
    if (repeated === undefined) return;
    this.#deps.log.warn({ source, problem, ...(repeated > 0 && { repeated }) }, text);
  }

  #assertBudget(source: string, now: number): void {
    const second = Math.floor(now / 1_000);
    const budget = this.#budgets.get(source);
    if (budget === undefined || budget.second !== second) {
      this.#budgets.set(source, { second, count: 1 });
      return;
    }
    budget.count += 1;
    if (budget.count > MAX_PER_SECOND) {
      const remedy = 'send fewer, such as only changes';
      throw new Fault('RATE_LIMITED', `more than ${MAX_PER_SECOND} signals in a second: ${remedy}`);
    }
  }

  #assertKnown(name: string): void {
    const names = this.#deps.run.signalNames();
    if (names === undefined || names.includes(name)) return;
    const closest = nearest(name, names);
    const hint = closest === undefined ? '' : `, did you mean "${closest}"`;
    const expectedNames =
      names.length === 0
        ? 'a name that a strategy reads; no strategy here reads signals'
        : `one of ${names.join(', ')}`;
    throw new InputFault('name', name, `${expectedNames}${hint}`);
  }
}

/** Returns the message without the name of the error's class. */
function problemText(error: unknown): string {
  if (error instanceof SyntaxError) return `this is not JSON (${error.message})`;
  return error instanceof Error && error.message !== '' ? error.message : thrownText(error);
}
