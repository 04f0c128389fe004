/**
 * One client on one socket, with its credentials and subscriptions.
 *
 * Invariants: a connection has the rights of the credential that opened the connection. When the credential ends,
 * protected subscriptions end, and later requests run without credentials.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../clock/index.ts';
import { ACCESS, isRootField, UNAUTHORIZED, type WireError, wireError } from '../../../protocol/index.ts';
import { type OperationContext, RequestContext, type Viewer } from '../../graphql/context.ts';
import type { SubscriptionPlan } from '../../graphql/request.ts';
import type { StreamOptions } from '../options.ts';
import type { PerIpQuota } from '../per-ip-quota.ts';
import { Subscription } from '../subscription.ts';
import type { SocketWriter } from './socket-writer.ts';

export interface ConnectionDeps {
  readonly request: IncomingMessage;
  readonly ip: string;
  readonly writer: SocketWriter;
  readonly clock: Clock;
  readonly credentials: StreamOptions['credentials'];
  readonly perIpQuota: Pick<PerIpQuota, 'subscribe'>;
  nextId(): string;
}

export interface SubscriptionRequest {
  readonly id: string;
  readonly plan: SubscriptionPlan;
  /** The subscriber; undefined for a public stream without credentials. */
  readonly viewer: Viewer | undefined;
}

export class Connection {
  readonly writer: SocketWriter;
  readonly #deps: ConnectionDeps;
  readonly #operations = new Map<Subscription, RunningOperation>();
  #viewer: Viewer | undefined;
  #isInitialized = false;
  #unwatchCredential: (() => void) | undefined;
  #unansweredRequests = 0;
  #onRequestsAnswered: (() => void) | undefined;

  constructor(deps: ConnectionDeps) {
    this.writer = deps.writer;
    this.#deps = deps;
  }

  get socket(): Socket {
    return this.#deps.request.socket;
  }

  /** Whether `connection_init` was accepted. */
  get isInitialized(): boolean {
    return this.#isInitialized;
  }

  get isAuthenticated(): boolean {
    return this.#viewer !== undefined;
  }

  get subscriptionCount(): number {
    return this.#operations.size;
  }

  initialize(payload: Readonly<Record<string, unknown>> | undefined): void {
    const { credentials, clock, ip } = this.#deps;
    this.#isInitialized = true;
    this.#viewer = credentials.identify({ authorization: readAuthorization(payload), ip, now: clock.now() });
    if (this.#viewer !== undefined)
      this.#unwatchCredential = credentials.onEnd(this.#viewer.credential, () => this.#onCredentialEnd());
  }

  context(): OperationContext {
    const { request, ip, clock, nextId } = this.#deps;
    return new RequestContext({ viewer: this.#viewer, requestId: nextId(), ip, now: clock.now() }, request);
  }

  /**
   * Begins a subscription. Returns the iterator for graphql-ws; undefined if `open` returns undefined.
   * @param open adds the subscription to its stream; returns undefined if no given market exists
   * @throws WireFault when the address has too many subscriptions; the error of `open`
   */
  run(
    { id, plan, viewer }: SubscriptionRequest,
    open: (added: Subscription) => (() => void) | undefined,
  ): RunningOperation | undefined {
    const { ip, perIpQuota } = this.#deps;
    const quotaEntry = perIpQuota.subscribe(ip, plan);
    const subscription = new Subscription(id, quotaEntry.plan, viewer, this.writer);
    let leave: (() => void) | undefined;
    try {
      leave = open(subscription);
    } finally {
      if (leave === undefined) {
        subscription.end();
        quotaEntry.release();
      }
    }
    if (leave === undefined) return undefined;
    const leaveStream = leave;
    const operation = new RunningOperation(() => {
      this.#operations.delete(subscription);
      subscription.end();
      leaveStream();
      quotaEntry.release();
    });
    this.#operations.set(subscription, operation);
    // The credential may have ended before the stream was opened.
    if (this.#viewer === undefined) failIfProtected(subscription, operation);
    return operation;
  }

  onRequest(): void {
    this.#unansweredRequests += 1;
  }

  /** Counts a request as answered. Call this in the event-loop turn that sends the answer. */
  onRequestAnswered(): void {
    this.#unansweredRequests -= 1;
    if (this.#unansweredRequests === 0) this.#onRequestsAnswered?.();
  }

  /** Calls `callback` once, when all requests are answered. */
  whenRequestsAnswered(callback: () => void): void {
    if (this.#unansweredRequests === 0) callback();
    else this.#onRequestsAnswered = callback;
  }

  end(): void {
    this.#unwatchCredential?.();
    for (const operation of [...this.#operations.values()]) void operation.return();
  }

  #onCredentialEnd(): void {
    this.#viewer = undefined;
    this.#unwatchCredential = undefined;
    for (const [subscription, operation] of [...this.#operations]) failIfProtected(subscription, operation);
  }
}

function failIfProtected({ plan }: Subscription, operation: RunningOperation): void {
  if (isRootField(plan.field) && ACCESS[plan.field] !== 'PUBLIC') operation.fail([wireError(UNAUTHORIZED, [plan.key])]);
}

/** Reads the member `Authorization`, whose name is not case-sensitive. */
function readAuthorization(payload: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [key, value] of Object.entries(payload ?? {})) {
    if (key.toLowerCase() === 'authorization' && typeof value === 'string') return value;
  }
  return undefined;
}

/** Makes graphql-ws send an `error` message. */
export class OperationFailed extends Error {
  readonly errors: readonly WireError[];

  constructor(errors: readonly WireError[]) {
    super(errors[0]?.message ?? 'failed');
    this.name = 'OperationFailed';
    this.errors = errors;
  }
}

type Result = IteratorResult<never, void>;

const DONE: Result = { done: true, value: undefined };

/** A subscription for graphql-ws: an iterator that only ends or fails, because frames bypass the iterator. */
export class RunningOperation implements AsyncIterableIterator<never, void, void> {
  readonly #end = Promise.withResolvers<Result>();
  #onEnd: (() => void) | undefined;

  /** @param onEnd called once at the end, also on failure */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    // After the connection closes, graphql-ws handles no rejection, and Node would report an unhandled rejection.
    this.#end.promise.catch(() => undefined);
  }

  fail(errors: readonly WireError[]): void {
    this.#finish();
    this.#end.reject(new OperationFailed(errors));
  }

  next(): Promise<Result> {
    return this.#end.promise;
  }

  /** Ends without an error, after the client completed the operation or disconnected. */
  async return(): Promise<Result> {
    this.#finish();
    this.#end.resolve(DONE);
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }
}
