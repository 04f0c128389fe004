/**
 * Keeps the venue's dead-man's switch from firing: without a beat for 10 s the venue cancels every order of the API key
 * (docs/spec/polymarket.md#heartbeat). Each beat sends the id from the answer to the last one.
 */
import { type EpochMs, Fault } from '../../domain/index.ts';
import type { PolymarketDeps } from './deps.ts';

const FIRST_BEATS_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;
const EVERY_MS = 4_000;
/** The venue cancels the orders after this long without an accepted beat. */
const LAPSE_MS = 10_000;
const RETRY_MS = 500;
const LONGEST_ID = 200;

export class Heartbeat {
  readonly #deps: PolymarketDeps;
  readonly #lapsed: () => void;
  #id = '';
  #takenAt: EpochMs | undefined;
  #isLapsed = false;

  /** @param lapsed the venue has cancelled the orders, or is about to */
  constructor(deps: PolymarketDeps, lapsed: () => void) {
    this.#deps = deps;
    this.#lapsed = lapsed;
  }

  /** Sends a beat; the first one arms the switch. @returns whether the venue has accepted it */
  async beat(): Promise<boolean> {
    const { rest, clock } = this.#deps;
    const body = JSON.stringify({ heartbeat_id: this.#id });
    const outcome = await rest.askPrivate({ method: 'POST', path: '/v1/heartbeats', body });
    const json = outcome.type === 'unknown' ? undefined : outcome.json;
    const next: unknown = Reflect.get(Object(json), 'heartbeat_id');
    if (typeof next === 'string' && next.length <= LONGEST_ID) this.#id = next;
    if (outcome.type !== 'done') return false;
    this.#takenAt = clock.now();
    this.#isLapsed = false;
    return true;
  }

  /** Starts beats until the timers close. Retries the first, which a restarting venue refuses. @throws Fault HEARTBEAT */
  async start(): Promise<void> {
    let isTaken = await this.beat();
    for (const wait of FIRST_BEATS_MS) {
      if (isTaken) break;
      await this.#deps.timers.wait(wait);
      isTaken = await this.beat();
    }
    if (!isTaken) throw new Fault('HEARTBEAT', 'Polymarket does not take a heartbeat. Try again later');
    void this.#go();
  }

  async #go(): Promise<void> {
    const { timers, clock, log, trouble } = this.#deps;
    while (!timers.isClosed) {
      await timers.pause(EVERY_MS);
      while (!timers.isClosed && !(await this.beat())) {
        trouble({ type: 'repeated', command: 'heartbeat', problem: 'not taken' });
        if (!this.#isLapsed && clock.now() - (this.#takenAt ?? 0) > LAPSE_MS) {
          this.#isLapsed = true;
          log.error({}, 'polymarket: no heartbeat was taken for 10 s: the venue has cancelled the orders');
          this.#lapsed();
        }
        await timers.pause(RETRY_MS);
      }
    }
  }
}
