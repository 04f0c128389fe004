/**
 * HOT: answers `POST …/graphql` on the bare `node:http` request: routing and hooks of the framework would cost as much again
 * as everything here (docs/decisions/0010, bench/server.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { internalError } from '../../protocol/index.ts';
import { type Reply, requestFailed } from '../graphql/index.ts';
import type { HeaderBag } from './cors.ts';
import type { HttpOptions } from './options.ts';
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
}

const PLAIN = 'application/json; charset=utf-8';
const GRAPHQL = 'application/graphql-response+json; charset=utf-8';

/** The handler of both GraphQL paths. */
export function graphqlPost(ports: PostPorts): (request: IncomingMessage, response: ServerResponse) => void {
  const { graphql } = ports.options;
  return (request, response) => {
    const headers = { ...ports.corsOf(request.headers), 'x-request-id': ports.nextId() };
    if (!isJson(request.headers['content-type'])) {
      request.resume();
      const reply = requestFailed('the content type has to be application/json');
      send(response, { status: 415, type: PLAIN, reply, headers });
      return;
    }
    readBody(request, graphql.limits.mostText, (body) => {
      if (body === undefined) {
        const reply = requestFailed(`the body is larger than ${graphql.limits.mostText} bytes`);
        send(response, { status: 413, type: PLAIN, reply, headers: { ...headers, connection: 'close' } });
        return;
      }
      const type = typeFor(request.headers.accept);
      const reply = answer(ports, request, body, headers['x-request-id']);
      if (!(reply instanceof Promise)) send(response, { status: 200, type, reply, headers });
      else void reply.then((late) => send(response, { status: 200, type, reply: late, headers }));
    });
  };
}

function answer(ports: PostPorts, request: IncomingMessage, body: Buffer, requestId: string): Reply | Promise<Reply> {
  const parsed = parseBody(body);
  if (typeof parsed === 'string') return requestFailed(parsed);
  const { graphql, identify, clock, log } = ports.options;
  try {
    const [ip, now] = [ports.addressOf(request), clock.now()];
    const viewer = identify({ authorization: request.headers.authorization, ip, now });
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
