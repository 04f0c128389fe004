/**
 * Renews the venue's dead-man's switch from the program's event loop. If a strategy blocks the loop, the switch expires
 * and the venue cancels the orders of this credential.
 *
 * Invariants: while the switch is armed, a beat is sent every third of the timeout, and a tenth of the timeout after a
 * failed beat. A beat does not wait for the answer to the previous beat.
 */
import { Fault } from '../../../domain/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import type { ClientDeps } from '../orders/execution-deps.ts';
import { type RequestOutcome, sendRequest } from '../orders/requests.ts';

const BEATS_PER_TIMEOUT = 3;
const RETRIES_PER_TIMEOUT = 10;
/** Waits before the first beat is sent again, ms. */
const FIRST_RETRY_WAITS_MS = [200, 1_000] as const;
/** Timeout for disarming the switch at the venue, ms. After a failure, the switch expires. */
const DISARM_TIMEOUT_MS = 2_000;

export class Heartbeat {
  readonly #deps: ClientDeps;
  readonly #timeoutMs: number;
  #isArmed = false;
  #cancelNext: () => void = () => {};

  /** @param timeoutMs within the venue's bounds */
  constructor(deps: ClientDeps, timeoutMs: number) {
    this.#deps = deps;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Arms the switch. A beat without an answer is sent again twice.
   * @throws Fault `HEARTBEAT` if the venue refuses the beat, `STOPPED` if the venue is closed between two beats
   */
  async start(): Promise<void> {
    let outcome = await this.#beat();
    for (const wait of FIRST_RETRY_WAITS_MS) {
      if (outcome.type !== 'unknown') break;
      this.#deps.log.warn({ problem: outcome.problem }, 'the first heartbeat had no answer; retrying');
      await this.#deps.timers.wait(wait);
      outcome = await this.#beat();
    }
    if (outcome.type !== 'done')
      throw new Fault('HEARTBEAT', `the venue refuses a heartbeat of ${this.#timeoutMs} ms: ${outcome.problem}`);
    this.#isArmed = true;
    this.#schedule(this.#timeoutMs / BEATS_PER_TIMEOUT);
  }

  /** Sends a beat now, so that the switch is certainly armed. Returns whether the venue accepted the beat. */
  async renew(): Promise<boolean> {
    return !this.#isArmed || (await this.#beat()).type === 'done';
  }

  /** Stops the beats. With `mayHaveOpenOrders` the switch stays armed, and the venue cancels the orders. */
  async stop({ mayHaveOpenOrders }: { readonly mayHaveOpenOrders: boolean }): Promise<void> {
    if (!this.#isArmed) return;
    this.#isArmed = false;
    this.#cancelNext();
    if (mayHaveOpenOrders)
      this.#deps.log.warn({}, 'orders may be open: the venue cancels them without further heartbeats');
    else await this.#deps.transport.mutate(OPERATIONS.disarmHeartbeat, {}, { timeoutMs: DISARM_TIMEOUT_MS });
  }

  #schedule(ms: number): void {
    this.#cancelNext();
    this.#cancelNext = this.#deps.timers.after(ms, () => {
      this.#schedule(this.#timeoutMs / BEATS_PER_TIMEOUT);
      void this.#beat().then((outcome) => {
        if (!this.#isArmed || outcome.type === 'done') return;
        this.#deps.log.warn({ problem: outcome.problem }, 'the venue did not accept a heartbeat');
        this.#deps.onProblem({ type: 'commandResent', command: 'heartbeat', problem: outcome.problem });
        this.#schedule(this.#timeoutMs / RETRIES_PER_TIMEOUT);
      });
    });
  }

  #beat(): Promise<RequestOutcome<unknown>> {
    const variables = `{"timeoutMs":${this.#timeoutMs}}`;
    return new Promise((resolve) => sendRequest(this.#deps, OPERATIONS.heartbeat, variables, resolve));
  }
}
