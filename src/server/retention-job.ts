import type { Clock } from '../clock/index.ts';
import { timeAfter } from '../domain/index.ts';
import type { Log } from './graphql/context.ts';
import type { StorePort } from './server-options.ts';

const EVERY_MS = 600_000;

/** Deletes old order events at intervals. */
export class RetentionJob {
  readonly #deps: { readonly clock: Clock; readonly store: StorePort; readonly log: Log };
  #cancel: () => void;

  constructor(deps: { readonly clock: Clock; readonly store: StorePort; readonly log: Log }) {
    this.#deps = deps;
    this.#cancel = this.#schedule();
  }

  close(): void {
    this.#cancel();
  }

  #schedule(): () => void {
    const { clock, store, log } = this.#deps;
    return clock.schedule(timeAfter(clock.now(), EVERY_MS), () => {
      store.pruneEvents(clock.now(), (fault) => {
        if (fault !== undefined) log.error({ err: fault }, 'store: old events could not be deleted');
      });
      this.#cancel = this.#schedule();
    });
  }
}
