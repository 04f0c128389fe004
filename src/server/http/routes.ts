/** The Fastify routes: discovery, health, metrics, GraphiQL, and errors. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { internalError, rateLimited } from '../../protocol/index.ts';
import { failedReply } from '../graphql/context.ts';
import { getPath, type HeaderBag, PREFLIGHT, retryAfterHeader } from './headers.ts';
import type { HttpOptions } from './options.ts';

export interface HttpRouteDeps {
  readonly options: HttpOptions;
  /** With the base path. */
  readonly graphqlPaths: readonly [string, string];
  createCorsHeaders(headers: FastifyRequest['headers']): HeaderBag;
  /** Consumes tokens of the caller's `read` bucket. @returns 0 if consumed, else ms until the tokens are available */
  consumeReadTokens(request: FastifyRequest, tokens: number): number;
}

const METRICS_TOKENS = 5;
/** The GraphiQL page has up to 9 MB. */
const PAGE_TOKENS = 25;

/** The GraphiQL page may run its own scripts and connect to this server, but must load nothing from other origins. */
const PAGE_POLICY =
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' ws: wss:; frame-ancestors 'none'";

export function addRoutes(app: FastifyInstance, deps: HttpRouteDeps): void {
  const { options, graphqlPaths } = deps;
  const { health, metrics, version } = options;
  const { base } = options.listen;
  const getPaths = [`${base}/api`, `${base}/health`, ...(metrics === undefined ? [] : [`${base}/metrics`])];
  const allowedMethods = new Map<string, { readonly allow: string; readonly problem: string }>([
    ...graphqlPaths.map((path) => [path, { allow: 'POST, GET, OPTIONS', problem: 'use POST' }] as const),
    ...getPaths.map((path) => [path, { allow: 'GET, HEAD, OPTIONS', problem: 'use GET' }] as const),
  ]);
  // Runs before the body is read, so that a wrong method or path is reported even if the body is invalid.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...deps.createCorsHeaders(request.headers), 'x-request-id': request.id });
    if (request.method === 'OPTIONS') return reply.headers(PREFLIGHT).status(204).send();
    if (!request.is404) return;
    const allowed = allowedMethods.get(getPath(request));
    if (allowed !== undefined) return refuse(reply, 405, allowed.problem, allowed.allow);
    return refuse(reply, 404, `there is no resource at ${request.url}`);
  });
  const get = (url: string, handler: (reply: FastifyReply, request: FastifyRequest) => unknown): void => {
    app.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => handler(reply, request) });
  };
  const discovery = { graphql: '/graphql', health: '/health', service: 'halfspread', version };
  get(`${base}/api`, () => discovery);
  get(`${base}/health`, (reply) => {
    const report = health();
    return reply.status(report.status === 'DOWN' ? 503 : 200).send(report);
  });
  if (metrics !== undefined) {
    get(`${base}/metrics`, async (reply, request) => {
      const waitMs = deps.consumeReadTokens(request, METRICS_TOKENS);
      if (waitMs > 0) return refuseTooMany(reply, waitMs);
      return reply.type(metrics.contentType).send(await metrics.metrics());
    });
  }
  const page = createGraphiqlPage(graphqlPaths[0]);
  for (const path of graphqlPaths) app.get(path, (request, reply) => sendGraphiql(page, deps, request, reply));
  app.get(`${base}/`, (_request, reply) => reply.redirect(graphqlPaths[0]));
  app.setErrorHandler((error, request, reply) => {
    const status = getStatus(error);
    if (status < 500) return refuse(reply, status, 'the request is malformed');
    options.log.error({ err: error, requestId: request.id }, 'internal error in a route');
    return refuse(reply, status, internalError(request.id).message);
  });
  options.routes(app);
}

async function sendGraphiql(
  page: GraphiqlPage,
  deps: HttpRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isBrowser = (request.headers.accept ?? '').includes('text/html');
  if (!isBrowser) return refuse(reply, 405, 'use POST', 'POST, GET, OPTIONS');
  const waitMs = deps.consumeReadTokens(request, PAGE_TOKENS);
  if (waitMs > 0) return refuseTooMany(reply, waitMs);
  const acceptsGzip = /\bgzip\b/.test(`${request.headers['accept-encoding'] ?? ''}`);
  if (acceptsGzip) reply.header('content-encoding', 'gzip');
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': PAGE_POLICY, vary: 'accept-encoding' })
    .send(await page(acceptsGzip));
}

function refuse(reply: FastifyReply, status: number, problem: string, allow?: string): FastifyReply {
  if (allow !== undefined) reply.header('allow', allow);
  return reply.status(status).send(failedReply(problem).answer);
}

function refuseTooMany(reply: FastifyReply, waitMs: number): FastifyReply {
  return refuse(reply.headers(retryAfterHeader(waitMs)), 429, rateLimited(waitMs).message);
}

function getStatus(error: unknown): number {
  const isKnown = typeof error === 'object' && error !== null && 'statusCode' in error;
  return isKnown && typeof error.statusCode === 'number' ? error.statusCode : 500;
}

const INITIAL_EDITOR_TEXT = `# Markets of this venue. Ctrl-Enter runs; Ctrl-Space completes; the panel on the left documents every operation.
# Fields that need an account require a header (below): { "authorization": "Bearer <token>" }

{
  markets(input: { first: 5 }) {
    edges {
      node {
        id
        slug
        question
        status
        yesPriceBps
        noPriceBps
        bestBidBps
        bestAskBps
      }
    }
  }
}
`;

/** Returns GraphiQL as one self-contained page, compressed with gzip if the client accepts it. */
type GraphiqlPage = (acceptsGzip: boolean) => Promise<Buffer>;

/** Returns a function that builds the page at the first call. @param endpoint path for queries and sockets */
function createGraphiqlPage(endpoint: string): GraphiqlPage {
  let compressed: Promise<Buffer> | undefined;
  /** One buffer for all requests, so that slow clients do not take 9 MB each. */
  let plain: Promise<Buffer> | undefined;
  return (acceptsGzip) => {
    compressed ??= buildCompressedPage(endpoint);
    if (acceptsGzip) return compressed;
    plain ??= compressed.then((page) => promisify(gunzip)(page));
    return plain;
  };
}

async function buildCompressedPage(endpoint: string): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const texts = { title: 'halfspread', defaultQuery: INITIAL_EDITOR_TEXT };
  return promisify(gzip)(renderGraphiQL({ endpoint, subscriptionsProtocol: 'WS', ...texts }));
}
