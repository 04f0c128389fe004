/**
 * HOT: answers `POST …/graphql` on the bare `node:http` request, 8 % quicker than behind the framework's routing and hooks
 * (docs/decisions/0012, bench/server.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError } from '../../protocol/index.ts';
import { type Log, type ReadRequest, type Reply, requestFailed } from '../graphql/index.ts';
import type { HeaderBag } from './cors.ts';
import { type HttpOptions, TIMEOUTS } from './options.ts';
import { type Backlog, QuickAnswers } from './quick-answer.ts';
import { isJson, parseBody, readBody } from './request-body.ts';
import { RequestContext } from './request-context.ts';
import { send } from './send.ts';
import { type Arrived, Turn } from './turn.ts';

/** What the handler takes from the server around it. */
export interface PostPorts {
  readonly options: HttpOptions;
  addressOf(request: IncomingMessage): string;
  corsOf(headers: IncomingMessage['headers']): HeaderBag;
  /** Id of a new request. */
  nextId(): string;
  readonly backlog: Backlog;
}

const PLAIN = 'application/json; charset=utf-8';
const MS_PER_SECOND = 1_000;
const GRAPHQL = 'application/graphql-response+json; charset=utf-8';

/** The handler of both GraphQL paths. */
export function graphqlPost(ports: PostPorts): (request: IncomingMessage, response: ServerResponse) => void {
  const { graphql, clock, timeouts, intercept } = ports.options;
  const quick =
    intercept === undefined
      ? new QuickAnswers(clock, timeouts?.keepAlive ?? TIMEOUTS.keepAlive, ports.backlog)
      : undefined;
  const turn = new Turn();
  return (request, response) => {
    const post = new Post({ ports, quick, request, response });
    if (!isJson(request.headers['content-type'])) {
      request.resume();
      post.refuse(415, 'the content type has to be application/json');
      return;
    }
    readBody(request, graphql.limits.mostText, (bytes) => {
      if (bytes === undefined) {
        post.refuse(413, `the body is larger than ${graphql.limits.mostText} bytes`, { connection: 'close' });
        return;
      }
      post.bytes = bytes;
      turn.add(post);
    });
  };
}

interface PostOf {
  readonly ports: PostPorts;
  readonly quick: QuickAnswers | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One request. */
class Post implements Arrived {
  /** Of the body, once they are all there. */
  bytes: Buffer | undefined;
  readonly #of: PostOf;
  readonly #id: string;
  /** What the body asks for, or why it is no request: who sent that is not looked at. */
  #read: ReadRequest | undefined;
  #refused: Reply | undefined;

  constructor(of: PostOf) {
    this.#of = of;
    this.#id = of.ports.nextId();
  }

  read(): void {
    const { bytes } = this;
    if (bytes === undefined) throw new Error('Invariant: a request is read before its body is there');
    const parsed = parseBody(bytes);
    this.bytes = undefined;
    if (typeof parsed === 'string') this.#refused = requestFailed(parsed);
    else this.#read = this.#of.ports.options.graphql.read(parsed);
  }

  run(): void {
    const reply = this.#refused ?? this.#reply();
    if (reply instanceof Promise) void reply.then((late) => this.#deliver(late));
    else this.#deliver(reply);
  }

  refuse(status: number, problem: string, more: HeaderBag = {}): void {
    const body = JSON.stringify(requestFailed(problem).answer);
    send(this.#of.response, { status, type: PLAIN, body, headers: { ...this.#headers(), ...more } });
  }

  #reply(): Reply | Promise<Reply> {
    const { ports, request } = this.#of;
    const { graphql, identify, clock, log } = ports.options;
    const requestId = this.#id;
    if (this.#read === undefined) throw new Error('Invariant: a request is run before it is read');
    try {
      const [ip, now] = [ports.addressOf(request), clock.now()];
      const viewer = identify({ authorization: request.headers.authorization, ip, now, connection: request.socket });
      return graphql.run(this.#read, new RequestContext({ viewer, requestId, ip, now }, request));
    } catch (error) {
      log.error({ err: error, requestId }, 'credentials could not be looked up');
      return requestFailed(internalError(requestId).message);
    }
  }

  #deliver(reply: Reply): void {
    const { ports, quick, request, response } = this.#of;
    const { retryAfterMs } = reply;
    const type = typeFor(request.headers.accept);
    const body = textOf(reply, this.#id, ports.options.log);
    const isPlain = retryAfterMs === undefined && request.headers.origin === undefined;
    if (isPlain && quick?.send(response, { type, body, requestId: this.#id }) === true) return;
    const headers = this.#headers();
    send(response, {
      status: 200,
      type,
      body,
      headers: retryAfterMs === undefined ? headers : { ...headers, 'retry-after': wholeSeconds(retryAfterMs) },
    });
  }

  #headers(): HeaderBag {
    const { ports, request } = this.#of;
    return { ...ports.corsOf(request.headers), 'x-request-id': this.#id };
  }
}

/** The answer as JSON. What a resolver gave may not be writable at all, a big integer in a `TypedData` for one. */
function textOf({ answer }: Reply, requestId: string, log: Log): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    log.error({ err: error, requestId }, 'an answer cannot be written as JSON');
    return JSON.stringify(requestFailed(internalError(requestId).message).answer);
  }
}

function wholeSeconds(ms: number): string {
  return String(Math.ceil(ms / MS_PER_SECOND));
}

/** What the client can read: the media type of GraphQL only where plain JSON is not taken. */
function typeFor(accept: string | undefined): string {
  if (accept === undefined || !accept.includes('graphql-response+json')) return PLAIN;
  return accept.includes('application/json') || accept.includes('*/*') ? PLAIN : GRAPHQL;
}
