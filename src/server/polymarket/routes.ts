/** The dialect over HTTP: everything below `/polymarket`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../domain/index.ts';
import { WireFault } from '../../protocol/index.ts';
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';
import type { Access } from '../access/access.ts';
import type { CommandQueue } from '../command-queue.ts';
import { type Log, logged } from '../graphql/context.ts';
import { addressReader } from '../http/client-address.ts';
import { RequestContext } from '../http/request-context.ts';
import { type AccountHandler, LOST } from './account-routes.ts';
import type { PolymarketAccounts } from './accounts.ts';
import { PolymarketRefusal } from './fault.ts';
import type { PolymarketFaults } from './faults.ts';
import type { PublicHandler } from './public-routes.ts';
import { jsonOf } from './request.ts';

export interface RouteDeps {
  readonly queue: CommandQueue;
  readonly log: Log;
  readonly access: Pick<Access, 'geo' | 'buckets'>;
  /** Addresses of proxies that are believed. */
  readonly trustedProxies: readonly string[];
  readonly accounts: PolymarketAccounts;
  readonly faults: PolymarketFaults;
  readonly publicRoutes: ReadonlyMap<string, PublicHandler>;
  readonly accountRoutes: ReadonlyMap<string, AccountHandler>;
  /** Before every path, with `/polymarket`. */
  readonly prefix: string;
}

type Method = 'GET' | 'POST' | 'DELETE';

const METHODS: readonly Method[] = ['GET', 'POST', 'DELETE'];
const MOST_BYTES = 262_144;
const LIST_PART = 10;
/** Paths that change orders: they meet a restart of the engine. */
const ENGINE_PATHS = /^(POST|DELETE) \/(orders?|cancel-all|cancel-market-orders)$/;

/** Adds the routes. A path that is not there is "not supported", in the venue's form. */
export function polymarketRoutes(deps: RouteDeps): (app: FastifyInstance) => void {
  const addressOf = addressReader(deps.trustedProxies);
  return (app) => {
    void app.register(async (scope) => {
      // The signature of a request is over the bytes of its body; clients send a content type without a body, too.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) =>
        done(null, body),
      );
      scope.setErrorHandler((error, request, reply) => refuse(error, request, reply, deps.log));
      scope.route({
        method: [...METHODS],
        url: `${deps.prefix}/*`,
        handler: async (request, reply) => {
          const answer = await handle(request, reply, deps, addressOf(request.raw));
          if (answer !== LOST) return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
          request.raw.socket.destroy();
          return reply.hijack();
        },
      });
    });
  };
}

async function handle(request: FastifyRequest, reply: FastifyReply, deps: RouteDeps, ip: string): Promise<unknown> {
  const { queue, accounts, faults } = deps;
  const [url = ''] = request.url.split('?');
  const path = url.slice(deps.prefix.length);
  const method = METHODS.find((one) => one === request.method) ?? 'GET';
  const { route, name } = routeOf(method, path, deps);
  const text = typeof request.body === 'string' ? request.body : '';
  const query = queryOf(request.query);
  const body = text === '' ? undefined : jsonOf(text);
  if (!ENGINE_PATHS.test(route)) admitRead(deps, ip, body);
  if (route === 'POST /auth/api-key') return accounts.create(request.headers, queue.now);
  if (route === 'GET /auth/derive-api-key') return queue.read(() => accounts.derive(request.headers, queue.now));
  const shown = deps.publicRoutes.get(route);
  if (shown !== undefined) return queue.read(() => shown({ query, name, body }));
  const own = deps.accountRoutes.get(route);
  if (own === undefined) throw new PolymarketRefusal(404, POLYMARKET_ERRORS.notSupported);
  const caller = accounts.caller(request.headers, { method, path, body: text }, queue.now);
  if (ENGINE_PATHS.test(route)) {
    faults.drawRestart(queue.now);
    const left = faults.left('restart', queue.now);
    const seconds = String(Math.ceil(left / 1_000));
    if (left > 0) throw new PolymarketRefusal(425, POLYMARKET_ERRORS.restarting, {}, { 'retry-after': seconds });
  }
  const headers: Record<string, string> = {};
  const given = { caller, query, name, body, restriction: restrictionOf(request, deps), headers };
  const answer = await (method === 'GET' ? queue.read(() => own(given)) : own(given));
  reply.headers(headers);
  return answer;
}

/** The bucket of reads of an address; a list costs a token for each ten of its entries. @throws PolymarketRefusal 429 */
function admitRead({ access }: RouteDeps, ip: string, body: unknown): void {
  const cost = Array.isArray(body) ? Math.ceil(body.length / LIST_PART) : 1;
  const wait = access.buckets.take({ viewer: undefined, ip }, 'read', Math.max(1, cost));
  if (wait === 0) return;
  const seconds = Math.ceil(wait / 1_000);
  throw new PolymarketRefusal(
    429,
    'rate limit exceeded',
    { retry_after_seconds: seconds },
    { 'retry-after': String(seconds) },
  );
}

/** A path with a name at its end is known by what is before it. */
function routeOf(method: Method, path: string, deps: RouteDeps): { readonly route: string; readonly name: string } {
  const whole = `${method} ${path}`;
  if (deps.publicRoutes.has(whole) || deps.accountRoutes.has(whole)) return { route: whole, name: '' };
  const end = path.lastIndexOf('/') + 1;
  const route = `${method} ${path.slice(0, end)}`;
  const isNamed = end > 1 && (deps.publicRoutes.has(route) || deps.accountRoutes.has(route));
  return isNamed ? { route, name: path.slice(end) } : { route: whole, name: '' };
}

function restrictionOf(
  request: FastifyRequest,
  { access, queue }: RouteDeps,
): 'GEO_BLOCKED' | 'CLOSE_ONLY' | undefined {
  const caller = { viewer: undefined, requestId: request.id, ip: request.ip, now: queue.now };
  const rule = access.geo.ruleFor(new RequestContext(caller, request.raw));
  if (rule === 'BLOCKED') return 'GEO_BLOCKED';
  return rule === 'CLOSE_ONLY' ? 'CLOSE_ONLY' : undefined;
}

/** A parameter that comes several times is a list with commas. */
function queryOf(query: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return reply.status(refusal.status).headers(refusal.headers).send(refusal.body);
  log.error({ ...logged(error), requestId: request.id }, 'internal error in the Polymarket dialect');
  return reply.status(500).send({ error: `internal error (${request.id})` });
}

function refusalOf(error: unknown): PolymarketRefusal | undefined {
  if (error instanceof PolymarketRefusal) return error;
  if (error instanceof WireFault) return new PolymarketRefusal(429, error.message);
  if (error instanceof Fault && error.code === 'EXCHANGE_CLOSING')
    return new PolymarketRefusal(425, POLYMARKET_ERRORS.restarting);
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status !== 'number' || status >= 500) return undefined;
  return new PolymarketRefusal(status, 'the request cannot be read');
}
