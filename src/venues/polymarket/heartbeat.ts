/**
 * Keeps the venue's dead-man's switch from firing. Without a beat for 10 s the venue cancels every order of the API key
 * (docs/spec/polymarket.md#heartbeat). Each beat sends the id from the answer to the previous beat.
 */
import { type EpochMs, Fault } from '../../domain/index.ts';
import type { PolymarketDeps } from './deps.ts';

const FIRST_BEAT_RETRIES_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;
const BEAT_INTERVAL_MS = 4_000;
/** Time without an accepted beat after which the venue cancels the orders. */
const LAPSE_MS = 10_000;
const RETRY_MS = 500;
const MAX_ID_LENGTH = 200;

export class Heartbeat {
  readonly #deps: PolymarketDeps;
  readonly #onLapsed: () => void;
  #id = '';
  #acceptedAt: EpochMs | undefined;
  #isLapsed = false;

  /** @param onLapsed called when the venue has cancelled the orders, or is about to cancel them */
  constructor(deps: PolymarketDeps, onLapsed: () => void) {
    this.#deps = deps;
    this.#onLapsed = onLapsed;
  }

  /** Sends a beat. The first beat arms the switch. Returns whether the venue accepted the beat. */
  async beat(): Promise<boolean> {
    const { rest, clock } = this.#deps;
    const body = JSON.stringify({ heartbeat_id: this.#id });
    const outcome = await rest.sendPrivate({ method: 'POST', path: '/v1/heartbeats', body });
    const json = outcome.type === 'unknown' ? undefined : outcome.json;
    const nextId: unknown = Reflect.get(Object(json), 'heartbeat_id');
    if (typeof nextId === 'string' && nextId.length <= MAX_ID_LENGTH) this.#id = nextId;
    if (outcome.type !== 'done') return false;
    this.#acceptedAt = clock.now();
    this.#isLapsed = false;
    return true;
  }

  /** Beats until the timers close. Retries the first beat: a restarting venue refuses it. @throws Fault HEARTBEAT */
  async start(): Promise<void> {
    let isAccepted = await this.beat();
    for (const wait of FIRST_BEAT_RETRIES_MS) {
      if (isAccepted) break;
      await this.#deps.timers.wait(wait);
      isAccepted = await this.beat();
    }
    if (!isAccepted) throw new Fault('HEARTBEAT', 'Polymarket refuses the heartbeat. Try again later');
    void this.#run();
  }

  async #run(): Promise<void> {
    const { timers, clock, log, onProblem } = this.#deps;
    while (!timers.isClosed) {
      await timers.pause(BEAT_INTERVAL_MS);
      while (!timers.isClosed && !(await this.beat())) {
        onProblem({ type: 'commandResent', command: 'heartbeat', problem: 'not accepted' });
        if (!this.#isLapsed && clock.now() - (this.#acceptedAt ?? 0) > LAPSE_MS) {
          this.#isLapsed = true;
          log.error({}, 'polymarket: no heartbeat was accepted for 10 s: the venue has cancelled the orders');
          this.#onLapsed();
        }
        await timers.pause(RETRY_MS);
      }
    }
  }
}
