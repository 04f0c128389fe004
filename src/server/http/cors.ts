/**
 * CORS headers. As the API uses no cookies, pages of all origins may send requests, unless the operator restricts them.
 */
import type { IncomingHttpHeaders } from 'node:http';

export type HeaderBag = Readonly<Record<string, string>>;

const NO_HEADERS: HeaderBag = {};
const EXPOSED = 'retry-after, x-request-id';
const DAY_SECONDS = '86400';

/** Makes the headers of an answer to a page of another origin; none for other clients. */
export function corsReader(origins: readonly string[] | undefined): (headers: IncomingHttpHeaders) => HeaderBag {
  return ({ origin }) => {
    if (origin === undefined) return NO_HEADERS;
    if (origins === undefined) return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
    if (!origins.includes(origin)) return { vary: 'origin' };
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
  };
}

/** The answer to a browser's preflight request. */
export const PREFLIGHT: HeaderBag = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, x-request-id',
  'access-control-max-age': DAY_SECONDS,
};
