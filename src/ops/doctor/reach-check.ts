/** Checks the connection to the venue: discovery, health, GraphQL over HTTP and WebSocket, clocks, mode, country. */
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { isRedirect, NETWORK_LIMITS, parseJson, redirectText } from '../../network/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import { type Finding, fail, ok, type PreflightInput, warn } from './preflight.ts';

const healthSchema = z.object({ status: z.string(), mode: z.string(), version: z.string(), serverTime: z.string() });
const geoSchema = z.object({
  allowed: z.boolean(),
  closeOnly: z.boolean(),
  countryCode: z.string().nullable(),
  reason: z.string().nullable(),
});
const SOCKET_MS = 5_000;
const SAMPLES = 3;
const CLOCK_REMEDY = 'Set this clock (`timedatectl set-ntp true`, or chrony); orders are signed with its time';

export interface ReachabilityCheck {
  readonly findings: readonly Finding[];
  /** Whether the venue answers GraphQL requests. */
  readonly isReachable: boolean;
}

export async function checkReachability(input: PreflightInput): Promise<ReachabilityCheck> {
  const { http } = input;
  const findings = [await checkDiscovery(input)];
  try {
    const { status, version } = healthSchema.parse(await http.request(OPERATIONS.health));
    const text = `${http.graphql} answers, version ${version}, status ${status}`;
    findings.push(status === 'OK' ? ok('graphql', text) : warn('graphql', text, 'Wait, or contact the venue'));
  } catch (error) {
    findings.push(fail('graphql', problemOf(error), remedyOf(error)));
    return { findings, isReachable: false };
  }
  findings.push(await checkSocket(input), ...(await checkClocks(input)), await checkGeo(input));
  return { findings, isReachable: true };
}

async function checkDiscovery({ http }: PreflightInput): Promise<Finding> {
  try {
    const { status, text } = await http.get('/api');
    const found = z.object({ service: z.string(), version: z.string() }).safeParse(parseJson(text)).data;
    if (status === 200 && found !== undefined)
      return ok('discovery', `${http.base}/api says ${found.service} ${found.version}`);
    return warn('discovery', `${http.base}/api answers ${status} without service and version`, 'Check venue.url');
  } catch (error) {
    const problem = error instanceof SyntaxError ? `${http.base}/api answers no JSON` : problemOf(error);
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
      const isAck = String(data).includes('connection_ack');
      settle(
        isAck
          ? ok('socket', `${wsUrl} speaks graphql-transport-ws`)
          : fail('socket', `${wsUrl} does not speak graphql-transport-ws`, remedy),
      );
    });
    socket.on('unexpected-response', (_request, { statusCode: status = 0, headers: { location } }) => {
      const what = isRedirect(status) ? redirectText(status, location, new URL(wsUrl)) : `answered ${status}`;
      settle(fail('socket', `${wsUrl} ${what}`, remedy));
    });
    socket.on('close', (code) => settle(fail('socket', `${wsUrl} closed with ${code}`, remedy)));
  });
}

/** Returns the first finding about a socket, then closes it. An error or a timeout is a finding, too. @param listen adds further listeners */
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
    const cancel = clock.schedule(timeAfter(clock.now(), SOCKET_MS), () =>
      settle(fail('socket', `${url} does not answer`, remedy)),
    );
    socket.on('error', (error) => settle(fail('socket', `${url}: ${error.message}`, remedy)));
    listen(settle);
  });
}

/** Uses the shortest of several round trips, because it is the most precise. */
async function checkClocks({ http, clock, settings }: PreflightInput): Promise<readonly Finding[]> {
  let best = { error: Number.POSITIVE_INFINITY, offset: 0, mode: '' };
  let max = Number.POSITIVE_INFINITY;
  try {
    for (let count = 0; count < SAMPLES; count += 1) {
      const sent = clock.now();
      const { serverTime, mode } = healthSchema.parse(await http.request(OPERATIONS.health));
      const received = clock.now();
      const error = (received - sent) / 2 + 1;
      if (error < best.error) best = { error, offset: Date.parse(serverTime) - (sent + received) / 2, mode };
    }
    max = z.object({ maxClockSkewMs: z.number() }).parse(await http.request(OPERATIONS.bettingConfig)).maxClockSkewMs;
  } catch (error) {
    return [fail('clock', problemOf(error), remedyOf(error))];
  }
  return [clockFinding(best, Math.min(max, settings.clockSkewMs)), modeFinding(best.mode)];
}

function clockFinding({ offset, error }: { readonly offset: number; readonly error: number }, max: number): Finding {
  const apart = Math.abs(offset);
  const text = `this clock is ${Math.round(apart)} ms ${offset > 0 ? 'behind' : 'ahead of'} the venue's, to within ${Math.ceil(error)} ms (${max} allowed)`;
  if (apart - error > max) return fail('clock', text, CLOCK_REMEDY);
  return apart - error > max / 4 ? warn('clock', text, CLOCK_REMEDY) : ok('clock', text);
}

function modeFinding(mode: string): Finding {
  if (mode === 'NORMAL') return ok('venue mode', 'NORMAL');
  return warn(
    'venue mode',
    `${mode}: the venue does not accept all commands`,
    'Wait: the bot quotes when the venue is NORMAL again',
  );
}

async function checkGeo({ http }: PreflightInput): Promise<Finding> {
  const remedy = 'Trade from a country that the venue allows. It decides by your IP address';
  try {
    const { allowed, closeOnly, countryCode, reason } = geoSchema.parse(await http.request(OPERATIONS.geoCheck));
    const where = countryCode === null ? 'from here' : `from ${countryCode}`;
    if (allowed && !closeOnly) return ok('country', `trading is allowed ${where}`);
    const why = reason === null ? '' : ` (${reason})`;
    if (closeOnly) return warn('country', `positions may only be closed ${where}${why}`, remedy);
    return fail('country', `trading is not allowed ${where}${why}`, remedy);
  } catch (error) {
    return warn('country', problemOf(error), 'Check with the venue whether trading is allowed from your country');
  }
}

export function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `the answer is not as expected at ${issue?.path.join('.') ?? 'its top'}: ${issue?.message ?? ''}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function remedyOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'See `schema` below; adapt the operation by a file (venue.operations)';
  const code = error instanceof Fault ? error.code : '';
  if (code === 'LINK') return 'Start the venue (`npx halfspread serve`), or correct venue.url';
  if (code === 'BLOCKED') return 'Correct venue.url. Open it in a browser to see the answer';
  return 'Correct what the message names, then run `npx halfspread doctor <config.yaml>` again';
}
