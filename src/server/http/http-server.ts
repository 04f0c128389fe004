/**
 * The server on a port. Its life: listening -> draining (new requests get 503, `/health` answers DOWN, those that run are
 * answered) -> closed.
 *
 * Fastify serves what no bare endpoint takes (docs/decisions/0012).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../../clock/index.ts';
import { epochMs } from '../../domain/index.ts';
import { requestFailed } from '../graphql/context.ts';
import { refuseUpgrade } from '../streams/socket/handshake.ts';
import { bareRequests } from './bare-request.ts';
import { send } from './bodies.ts';
import { addressReader, proxyAddress } from './client-address.ts';
import { answerClientFault } from './client-fault.ts';
import { corsReader } from './cors.ts';
import { graphqlPost } from './graphql-post.ts';
import { type HttpOptions, TIMEOUTS } from './options.ts';
import { boundConnections } from './per-address-bounds.ts';
import { RequestContext } from './request-context.ts';
import { addRoutes } from './routes.ts';

/** Numbers of a running server, for metrics. */
export interface Traffic {
  /** Since the start. */
  readonly requests: number;
  /** Not answered yet. */
  readonly running: number;
  /** Sockets that became WebSockets and are open. */
  readonly upgraded: number;
}

/** A server that listens. */
export interface HttpServer {
  readonly host: string;
  readonly port: number;
  readonly traffic: Traffic;
  /**
   * Answers running requests, refuses others with 503, and closes after at most `graceMs`. The owner of WebSockets closes them;
   * the rest are destroyed at the end. A second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 20_000;
const MAX_PER_ADDRESS = 15_000;
/** Looks at each connection within its time: a late request ends so much of it later at most. */
export const CHECKS = 10;
const ID_RADIX = 36;
const BAD_REQUEST = 400;
const EXPECTATION_FAILED = 417;

/** Starts to listen. @throws Error when the port is taken */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { base = '', host = '127.0.0.1' } = options;
  const graphqlPaths = [`${base}/graphql`, `${base}/api/graphql`] as const;
  const life = new Life();
  let ids = 0;
  const nextId = (): string => {
    ids += 1;
    return `${options.runId}-${ids.toString(ID_RADIX)}`;
  };
  const corsOf = corsReader(options.origins);
  const addressOf = addressReader(options.trustedProxies ?? []);
  const endpoints = [graphqlPost(options, graphqlPaths), ...(options.endpoints ?? [])];
  const receive = bareRequests({
    clock: options.clock,
    keepAlive: options.timeouts?.keepAlive ?? TIMEOUTS.keepAlive,
    isIntercepted: options.intercept !== undefined,
    addressOf,
    corsOf,
    nextId,
    backlog: life,
  });

  let server: Server | undefined;
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: nextId,
    return503OnClosing: false,
    // A path that cannot be decoded matches no route.
    frameworkErrors: (_error, { raw: request }, { raw: response }) =>
      refuse({ request, response }, BAD_REQUEST, 'the path cannot be read'),
    clientErrorHandler: answerClientFault,
    exposeHeadRoutes: false,
    bodyLimit: options.graphql.limits.maxText,
    serverFactory: (routed) => {
      const pass = (request: IncomingMessage, response: ServerResponse): void => {
        const { method = '', url = '' } = request;
        const end = url.indexOf('?');
        const path = end < 0 ? url : url.slice(0, end);
        const endpoint = endpoints.find((one) => one.takes(method, path));
        if (endpoint === undefined) routed(request, response);
        else receive(endpoint, request, response);
      };
      server = listener(options, life, pass);
      return server;
    },
  });
  addRoutes(app, {
    options,
    graphqlPaths,
    corsOf,
    admit: ({ raw, id: requestId }, tokens) => {
      const caller = { viewer: undefined, requestId, ip: addressOf(raw), now: options.clock.now() };
      return options.graphql.quota.take(new RequestContext(caller, raw), 'read', tokens);
    },
  });
  await app.listen({ host, port: options.port });
  if (server === undefined) throw new Error('Invariant: the server was not made');
  return running(server, app, { life, host, clock: options.clock });
}

/** Open connections and requests of a server. */
class Life {
  isDraining = false;
  requests = 0;
  running = 0;
  readonly upgraded = new Set<Duplex>();
  #onRest: (() => void) | undefined;

  began(): void {
    this.running += 1;
  }

  /** One function for all requests. */
  readonly ended = (): void => {
    this.running -= 1;
    if (this.running === 0) this.#onRest?.();
  };

  /** Resolves when all requests are answered that came before draining began. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      if (this.running === 0) resolve();
      else this.#onRest = resolve;
    });
  }
}

function listener(
  options: HttpOptions,
  life: Life,
  pass: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const { clean, intercept, base = '' } = options;
  const health = `${base}/health`;
  const server = createServer(
    {
      headersTimeout: timeouts.arrival,
      requestTimeout: timeouts.arrival,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.arrival / CHECKS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node itself would answer without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      life.requests += 1;
      clean?.(request);
      if (request.headers.host === undefined && request.httpVersion === '1.1') {
        refuse({ request, response }, BAD_REQUEST, 'the header host is missing');
        return;
      }
      if (life.isDraining) {
        if (request.url === health) pass(request, response);
        else refuseDraining(request, response);
        return;
      }
      life.began();
      response.on('close', life.ended);
      if (intercept === undefined) pass(request, response);
      else intercept(request, response, () => pass(request, response));
    },
  );
  server.on('checkExpectation', (request, response) =>
    refuse({ request, response }, EXPECTATION_FAILED, 'the only expectation that can be met is 100-continue'),
  );
  server.setTimeout(timeouts.stalled);
  boundConnections(server, {
    most: options.maxPerAddress ?? MAX_PER_ADDRESS,
    isProxy: proxyAddress(options.trustedProxies ?? []),
  });
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  server.on('upgrade', (request, socket, head) => {
    life.upgraded.add(socket);
    socket.once('close', () => life.upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    if (options.upgrade === undefined || life.isDraining) refuseUpgrade(socket, 503, 'the server is shutting down');
    else options.upgrade(request, socket, head);
  });
  return server;
}

function refuseDraining(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('retry-after', '1');
  refuse({ request, response }, 503, 'the server is shutting down: retry later or at another server');
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers, and closes the connection. */
function refuse({ request, response }: Asked, status: number, problem: string): void {
  request.resume();
  const body = JSON.stringify(requestFailed(problem).answer);
  send(response, { status, type: JSON_TYPE, body, headers: { connection: 'close' } });
}

interface Frame {
  readonly life: Life;
  readonly host: string;
  readonly clock: Clock;
}

function running(server: Server, app: FastifyInstance, { life, host, clock }: Frame): HttpServer {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Invariant: the server has no port');
  let closed: Promise<void> | undefined;
  const drain = async (graceMs: number): Promise<void> => {
    life.isDraining = true;
    const cut = clock.schedule(epochMs(clock.now() + graceMs), () => {
      for (const socket of life.upgraded) socket.destroy();
      server.closeAllConnections();
      // Connections that are still accepted until the port is closed.
      server.on('connection', (socket) => socket.destroy());
    });
    // It listens until then, so that clients get 503 and monitors DOWN instead of a refused connection.
    await life.rest();
    await app.close();
    cut();
  };
  return {
    host,
    port: address.port,
    get traffic() {
      return { requests: life.requests, running: life.running, upgraded: life.upgraded.size };
    },
    close(graceMs) {
      closed ??= drain(graceMs);
      return closed;
    },
  };
}
