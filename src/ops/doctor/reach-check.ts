/** Checks the connection to the venue: discovery, health, HTTP and WebSocket, clocks, mode, country, schema. */
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { errorMessage, Fault, joinFirst, timeAfter } from '../../domain/index.ts';
import { isRedirect, NETWORK_LIMITS, parseJson, redirectText } from '../../network/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import { compareSchema, type OperationTexts } from '../../venues/service/index.ts';
import { healthSchema } from '../venue/account-client.ts';
import type { VenueHttp } from '../venue/venue-http.ts';
import { clockFinding, type Finding, fail, ok, type PreflightInput, warn } from './preflight.ts';

const geoSchema = z.object({
  allowed: z.boolean(),
  closeOnly: z.boolean(),
  countryCode: z.string().nullable(),
  reason: z.string().nullable(),
});
const SOCKET_TIMEOUT_MS = 5_000;
const CLOCK_SAMPLES = 3;

/** @returns whether the venue answers GraphQL requests */
export async function* checkReachability(input: PreflightInput): AsyncGenerator<Finding, boolean> {
  const { http } = input;
  yield await checkDiscovery(input);
  try {
    const { status, version } = healthSchema.parse(await http.request(OPERATIONS.health));
    const text = `${http.graphqlUrl} answers, version ${version}, status ${status}`;
    yield status === 'OK' ? ok('graphql', text) : warn('graphql', text, 'Wait, or contact the venue');
  } catch (error) {
    yield fail('graphql', problemText(error), remedyText(error));
    return false;
  }
  yield await checkSocket(input);
  yield* await checkClocks(input);
  yield await checkGeo(input);
  return true;
}

async function checkDiscovery({ http }: PreflightInput): Promise<Finding> {
  try {
    const { status, text } = await http.get('/api');
    const discovery = z.object({ service: z.string(), version: z.string() }).safeParse(parseJson(text)).data;
    if (status === 200 && discovery !== undefined)
      return ok('discovery', `${http.baseUrl}/api is ${discovery.service} ${discovery.version}`);
    return warn('discovery', `${http.baseUrl}/api answers ${status} without service and version`, 'Check venue.url');
  } catch (error) {
    const problem = error instanceof SyntaxError ? `${http.baseUrl}/api answers no JSON` : problemText(error);
    return warn('discovery', problem, 'Check venue.url: it is the base URL, to which /graphql is added');
  }
}

function checkSocket({ wsUrl, headers, clock }: PreflightInput): Promise<Finding> {
  const remedy = 'Set venue.ws_url, or let WebSockets (graphql-transport-ws) pass the proxy in between';
  const socket = new WebSocket(wsUrl, 'graphql-transport-ws', {
    headers,
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: NETWORK_LIMITS.messageBytes,
    maxHeaderSize: NETWORK_LIMITS.headerBytes,
  });
  return firstFinding(socket, { url: wsUrl, clock, remedy }, (settle) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
    socket.on('message', (data) => {
      if (String(data).includes('connection_ack')) settle(ok('socket', `${wsUrl} supports graphql-transport-ws`));
      else settle(fail('socket', `${wsUrl} does not support graphql-transport-ws`, remedy));
    });
    socket.on('unexpected-response', (_request, { statusCode: status = 0, headers: { location } }) => {
      const answer = isRedirect(status) ? redirectText(status, location, new URL(wsUrl)) : `answered ${status}`;
      settle(fail('socket', `${wsUrl} ${answer}`, remedy));
    });
    socket.on('close', (code) => settle(fail('socket', `${wsUrl} closed with ${code}`, remedy)));
  });
}

/** Returns the first finding about a socket, such as an error or a timeout, and closes the socket. */
export function firstFinding(
  socket: WebSocket,
  { url, clock, remedy }: { readonly url: string; readonly clock: Clock; readonly remedy: string },
  listen: (settle: (finding: Finding) => void) => void,
): Promise<Finding> {
  return new Promise((resolve) => {
    const settle = (finding: Finding): void => {
      cancel();
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.terminate();
      resolve(finding);
    };
    const cancel = clock.schedule(timeAfter(clock.now(), SOCKET_TIMEOUT_MS), () =>
      settle(fail('socket', `${url} does not answer`, remedy)),
    );
    socket.on('error', (error) => settle(fail('socket', `${url}: ${error.message}`, remedy)));
    listen(settle);
  });
}

/** Uses the shortest of several round trips, because the shortest is the most precise. */
async function checkClocks({ http, clock, settings }: PreflightInput): Promise<readonly Finding[]> {
  let best = { uncertaintyMs: Number.POSITIVE_INFINITY, offsetMs: 0, mode: '' };
  let venueLimitMs = Number.POSITIVE_INFINITY;
  try {
    for (let count = 0; count < CLOCK_SAMPLES; count += 1) {
      const sentAt = clock.now();
      const { serverTime, mode } = healthSchema.parse(await http.request(OPERATIONS.health));
      const receivedAt = clock.now();
      const uncertaintyMs = (receivedAt - sentAt) / 2 + 1;
      if (uncertaintyMs < best.uncertaintyMs)
        best = { uncertaintyMs, offsetMs: Date.parse(serverTime) - (sentAt + receivedAt) / 2, mode };
    }
    const limits = z.object({ maxClockSkewMs: z.number() }).parse(await http.request(OPERATIONS.bettingConfig));
    venueLimitMs = limits.maxClockSkewMs;
  } catch (error) {
    return [fail('clock', problemText(error), remedyText(error))];
  }
  const { offsetMs, uncertaintyMs, mode } = best;
  const differenceMs = Math.abs(offsetMs);
  const allowedMs = Math.min(venueLimitMs, settings.clockSkewMs);
  const text = `this clock is ${Math.round(differenceMs)} ms ${offsetMs > 0 ? 'behind' : 'ahead of'} the venue's, to within ${Math.ceil(uncertaintyMs)} ms (${allowedMs} allowed)`;
  return [clockFinding(text, differenceMs - uncertaintyMs, allowedMs, 'orders'), modeFinding(mode)];
}

function modeFinding(mode: string): Finding {
  if (mode === 'NORMAL') return ok('venue mode', 'NORMAL');
  const remedy = 'Wait: the bot quotes when the venue is NORMAL again';
  return warn('venue mode', `${mode}: the venue does not accept all commands`, remedy);
}

async function checkGeo({ http }: PreflightInput): Promise<Finding> {
  const remedy = 'Trade from a country that the venue allows. The venue decides by your IP address';
  try {
    const { allowed, closeOnly, countryCode, reason } = geoSchema.parse(await http.request(OPERATIONS.geoCheck));
    const placeText = countryCode === null ? 'from here' : `from ${countryCode}`;
    if (allowed && !closeOnly) return ok('country', `trading is allowed ${placeText}`);
    const reasonText = reason === null ? '' : ` (${reason})`;
    if (closeOnly) return warn('country', `positions may only be closed ${placeText}${reasonText}`, remedy);
    return fail('country', `trading is not allowed ${placeText}${reasonText}`, remedy);
  } catch (error) {
    return warn('country', problemText(error), 'Check with the venue whether trading is allowed from your country');
  }
}

export function problemText(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `the answer is not as expected at ${issue?.path.join('.') ?? 'its top'}: ${issue?.message ?? ''}`;
  }
  return errorMessage(error);
}

function remedyText(error: unknown): string {
  if (error instanceof z.ZodError) return 'See `schema` below; replace the operation in a file (venue.operations)';
  const code = error instanceof Fault ? error.code : '';
  if (code === 'LINK') return 'Start the venue (`npx halfspread serve`), or correct venue.url';
  if (code === 'BLOCKED') return 'Correct venue.url. Open it in a browser to see the answer';
  return 'Correct what the message names, then run `npx halfspread doctor <config.yaml>` again';
}

const MAX_LISTED = 8;
const SCHEMA_REMEDY =
  "Write the operation with the venue's names into a file (`venue.operations`, docs/live.md), or use the version of halfspread that fits the venue";

/** @param operations the operations that the bot sends, with the replacements in `venue.operations` */
export async function checkSchema(http: VenueHttp, operations: OperationTexts): Promise<readonly Finding[]> {
  let served: GraphQLSchema;
  try {
    const data = await http.data(getIntrospectionQuery());
    if (!isIntrospection(data)) throw new Error('the answer is not an introspection');
    served = buildClientSchema(data);
  } catch (error) {
    const remedy = 'Allow introspection on the venue. Without it, differences show only when an operation fails';
    return [warn('schema', `the schema cannot be read: ${problemText(error)}`, remedy)];
  }
  const report = compareSchema(served, operations);
  const problems = report.refused.map(
    ({ operation, file, problem }) => `${operation}${file === undefined ? '' : ` (${file})`}: ${problem}`,
  );
  const count = `${problems.length} of ${report.operations}`;
  const findings = [
    problems.length === 0
      ? ok('operations', `all ${report.operations} operations fit the venue's schema`)
      : fail(
          'operations',
          `${count} do not fit the venue's schema: ${joinFirst(problems, MAX_LISTED, '; ')}`,
          SCHEMA_REMEDY,
        ),
  ];
  if (report.breaking.length > 0)
    findings.push(
      fail('schema', `breaking differences: ${joinFirst(report.breaking, MAX_LISTED, '; ')}`, SCHEMA_REMEDY),
    );
  if (report.dangerous.length > 0) {
    const remedy = 'Check whether a new value matters to you';
    findings.push(
      warn('schema', `possible incompatibilities: ${joinFirst(report.dangerous, MAX_LISTED, '; ')}`, remedy),
    );
  }
  if (findings.length === 1) {
    const { harmless } = report;
    const text = `${harmless.length} harmless differences: ${joinFirst(harmless, MAX_LISTED, '; ')}`;
    findings.push(ok('schema', harmless.length === 0 ? 'equal to the schema that halfspread was built for' : text));
  }
  return findings;
}

function isIntrospection(data: object): data is IntrospectionQuery {
  return '__schema' in data && typeof data.__schema === 'object' && data.__schema !== null;
}
