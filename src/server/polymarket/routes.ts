import type { Restriction } from '../../exchange/index.ts';
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';
import { errorFields, RequestContext } from '../graphql/context.ts';
import type { EndpointRequest, HttpEndpoint } from '../http/endpoint-request.ts';
import { getPath } from '../http/headers.ts';
import { type AccountHandler, NO_ANSWER } from './account-routes.ts';
import type { PublicHandler } from './public-routes.ts';
import { PolymarketRefusal, parseBody, parseQuery, tooManyRequests, toRefusal } from './request.ts';
import type { PolymarketShared } from './shared.ts';

export interface RouteDeps extends PolymarketShared {
  readonly publicRoutes: ReadonlyMap<string, PublicHandler>;
  readonly accountRoutes: ReadonlyMap<string, AccountHandler>;
}

const METHODS = ['GET', 'POST', 'DELETE'] as const;
const ENTRIES_PER_TOKEN = 10;
/** The venue refuses these routes during a simulated restart of the matching engine. */
const ENGINE_ROUTES: ReadonlySet<string> = new Set([
  'POST /order',
  'POST /orders',
  'DELETE /order',
  'DELETE /orders',
  'DELETE /cancel-all',
  'DELETE /cancel-market-orders',
]);

/** Handles all paths under `/polymarket`. */
export function createPolymarketEndpoint(deps: RouteDeps): HttpEndpoint {
  return {
    maxBytes: 262_144,
    handles: (method, path) => path.startsWith(`${deps.prefix}/`) && parseMethod(method) !== undefined,
    onBody: (request, body) => ({ prepare() {}, run: () => void answer(request, body, deps) }),
    refusalBody: (error) => ({ error }),
  };
}

async function answer(request: EndpointRequest, body: Buffer, deps: RouteDeps): Promise<void> {
  const headers: Record<string, string> = {};
  try {
    const result = await handle(request, body, deps, headers);
    if (result === NO_ANSWER) request.incoming.socket.destroy();
    else request.answer({ body: JSON.stringify(result), headers });
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined)
      deps.log.error({ ...errorFields(error), requestId: request.id }, 'internal error in the Polymarket dialect');
    const sent = refusal ?? new PolymarketRefusal(500, `internal error (${request.id})`);
    request.answer({ status: sent.status, body: JSON.stringify(sent.body), headers: sent.headers });
  }
}

/** @param headers receives the answer's headers */
async function handle(
  request: EndpointRequest,
  bytes: Buffer,
  deps: RouteDeps,
  headers: Record<string, string>,
): Promise<unknown> {
  const { queue, accounts, faults } = deps;
  const { url = '', headers: requestHeaders, method: methodName = '' } = request.incoming;
  const method = parseMethod(methodName) ?? 'GET';
  const fullPath = getPath(request.incoming);
  const path = fullPath.slice(deps.prefix.length);
  const { route, name } = findRoute(method, path, deps);
  const text = method === 'GET' ? '' : bytes.toString();
  const query = parseQuery(url.slice(fullPath.length));
  const body = text === '' ? undefined : parseBody(text);
  const isEngineRoute = ENGINE_ROUTES.has(route);
  if (!isEngineRoute) admitRead(deps, request.ip, body);
  if (route === 'POST /auth/api-key') return accounts.create(requestHeaders, queue.now);
  if (route === 'GET /auth/derive-api-key') return queue.read(() => accounts.derive(requestHeaders, queue.now));
  const publicHandler = deps.publicRoutes.get(route);
  if (publicHandler !== undefined) return queue.read(() => publicHandler({ query, name, body }));
  const accountHandler = deps.accountRoutes.get(route);
  if (accountHandler === undefined) throw new PolymarketRefusal(404, POLYMARKET_ERRORS.notSupported);
  const caller = accounts.authenticate(requestHeaders, { method, path, body: text }, queue.now);
  if (isEngineRoute) {
    faults.startRestartByChance(queue.now);
    const remainingMs = faults.remainingMs('restart', queue.now);
    const seconds = String(Math.ceil(remainingMs / 1_000));
    if (remainingMs > 0) throw new PolymarketRefusal(425, POLYMARKET_ERRORS.restarting, {}, { 'retry-after': seconds });
  }
  const accountRequest = { caller, query, name, body, restriction: getRestriction(request, deps), headers };
  return method === 'GET' ? queue.read(() => accountHandler(accountRequest)) : accountHandler(accountRequest);
}

function parseMethod(text: string) {
  return METHODS.find((method) => method === text);
}

/** Consumes the address's `read` tokens. A list costs one token per ten entries. @throws PolymarketRefusal 429 */
function admitRead({ access }: RouteDeps, ip: string, body: unknown): void {
  const cost = Array.isArray(body) ? Math.ceil(body.length / ENTRIES_PER_TOKEN) : 1;
  const waitMs = access.buckets.consume({ viewer: undefined, ip }, 'read', Math.max(1, cost));
  if (waitMs > 0) throw tooManyRequests('rate limit exceeded', Math.ceil(waitMs / 1_000));
}

/** Splits a path into its route and the name at its end. The route of an unknown path is the whole path. */
function findRoute(method: string, path: string, deps: RouteDeps): { readonly route: string; readonly name: string } {
  const fullRoute = `${method} ${path}`;
  if (deps.publicRoutes.has(fullRoute) || deps.accountRoutes.has(fullRoute)) return { route: fullRoute, name: '' };
  const nameBegin = path.lastIndexOf('/') + 1;
  const route = `${method} ${path.slice(0, nameBegin)}`;
  const isNamed = nameBegin > 1 && (deps.publicRoutes.has(route) || deps.accountRoutes.has(route));
  return isNamed ? { route, name: path.slice(nameBegin) } : { route: fullRoute, name: '' };
}

function getRestriction({ id, ip, incoming }: EndpointRequest, { access, queue }: RouteDeps): Restriction | undefined {
  const caller = { viewer: undefined, requestId: id, ip, now: queue.now };
  const rule = access.geo.getRule(new RequestContext(caller, incoming));
  if (rule === 'BLOCKED') return 'GEO_BLOCKED';
  return rule === 'CLOSE_ONLY' ? 'CLOSE_ONLY' : undefined;
}
