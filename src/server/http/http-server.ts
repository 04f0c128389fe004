/**
 * The HTTP server. States: listening -> draining -> closed. While draining, new requests get 503, `/health` answers
 * DOWN, and running requests finish.
 *
 * Fastify serves all paths that no `HttpEndpoint` handles (docs/decisions/0012).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import { epochMs } from '../../domain/index.ts';
import { failedReply, RequestContext } from '../graphql/context.ts';
import { send } from './bodies.ts';
import { createAddressReader, createHeaderFilter, createProxyTest, limitConnections } from './client-address.ts';
import { createEndpointHandler } from './endpoint-request.ts';
import { createGraphqlEndpoint } from './graphql-post.ts';
import { createCorsFactory, getPath, JSON_TYPE, refuseSocket } from './headers.ts';
import type { HttpOptions } from './options.ts';
import { addRoutes } from './routes.ts';

export interface HttpServer {
  readonly port: number;
  /** Requests since the start, requests without a complete answer, and open WebSockets. */
  readonly traffic: { readonly requests: number; readonly running: number; readonly upgraded: number };
  /**
   * Finishes running requests, refuses new requests with 503, and closes after at most `graceMs`. Then destroys
   * WebSockets that are still open. A second call returns the promise of the first.
   */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 16_384;
/** Number of checks for late requests per timeout. A late request stays open for at most 1.1 timeouts. */
export const CHECKS_PER_TIMEOUT = 10;

/** Starts to listen. @throws Error when the port is taken */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { base, host, port, origins, trustedProxies } = options.listen;
  const graphqlPaths = [`${base}/graphql`, `${base}/api/graphql`] as const;
  const tracker = new RequestTracker();
  let newestId = 0;
  const nextId = (): string => {
    newestId += 1;
    return `${options.runId}-${newestId.toString(36)}`;
  };
  const createCorsHeaders = createCorsFactory(origins);
  const getClientAddress = createAddressReader(trustedProxies);
  const endpoints = [createGraphqlEndpoint(options, graphqlPaths), ...options.endpoints];
  const isIntercepted = options.intercept !== undefined;
  const { clock, limits } = options;
  const shared = { clock, keepAliveMs: limits.keepAliveMs, isIntercepted, tracker };
  const handleByEndpoint = createEndpointHandler({ ...shared, getClientAddress, createCorsHeaders, nextId });

  let server: Server | undefined;
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: nextId,
    return503OnClosing: false,
    // Called for a path that cannot be decoded, which therefore matches no route.
    frameworkErrors: (_error, _request, { raw: response }) => refuse(response, 400, 'the path is malformed'),
    clientErrorHandler: answerClientError,
    exposeHeadRoutes: false,
    bodyLimit: options.graphql.limits.maxText,
    serverFactory: (handleByFastify) => {
      const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
        const { method = '' } = request;
        const path = getPath(request);
        const endpoint = endpoints.find((candidate) => candidate.handles(method, path));
        if (endpoint === undefined) handleByFastify(request, response);
        else handleByEndpoint(endpoint, request, response);
      };
      server = createNodeServer(options, tracker, handleRequest);
      return server;
    },
  });
  addRoutes(app, {
    options,
    graphqlPaths,
    createCorsHeaders,
    consumeReadTokens: ({ raw, id: requestId }, tokens) => {
      const caller = { viewer: undefined, requestId, ip: getClientAddress(raw), now: clock.now() };
      return options.graphql.quota.consume(new RequestContext(caller, raw), 'read', tokens);
    },
  });
  await app.listen({ host, port });
  if (server === undefined) throw new Error('Invariant: Fastify did not create the server');
  return toRunningServer(server, app, { tracker, clock });
}

class RequestTracker {
  isDraining = false;
  requests = 0;
  running = 0;
  readonly upgraded = new Set<Duplex>();
  #onIdle: (() => void) | undefined;

  onBegin(): void {
    this.running += 1;
  }

  /** All requests share this function, so that a request allocates no closure. */
  readonly onEnd = (): void => {
    this.running -= 1;
    if (this.running === 0) this.#onIdle?.();
  };

  async whenIdle(): Promise<void> {
    if (this.running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await promise;
  }
}

function createNodeServer(
  options: HttpOptions,
  tracker: RequestTracker,
  handleRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const { intercept, limits, listen, proxyHeader } = options;
  const filterHeaders = proxyHeader === undefined ? undefined : createHeaderFilter(proxyHeader, listen.trustedProxies);
  const healthUrl = `${listen.base}/health`;
  const server = createServer(
    {
      headersTimeout: limits.arrivalMs,
      requestTimeout: limits.arrivalMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.arrivalMs / CHECKS_PER_TIMEOUT,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The request handler checks the host, because Node would answer without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      tracker.requests += 1;
      filterHeaders?.(request);
      if (request.headers.host === undefined && request.httpVersion === '1.1') {
        refuse(response, 400, 'the host header is missing');
        return;
      }
      if (tracker.isDraining) {
        if (request.url === healthUrl) handleRequest(request, response);
        else {
          response.setHeader('retry-after', '1');
          refuse(response, 503, 'the server is shutting down: retry later or at another server');
        }
        return;
      }
      tracker.onBegin();
      response.on('close', tracker.onEnd);
      if (intercept === undefined) handleRequest(request, response);
      else intercept(request, response, () => handleRequest(request, response));
    },
  );
  server.on('checkExpectation', (_request, response) =>
    refuse(response, 417, 'the only supported expectation is 100-continue'),
  );
  server.setTimeout(limits.stalledMs);
  limitConnections(server, limits.maxPerAddress, createProxyTest(listen.trustedProxies));
  server.maxConnections = limits.maxConnections;
  server.on('upgrade', (request, socket, head) => {
    tracker.upgraded.add(socket);
    socket.once('close', () => tracker.upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    filterHeaders?.(request);
    if (tracker.isDraining) refuseSocket(socket, 503, 'the server is shutting down');
    else options.upgrade(request, socket, head);
  });
  return server;
}

function refuse(response: ServerResponse, status: number, problem: string): void {
  response.req.resume();
  send(response, status, JSON.stringify(failedReply(problem).answer), {
    'content-type': JSON_TYPE,
    connection: 'close',
  });
}

function toRunningServer(
  server: Server,
  app: FastifyInstance,
  { tracker, clock }: { readonly tracker: RequestTracker; readonly clock: Clock },
): HttpServer {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: the server has no port');
  let closed: Promise<void> | undefined;
  const drain = async (graceMs: number): Promise<void> => {
    tracker.isDraining = true;
    const cancelTimeout = clock.schedule(epochMs(clock.now() + graceMs), () => {
      for (const socket of tracker.upgraded) socket.destroy();
      server.closeAllConnections();
      // The port still accepts connections until `app.close`.
      server.on('connection', (socket) => socket.destroy());
    });
    // Until `app.close`, the server listens, so that clients get 503 and monitors read DOWN.
    await tracker.whenIdle();
    await app.close();
    cancelTimeout();
  };
  return {
    port: address.port,
    get traffic() {
      return { requests: tracker.requests, running: tracker.running, upgraded: tracker.upgraded.size };
    },
    close(graceMs) {
      closed ??= drain(graceMs);
      return closed;
    },
  };
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

function answerClientError({ code }: { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_CODE[code ?? ''] ?? 400;
  refuseSocket(socket, status, (STATUS_CODES[status] ?? '').toLowerCase());
}
