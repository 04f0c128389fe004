/** CORS headers, refusals of sockets, and paths of requests. */
import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failedReply } from '../graphql/context.ts';

export type HeaderBag = Readonly<Record<string, string>>;

const NO_HEADERS: HeaderBag = {};
/** Pages of other origins may read these headers. */
const EXPOSE = { 'access-control-expose-headers': 'retry-after, x-request-id' };

/**
 * Returns a function that creates the CORS headers of an answer. The API uses no cookies, so pages of all origins may
 * send requests.
 * @param origins allowed origins; undefined for all
 */
export function createCorsFactory(origins: readonly string[] | undefined): (headers: IncomingHttpHeaders) => HeaderBag {
  return ({ origin }) => {
    if (origin === undefined) return NO_HEADERS;
    if (origins === undefined) return { 'access-control-allow-origin': '*', ...EXPOSE };
    return origins.includes(origin)
      ? { 'access-control-allow-origin': origin, ...EXPOSE, vary: 'origin' }
      : { vary: 'origin' };
  };
}

/** Headers of the answer to a browser's preflight request. */
export const PREFLIGHT: HeaderBag = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, x-request-id',
  'access-control-max-age': '86400',
};

/** Rounds up to whole seconds. */
export function retryAfterHeader(ms: number): HeaderBag {
  return { 'retry-after': String(Math.ceil(ms / 1_000)) };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends an error over a bare socket. Destroys the socket, because HTTP timeouts do not apply after an upgrade. */
export function refuseSocket(socket: Duplex, status: number, problem: string): void {
  const body = JSON.stringify(failedReply(problem).answer);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: ${JSON_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

export function getPath({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
