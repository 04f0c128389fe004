/**
 * HOT: answers the requests of one turn of the event loop together at its end, in two stages: reads all, then runs all. The code
 * of one stage stays in the processor's caches (docs/decisions/0022, bench/server.ts).
 *
 * Invariants: requests of one connection run in order. The second stage does everything that depends on the caller, the time
 * or earlier requests. A turn answers a limited number of requests. When more wait, it answers a limited share of each connection
 * and pauses connections with more. So a client that pipelines thousands of requests delays only itself.
 */
import { nextTurn } from '../../clock/index.ts';

/** A request with a complete body. */
export interface BatchedRequest {
  /** Has no effect on other requests. Never throws. */
  read(): void;
  /** Sends the answer. Called once after `read`. Never throws. */
  run(): void;
}

export interface BatchedConnection {
  pause(): unknown;
  resume(): unknown;
}

/** Under overload: limit of requests of one connection per turn, and of its waiting requests before it is paused. */
export const SHARE = 64;
/** Requests of all connections that a turn answers. */
export const MAX_PER_TURN = 256;

export class RequestBatcher {
  /** Without overload: requests in order of arrival, and their connections at the same indices. */
  #requests: BatchedRequest[] = [];
  #connections: BatchedConnection[] = [];
  /** Under overload: requests by connection, the next connection first. */
  readonly #waiting = new Map<BatchedConnection, BatchedRequest[]>();
  readonly #paused = new Set<BatchedConnection>();
  #isDue = false;

  /** Queues a request. It runs at the end of the turn, or in a later turn if too many wait. */
  add(connection: BatchedConnection, request: BatchedRequest): void {
    if (this.#waiting.size === 0 && this.#requests.length < MAX_PER_TURN) {
      this.#requests.push(request);
      this.#connections.push(connection);
    } else {
      this.#sort();
      this.#wait(connection, request);
    }
    this.#answerLater();
  }

  #sort(): void {
    for (const [at, request] of this.#requests.entries()) this.#wait(this.#connections[at]!, request);
    this.#requests = [];
    this.#connections = [];
  }

  #wait(connection: BatchedConnection, request: BatchedRequest): void {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) this.#waiting.set(connection, [request]);
    else if (waiting.push(request) > SHARE) {
      this.#paused.add(connection);
      // Pause each time, because Node resumes a connection at the end of each body.
      connection.pause();
    }
  }

  #answerLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void nextTurn().then(() => this.#answer());
  }

  #answer(): void {
    this.#isDue = false;
    const requests = this.#nextBatch();
    for (const request of requests) request.read();
    for (const request of requests) request.run();
    if (this.#waiting.size > 0) this.#answerLater();
  }

  #nextBatch(): readonly BatchedRequest[] {
    if (this.#waiting.size > 0) return this.#fairBatch();
    const requests = this.#requests;
    this.#requests = [];
    this.#connections = [];
    return requests;
  }

  #fairBatch(): readonly BatchedRequest[] {
    const batch: BatchedRequest[] = [];
    for (const [connection, waiting] of [...this.#waiting]) {
      if (batch.length >= MAX_PER_TURN) break;
      this.#waiting.delete(connection);
      if (waiting.length > SHARE) {
        batch.push(...waiting.slice(0, SHARE));
        // Move the connection behind the others.
        this.#waiting.set(connection, waiting.slice(SHARE));
      } else {
        batch.push(...waiting);
        if (this.#paused.delete(connection)) connection.resume();
      }
    }
    return batch;
  }
}
