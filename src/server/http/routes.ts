/** Everything but the two POST endpoints: discovery, health, metrics, GraphiQL, and who asks wrongly. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { internalError } from '../../protocol/index.ts';
import { requestFailed } from '../graphql/index.ts';
import { type HeaderBag, PREFLIGHT } from './cors.ts';
import { GraphiqlPage } from './graphiql.ts';
import type { HttpOptions } from './options.ts';

/** What routes take from the server around them. */
export interface RoutePorts {
  readonly options: HttpOptions;
  /** With the base path. */
  readonly graphqlPaths: readonly [string, string];
  corsOf(headers: FastifyRequest['headers']): HeaderBag;
}

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];
/** The page runs its own scripts and reaches this server; nothing of another origin. */
const PAGE_POLICY =
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' ws: wss:; frame-ancestors 'none'";

/** Adds the routes. */
export function addRoutes(app: FastifyInstance, ports: RoutePorts): void {
  const { options, graphqlPaths } = ports;
  const { base = '' } = options;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...ports.corsOf(request.headers), 'x-request-id': request.id });
  });
  addPlain(app, base, options);
  const page = new GraphiqlPage(graphqlPaths[0]);
  for (const path of graphqlPaths) {
    app.get(path, (request, reply) => graphiql(page, request, reply));
    app.route({
      method: METHODS.filter((method) => method !== 'GET' && method !== 'POST'),
      url: path,
      handler: (_request, reply) =>
        refuse(reply, { status: 405, problem: 'ask with POST', allow: 'POST, GET, OPTIONS' }),
    });
  }
  // A person who opens the venue's address wants to see something; for programs nothing is there.
  app.get(`${base}/`, (request, reply) => {
    if (wantsPage(request)) return reply.redirect(graphqlPaths[0]);
    return refuse(reply, { status: 404, problem: `nothing is at ${request.url}` });
  });
  app.options('/*', (_request, reply) => reply.headers(PREFLIGHT).status(204).send());
  app.setNotFoundHandler((request, reply) => refuse(reply, { status: 404, problem: `nothing is at ${request.url}` }));
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status < 500) return refuse(reply, { status, problem: 'the request cannot be read' });
    options.log.error({ err: error, requestId: request.id }, 'internal error in a route');
    return refuse(reply, { status, problem: internalError(request.id).message });
  });
  options.routes?.(app);
}

function addPlain(app: FastifyInstance, base: string, { health, metrics, version }: HttpOptions): void {
  const plain = (path: string, answer: (reply: FastifyReply) => unknown): void => {
    app.route({ method: ['GET', 'HEAD'], url: `${base}${path}`, handler: (_request, reply) => answer(reply) });
    app.route({
      method: METHODS.filter((method) => method !== 'GET' && method !== 'HEAD'),
      url: `${base}${path}`,
      handler: (_request, reply) =>
        refuse(reply, { status: 405, problem: 'ask with GET', allow: 'GET, HEAD, OPTIONS' }),
    });
  };
  const discovery = { graphql: '/graphql', health: '/health', service: 'halfspread', version };
  plain('/api', () => discovery);
  plain('/health', (reply) => {
    const report = health();
    return reply.status(report.status === 'DOWN' ? 503 : 200).send(report);
  });
  if (metrics !== undefined) {
    plain('/metrics', async (reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
  }
}

async function graphiql(page: GraphiqlPage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!wantsPage(request)) {
    return refuse(reply, { status: 405, problem: 'ask with POST', allow: 'POST, GET, OPTIONS' });
  }
  const acceptsGzip = /\bgzip\b/.test(`${request.headers['accept-encoding'] ?? ''}`);
  if (acceptsGzip) reply.header('content-encoding', 'gzip');
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': PAGE_POLICY, vary: 'accept-encoding' })
    .send(await page.body(acceptsGzip));
}

/** Browsers say so. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html');
}

interface Refusal {
  readonly status: number;
  readonly problem: string;
  readonly allow?: string;
}

function refuse(reply: FastifyReply, { status, problem, allow }: Refusal): FastifyReply {
  if (allow !== undefined) reply.header('allow', allow);
  return reply.status(status).send(requestFailed(problem).answer);
}

function statusOf(error: unknown): number {
  const isKnown = typeof error === 'object' && error !== null && 'statusCode' in error;
  return isKnown && typeof error.statusCode === 'number' ? error.statusCode : 500;
}
