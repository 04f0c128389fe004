/**
 * One subscription on one socket, or on two sockets while a socket is replaced.
 *
 * Invariants: a subscription with `startsWithEvent` passes only events of its carrier to the sink. `onMoved` runs
 * at most once for each new socket. A replaced or closed route passes no events on.
 */
import type { Clock } from '../../../clock/index.ts';
import { type Retained, timeAfter } from '../../../domain/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import { type AnswerShape, findRetryAfterMs, type GraphqlResult, toEvent } from './answer-codec.ts';
import type { RequestText } from './client-frame.ts';
import type { GraphqlSocket, Route } from './socket.ts';
import type { StreamSink } from './transport-options.ts';

const MIN_RETRY_WAIT_MS = 100;

export interface SubscriptionOptions<Data> {
  /** Returns the request with current variables. */
  readonly request: () => RequestText;
  readonly shape: AnswerShape;
  readonly sink: StreamSink<Data>;
  /** Whether the venue sends an event at once. */
  readonly startsWithEvent: boolean;
  readonly clock: Clock;
  /** Adds random jitter to a wait in ms. */
  readonly jitter: (ms: number) => number;
}

interface SubscriptionRoute extends Route {
  readonly socket: GraphqlSocket;
  id: string;
}

export class Subscription<Data = never> {
  readonly startsWithEvent: boolean;
  readonly #options: SubscriptionOptions<Data>;
  readonly #routes = new Map<GraphqlSocket, SubscriptionRoute>();
  readonly #retries = new Set<() => void>();
  /** Socket whose events are used. A subscription with `startsWithEvent` uses one socket at a time. */
  #carrier: GraphqlSocket | undefined;
  /** The new socket, which takes over with its first event. */
  #successor: { readonly socket: GraphqlSocket; readonly onMoved: () => void } | undefined;
  #hasEnded = false;
  readonly #retained: Retained = { last: undefined };

  constructor(options: SubscriptionOptions<Data>) {
    this.startsWithEvent = options.startsWithEvent;
    this.#options = options;
  }

  /** Subscribes on the only socket. */
  startOn(socket: GraphqlSocket): void {
    this.setCarrier(socket);
    this.#begin(socket);
  }

  /** Subscribes on a new socket. @param onMoved called once, at the socket's first event or when no event can follow */
  moveTo(socket: GraphqlSocket, onMoved: () => void): void {
    this.#successor = { socket, onMoved };
    this.#begin(socket);
  }

  /** Makes a socket the carrier, although it may not have sent an event. */
  setCarrier(socket: GraphqlSocket): void {
    this.#carrier = socket;
    this.#successor = undefined;
  }

  /** Removes a closed socket. @param problem reported to the sink if this socket was the carrier */
  onSocketClosed(socket: GraphqlSocket, problem: string | undefined): void {
    this.#routes.delete(socket);
    if (this.#successor?.socket === socket) this.#successor = undefined;
    if (this.#carrier !== socket) return;
    this.#carrier = undefined;
    if (problem !== undefined) this.#options.sink.onLost?.(problem);
  }

  resubscribe(): void {
    for (const socket of [...this.#routes.keys()]) {
      this.#complete(socket);
      this.#begin(socket);
    }
  }

  end(): void {
    this.#hasEnded = true;
    for (const cancel of this.#retries) cancel();
    this.#retries.clear();
    for (const socket of [...this.#routes.keys()]) this.#complete(socket);
    this.#successor?.onMoved();
    this.#successor = undefined;
  }

  #complete(socket: GraphqlSocket): void {
    const route = this.#routes.get(socket);
    this.#routes.delete(socket);
    if (route !== undefined) socket.complete(route.id);
  }

  #onNext(route: SubscriptionRoute, result: GraphqlResult): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    if (this.startsWithEvent && this.#carrier !== socket) {
      if (this.#successor?.socket !== socket) return;
      this.#takeOver(socket);
    }
    this.#retained.last = result;
    const { sink, shape } = this.#options;
    const event = toEvent<Data>(result, shape);
    if ('data' in event) sink.next(event.data);
    else sink.onMalformed(event.problem);
  }

  #onMalformed(route: SubscriptionRoute, problem: string): void {
    if (this.#routes.get(route.socket) !== route || (this.startsWithEvent && this.#carrier !== route.socket)) return;
    this.#options.sink.onMalformed(`${this.#options.shape.name}: ${problem}`);
  }

  #onError(route: SubscriptionRoute, errors: readonly WireError[]): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    this.#routes.delete(socket);
    const wait = findRetryAfterMs(errors);
    if (wait === undefined) {
      this.#takeOver(socket);
      if (this.#carrier === socket) this.#options.sink.onRefused(errors);
      return;
    }
    const { clock, jitter } = this.#options;
    const cancel = clock.schedule(timeAfter(clock.now(), jitter(Math.max(wait, MIN_RETRY_WAIT_MS))), () => {
      this.#retries.delete(cancel);
      if (!this.#routes.has(socket)) this.#begin(socket);
    });
    this.#retries.add(cancel);
  }

  #onComplete(route: SubscriptionRoute): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    this.#routes.delete(socket);
    this.#takeOver(socket);
    if (this.#carrier === socket) this.#options.sink.onEnded?.();
  }

  #begin(socket: GraphqlSocket): void {
    if (this.#hasEnded || !socket.isOpen) return;
    this.#options.sink.onBegin?.();
    const route: SubscriptionRoute = {
      socket,
      id: '',
      next: (result) => this.#onNext(route, result),
      malformed: (problem) => this.#onMalformed(route, problem),
      error: (errors) => this.#onError(route, errors),
      complete: () => this.#onComplete(route),
    };
    route.id = socket.subscribe(this.#options.request(), route);
    this.#routes.set(socket, route);
  }

  #takeOver(socket: GraphqlSocket): void {
    if (this.#successor?.socket !== socket) return;
    const { onMoved } = this.#successor;
    this.setCarrier(socket);
    onMoved();
  }
}
