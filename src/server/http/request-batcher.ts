/**
 * HOT: requests whose bodies came in one turn of the event loop are answered together, at its end, in two stages: all are
 * read, then all are run, in the order in which they came. Code that runs for one request after the other stays in the caches
 * of the processor, where a whole order from its bytes to the engine pushes it out each time
 * (docs/decisions/0022, bench/server.ts).
 *
 * Invariant: what depends on who asks, on the time, or on what a request before has done, belongs to the second stage.
 */
import { nextTurn } from '../../clock/index.ts';

/** A request whose body is there. */
export interface BatchedRequest {
  /** Has no effects that another request could see. Never throws. */
  read(): void;
  /** Answers; once, after `read`. Never throws. */
  run(): void;
}

/** Requests of one server. */
export class RequestBatcher {
  #arrived: BatchedRequest[] = [];

  /** Has it answered at the end of the turn. */
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
