import type { Clock } from '../../../clock/index.ts';
import { Fault, parseTime, type Retained, timeAfter } from '../../../domain/index.ts';
import { HttpClient } from '../../../network/index.ts';
import { type DataOf, OPERATIONS, type Operation } from '../../../protocol/index.ts';
import { ClockOffset, type Log } from '../../base/index.ts';
import type { Answer } from './answer.ts';
import { type AnswerShape, answerShape, decodeHttpAnswer, toAnswer } from './answer-codec.ts';
import { type Json, type RequestText, requestHead, requestJson } from './client-frame.ts';
import { FailoverConnection } from './failover-connection.ts';
import type { OperationTexts } from './operation-texts.ts';
import { RetryingReader } from './retrying-reader.ts';
import type { Route } from './socket.ts';
import { Subscription } from './subscription.ts';
import {
  BLOCKED_REMEDY,
  type Endpoint,
  type LinkState,
  type RequestOptions,
  type StreamHandle,
  type StreamSink,
  type SubscribeOptions,
  TRANSPORT_DEFAULTS,
  type TransportOptions,
  type TransportSettings,
} from './transport-options.ts';

export function createTransport(options: TransportOptions): Transport {
  return new VenueTransport(options);
}

export type Transport = Pick<VenueTransport, keyof VenueTransport>;

class VenueTransport {
  readonly endpoint: Endpoint;
  readonly operations: OperationTexts;
  readonly clock: Clock;
  readonly log: Log;
  /** Estimate of the venue's clock, which each call of `measureClock` improves. */
  readonly offset = new ClockOffset();
  readonly #options: TransportOptions;
  readonly #settings: TransportSettings;
  readonly #http: HttpClient;
  /** Client for mutations, whose separate connections keep cancels from waiting behind reads. */
  readonly #mutationHttp: HttpClient;
  readonly #reader: RetryingReader;
  readonly #connections: FailoverConnection[] = [];
  readonly #linkListeners = new Set<(state: LinkState) => void>();
  /** Rejects the pending calls of `open`. */
  readonly #openRejections = new Set<() => void>();
  readonly #heads = new Map<string, Uint8Array>();
  readonly #retained: Retained = { last: undefined };
  #token: string | undefined;
  #socketCount = 0;

  constructor(options: TransportOptions) {
    const { endpoint, operations, clock, log, settings } = options;
    this.endpoint = endpoint;
    this.operations = operations;
    this.clock = clock;
    this.log = log;
    this.#options = options;
    this.#settings = { ...TRANSPORT_DEFAULTS, ...settings };
    const httpOptions = { clock, keepAlive: true, maxSockets: this.#settings.concurrency };
    this.#http = new HttpClient(httpOptions);
    this.#mutationHttp = new HttpClient(httpOptions);
    this.#reader = new RetryingReader(this.#settings.retries, clock);
  }

  /** Whether all sockets are open and acknowledged. */
  get isOpen(): boolean {
    return this.#connections.length > 0 && this.#connections.every(({ socket }) => socket !== undefined);
  }

  /** Reads over HTTP: paced, repeated with jitter, behind a circuit breaker. */
  query<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    options: RequestOptions = {},
  ): Promise<Answer<Data>> {
    const payload = requestJson(this.#request(operation, JSON.stringify(variables)));
    const shape = this.#shapeOf(operation, options);
    return this.#reader.run(() => this.#sendHttp(this.#http, payload, shape, options), 1);
  }

  /**
   * Reads with a document that is not part of the API, without credentials. The caller checks each field of the answer.
   * @param weight number of root fields
   */
  queryDocument(
    { name, text }: Pick<Operation<unknown, never>, 'name' | 'text'>,
    variables: object,
    weight: number,
  ): Promise<Answer<Readonly<Record<string, unknown>>>> {
    const payload = JSON.stringify({ query: text, variables });
    const shape = { name, selection: undefined, isOverridden: false };
    return this.#reader.run(() => this.#sendHttp(this.#http, payload, shape, { isAnonymous: true }), weight);
  }

  /** Sends a mutation once, without retries. If a socket is open, writes the request before `mutate` returns. */
  mutate<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    options: RequestOptions = {},
  ): Promise<Answer<Data>> {
    return new Promise((resolve) => void this.send(operation, JSON.stringify(variables), resolve, options));
  }

  /**
   * Sends a mutation with encoded variables and without a promise, for the hot path.
   * @returns whether the mutation was sent over the socket
   */
  send<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Json,
    onAnswer: (answer: Answer<Data>) => void,
    options: RequestOptions = {},
  ): boolean {
    const request = this.#request(operation, variables);
    const socket = options.via === 'http' ? undefined : this.#connections[0]?.socket;
    if (socket !== undefined) {
      const route: Route = {
        next: (result) => {
          this.#retained.last = result;
          onAnswer(toAnswer(result, this.#shapeOf(operation, options)));
        },
        malformed: (problem) => onAnswer({ type: 'malformed', problem: `${operation.field}: ${problem}` }),
        error: (errors) => onAnswer(toAnswer({ errors }, this.#shapeOf(operation, options))),
        complete: () => undefined,
        lost: onAnswer,
      };
      socket.subscribe(request, route, options.timeoutMs ?? this.#settings.timeoutMs);
      return true;
    }
    const shape = this.#shapeOf(operation, options);
    void this.#sendHttp<Data>(this.#mutationHttp, requestJson(request), shape, options).then(onAnswer);
    return false;
  }

  /** Subscribes now, and again on each new socket, with the variables at that time. Opens the first socket. */
  subscribe<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: () => Variables,
    sink: StreamSink<Data>,
    { startsWithEvent = false, isUnchecked = false }: SubscribeOptions = {},
  ): StreamHandle {
    const { random } = this.#options;
    const subscription = new Subscription<Data>({
      shape: this.#shapeOf(operation, { isUnchecked }),
      sink,
      request: () => this.#request(operation, JSON.stringify(variables())),
      startsWithEvent,
      clock: this.clock,
      jitter: (ms) => ms * (1 + random.uniform() / 2),
    });
    const { maxSubscriptions } = this.#settings;
    const available = this.#connections.find(({ subscriptionCount }) => subscriptionCount < maxSubscriptions);
    const connection = available ?? this.#addConnection();
    connection.add(subscription);
    return { resubscribe: () => subscription.resubscribe(), end: () => connection.remove(subscription) };
  }

  /** Sets the `Bearer` token or key of later requests. Open sockets keep the old token until `renew`. */
  setCredentials(token: string | undefined): void {
    this.#token = token;
  }

  /** Replaces each socket after a freeze or new credentials. The new socket opens before the old one closes. */
  renew(reason: string): void {
    for (const connection of this.#connections) connection.renew(reason);
  }

  pace(bucket: { readonly capacity: number; readonly refillPerSecond: number }): void {
    this.#reader.pace(bucket);
  }

  /** Resolves when all sockets are open. @throws Fault BLOCKED, LINK after the time limit, STOPPED on close */
  async open(timeoutMs: number = this.#settings.takeoverMs): Promise<void> {
    (this.#connections[0] ?? this.#addConnection()).connect();
    if (this.isOpen) return;
    const { host } = this.endpoint.ws;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let problem = 'no answer';
    const cancel = this.clock.schedule(timeAfter(this.clock.now(), timeoutMs), () => {
      const text = `no WebSocket to ${host} within ${timeoutMs} ms: ${problem}. Check ws_url and the network.`;
      reject(new Fault('LINK', text, { retryable: true }));
    });
    const removeListener = this.onLink((state) => {
      problem = state.problem ?? problem;
      if (this.isOpen) resolve();
      else if (state.isBlocked === true) reject(new Fault('BLOCKED', `${problem}. ${BLOCKED_REMEDY}.`));
    });
    const rejectOpen = (): void =>
      reject(new Fault('STOPPED', `the connection to ${host} was closed before it was open`));
    this.#openRejections.add(rejectOpen);
    try {
      await promise;
    } finally {
      cancel();
      removeListener();
      this.#openRejections.delete(rejectOpen);
    }
  }

  /**
   * Calls `listener` when a socket is lost, after each failed attempt to reconnect, and when the socket is open again.
   * @returns a function that stops the calls
   */
  onLink(listener: (state: LinkState) => void): () => void {
    this.#linkListeners.add(listener);
    return () => void this.#linkListeners.delete(listener);
  }

  async close(): Promise<void> {
    for (const rejectOpen of [...this.#openRejections]) rejectOpen();
    this.#linkListeners.clear();
    for (const connection of this.#connections) connection.close();
    this.#reader.close();
    this.#http.close();
    this.#mutationHttp.close();
  }

  async #sendHttp<Data>(
    client: HttpClient,
    body: string,
    shape: AnswerShape,
    { timeoutMs = this.#settings.timeoutMs, isAnonymous = false }: RequestOptions,
  ): Promise<Answer<Data>> {
    const { http: url, headers } = this.endpoint;
    const hasToken = !isAnonymous && this.#token !== undefined;
    const credentials = hasToken ? { authorization: `Bearer ${this.#token}` } : {};
    const result = await client.send({ url, body, timeoutMs, headers: { ...headers, ...credentials } });
    if (result.type === 'answer') return decodeHttpAnswer(result, url.host + url.pathname, shape);
    // A redirect is treated as an outage, because proxies redirect during maintenance.
    return { type: 'lost', problem: result.problem, isSent: result.isSent };
  }

  #shapeOf(operation: Operation<unknown, never>, options: RequestOptions): AnswerShape {
    return answerShape(operation, this.operations.overridden, options);
  }

  #request(operation: Operation<unknown, never>, variables: Json): RequestText {
    let head = this.#heads.get(operation.name);
    if (head === undefined) {
      head = requestHead(this.operations.textOf(operation));
      this.#heads.set(operation.name, head);
    }
    return { head, variables };
  }

  #addConnection(): FailoverConnection {
    const { random, log, onFrame } = this.#options;
    const connection = new FailoverConnection(
      {
        clock: this.clock,
        random,
        log,
        takeoverMs: this.#settings.takeoverMs,
        url: this.endpoint.ws,
        headers: this.endpoint.headers,
        openFrameListener: () => {
          this.#socketCount += 1;
          const socket = this.#socketCount;
          return onFrame && ((frame) => onFrame(frame, socket));
        },
        payload: () => (this.#token === undefined ? undefined : { Authorization: `Bearer ${this.#token}` }),
      },
      (state) => {
        for (const listener of [...this.#linkListeners]) listener(state);
      },
    );
    this.#connections.push(connection);
    return connection;
  }
}

export async function measureClock(transport: Transport): Promise<Answer<DataOf<typeof OPERATIONS.health>>> {
  const { clock, offset } = transport;
  const sent = clock.now();
  const answer = await transport.query(OPERATIONS.health, {}, { isAnonymous: true });
  // A slow answer makes the sample less precise, not wrong.
  if (answer.type === 'data') offset.sample(sent, clock.now(), parseTime('serverTime', answer.data.health.serverTime));
  return answer;
}
