/**
 * Limits the size of a running bot's file: once an hour it removes rows that are older than a number of days
 * (`Pruning`). Each slice runs in its own event loop turn, and each call has a limited number of slices, so that no
 * frame waits long.
 */
import { nextTurn } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import type { BotStore } from './bot-store.ts';
import { addPruned, type PrunedRows } from './pruning.ts';

export interface RetentionOptions {
  readonly store: Pick<BotStore, 'pruning'>;
  /** Age from which rows are removed, ms. */
  readonly keepMs: number;
  /** Receives the removed rows after each pass that removed some. */
  readonly pruned: (rows: PrunedRows) => void;
  /** Receives the error when a row cannot be removed. */
  readonly failed: (error: unknown) => void;
}

const PASS_MS = 3_600_000;
/** Slices in one call of `turn`. */
const SLICES = 50;
const NOTHING: PrunedRows = { steps: 0, orders: 0, fills: 0 };

export class Retention {
  readonly #options: RetentionOptions;
  #slice: (() => PrunedRows | undefined) | undefined;
  #rows = NOTHING;
  #nextPass = 0;
  #isBusy = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Call it at most a few times a second. Resolves after its slices; never rejects. */
  async turn(now: EpochMs): Promise<void> {
    if (this.#isBusy) return;
    if (this.#slice === undefined && now < this.#nextPass) return;
    this.#isBusy = true;
    try {
      await this.#slices(now);
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#isBusy = false;
    }
  }

  async #slices(now: EpochMs): Promise<void> {
    const { store, keepMs } = this.#options;
    if (this.#slice === undefined) {
      this.#slice = store.pruning(timeAfter(now, -keepMs));
      this.#nextPass = now + PASS_MS;
    }
    for (let count = 0; count < SLICES; count += 1) {
      await nextTurn();
      const rows = this.#slice();
      if (rows === undefined) {
        this.#end();
        return;
      }
      this.#rows = addPruned(this.#rows, rows);
    }
  }

  #end(): void {
    const rows = this.#rows;
    this.#slice = undefined;
    this.#rows = NOTHING;
    if (rows.steps + rows.orders + rows.fills > 0) this.#options.pruned(rows);
  }
}
