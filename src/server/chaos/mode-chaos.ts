import type { Clock, Random } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { VenueMode } from '../../exchange/index.ts';
import type { Desk } from '../desk/index.ts';
import type { Log } from '../graphql/index.ts';
import type { ChaosSettings } from './settings.ts';

/** What it stands on. */
export interface ModeChaosOptions {
  readonly clock: Clock;
  readonly desk: Desk;
  readonly random: Random;
  readonly log: Log;
  readonly settings: ChaosSettings['modes'];
}

const MODES: readonly VenueMode[] = ['POST_ONLY', 'CANCEL_ONLY', 'HALTED'];

/** Changes the venue's mode now and then, and back. */
export class ModeChaos {
  readonly #options: ModeChaosOptions;
  #cancel: (() => void) | undefined;
  #isOdd = false;

  constructor(options: ModeChaosOptions) {
    this.#options = options;
  }

  start(): void {
    const { random, settings } = this.#options;
    if (settings.every_ms === 0) return;
    this.#after(Math.ceil(settings.every_ms * random.exponential()), () => {
      this.#isOdd = true;
      void this.#set(MODES[random.int(MODES.length)] ?? 'HALTED');
      this.#after(settings.for_ms, () => {
        this.#isOdd = false;
        void this.#set('NORMAL');
        this.start();
      });
    });
  }

  /** The venue is NORMAL again where it was not by this; no timer stays. */
  async close(): Promise<void> {
    this.#cancel?.();
    if (this.#isOdd) await this.#set('NORMAL');
  }

  #after(ms: number, then: () => void): void {
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), ms), then);
  }

  async #set(mode: VenueMode): Promise<void> {
    const { desk, log } = this.#options;
    log.info({ mode }, 'chaos: a mode on purpose');
    try {
      await desk.ask({ type: 'setMode', time: desk.now, mode });
    } catch (error) {
      log.warn({ err: error, mode }, 'chaos: the mode could not be set');
    }
  }
}
