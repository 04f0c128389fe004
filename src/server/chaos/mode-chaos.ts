import type { Clock, Random } from '../../clock/index.ts';
import { timeAfter, type VenueMode } from '../../domain/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { ChaosSettings } from './settings.ts';

export interface ModeChaosOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly random: Random;
  readonly log: Log;
  readonly settings: ChaosSettings['modes'];
}

const MODES: readonly VenueMode[] = ['POST_ONLY', 'CANCEL_ONLY', 'HALTED'];

/** Switches the venue to a random mode at random times, and back to NORMAL. */
export class ModeChaos {
  readonly #options: ModeChaosOptions;
  #cancel: (() => void) | undefined;
  #isSwitched = false;

  constructor(options: ModeChaosOptions) {
    this.#options = options;
  }

  start(): void {
    const { random, settings } = this.#options;
    if (settings.every_ms === 0) return;
    this.#after(Math.ceil(settings.every_ms * random.exponential()), () => {
      this.#isSwitched = true;
      void this.#set(MODES[random.int(MODES.length)] ?? 'HALTED');
      this.#after(settings.for_ms, () => {
        this.#isSwitched = false;
        void this.#set('NORMAL');
        this.start();
      });
    });
  }

  /** Cancels all timers, and restores NORMAL if the mode is switched. */
  async close(): Promise<void> {
    this.#cancel?.();
    if (this.#isSwitched) await this.#set('NORMAL');
  }

  #after(ms: number, then: () => void): void {
    const { clock } = this.#options;
    this.#cancel = clock.schedule(timeAfter(clock.now(), ms), then);
  }

  async #set(mode: VenueMode): Promise<void> {
    const { queue, log } = this.#options;
    log.info({ mode }, 'chaos: set the mode');
    try {
      await queue.execute({ type: 'setMode', time: queue.now, mode });
    } catch (error) {
      log.warn({ err: error, mode }, 'chaos: the mode could not be set');
    }
  }
}
