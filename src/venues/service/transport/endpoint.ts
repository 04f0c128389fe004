import { InputFault } from '../../../domain/index.ts';

/** Addresses of a venue in the configuration. */
export interface EndpointSettings {
  /** Base URL of the venue (`https://host`), or of its GraphQL path. */
  readonly url: string;
  /** WebSocket URL. Default: the GraphQL URL with `ws` in place of `http`. */
  readonly wsUrl?: string;
  /** Additional headers of every request and handshake. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Validated addresses of a venue. */
export interface Endpoint {
  readonly http: URL;
  readonly ws: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const GRAPHQL_PATH = '/graphql';

/**
 * Adds the GraphQL path to a base URL. A URL that ends in `/graphql` is unchanged.
 * @throws InputFault for a URL that is not http(s) or ws(s), or that has a password, which would appear in logs
 */
export function endpointOf({ url, wsUrl, headers = {} }: EndpointSettings): Endpoint {
  const http = parsed('venue.url', url, ['http:', 'https:']);
  if (!http.pathname.endsWith(GRAPHQL_PATH)) http.pathname = `${http.pathname.replace(/\/$/, '')}${GRAPHQL_PATH}`;
  const ws = parsed('venue.ws_url', wsUrl ?? http.href.replace(/^http/, 'ws'), ['ws:', 'wss:']);
  return { http, ws, headers: { ...headers } };
}

function parsed(field: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const expected = `a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`;
  if (url === undefined || !protocols.includes(url.protocol)) throw new InputFault(field, text, expected);
  if (url.username !== '' || url.password !== '') {
    throw new InputFault(field, `${url.protocol}//…@${url.host}`, `${expected}, without user and password in it`);
  }
  return url;
}
