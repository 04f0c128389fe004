/**
 * The venue's dead-man's switch: it cancels every order of the API key when no beat came for 10 s
 * (docs/spec/polymarket.md#heartbeat). Each beat names the id that the one before was answered with.
 */
import { type EpochMs, Fault } from '../../domain/index.ts';
import type { PolymarketDeps } from './deps.ts';

/** Before the first beat is sent again; ms. */
const FIRST_BEATS_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;
const EVERY_MS = 4_000;
/** After so long without a beat that was taken the orders are gone. */
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

  /** The first beat arms the switch. @returns whether the venue has taken it */
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

  /** Beats until the venue is left. An engine that restarts takes no first beat for a while. @throws Fault HEARTBEAT */
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
