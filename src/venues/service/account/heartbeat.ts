/**
 * The venue's dead-man's switch, renewed by the program's own loop: a strategy that spins lets it lapse, and the venue
 * cancels what was placed with this credential.
 */
import { Fault } from '../../../domain/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import type { ExecutionDeps } from '../orders/execution-deps.ts';
import { type Outcome, takeOutcome } from '../orders/requests.ts';

/** Beats within one timeout. */
const BEATS = 3;
const RETRY = 10;
/** Before the first beat is sent again; ms. */
const WAITS_MS = [200, 1_000] as const;
/** Timeout for disarming the switch at the venue; it expires by itself otherwise. ms */
const GOODBYE_MS = 2_000;

export class Heartbeat {
  readonly #deps: ExecutionDeps;
  readonly #timeoutMs: number;
  #isOn = false;
  #next: () => void = () => {};

  /** @param timeoutMs within the venue's bounds */
  constructor(deps: ExecutionDeps, timeoutMs: number) {
    this.#deps = deps;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Arms the switch; a beat without an answer is sent again twice.
   * @throws Fault `HEARTBEAT` when the venue does not take it, `STOPPED` when it was left between two beats
   */
  async start(): Promise<void> {
    let outcome = await this.#beat();
    // A beat that came twice is as good as one.
    for (const wait of WAITS_MS) {
      if (outcome.type !== 'unknown') break;
      this.#deps.log.warn({ problem: outcome.problem }, 'the first heartbeat had no answer: it is sent again');
      await this.#deps.timers.wait(wait);
      outcome = await this.#beat();
    }
    if (outcome.type !== 'done') {
      throw new Fault('HEARTBEAT', `the venue does not take a heartbeat of ${this.#timeoutMs} ms: ${outcome.problem}`);
    }
    this.#isOn = true;
    this.#arm(this.#timeoutMs / BEATS);
  }

  /** Beats once more, so that the switch is armed for certain. @returns whether the venue has taken it */
  async renew(): Promise<boolean> {
    return !this.#isOn || (await this.#beat()).type === 'done';
  }

  /**
   * Beats no more.
   * @param isOver whether nothing of ours can stand any more; else the switch stays armed, and the venue cancels what
   *   is left
   */
  async stop(isOver: boolean): Promise<void> {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#next();
    if (isOver) await this.#deps.transport.mutate(OPERATIONS.disarmHeartbeat, {}, { timeoutMs: GOODBYE_MS });
    else this.#deps.log.warn({}, 'orders may be open: the venue cancels them without further heartbeats');
  }

  /** The next beat waits for no answer: a lost one takes as long to be missed as the switch allows. */
  #arm(ms: number): void {
    this.#next();
    this.#next = this.#deps.timers.after(ms, () => {
      this.#arm(this.#timeoutMs / BEATS);
      void this.#beat().then((outcome) => {
        if (!this.#isOn || outcome.type === 'done') return;
        this.#deps.log.warn({ problem: outcome.problem }, 'a heartbeat was not taken');
        this.#deps.trouble({ type: 'repeated', command: 'heartbeat', problem: outcome.problem });
        this.#arm(this.#timeoutMs / RETRY);
      });
    });
  }

  #beat(): Promise<Outcome<unknown>> {
    return new Promise((resolve) => {
      const variables = `{"timeoutMs":${this.#timeoutMs}}`;
      this.#deps.transport.send(
        OPERATIONS.heartbeat,
        variables,
        takeOutcome(this.#deps, OPERATIONS.heartbeat, resolve),
      );
    });
  }
}
