/** One subscription and the sockets that carry it. */
import type { Clock } from '../../../clock/index.ts';
import { type Retained, timeAfter } from '../../../domain/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import { type AnswerShape, eventOf, type GraphqlResult, retryOf } from './answer-codec.ts';
import type { RequestText } from './client-frame.ts';
import type { GraphqlSocket, Route } from './socket.ts';
import type { StreamSink } from './transport-port.ts';

/** The least wait before a repeat, whatever the venue says. ms. */
const MIN_WAIT_MS = 100;

export interface SubscriptionOptions<Data> {
  /** The operation's field, for messages. */
  readonly field: string;
  /** The request as of this moment. */
  readonly request: () => RequestText;
  readonly shape: AnswerShape;
  readonly sink: StreamSink<Data>;
  /** The venue sends an event at once. */
  readonly opens: boolean;
  readonly clock: Clock;
  /** Lengthens a wait by chance. ms in, ms out. */
  readonly jitter: (ms: number) => number;
}

export class Subscription<Data = never> {
  readonly opens: boolean;
  readonly #options: SubscriptionOptions<Data>;
  /** Its state on each socket. */
  readonly #routes = new Map<GraphqlSocket, SubscriptionRoute<Data>>();
  readonly #retries = new Set<() => void>();
  /** Socket whose events count. A subscription that opens with an event uses one socket at a time. */
  #carrier: GraphqlSocket | undefined;
  /** A socket that takes over with its first event. */
  #heir: { readonly socket: GraphqlSocket; readonly took: () => void } | undefined;
  #hasEnded = false;
  readonly #retained: Retained = { last: undefined };

  constructor(options: SubscriptionOptions<Data>) {
    this.opens = options.opens;
    this.#options = options;
  }

  /** Begins on the one socket there is. */
  carry(socket: GraphqlSocket): void {
    this.#carrier = socket;
    this.#heir = undefined;
    this.#begin(socket);
  }

  /** Begins on a socket that is to take over. @param took called once, at its first event or when none will come */
  inherit(socket: GraphqlSocket, took: () => void): void {
    this.#heir = { socket, took };
    this.#begin(socket);
  }

  /** The heir has taken over, with or without an event. */
  succeed(socket: GraphqlSocket): void {
    this.#carrier = socket;
    this.#heir = undefined;
  }

  /** A socket is gone. @param problem for the sink, where nothing else carries the subscription */
  drop(socket: GraphqlSocket, problem: string | undefined): void {
    this.#routes.delete(socket);
    if (this.#heir?.socket === socket) this.#heir = undefined;
    if (this.#carrier !== socket) return;
    this.#carrier = undefined;
    if (problem !== undefined) this.#options.sink.lost?.(problem);
  }

  /** Begins again on every socket that carries it. */
  again(): void {
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
    this.#heir?.took();
    this.#heir = undefined;
  }

  #complete(socket: GraphqlSocket): void {
    const route = this.#routes.get(socket);
    this.#routes.delete(socket);
    if (route !== undefined) socket.complete(route.id);
  }

  /** An event of the socket that this route belongs to. */
  onNext(route: SubscriptionRoute<Data>, result: GraphqlResult): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    if (this.opens && this.#carrier !== socket) {
      if (this.#heir?.socket !== socket) return;
      this.#takeOver(socket);
    }
    this.#retained.last = result;
    const { sink, shape } = this.#options;
    const event = eventOf<Data>(result, shape);
    if ('data' in event) sink.next(event.data, result.errors);
    else sink.malformed(event.problem);
  }

  onMalformed(route: SubscriptionRoute<Data>, problem: string): void {
    if (this.#routes.get(route.socket) !== route || (this.opens && this.#carrier !== route.socket)) return;
    this.#options.sink.malformed(`${this.#options.field}: ${problem}`);
  }

  onError(route: SubscriptionRoute<Data>, errors: readonly WireError[]): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    this.#routes.delete(socket);
    const wait = retryOf(errors);
    if (wait === undefined) {
      this.#takeOver(socket);
      if (this.#carrier === socket) this.#options.sink.refused(errors);
      return;
    }
    const { clock, jitter } = this.#options;
    const cancel = clock.schedule(timeAfter(clock.now(), jitter(Math.max(wait, MIN_WAIT_MS))), () => {
      this.#retries.delete(cancel);
      if (!this.#routes.has(socket)) this.#begin(socket);
    });
    this.#retries.add(cancel);
  }

  onComplete(route: SubscriptionRoute<Data>): void {
    const { socket } = route;
    if (this.#routes.get(socket) !== route) return;
    this.#routes.delete(socket);
    this.#takeOver(socket);
    if (this.#carrier === socket) this.#options.sink.ended?.();
  }

  #begin(socket: GraphqlSocket): void {
    if (this.#hasEnded || !socket.isOpen) return;
    this.#options.sink.begun?.();
    const route = new SubscriptionRoute(this, socket);
    route.id = socket.subscribe(this.#options.request(), route);
    this.#routes.set(socket, route);
  }

  #takeOver(socket: GraphqlSocket): void {
    if (this.#heir?.socket !== socket) return;
    const { took } = this.#heir;
    this.succeed(socket);
    took();
  }
}

/** State of a subscription on one socket. */
class SubscriptionRoute<Data> implements Route {
  readonly #subscription: Subscription<Data>;
  readonly socket: GraphqlSocket;
  /** The operation's id on the socket. */
  id = '';

  constructor(subscription: Subscription<Data>, socket: GraphqlSocket) {
    this.#subscription = subscription;
    this.socket = socket;
  }

  next(result: GraphqlResult): void {
    this.#subscription.onNext(this, result);
  }

  malformed(problem: string): void {
    this.#subscription.onMalformed(this, problem);
  }

  error(errors: readonly WireError[]): void {
    this.#subscription.onError(this, errors);
  }

  complete(): void {
    this.#subscription.onComplete(this);
  }
}
