/**
 * The dashboard's HTTP server: the page, sign-in, and the API over HTTP and WebSocket. Invariant: only the page's files
 * and the sign-in are available without a session. A POST needs a header that forms and foreign pages cannot send. A
 * WebSocket from a browser needs the origin of the dashboard's own page.
 */
import { createReadStream, type ReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type DocumentNode, execute, GraphQLError, parse, specifiedRules, subscribe, validate } from 'graphql';
import { useServer as serveWebSockets } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { repeatEvery } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { readForwardedAddress, toPlainAddress } from '../../network/index.ts';
import { type PageFile, readPage, sendFile } from './page-files.ts';
import { findPath } from './report-pages.ts';
import { API_SCHEMA } from './report-schema.ts';
import { type ApiDeps, type Caller, createApiRoot } from './resolvers.ts';
import { type Secrets, Sessions } from './sessions.ts';

const BODY_BYTES = 100_000;
/** Maximum number of tokens of a document: ten times as many as a query for all fields of the API has. */
const MAX_TOKENS = 5_000;
const MAX_SOCKETS = 200;
const MAX_SUBSCRIPTIONS = 50;
/** Interval at which sockets of ended sessions are closed. */
const SESSION_CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 5_000;
const COOKIE = 'halfspread';
/** Header of each POST of the page. Other origins cannot send the header, because the server grants no CORS. */
const OWN_HEADER = 'x-halfspread';

/** A report contains scripts, so it runs in a separate origin without network access. */
const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

export interface DashboardOptions extends ApiDeps {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly page: string;
  /** Renders a study's database as HTML without external resources. @throws Fault for a file that cannot be shown */
  readonly renderStudy: (file: string) => Promise<string>;
  readonly secrets: Secrets;
  /** Whether a proxy terminates TLS. Cookies then need HTTPS, and the last `x-forwarded-for` is the client. */
  readonly isBehindProxy: boolean;
  /** Accepted host names in addition to the names of the loopback. Requests with other names are refused. */
  readonly hostNames: readonly string[];
}

export interface RunningDashboard {
  readonly port: number;
  close(): Promise<void>;
}

/** @throws FileFault if the page is not built, InputFault if the port is not available */
export function serveDashboard(options: DashboardOptions): Promise<RunningDashboard> {
  return new DashboardServer(options).listen();
}

type NamedRequest = FastifyRequest<{ Params: { name: string } }>;

class DashboardServer {
  readonly #options: DashboardOptions;
  readonly #app: FastifyInstance;
  readonly #sessions: Sessions;
  readonly #page: ReadonlyMap<string, PageFile>;
  readonly #root: ReturnType<typeof createApiRoot>;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: BODY_BYTES });
  readonly #documents = new Map<string, DocumentNode>();

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.secrets);
    this.#page = readPage(options.page);
    this.#root = createApiRoot(options);
    this.#app = fastify({ bodyLimit: BODY_BYTES });
    this.#addRoutes();
  }

  async listen(): Promise<RunningDashboard> {
    const { host, port } = this.#options;
    const root = this.#root;
    const ended = serveWebSockets(
      {
        schema: API_SCHEMA,
        roots: { query: root, mutation: root, subscription: root.streams },
        // Also refuses operations after the session has ended.
        onSubscribe: ({ extra, subscriptions }, _, { query }) => {
          if (this.#findCaller(extra.request) === undefined) return [new GraphQLError('Sign in first')];
          if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS)
            return [new GraphQLError(`At most ${MAX_SUBSCRIPTIONS} subscriptions on one connection`)];
          const document = this.#parseDocument(query);
          return 'kind' in document ? undefined : document;
        },
        context: ({ extra }) => this.#findCaller(extra.request),
        execute,
        subscribe,
        onError: (_, __, ___, errors) => errors.map((error) => toShownError(error).toJSON()),
        onNext: (_, __, ___, ____, { errors, data = null }) =>
          errors === undefined ? undefined : { data, errors: errors.map((error) => toShownError(error).toJSON()) },
      },
      this.#sockets,
      KEEP_ALIVE_MS,
    );
    this.#app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Without a listener, a client that resets its connection would end the process.
      socket.on('error', () => socket.destroy());
      const status = this.#upgradeRefusal(request);
      if (status !== undefined || this.#findCaller(request) === undefined) {
        socket.end(`HTTP/1.1 ${status ?? '401 Unauthorized'}\r\nconnection: close\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => {
        const stopChecking = repeatEvery(this.#options.clock, SESSION_CHECK_MS, () => {
          if (this.#findCaller(request) === undefined) opened.terminate();
        });
        opened.once('close', stopChecking);
        this.#sockets.emit('connection', opened, request);
      });
    });
    try {
      await this.#app.listen({ host, port });
    } catch (cause) {
      throw new InputFault('--port', port, `a port of ${host} that no other process listens on`, { cause });
    }
    const address = this.#app.server.address();
    return {
      port: typeof address === 'object' && address !== null ? address.port : port,
      close: async () => {
        for (const socket of this.#sockets.clients) socket.terminate();
        await ended.dispose();
        this.#app.server.closeAllConnections();
        await this.#app.close();
      },
    };
  }

  #addRoutes(): void {
    const app = this.#app;
    app.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      if (!this.#isKnownName(request.headers.host))
        await reply.code(421).send('This host name is not one of the dashboard’s\n');
      else if (request.method === 'POST' && request.headers[OWN_HEADER] === undefined) {
        await reply.code(403).send(`The header ${OWN_HEADER} is missing\n`);
      }
    });
    app.setErrorHandler((error, _, reply) => {
      const status =
        error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
          ? error.statusCode
          : 500;
      void reply.code(status).send({ errors: [{ message: status < 500 ? String(error) : 'The dashboard failed' }] });
    });
    for (const [path, file] of this.#page) app.get(path, (_, reply) => sendFile(reply, file));
    app.post('/login', (request, reply) => this.#signIn(request, reply));
    app.post('/logout', (request, reply) => {
      const id = sessionId(request.headers.cookie);
      if (id !== undefined) this.#sessions.signOut(id);
      return reply.header('set-cookie', this.#cookie('', '; Max-Age=0')).code(204).send();
    });
    app.post('/graphql', (request, reply) => this.#executeQuery(request, reply));
    const { reports, studies, renderStudy } = this.#options;
    app.get('/reports/:name', (request: NamedRequest, reply) =>
      this.#sendReport(request, reply, findPath(reports, request.params.name, 'page'), createReadStream),
    );
    app.get('/studies/:name', (request: NamedRequest, reply) =>
      this.#sendReport(request, reply, findPath(studies, request.params.name, 'study'), renderStudy),
    );
  }

  async #sendReport(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string | undefined,
    content: (path: string) => ReadStream | Promise<string>,
  ): Promise<FastifyReply> {
    if (this.#findCaller(request.raw) === undefined) return reply.code(401).send('Sign in first\n');
    if (path === undefined) return reply.code(404).send('There is no such report\n');
    try {
      const page = await content(path);
      return reply
        .headers({ 'content-security-policy': REPORT_POLICY, 'content-type': 'text/html; charset=utf-8' })
        .send(page);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return reply.code(422).send(`${fault.message}\n`);
    }
  }

  #signIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const body: unknown = request.body;
    const given = typeof body === 'object' && body !== null && 'secret' in body ? body.secret : undefined;
    if (typeof given !== 'string') return reply.code(400).send({ problem: 'Send {"secret": "…"}' });
    const result = this.#sessions.signIn(given, this.#clientAddress(request.raw), this.#options.clock.now());
    if (result.ok) return reply.header('set-cookie', this.#cookie(result.id)).send({ role: result.role });
    if (result.retryAfterS > 0) {
      const problem = `Too many wrong attempts: try again in ${result.retryAfterS} s`;
      return reply.code(429).header('retry-after', String(result.retryAfterS)).send({ problem });
    }
    return reply.code(401).send({ problem: 'Wrong password or token' });
  }

  async #executeQuery(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = this.#findCaller(request.raw);
    if (caller === undefined) return reply.code(401).send({ errors: [{ message: 'Sign in first' }] });
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string')
      return reply.code(400).send({ errors: [{ message: 'Send {"query": "…", "variables": {…}}' }] });
    const variables = 'variables' in body && typeof body.variables === 'object' ? body.variables : null;
    const document = this.#parseDocument(body.query);
    if (!('kind' in document)) return reply.code(400).send({ errors: document.map(toShownError) });
    const result = await execute({
      schema: API_SCHEMA,
      document,
      rootValue: this.#root,
      contextValue: caller,
      variableValues: { ...variables },
    });
    return reply.send({ ...result, errors: result.errors?.map(toShownError) });
  }

  #parseDocument(text: string): DocumentNode | readonly GraphQLError[] {
    const known = this.#documents.get(text);
    if (known !== undefined) return known;
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS });
      const errors = validate(API_SCHEMA, document, specifiedRules);
      if (errors.length > 0) return errors;
      // The page has about twenty documents.
      if (this.#documents.size < 100) this.#documents.set(text, document);
      return document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError(String(error))];
    }
  }

  #findCaller(request: IncomingMessage): Caller | undefined {
    const session = this.#sessions.find(sessionId(request.headers.cookie), this.#options.clock.now());
    return session === undefined ? undefined : { role: session.role, address: this.#clientAddress(request) };
  }

  /** Returns the client's address without the port that some proxies append; '' if the socket has already closed. */
  #clientAddress({ socket, headers }: IncomingMessage): string {
    const peer = toPlainAddress(socket.remoteAddress ?? '');
    if (!this.#options.isBehindProxy) return peer;
    // The last address is the client's, as the proxy appends it.
    const last =
      String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1) ?? '';
    return readForwardedAddress(last) ?? peer;
  }

  /** Returns the status that refuses a WebSocket; undefined to accept it. A missing origin is accepted. */
  #upgradeRefusal({ url, headers }: IncomingMessage): string | undefined {
    if (url !== '/graphql') return '404 Not Found';
    if (!this.#isKnownName(headers.host)) return '421 Misdirected Request';
    if (this.#sockets.clients.size >= MAX_SOCKETS) return '503 Service Unavailable';
    const { origin } = headers;
    return origin !== undefined && URL.parse(origin)?.host !== headers.host ? '403 Forbidden' : undefined;
  }

  /** Returns whether `host` is a name of the dashboard. Other names are refused to prevent DNS rebinding. */
  #isKnownName(host: string | undefined): boolean {
    const name = URL.parse(`http://${host ?? ''}`)?.hostname ?? '';
    const { hostNames, host: own } = this.#options;
    return ['localhost', '127.0.0.1', '::1', own, ...hostNames].map(toUrlHost).includes(name);
  }

  #cookie(value: string, age = ''): string {
    return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict${this.#options.isBehindProxy ? '; Secure' : ''}${age}`;
  }
}

function sessionId(cookies: string | undefined): string | undefined {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]{43})(?:;|$)`).exec(cookies ?? '')?.[1];
}

/** Shows the messages of faults, and hides the messages of other errors. */
function toShownError(error: GraphQLError): GraphQLError {
  const { originalError } = error;
  if (originalError === undefined || originalError instanceof Fault) return error;
  return new GraphQLError('The dashboard failed', { path: error.path ?? null, nodes: error.nodes ?? null });
}

/** Returns a host name or address, in brackets or not, as `URL.hostname` writes it. */
function toUrlHost(name: string): string {
  return URL.parse(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}`)?.hostname ?? name;
}
