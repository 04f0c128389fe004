/** Which pages of other origins may ask. There are no cookies, so all may unless the operator says otherwise. */
import type { IncomingHttpHeaders } from 'node:http';

/** Headers by name. */
export type HeaderBag = Readonly<Record<string, string>>;

const NONE: HeaderBag = {};
const EXPOSED = 'retry-after, x-request-id';
const DAY_SECONDS = '86400';

/** Headers of an answer for the page that asked; none for anything that is no page. */
export function corsReader(origins: readonly string[] | undefined): (headers: IncomingHttpHeaders) => HeaderBag {
  return ({ origin }) => {
    if (origin === undefined) return NONE;
    if (origins === undefined) return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
    if (!origins.includes(origin)) return { vary: 'origin' };
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
  };
}

/** What a browser wants to know before it asks. */
export const PREFLIGHT: HeaderBag = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, x-request-id',
  'access-control-max-age': DAY_SECONDS,
};
