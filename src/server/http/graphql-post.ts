/**
 * HOT: answers `POST …/graphql` on the bare `node:http` request, 8 % quicker than behind the framework's routing and hooks
 * (docs/decisions/0012, bench/server.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError } from '../../protocol/index.ts';
import { type Log, type OperationContext, type Reply, rateLimitedReply, requestFailed } from '../graphql/context.ts';
import { bodyPrice } from '../graphql/gate.ts';
import { type ReadRequest, unreadable } from '../graphql/request.ts';
import { ACCEPTED_CODINGS, contentCoding, decoded, isJson, parseBody, readBody, send } from './bodies.ts';
import type { HeaderBag } from './cors.ts';
import { type HttpOptions, TIMEOUTS } from './options.ts';
import { UnfinishedBytes } from './per-address-bounds.ts';
import { type Backlog, QuickAnswers } from './quick-answer.ts';
import { type BatchedRequest, RequestBatcher } from './request-batcher.ts';
import { RequestContext } from './request-context.ts';

/** Parts of the server that the handler uses. */
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
const MAX_UNFINISHED_BYTES = 33_554_432;
const GRAPHQL = 'application/graphql-response+json; charset=utf-8';

/** The handler of both GraphQL paths. */
export function graphqlPost(ports: PostPorts): (request: IncomingMessage, response: ServerResponse) => void {
  const { graphql, clock, timeouts, intercept } = ports.options;
  const quick =
    intercept === undefined
      ? new QuickAnswers(clock, timeouts?.keepAlive ?? TIMEOUTS.keepAlive, ports.backlog)
      : undefined;
  const batcher = new RequestBatcher();
  const unfinished = new UnfinishedBytes(MAX_UNFINISHED_BYTES);
  return (request, response) => {
    const post = new Post({ ports, quick, request, response });
    if (!isJson(request.headers['content-type'])) {
      request.resume();
      post.refuse(415, 'the content type has to be application/json');
      return;
    }
    const coding = contentCoding(request.headers['content-encoding']);
    if (coding === undefined) {
      request.resume();
      const problem = `the content encoding has to be one of ${ACCEPTED_CODINGS}, or none`;
      post.refuse(415, problem, { 'accept-encoding': ACCEPTED_CODINGS });
      return;
    }
    readBody(request, {
      most: graphql.limits.maxText,
      unfinished,
      address: () => ports.addressOf(request),
      done: (body) => {
        if (body === 'too large') post.tooLarge();
        else if (body === 'too many') {
          const problem = 'too many unfinished requests from this address: send fewer at once';
          post.refuse(429, problem, { connection: 'close', 'retry-after': '1' });
        } else {
          post.received = { body, coding };
          batcher.add(request.socket, post);
        }
      },
    });
  };
}

interface GraphqlPostDeps {
  readonly ports: PostPorts;
  readonly quick: QuickAnswers | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A body as it was received. */
interface ReceivedBody {
  readonly body: Buffer;
  /** Null when it is not compressed. */
  readonly coding: string | null;
}

/** One request. */
class Post implements BatchedRequest {
  /** Set when the body is complete. */
  received: ReceivedBody | undefined;
  readonly #deps: GraphqlPostDeps;
  readonly #id: string;
  /** Undefined for a body that costs tokens: its sender pays before it is read. */
  #read: ReadRequest | undefined;

  constructor(deps: GraphqlPostDeps) {
    this.#deps = deps;
    this.#id = deps.ports.nextId();
  }

  read(): void {
    const { body, coding } = this.#arrived();
    if (coding === null && bodyPrice(body.length) === 0) this.#read = this.#parsed(body);
  }

  run(): void {
    const reply = this.#reply();
    if (reply instanceof Promise) void reply.then((late) => this.#deliver(late));
    else if (reply !== undefined) this.#deliver(reply);
  }

  refuse(status: number, problem: string, more: HeaderBag = {}): void {
    const body = JSON.stringify(requestFailed(problem).answer);
    send(this.#deps.response, { status, type: PLAIN, body, headers: { ...this.#headers(), ...more } });
  }

  tooLarge(): void {
    const { maxText } = this.#deps.ports.options.graphql.limits;
    this.refuse(413, `the body is larger than ${maxText} bytes`, { connection: 'close' });
  }

  /** Undefined when the request was refused with another status. */
  #reply(): Reply | Promise<Reply> | undefined {
    const { ports, request } = this.#deps;
    const { graphql, identify, clock, log } = ports.options;
    const requestId = this.#id;
    try {
      const [ip, now] = [ports.addressOf(request), clock.now()];
      const viewer = identify({ authorization: request.headers.authorization, ip, now, connection: request.socket });
      const context = new RequestContext({ viewer, requestId, ip, now }, request);
      return this.#read === undefined ? this.#readPaid(context) : graphql.run(this.#read, context);
    } catch (error) {
      log.error({ err: error, requestId }, 'credentials could not be looked up');
      return requestFailed(internalError(requestId).message);
    }
  }

  /** A large body, or a compressed one, which may become as large as any. */
  #readPaid(context: OperationContext): Reply | Promise<Reply> | undefined {
    const { graphql } = this.#deps.ports.options;
    const { maxText } = graphql.limits;
    const { body, coding } = this.#arrived();
    const wait = graphql.quota.take(context, 'parse', bodyPrice(coding === null ? body.length : maxText));
    if (wait !== undefined) return rateLimitedReply(wait);
    const whole = coding === null ? body : decoded(body, coding, maxText);
    if (whole === 'too large') this.tooLarge();
    else if (whole === 'malformed') {
      this.refuse(400, `the body is not ${coding}, but its content-encoding header is`);
    } else return graphql.run(this.#parsed(whole), context);
    return undefined;
  }

  #parsed(body: Buffer): ReadRequest {
    this.received = undefined;
    const parsed = parseBody(body);
    return typeof parsed === 'string' ? unreadable(parsed) : this.#deps.ports.options.graphql.read(parsed);
  }

  #arrived(): ReceivedBody {
    if (this.received === undefined) throw new Error('Invariant: a request is read before its body is there');
    return this.received;
  }

  #deliver(reply: Reply): void {
    const { ports, quick, request, response } = this.#deps;
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
    const { ports, request } = this.#deps;
    return { ...ports.corsOf(request.headers), 'x-request-id': this.#id };
  }
}

/** The answer as JSON. A resolver's result may not be serializable, such as a bigint in `TypedData`. */
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

/** Plain JSON, unless the client accepts only GraphQL's media type. */
function typeFor(accept: string | undefined): string {
  if (accept === undefined || !accept.includes('graphql-response+json')) return PLAIN;
  return accept.includes('application/json') || accept.includes('*/*') ? PLAIN : GRAPHQL;
}
