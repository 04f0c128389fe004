/**
 * HOT: answers the requests of one event-loop turn together at the end of the turn. Prepares all requests, then runs
 * all, because the code of one stage then stays in the processor's caches (docs/decisions/0022, bench/server.ts).
 *
 * Invariants: requests of one connection run in order. Only the stage `run` depends on the caller, the time and earlier
 * requests. An event-loop turn answers a limited number of requests, and under overload a limited number per
 * connection. So a client that pipelines thousands of requests delays only itself.
 */
import { nextEventLoopTurn } from '../../clock/index.ts';

/** A request with a complete body. */
export interface BatchedRequest {
  /** Parses and plans the request, without an effect on other requests. Never throws. */
  prepare(): void;
  /** Sends the answer. Called once after `prepare`. Never throws. */
  run(): void;
}

export interface BatchedConnection {
  pause(): unknown;
  resume(): unknown;
}

/** Limit of requests per connection and event-loop turn under overload. A connection with more is paused. */
export const MAX_PER_CONNECTION = 64;
/** Limit over all connections; the last connection's requests may exceed it. More requests are an overload. */
export const MAX_PER_TURN = 256;

export class RequestBatcher {
  /** Requests in order of arrival; empty under overload. Their connections are at the same indices. */
  #requests: BatchedRequest[] = [];
  #connections: BatchedConnection[] = [];
  /** Under overload, the requests by connection, with the next connection first. */
  readonly #waiting = new Map<BatchedConnection, BatchedRequest[]>();
  readonly #paused = new Set<BatchedConnection>();
  #isScheduled = false;

  /** Queues a request for the end of this event-loop turn, or of a later one under overload. */
  add(connection: BatchedConnection, request: BatchedRequest): void {
    if (this.#waiting.size === 0 && this.#requests.length < MAX_PER_TURN) {
      this.#requests.push(request);
      this.#connections.push(connection);
    } else {
      const connections = this.#connections;
      for (const [index, earlier] of this.#removeAll().entries()) this.#enqueue(connections[index]!, earlier);
      this.#enqueue(connection, request);
    }
    this.#scheduleAnswers();
  }

  #enqueue(connection: BatchedConnection, request: BatchedRequest): void {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) this.#waiting.set(connection, [request]);
    else if (waiting.push(request) > MAX_PER_CONNECTION) {
      this.#paused.add(connection);
      // Pause each time, because Node resumes a connection at the end of each body.
      connection.pause();
    }
  }

  #scheduleAnswers(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void nextEventLoopTurn().then(() => this.#answer());
  }

  #answer(): void {
    this.#isScheduled = false;
    const requests = this.#waiting.size > 0 ? this.#removeFairBatch() : this.#removeAll();
    for (const request of requests) request.prepare();
    for (const request of requests) request.run();
    if (this.#waiting.size > 0) this.#scheduleAnswers();
  }

  #removeAll(): readonly BatchedRequest[] {
    const requests = this.#requests;
    this.#requests = [];
    this.#connections = [];
    return requests;
  }

  /** Removes the next requests of each connection in turn, up to `MAX_PER_CONNECTION` of one connection. */
  #removeFairBatch(): readonly BatchedRequest[] {
    const batch: BatchedRequest[] = [];
    for (const [connection, waiting] of [...this.#waiting]) {
      if (batch.length >= MAX_PER_TURN) break;
      this.#waiting.delete(connection);
      if (waiting.length > MAX_PER_CONNECTION) {
        batch.push(...waiting.slice(0, MAX_PER_CONNECTION));
        // Move the connection behind the others.
        this.#waiting.set(connection, waiting.slice(MAX_PER_CONNECTION));
      } else {
        batch.push(...waiting);
        if (this.#paused.delete(connection)) connection.resume();
      }
    }
    return batch;
  }
}
