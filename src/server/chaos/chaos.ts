/** Injects faults between sockets and service. All faults derive from one seed. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, type Random, seededRandom } from '../../clock/index.ts';
import { timeAfter, unchecked, type VenueMode } from '../../domain/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import { HttpChaos } from './http-chaos.ts';
import type { ChaosSettings } from './settings.ts';
import { SocketChaos } from './socket-chaos.ts';

export interface ChaosOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly log: Log;
  readonly settings: ChaosSettings;
  /** An unguessable text that marks requests which this server repeats, so that they get no faults. */
  readonly secret: string;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export class Chaos {
  readonly http: HttpChaos;
  readonly #options: ChaosOptions;
  readonly #modes: ModeChaos;
  #socketCount = 0;

  constructor(options: ChaosOptions) {
    const { clock, queue, log, settings, secret } = options;
    const random = seededRandom(settings.seed);
    this.#options = options;
    this.http = new HttpChaos({ clock, log, secret, random, settings: settings.http });
    this.#modes = new ModeChaos({ clock, queue, log, random: random.fork('modes'), settings: settings.modes });
  }

  start(): void {
    this.#options.log.warn({ seed: this.#options.settings.seed }, 'chaos: fault injection is on');
    this.#modes.start();
  }

  /** Injects faults into the frames of the sockets that `upgrade` handles. */
  wrap(upgrade: Upgrade): Upgrade {
    return (request, socket, head) => {
      const { clock, log, settings } = this.#options;
      this.#socketCount += 1;
      const number = this.#socketCount;
      const random = seededRandom(settings.seed).fork(`socket ${number}`);
      const logFault = (fault: string): void => log.info({ fault, socket: number }, 'chaos: injected a fault');
      new SocketChaos(socket, { clock, random, settings: settings.socket, logFault });
      upgrade(request, socket, head);
    };
  }

  async close(): Promise<void> {
    this.http.close();
    await this.#modes.close();
  }
}

/** Returns a clock that is ahead of `clock` by `skewMs`. A negative skew puts the new clock behind. */
export function skewedClock(clock: Clock, skewMs: number): Clock {
  return {
    now: () => unchecked.time(clock.now() + skewMs),
    schedule: (when, fire) => clock.schedule(unchecked.time(when - skewMs), fire),
  };
}

export interface ModeChaosOptions extends Pick<ChaosOptions, 'clock' | 'queue' | 'log'> {
  readonly random: Random;
  readonly settings: ChaosSettings['modes'];
}

const MODES: readonly VenueMode[] = ['POST_ONLY', 'CANCEL_ONLY', 'HALTED'];

/** Changes the venue's mode at random times, and restores NORMAL after `for_ms`. */
export class ModeChaos {
  readonly #options: ModeChaosOptions;
  #cancel: (() => void) | undefined;
  #isModeChanged = false;

  constructor(options: ModeChaosOptions) {
    this.#options = options;
  }

  start(): void {
    const { random, settings } = this.#options;
    if (settings.every_ms === 0) return;
    this.#schedule(Math.ceil(settings.every_ms * random.exponential()), () => {
      this.#isModeChanged = true;
      void this.#setMode(MODES[random.int(MODES.length)] ?? 'HALTED');
      this.#schedule(settings.for_ms, () => {
        this.#isModeChanged = false;
        void this.#setMode('NORMAL');
        this.start();
      });
    });
  }

  /** Cancels the timer, and restores NORMAL if the mode is changed. */
  async close(): Promise<void> {
    this.#cancel?.();
    if (this.#isModeChanged) await this.#setMode('NORMAL');
  }

  #schedule(ms: number, callback: () => void): void {
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), ms), callback);
  }

  async #setMode(mode: VenueMode): Promise<void> {
    const { queue, log } = this.#options;
    log.info({ mode }, 'chaos: set the mode');
    try {
      await queue.execute({ type: 'setMode', time: queue.now, mode });
    } catch (error) {
      log.warn({ err: error, mode }, 'chaos: the mode could not be set');
    }
  }
}
