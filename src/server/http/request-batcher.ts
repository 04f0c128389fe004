/**
 * HOT: requests whose bodies are complete in one turn of the event loop are answered together at its end, in two stages: all are
 * read, then all are run, in order. The code of one stage stays in the processor's caches (docs/decisions/0022, bench/server.ts).
 *
 * Invariant: the second stage does everything that depends on the caller, the time or earlier requests.
 */
import { nextTurn } from '../../clock/index.ts';

/** A request with a complete body. */
export interface BatchedRequest {
  /** Has no effect on other requests. Never throws. */
  read(): void;
  /** Answers the request. Called once after `read`. Never throws. */
  run(): void;
}

/** Batches the requests of one server. */
export class RequestBatcher {
  #arrived: BatchedRequest[] = [];

  /** Answers a request at the end of the turn. */
  add(request: BatchedRequest): void {
    if (this.#arrived.push(request) === 1) void nextTurn().then(() => this.#answer());
  }

  #answer(): void {
    const requests = this.#arrived;
    this.#arrived = [];
    for (const request of requests) request.read();
    for (const request of requests) request.run();
  }
}
