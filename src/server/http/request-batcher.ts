/**
 * HOT: requests whose bodies are complete in one turn of the event loop are answered together at its end, in two stages: all are
 * read, then all are run. The code of one stage stays in the processor's caches (docs/decisions/0022, bench/server.ts).
 *
 * Invariants: requests of one connection are run in order. The second stage does everything that depends on the caller, the time
 * or earlier requests. A turn answers a bounded number of requests. When more wait, it answers no more than a share of each
 * connection, and a connection with more than that is not read: a client that writes thousands ahead delays only itself.
 */
import { nextTurn } from '../../clock/index.ts';

/** A request with a complete body. */
export interface BatchedRequest {
  /** Has no effect on other requests. Never throws. */
  read(): void;
  /** Answers the request. Called once after `read`. Never throws. */
  run(): void;
}

/** A socket, as far as it matters here. */
export interface BatchedConnection {
  pause(): unknown;
  resume(): unknown;
}

/** Requests of one connection that a turn answers when too many wait for one turn, and that may wait before it is paused. */
export const SHARE = 64;
/** Requests of all connections that a turn answers. */
export const MOST_PER_TURN = 256;

export class RequestBatcher {
  /** As they arrived, with their connections at the same places, while one turn can answer them all. */
  #requests: BatchedRequest[] = [];
  #connections: BatchedConnection[] = [];
  /** Once there are more: by connection. The one whose turn it is comes first. */
  readonly #waiting = new Map<BatchedConnection, BatchedRequest[]>();
  readonly #paused = new Set<BatchedConnection>();
  #isDue = false;

  /** Answers a request at the end of the turn, or in a later one if too many wait. */
  add(connection: BatchedConnection, request: BatchedRequest): void {
    if (this.#waiting.size === 0 && this.#requests.length < MOST_PER_TURN) {
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
      // Each time: Node itself resumes a connection when a body has been read to its end.
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
      if (batch.length >= MOST_PER_TURN) break;
      this.#waiting.delete(connection);
      if (waiting.length > SHARE) {
        batch.push(...waiting.slice(0, SHARE));
        // Behind the others.
        this.#waiting.set(connection, waiting.slice(SHARE));
      } else {
        batch.push(...waiting);
        if (this.#paused.delete(connection)) connection.resume();
      }
    }
    return batch;
  }
}
