import type { Clock } from '../../clock/index.ts';
import { epochMs } from '../../domain/index.ts';

/** Expiry of a credential: a time, Infinity for never, -Infinity for an ended one. */
export type FindEndTime = (credential: string) => number;

interface WatchedCredential {
  readonly listeners: Set<() => void>;
  cancel: () => void;
}

/** Notifies once when a credential ends: by revocation, reuse of a refresh token, or expiry. */
export class CredentialEnds {
  readonly #clock: Clock;
  readonly #endOf: FindEndTime;
  readonly #watched = new Map<string, WatchedCredential>();

  constructor(clock: Clock, endOf: FindEndTime) {
    this.#clock = clock;
    this.#endOf = endOf;
  }

  /**
   * Calls `onEnd` when the credential ends; asynchronously if it has already ended.
   * @returns a function that ends the watch
   */
  watch(credential: string, onEnd: () => void): () => void {
    // A new function per watch, so that one listener can watch twice.
    const listener = (): void => onEnd();
    let watched = this.#watched.get(credential);
    if (watched === undefined) {
      watched = { listeners: new Set(), cancel: noop };
      this.#watched.set(credential, watched);
      this.#arm(credential, watched);
    }
    watched.listeners.add(listener);
    return () => this.#leave(credential, listener);
  }

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

  /** Schedules the end. A refresh moves a session's end, so the timer checks again when it fires. */
  #arm(credential: string, watched: WatchedCredential): void {
    const end = this.#endOf(credential);
    if (end === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    watched.cancel = this.#clock.schedule(epochMs(Math.max(end, now)), () => {
      if (this.#endOf(credential) > this.#clock.now()) this.#arm(credential, watched);
      else this.ended(credential);
    });
  }
}

function noop(): void {}
