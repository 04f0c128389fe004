/**
 * HOT: answers requests on bare `node:http`, 8 % faster than through Fastify's routing and hooks
 * (docs/decisions/0012, bench/server.ts, bench/polymarket.ts).
 *
 * At the end of each event-loop turn, the server processes all requests whose bodies became complete in the turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../clock/index.ts';
import { readBody, send } from './bodies.ts';
import { NetworkLimit } from './client-address.ts';
import { type HeaderBag, JSON_TYPE } from './headers.ts';
import { QuickAnswers, type UnsentTracker } from './quick-answer.ts';
import { type BatchedRequest, RequestBatcher } from './request-batcher.ts';

export interface HttpEndpoint {
  readonly maxBytes: number;
  /** @param path without the query */
  handles(method: string, path: string): boolean;
  /** Checks the headers before the body is read. @returns false after refusing the request */
  accepts?(request: EndpointRequest): boolean;
  onBody(request: EndpointRequest, body: Buffer): BatchedRequest;
  refusalBody(problem: string): object;
}

export interface EndpointContext {
  readonly clock: Clock;
  /** Time after which the server closes a connection without a request. */
  readonly keepAliveMs: number;
  /** True if injected faults intercept responses. Each answer must then call `response.end`. */
  readonly isIntercepted: boolean;
  getClientAddress(request: IncomingMessage): string;
  createCorsHeaders(headers: IncomingMessage['headers']): HeaderBag;
  nextId(): string;
  readonly tracker: UnsentTracker;
}

interface EndpointAnswer {
  readonly status?: number;
  /** Media type of the JSON text; default `JSON_TYPE`. */
  readonly type?: string;
  /** JSON text. */
  readonly body: string;
  readonly headers?: HeaderBag | undefined;
}

const MAX_UNFINISHED_BYTES_PER_NETWORK = 33_554_432;
const NO_HEADERS: HeaderBag = {};

/** @returns a function that reads a request's body and passes it to the endpoint */
export function createEndpointHandler(
  context: EndpointContext,
): (endpoint: HttpEndpoint, incoming: IncomingMessage, response: ServerResponse) => void {
  const { clock, keepAliveMs, isIntercepted, tracker } = context;
  const quick = isIntercepted ? undefined : new QuickAnswers(clock, keepAliveMs, tracker);
  const batcher = new RequestBatcher();
  const unfinished = new NetworkLimit(MAX_UNFINISHED_BYTES_PER_NETWORK);
  return (endpoint, incoming, response) => {
    const request = new EndpointRequest({ context, quick, endpoint, response }, incoming);
    if (endpoint.accepts?.(request) === false) {
      incoming.resume();
      return;
    }
    readBody(incoming, {
      maxBytes: endpoint.maxBytes,
      unfinished,
      address: () => request.ip,
      done: (body) => {
        if (body === 'too large') request.refuseTooLarge();
        else if (body === 'too many') {
          const problem = 'too many unfinished requests from this address: send fewer at once';
          request.refuse(429, problem, { connection: 'close', 'retry-after': '1' });
        } else batcher.add(incoming.socket, endpoint.onBody(request, body));
      },
    });
  };
}

interface EndpointRequestDeps {
  readonly context: EndpointContext;
  readonly quick: QuickAnswers | undefined;
  readonly endpoint: HttpEndpoint;
  readonly response: ServerResponse;
}

export class EndpointRequest {
  readonly incoming: IncomingMessage;
  readonly id: string;
  readonly #deps: EndpointRequestDeps;

  constructor(deps: EndpointRequestDeps, incoming: IncomingMessage) {
    this.#deps = deps;
    this.incoming = incoming;
    this.id = deps.context.nextId();
  }

  get ip(): string {
    return this.#deps.context.getClientAddress(this.incoming);
  }

  answer({ status = 200, type = JSON_TYPE, body, headers = NO_HEADERS }: EndpointAnswer): void {
    const { context, quick, response } = this.#deps;
    const isQuick = status === 200 && this.incoming.headers.origin === undefined;
    if (isQuick && quick?.send(response, { type, body, headers, requestId: this.id }) === true) return;
    const cors = context.createCorsHeaders(this.incoming.headers);
    send(response, status, body, { 'content-type': type, ...cors, 'x-request-id': this.id, ...headers });
  }

  refuse(status: number, problem: string, headers?: HeaderBag): void {
    const body = JSON.stringify(this.#deps.endpoint.refusalBody(problem));
    this.answer({ status, body, headers });
  }

  refuseTooLarge(): void {
    this.refuse(413, `the body is larger than ${this.#deps.endpoint.maxBytes} bytes`, { connection: 'close' });
  }
}
