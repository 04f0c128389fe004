/** Addresses of a venue. */
import { InputFault } from '../../../domain/index.ts';

/** URL in the configuration. */
export interface EndpointSettings {
  /** Base URL of the venue (`https://host`), or of its GraphQL path. */
  readonly url: string;
  /** URL for WebSockets. Default: that of GraphQL with `ws` for `http`. */
  readonly wsUrl?: string;
  /** Sent with every request and handshake, beside our own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ready to be connected to. */
export interface Endpoint {
  readonly http: URL;
  readonly ws: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const GRAPHQL_PATH = '/graphql';

/**
 * A base URL gets the path that the service advertises; one that already ends in `/graphql` stays.
 * @throws InputFault on what is no http(s) or ws(s) URL, or carries a password (which would end up in logs)
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
