/** Detects dead connections. Pings each connection once per period, and expects an answer before the next ping. */
import type { WebSocket } from 'ws';
import type { Clock } from '../../../clock/index.ts';
import { timeAfter } from '../../../domain/index.ts';

/** Number of slices of a period, so that ten thousand connections are not pinged at once. */
const SLICES = 16;

export class KeepAlive {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  /** Functions that ping a connection, or terminate it if it has not answered. */
  readonly #slices = Array.from({ length: SLICES }, () => new Set<() => void>());
  #currentSlice = 0;
  #nextOffset = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, periodMs: number) {
    this.#clock = clock;
    this.#sliceMs = Math.max(1, Math.round(periodMs / SLICES));
    this.#scheduleNextSlice();
  }

  /** Watches a connection until it closes. */
  add(webSocket: WebSocket, ping: () => void): void {
    let hasAnswered = true;
    const check = (): void => {
      if (!hasAnswered) {
        webSocket.terminate();
        return;
      }
      hasAnswered = false;
      ping();
    };
    // Each connection joins the slice after the previous connection's, which spreads the pings over the period.
    const slice = this.#slices[(this.#currentSlice + this.#nextOffset) % SLICES];
    this.#nextOffset = (this.#nextOffset + 1) % SLICES;
    slice?.add(check);
    webSocket.on('pong', () => {
      hasAnswered = true;
    });
    webSocket.once('close', () => slice?.delete(check));
  }

  stop(): void {
    this.#cancel?.();
  }

  #scheduleNextSlice(): void {
    this.#cancel = this.#clock.schedule(timeAfter(this.#clock.now(), this.#sliceMs), () => {
      this.#scheduleNextSlice();
      this.#currentSlice = (this.#currentSlice + 1) % SLICES;
      for (const check of this.#slices[this.#currentSlice] ?? []) check();
    });
  }
}
