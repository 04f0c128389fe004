import { Redis } from 'ioredis';
import { wallClock, withTimeout } from '../../clock/index.ts';
import { errorMessage, Fault, InputFault } from '../../domain/index.ts';

export interface RedisOptions {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
  /** No limit: a command waits until Redis answers. */
  readonly maxRetriesPerRequest: null;
  /** Time without an answer after which the client replaces the connection and repeats the commands, ms. */
  readonly socketTimeout: number;
}

const MIN_VERSION = '6.2';
const MAX_CONNECT_MS = 5_000;
/** Maximum time for which Redis waits for jobs or events before it answers, ms. */
export const LONGEST_WAIT_MS = 5_000;
/** Silence after which a connection counts as dead, because it can die without an error, for example in a router. */
const MAX_SILENCE_MS = 3 * LONGEST_WAIT_MS;

export const REDIS_PASSWORD = 'HALFSPREAD_REDIS_PASSWORD';
/** Remedy when Redis closes a new connection. In protected mode, Redis sends its reason before the client listens. */
const PROTECTED_MODE_REMEDY = `Without a password, Redis may accept only local clients (protected mode). Set a Redis password and ${REDIS_PASSWORD}, or read the Redis log`;

/**
 * @param field of the setting, for faults
 * @param url `redis://host` or `rediss://user@host:6380/1`. The number at the end is the database
 * @throws InputFault for another URL, and for a URL with a password, because URLs are shown and logged
 */
export function parseRedisUrl(field: string, url: string, password: string | undefined): RedisOptions {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const db = parsed?.pathname.match(/^\/?(\d{0,4})$/)?.[1];
  if (parsed === undefined || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '' || db === undefined)
    throw new InputFault(field, hidePassword(url), 'a URL such as redis://host:6379 or rediss://host:6379/1');
  if (parsed.password !== '')
    throw new InputFault(field, hidePassword(url), `a URL without a password. Set ${REDIS_PASSWORD} instead`);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port || 6_379),
    db: Number(db),
    ...(parsed.username !== '' && { username: decodeURIComponent(parsed.username) }),
    ...(password !== undefined && password !== '' && { password }),
    ...(parsed.protocol === 'rediss:' && { tls: {} }),
    maxRetriesPerRequest: null,
    socketTimeout: MAX_SILENCE_MS,
  };
}

/** Connects once to check address, password, version and eviction policy. @throws Fault REDIS */
export async function checkRedis(options: RedisOptions): Promise<void> {
  const redis = new Redis({
    ...options,
    lazyConnect: true,
    connectTimeout: MAX_CONNECT_MS,
    commandTimeout: MAX_CONNECT_MS,
    retryStrategy: () => null,
  });
  let cause: unknown;
  // `connect` rejects only with "Connection is closed". This event has the cause.
  redis.on('error', (error: unknown) => {
    cause ??= error;
  });
  try {
    await redis.connect();
    const version = /^redis_version:(\d+\.\d+)/m.exec(await redis.info('server'))?.[1];
    if (version !== undefined && version.localeCompare(MIN_VERSION, 'en', { numeric: true }) < 0)
      throw fault(options, `this is version ${version}`, `Use Redis ${MIN_VERSION} or newer`);
    await checkEviction(redis, options);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const text = errorMessage(cause ?? error);
    if (/\bEPIPE|\bECONNRESET/.test(text))
      throw fault(options, `it closed the connection (${text})`, PROTECTED_MODE_REMEDY);
    throw redisFault(options, cause ?? error);
  } finally {
    redis.disconnect();
  }
}

/** Resolves when all of `work` has settled, or after `maxMs`, because commands wait forever for a silent Redis. */
export async function waitUntilSettled(maxMs: number, work: Iterable<Promise<unknown> | undefined>): Promise<void> {
  await withTimeout<unknown>(wallClock(), maxMs, Promise.allSettled(work), () => undefined);
}

/** Refusals of a reachable Redis that last until a user acts. */
const REFUSALS: readonly (readonly [pattern: RegExp, problem: string, remedy: string])[] = [
  [/\bOOM /, 'it is full (maxmemory)', 'Give it more memory, then --resume'],
  [/\bMISCONF /, 'it cannot write to its disk', 'Make room there or read the Redis log, then --resume'],
  [/\bREADONLY /, 'it is a replica, which takes no writes', 'Name the main server'],
  [/\bNOPERM /, 'its user may not do this', 'Give the user all commands on keys of the database'],
  [/WRONGPASS|NOAUTH|invalid password/i, 'it refuses the password', `Set ${REDIS_PASSWORD}, and the user in the URL`],
];

/** Returns whether Redis answered but refused a command. */
export function isRefusal(cause: unknown): boolean {
  return REFUSALS.some(([pattern]) => pattern.test(errorMessage(cause)));
}

/** Returns a fault with a remedy for an error of a command. */
export function redisFault(options: RedisOptions, cause: unknown): Fault {
  const text = errorMessage(cause);
  const [, problem, remedy] = REFUSALS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'it cannot be reached',
    'Start it, or check host, port and firewall',
  ];
  return fault(options, `${problem} (${text})`, remedy, cause);
}

/** Refuses a Redis that drops keys when full. Does nothing if a managed service hides the setting. */
async function checkEviction(redis: Redis, options: RedisOptions): Promise<void> {
  const answer: unknown = await redis.config('GET', 'maxmemory-policy').catch(() => undefined);
  const policy: unknown = Array.isArray(answer) ? answer[1] : undefined;
  if (policy === undefined || policy === 'noeviction') return;
  const remedy = 'Set `maxmemory-policy noeviction` in its configuration';
  throw fault(options, `it drops keys when it is full (maxmemory-policy ${String(policy)})`, remedy);
}

function fault({ host, port }: RedisOptions, problem: string, remedy: string, cause?: unknown): Fault {
  return new Fault('REDIS', `Redis at ${host}:${port}: ${problem}. ${remedy}`, cause === undefined ? {} : { cause });
}

/** Hides all before the last `@`, because a password may contain `/` and `@`. */
function hidePassword(url: string): string {
  return url.replace(/^(\w+:(?:\/\/)?)?.*@/s, '$1…@');
}
