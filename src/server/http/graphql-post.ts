/**
 * HOT: answers `POST …/graphql` on the bare `node:http` request, 8 % quicker than behind the framework's routing and hooks
 * (docs/decisions/0012, bench/server.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError } from '../../protocol/index.ts';
import { type Log, type Reply, requestFailed } from '../graphql/index.ts';
import type { HeaderBag } from './cors.ts';
import { type HttpOptions, TIMEOUTS } from './options.ts';
import { type Backlog, QuickAnswers } from './quick-answer.ts';
import { isJson, parseBody, readBody } from './request-body.ts';
import { RequestContext } from './request-context.ts';
import { send } from './send.ts';

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
  const { graphql, log, clock, timeouts, intercept } = ports.options;
  const quick =
    intercept === undefined
      ? new QuickAnswers(clock, timeouts?.keepAlive ?? TIMEOUTS.keepAlive, ports.backlog)
      : undefined;
  return (request, response) => {
    const requestId = ports.nextId();
    const headersOf = (): HeaderBag => ({ ...ports.corsOf(request.headers), 'x-request-id': requestId });
    const refuse = (status: number, problem: string, more: HeaderBag = {}): void => {
      const body = JSON.stringify(requestFailed(problem).answer);
      send(response, { status, type: PLAIN, body, headers: { ...headersOf(), ...more } });
    };
    if (!isJson(request.headers['content-type'])) {
      request.resume();
      refuse(415, 'the content type has to be application/json');
      return;
    }
    readBody(request, graphql.limits.mostText, (bytes) => {
      if (bytes === undefined) {
        refuse(413, `the body is larger than ${graphql.limits.mostText} bytes`, { connection: 'close' });
        return;
      }
      const deliver = (reply: Reply): void => {
        const { retryAfterMs } = reply;
        const type = typeFor(request.headers.accept);
        const body = textOf(reply, requestId, log);
        const isPlain = retryAfterMs === undefined && request.headers.origin === undefined;
        if (isPlain && quick?.send(response, { type, body, requestId }) === true) return;
        const headers = headersOf();
        send(response, {
          ...{ status: 200, type, body },
          headers: retryAfterMs === undefined ? headers : { ...headers, 'retry-after': wholeSeconds(retryAfterMs) },
        });
      };
      const reply = answer(ports, request, bytes, requestId);
      if (reply instanceof Promise) void reply.then(deliver);
      else deliver(reply);
    });
  };
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

function answer(ports: PostPorts, request: IncomingMessage, body: Buffer, requestId: string): Reply | Promise<Reply> {
  const parsed = parseBody(body);
  if (typeof parsed === 'string') return requestFailed(parsed);
  const { graphql, identify, clock, log } = ports.options;
  try {
    const [ip, now] = [ports.addressOf(request), clock.now()];
    const viewer = identify({ authorization: request.headers.authorization, ip, now, connection: request.socket });
    return graphql.answer(parsed, new RequestContext({ viewer, requestId, ip, now }, request));
  } catch (error) {
    log.error({ err: error, requestId }, 'credentials could not be looked up');
    return requestFailed(internalError(requestId).message);
  }
}

/** What the client can read: the media type of GraphQL only where plain JSON is not taken. */
function typeFor(accept: string | undefined): string {
  if (accept === undefined || !accept.includes('graphql-response+json')) return PLAIN;
  return accept.includes('application/json') || accept.includes('*/*') ? PLAIN : GRAPHQL;
}
