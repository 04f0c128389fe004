/** Handles `POST …/graphql`: parses the body, runs the request and sends the answer. */
import { internalError } from '../../protocol/index.ts';
import {
  type Answer,
  failedReply,
  type Log,
  type OperationContext,
  type Reply,
  RequestContext,
  rateLimitedReply,
} from '../graphql/context.ts';
import { bodyTokens } from '../graphql/gate.ts';
import { type RequestPlan, refuseRequest } from '../graphql/request.ts';
import { ACCEPTED_CODINGS, decompress, isJsonType, parseBody, readContentCoding } from './bodies.ts';
import type { EndpointRequest, HttpEndpoint } from './endpoint-request.ts';
import { JSON_TYPE, retryAfterHeader } from './headers.ts';
import type { HttpOptions } from './options.ts';
import type { BatchedRequest } from './request-batcher.ts';

const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';
const NO_BYTES = Buffer.alloc(0);

export function createGraphqlEndpoint(options: HttpOptions, paths: readonly string[]): HttpEndpoint {
  return {
    maxBytes: options.graphql.limits.maxText,
    handles: (method, path) => method === 'POST' && paths.includes(path),
    accepts(request) {
      const { headers } = request.incoming;
      if (!isJsonType(headers['content-type'])) request.refuse(415, 'the content type must be application/json');
      else if (readContentCoding(headers['content-encoding']) === undefined) {
        const problem = `the content encoding must be one of ${ACCEPTED_CODINGS}, or none`;
        request.refuse(415, problem, { 'accept-encoding': ACCEPTED_CODINGS });
      } else return true;
      return false;
    },
    onBody: (request, body) => new GraphqlPost(options, request, body),
    refusalBody: (problem) => failedReply(problem).answer,
  };
}

class GraphqlPost implements BatchedRequest {
  readonly #options: HttpOptions;
  readonly #request: EndpointRequest;
  readonly #coding: string | null;
  #body: Buffer;
  /** Undefined for a body that costs tokens, because its tokens are consumed before it is parsed. */
  #requestPlan: RequestPlan | undefined;

  constructor(options: HttpOptions, request: EndpointRequest, body: Buffer) {
    this.#options = options;
    this.#request = request;
    this.#body = body;
    this.#coding = readContentCoding(request.incoming.headers['content-encoding']) ?? null;
  }

  prepare(): void {
    if (this.#coding === null && bodyTokens(this.#body.length) === 0) this.#requestPlan = this.#planBody(this.#body);
  }

  run(): void {
    const reply = this.#reply();
    if (reply instanceof Promise) void reply.then((resolved) => this.#send(resolved));
    else if (reply !== undefined) this.#send(reply);
  }

  /** Returns undefined after refusing the request with an HTTP error. */
  #reply(): Reply | Promise<Reply> | undefined {
    const { graphql, identify, clock, log } = this.#options;
    const { incoming, id: requestId, ip } = this.#request;
    try {
      const now = clock.now();
      const { authorization } = incoming.headers;
      const viewer = identify({ authorization, ip, now, connection: incoming.socket });
      const context = new RequestContext({ viewer, requestId, ip, now }, incoming);
      return this.#requestPlan === undefined ? this.#runCostlyBody(context) : graphql.run(this.#requestPlan, context);
    } catch (error) {
      log.error({ err: error, requestId }, 'credentials could not be looked up');
      return failedReply(internalError(requestId).message);
    }
  }

  /** Consumes the tokens of a large or compressed body, then reads it. A compressed body costs the most. */
  #runCostlyBody(context: OperationContext): Reply | Promise<Reply> | undefined {
    const { graphql } = this.#options;
    const { maxText } = graphql.limits;
    const [body, coding] = [this.#body, this.#coding];
    const waitMs = graphql.quota.consume(context, 'parse', bodyTokens(coding === null ? body.length : maxText));
    if (waitMs > 0) return rateLimitedReply(waitMs);
    const decompressed = coding === null ? body : decompress(body, coding, maxText);
    if (decompressed === 'too large') this.#request.refuseTooLarge();
    else if (decompressed === 'malformed') {
      this.#request.refuse(400, `the body is not ${coding}, but its content-encoding header is`);
    } else return graphql.run(this.#planBody(decompressed), context);
    return undefined;
  }

  #planBody(body: Buffer): RequestPlan {
    // Release the body while the request runs.
    this.#body = NO_BYTES;
    const parsed = parseBody(body);
    return typeof parsed === 'string' ? refuseRequest(failedReply(parsed)) : this.#options.graphql.plan(parsed);
  }

  #send({ answer, retryAfterMs }: Reply): void {
    const { incoming, id } = this.#request;
    const headers = retryAfterMs === undefined ? undefined : retryAfterHeader(retryAfterMs);
    const body = stringifyAnswer(answer, id, this.#options.log);
    this.#request.answer({ type: chooseMediaType(incoming.headers.accept), body, headers });
  }
}

/** Returns the answer as JSON, or an internal error if JSON cannot represent the answer (a bigint in `TypedData`). */
function stringifyAnswer(answer: Answer, requestId: string, log: Log): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    log.error({ err: error, requestId }, 'an answer cannot be written as JSON');
    return JSON.stringify(failedReply(internalError(requestId).message).answer);
  }
}

/** Chooses plain JSON, unless the client accepts only GraphQL's media type. */
function chooseMediaType(accept: string | undefined): string {
  if (accept === undefined || !accept.includes('graphql-response+json')) return JSON_TYPE;
  return accept.includes('application/json') || accept.includes('*/*') ? JSON_TYPE : GRAPHQL_TYPE;
}
