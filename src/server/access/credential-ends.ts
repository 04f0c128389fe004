import type { Clock } from '../../clock/index.ts';
import { epochMs } from '../../domain/index.ts';

/** Expiry of a credential: a time, Infinity for never, -Infinity for an ended one. */
export type FindEndTime = (credential: string) => number;

interface Watched {
  readonly listeners: Set<() => void>;
  cancel: () => void;
}

/** Notifies once when a credential ends: its owner revoked it, its token was stolen, or it expired. */
export class CredentialEnds {
  readonly #clock: Clock;
  readonly #endOf: FindEndTime;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock, endOf: FindEndTime) {
    this.#clock = clock;
    this.#endOf = endOf;
  }

  /**
   * Calls `onEnd` when the credential ends. If it has already ended, the call follows soon after this returns.
   * @returns a function that ends the watch
   */
  watch(credential: string, onEnd: () => void): () => void {
    // One function may watch twice: each watch is separate.
    const listener = (): void => onEnd();
    let watched = this.#watched.get(credential);
    if (watched === undefined) {
      watched = { listeners: new Set(), cancel: nothing };
      this.#watched.set(credential, watched);
      this.#arm(credential, watched);
    }
    watched.listeners.add(listener);
    return () => this.#leave(credential, listener);
  }

  /** It has ended. */
  ended(credential: string): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined) return;
    this.#watched.delete(credential);
    watched.cancel();
    for (const listener of watched.listeners) listener();
  }

  /** Cancels all timers. */
  close(): void {
    for (const { cancel } of this.#watched.values()) cancel();
    this.#watched.clear();
  }

  #leave(credential: string, listener: () => void): void {
    const watched = this.#watched.get(credential);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    watched.cancel();
    this.#watched.delete(credential);
  }

  /** A session's end moves with each refresh: the timer looks again when it fires. */
  #arm(credential: string, watched: Watched): void {
    const end = this.#endOf(credential);
    if (end === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    watched.cancel = this.#clock.schedule(epochMs(Math.max(end, now)), () => {
      if (this.#endOf(credential) > this.#clock.now()) this.#arm(credential, watched);
      else this.ended(credential);
    });
  }
}

function nothing(): void {}
