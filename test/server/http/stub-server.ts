/** An HTTP server on a free port with stub resolvers, and a client for it. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { wallClock } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import type { RequestQuota } from '../../../src/server/graphql/gate.ts';
import type { ResolverMap } from '../../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { type HttpServer, startHttp } from '../../../src/server/http/http-server.ts';
import {
  HTTP_LIMITS,
  type HttpLimits,
  type HttpOptions,
  type ListenSettings,
} from '../../../src/server/http/options.ts';
import { afterThisTest } from '../../cleanup.ts';
import { OWNER, stubResolvers } from '../graphql/stub-venue.ts';

export interface StubServer {
  readonly server: HttpServer;
  readonly url: string;
  /** Logged errors. */
  readonly logged: readonly object[];
  /** Sends a GraphQL request. */
  request(query: string, options?: { readonly variables?: object; readonly token?: string }): Promise<ReceivedResponse>;
  send(input: SentRequest): Promise<ReceivedResponse>;
}

interface SentRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const GOOD_TOKEN = 'Bearer good';

type Changes = Partial<Omit<HttpOptions, 'graphql' | 'limits' | 'listen'>> & {
  readonly limits?: Partial<HttpLimits>;
  readonly listen?: Partial<ListenSettings>;
  readonly resolvers?: Partial<ResolverMap>;
  readonly wait?: () => number;
  readonly quota?: RequestQuota;
};

export async function startStubServer(changes: Changes = {}): Promise<StubServer> {
  const { resolvers, wait, quota, limits, listen, ...options } = changes;
  const schema = venueSchema();
  const logged: object[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void logged.push(fields) };
  const stubs = stubResolvers(schema, 1);
  const graphql = new GraphqlService({
    schema,
    resolvers: {
      Query: { ...stubs.Query, ...resolvers?.Query },
      Mutation: { ...stubs.Mutation, ...resolvers?.Mutation },
    },
    quota: quota ?? { consume: () => wait?.() ?? 0, charge: () => undefined },
    log,
  });
  const server = await startHttp({
    graphql,
    identify: ({ authorization }) => (authorization === GOOD_TOKEN ? OWNER : undefined),
    health: () => ({
      status: 'OK',
      mode: 'NORMAL',
      version: '9.9.9',
      serverTime: '2026-01-01T00:00:00Z',
      engineSeq: '7',
      uptimeSeconds: 1,
    }),
    clock: wallClock(),
    log,
    runId: 'test',
    version: '9.9.9',
    metrics: undefined,
    listen: { host: '127.0.0.1', port: 0, base: '', trustedProxies: [], origins: undefined, ...listen },
    limits: { ...HTTP_LIMITS, ...limits },
    proxyHeader: undefined,
    intercept: undefined,
    upgrade: (_request, socket) => socket.destroy(),
    endpoints: [],
    routes: () => undefined,
    ...options,
  });
  const url = `http://127.0.0.1:${server.port}`;
  const send = (input: SentRequest): Promise<ReceivedResponse> => sendRequest(server.port, input);
  return {
    server,
    url,
    logged,
    send,
    request: (query, { variables, token } = {}) =>
      send({
        headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: token }) },
        body: JSON.stringify({ query, variables }),
      }),
  };
}

/** Starts a server that closes after the test. */
export async function startForTest(...changes: Parameters<typeof startStubServer>): Promise<StubServer> {
  const running = await startStubServer(...changes);
  afterThisTest.add(() => running.server.close(0));
  return running;
}

function sendRequest(
  port: number,
  { method = 'POST', path = '/graphql', headers = {}, body }: SentRequest,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
