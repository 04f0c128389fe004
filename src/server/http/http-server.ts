/**
 * The HTTP server. States: listening -> draining (new requests get 503, `/health` answers DOWN, running requests finish)
 * -> closed.
 *
 * Fastify serves all paths that no bare endpoint handles (docs/decisions/0012).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import { epochMs } from '../../domain/index.ts';
import { RequestContext, requestFailed } from '../graphql/context.ts';
import { send } from './bodies.ts';
import { addressReader, boundConnections, onlyFromProxies, proxyAddressTest } from './client-address.ts';
import { endpointHandler } from './endpoint-request.ts';
import { graphqlPost } from './graphql-post.ts';
import { corsReader, JSON_TYPE, pathOf, refuseSocket } from './headers.ts';
import type { HttpOptions } from './options.ts';
import { addRoutes } from './routes.ts';

/** Numbers of a running server, for metrics. */
interface Traffic {
  readonly requests: number;
  readonly running: number;
  /** Open WebSockets. */
  readonly upgraded: number;
}

export interface HttpServer {
  readonly port: number;
  readonly traffic: Traffic;
  /**
   * Finishes running requests, refuses new ones with 503, and closes after at most `graceMs`. Destroys WebSockets that their owner
   * has not closed by then. A second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 16_384;
/** Timeout checks per timeout of a request: a request ends at most a tenth of its timeout late. */
export const CHECKS_PER_TIMEOUT = 10;
const ID_RADIX = 36;
const BAD_REQUEST = 400;
const EXPECTATION_FAILED = 417;

/** Starts to listen. @throws Error when the port is taken */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { base, host, port, origins, trustedProxies } = options.listen;
  const graphqlPaths = [`${base}/graphql`, `${base}/api/graphql`] as const;
  const tracker = new RequestTracker();
  let ids = 0;
  const nextId = (): string => {
    ids += 1;
    return `${options.runId}-${ids.toString(ID_RADIX)}`;
  };
  const corsOf = corsReader(origins);
  const addressOf = addressReader(trustedProxies);
  const endpoints = [graphqlPost(options, graphqlPaths), ...options.endpoints];
  const receive = endpointHandler({
    clock: options.clock,
    keepAlive: options.limits.keepAlive,
    isIntercepted: options.intercept !== undefined,
    addressOf,
    corsOf,
    nextId,
    backlog: tracker,
  });

  let server: Server | undefined;
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: nextId,
    return503OnClosing: false,
    // A path that cannot be decoded matches no route.
    frameworkErrors: (_error, _request, { raw: response }) => refuse(response, BAD_REQUEST, 'the path is malformed'),
    clientErrorHandler: answerClientFault,
    exposeHeadRoutes: false,
    bodyLimit: options.graphql.limits.maxText,
    serverFactory: (routed) => {
      const pass = (request: IncomingMessage, response: ServerResponse): void => {
        const { method = '' } = request;
        const path = pathOf(request);
        const endpoint = endpoints.find((candidate) => candidate.handles(method, path));
        if (endpoint === undefined) routed(request, response);
        else receive(endpoint, request, response);
      };
      server = createListener(options, tracker, pass);
      return server;
    },
  });
  addRoutes(app, {
    options,
    graphqlPaths,
    corsOf,
    admit: ({ raw, id: requestId }, tokens) => {
      const caller = { viewer: undefined, requestId, ip: addressOf(raw), now: options.clock.now() };
      return options.graphql.quota.consume(new RequestContext(caller, raw), 'read', tokens);
    },
  });
  await app.listen({ host, port });
  if (server === undefined) throw new Error('Invariant: the server was not made');
  return runningServer(server, app, { tracker, clock: options.clock });
}

/** Open connections and requests of a server. */
class RequestTracker {
  isDraining = false;
  requests = 0;
  running = 0;
  readonly upgraded = new Set<Duplex>();
  #onIdle: (() => void) | undefined;

  onBegin(): void {
    this.running += 1;
  }

  /** Shared by all requests, so that no function is allocated per request. */
  readonly onEnd = (): void => {
    this.running -= 1;
    if (this.running === 0) this.#onIdle?.();
  };

  /** Resolves when no request is running. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.running === 0) resolve();
      else this.#onIdle = resolve;
    });
  }
}

function createListener(
  options: HttpOptions,
  tracker: RequestTracker,
  pass: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const { intercept, limits, listen, proxyHeader } = options;
  const clean = proxyHeader === undefined ? undefined : onlyFromProxies(proxyHeader, listen.trustedProxies);
  const health = `${listen.base}/health`;
  const server = createServer(
    {
      headersTimeout: limits.arrival,
      requestTimeout: limits.arrival,
      keepAliveTimeout: limits.keepAlive,
      connectionsCheckingInterval: limits.arrival / CHECKS_PER_TIMEOUT,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Checked below, because Node would answer without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      tracker.requests += 1;
      clean?.(request);
      if (request.headers.host === undefined && request.httpVersion === '1.1') {
        refuse(response, BAD_REQUEST, 'the host header is missing');
        return;
      }
      if (tracker.isDraining) {
        if (request.url === health) pass(request, response);
        else {
          response.setHeader('retry-after', '1');
          refuse(response, 503, 'the server is shutting down: retry later or at another server');
        }
        return;
      }
      tracker.onBegin();
      response.on('close', tracker.onEnd);
      if (intercept === undefined) pass(request, response);
      else intercept(request, response, () => pass(request, response));
    },
  );
  server.on('checkExpectation', (_request, response) =>
    refuse(response, EXPECTATION_FAILED, 'the only supported expectation is 100-continue'),
  );
  server.setTimeout(limits.stalled);
  boundConnections(server, {
    maxConnections: limits.maxPerAddress,
    isProxy: proxyAddressTest(listen.trustedProxies),
  });
  server.maxConnections = limits.maxConnections;
  server.on('upgrade', (request, socket, head) => {
    tracker.upgraded.add(socket);
    socket.once('close', () => tracker.upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    clean?.(request);
    if (tracker.isDraining) refuseSocket(socket, 503, 'the server is shutting down');
    else options.upgrade(request, socket, head);
  });
  return server;
}

/** Sends an error and closes the connection. */
function refuse(response: ServerResponse, status: number, problem: string): void {
  response.req.resume();
  const body = JSON.stringify(requestFailed(problem).answer);
  send(response, { status, type: JSON_TYPE, body, headers: { connection: 'close' } });
}

interface RunningDeps {
  readonly tracker: RequestTracker;
  readonly clock: Clock;
}

function runningServer(server: Server, app: FastifyInstance, { tracker, clock }: RunningDeps): HttpServer {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: the server has no port');
  let closed: Promise<void> | undefined;
  const drain = async (graceMs: number): Promise<void> => {
    tracker.isDraining = true;
    const cancelTimeout = clock.schedule(epochMs(clock.now() + graceMs), () => {
      for (const socket of tracker.upgraded) socket.destroy();
      server.closeAllConnections();
      // The port still accepts connections until it is closed.
      server.on('connection', (socket) => socket.destroy());
    });
    // Keep listening meanwhile, so that clients get 503 and monitors get DOWN instead of a refused connection.
    await tracker.idle();
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

const STATUS_OF: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** A handler for `clientError` of `node:http`. */
function answerClientFault({ code }: { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[code ?? ''] ?? BAD_REQUEST;
  refuseSocket(socket, status, (STATUS_CODES[status] ?? '').toLowerCase());
}
