/**
 * The server of GraphQL WebSockets, which handles the HTTP server's upgrades.
 *
 * States: open -> draining (refuses new connections and operations, finishes running operations) -> closed (with 1001).
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { nextEventLoopTurn } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { createAddressReader, NetworkLimit } from '../http/client-address.ts';
import { getPath, refuseSocket } from '../http/headers.ts';
import { Feeds } from './feeds.ts';
import type { StreamOptions } from './options.ts';
import { PerIpQuota } from './per-ip-quota.ts';
import { Connection, type ConnectionDeps } from './socket/connection.ts';
import { KeepAlive } from './socket/keep-alive.ts';
import { isServerMessage, MessageLimiter, type MessageLimiterDeps } from './socket/message-limiter.ts';
import { FlushList, SocketWriter, type WriteCounts } from './socket/socket-writer.ts';
import { makeTransport } from './socket/transport.ts';

const PROTOCOL = 'graphql-transport-ws';
/** Close codes: below 4000 from RFC 6455 (7.4.1), others from graphql-transport-ws. */
const CLOSE = { goingAway: 1001, tryAgainLater: 1013, badRequest: 4400, internal: 4500 } as const;
/** Limit of answers that wait for the end of the event-loop turn, because turns are long under load. */
const MAX_WAITING_ANSWERS = 128;

type GraphqlWsSocket = Parameters<Server<Connection>['opened']>[0];

/** For metrics. */
export interface StreamTraffic {
  readonly connections: number;
  readonly subscriptions: number;
  /** Bytes that wait for consumers. */
  readonly backlogBytes: number;
  readonly sent: Readonly<WriteCounts>;
  readonly refused: number;
}

export class StreamServer {
  readonly #options: StreamOptions;
  readonly #flushList = new FlushList();
  readonly #feeds: Feeds;
  readonly #transport: Server<Connection>;
  readonly #sockets: WebSocketServer;
  readonly #keepAlive: KeepAlive;
  readonly #clients = new Set<{ readonly webSocket: WebSocket; readonly connection: Connection }>();
  /** Dependencies that all connections share. */
  readonly #shared: MessageLimiterDeps &
    Pick<ConnectionDeps, 'credentials' | 'nextId'> & { readonly perIpQuota: PerIpQuota };
  readonly #getClientAddress: (request: IncomingMessage) => string;
  readonly #paths: ReadonlySet<string>;
  #requestCount = 0;
  #refusedCount = 0;
  #waitingAnswers = 0;
  #willFlushNextTurn = false;
  #closing: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  /** Create the server before the exchange's first command. @throws InputFault like `createAddressReader` */
  constructor(options: StreamOptions) {
    const { clock, queue, graphql, limits, listen, log } = options;
    this.#options = options;
    this.#shared = {
      clock,
      credentials: options.credentials,
      limits,
      perIpQuota: new PerIpQuota(limits),
      unfinishedBytes: new NetworkLimit(limits.maxUnfinishedBytes),
      quota: graphql.quota,
      nextId: () => {
        this.#requestCount += 1;
        return `${options.runId}-w${this.#requestCount.toString(36)}`;
      },
    };
    this.#paths = new Set([`${listen.base}/graphql`, `${listen.base}/api/graphql`]);
    this.#getClientAddress = createAddressReader(listen.trustedProxies);
    const flush = (): void => this.#flushNextTurn();
    const onFailed = (): void => {
      for (const { webSocket } of this.#clients) webSocket.close(CLOSE.internal, 'internal error');
    };
    this.#feeds = new Feeds(options, { flush, onFailed });
    const isDraining = (): boolean => this.#closing !== undefined;
    this.#transport = makeTransport({ graphql, queue, feeds: this.#feeds, limits, log, isDraining, flush });
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.maxMessageBytes,
      // One message per event-loop turn, so that each message runs before the next is read.
      allowSynchronousEvents: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    });
    this.#sockets.on('wsClientError', ({ message }, socket) => {
      this.#refusedCount += 1;
      refuseSocket(socket, 400, `not a WebSocket handshake: ${message}`);
    });
    this.#keepAlive = new KeepAlive(clock, limits.keepAliveMs);
  }

  get traffic(): StreamTraffic {
    let [subscriptions, backlogBytes] = [0, 0];
    for (const { connection } of this.#clients) {
      subscriptions += connection.subscriptionCount;
      backlogBytes += connection.writer.backlogBytes;
    }
    const [connections, refused] = [this.#clients.size, this.#refusedCount];
    return { connections, subscriptions, backlogBytes, sent: this.#flushList.counts, refused };
  }

  /** Implements `HttpOptions.upgrade`. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { limits, listen } = this.#options;
    const { origins } = listen;
    const { origin } = request.headers;
    const ip = this.#getClientAddress(request);
    const refuse = (status: number, problem: string): void => {
      this.#refusedCount += 1;
      refuseSocket(socket, status, problem);
    };
    if (!this.#paths.has(getPath(request))) refuse(404, 'this path has no WebSocket');
    else if (origins !== undefined && origin !== undefined && !origins.includes(origin))
      refuse(403, 'this origin is not allowed');
    else if (this.#closing !== undefined) refuse(503, 'the server is shutting down');
    else if (this.#clients.size >= limits.maxConnections) refuse(503, 'too many connections');
    else if (this.#shared.perIpQuota.hasMaxConnections(ip)) refuse(429, 'too many connections from this address');
    else this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#onOpen(opened, { request, socket, ip }));
  };

  onAnnouncement(): void {
    this.#feeds.onAnnouncement();
  }

  /** Closes each socket with 1001 after its operations. Terminates sockets that are still open after `graceMs`. */
  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#drain(graceMs);
    return this.#closing;
  }

  async #drain(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    const cancelTimeout = clock.schedule(timeAfter(clock.now(), graceMs), () => {
      for (const { webSocket } of this.#clients) webSocket.terminate();
    });
    const { promise: noClients, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    for (const { webSocket, connection } of this.#clients) {
      connection.whenRequestsAnswered(() => {
        // Wait a turn, because the last answer reaches the writer in the current turn.
        void nextEventLoopTurn().then(() => {
          this.#flush();
          webSocket.close(CLOSE.goingAway, 'the server is shutting down');
        });
      });
    }
    if (this.#clients.size > 0) await noClients;
    cancelTimeout();
    this.#keepAlive.stop();
    this.#feeds.close();
  }

  #onOpen(
    webSocket: WebSocket,
    { request, socket, ip }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly ip: string },
  ): void {
    const { slowBytes, maxBacklogBytes } = this.#options.limits;
    const target = {
      socket,
      isOpen: () => webSocket.readyState === webSocket.OPEN,
      closeAsSlow: (stream: string) => webSocket.close(CLOSE.tryAgainLater, `slow consumer: ${stream}`),
    };
    const writer = new SocketWriter(target, this.#flushList, { soft: slowBytes, hard: maxBacklogBytes });
    const connection = new Connection({ ...this.#shared, request, ip, writer });
    const client = { webSocket, connection };
    this.#clients.add(client);
    const disconnect = this.#shared.perIpQuota.addConnection(ip);
    const limiter = new MessageLimiter(this.#shared, { webSocket, socket, ip, connection });
    const ping = (): void => {
      if (limiter.detectStuckMessage()) webSocket.terminate();
      else if (webSocket.readyState === webSocket.OPEN) webSocket.ping();
    };
    this.#keepAlive.add(webSocket, ping);
    // After an error, ws sends a close code and emits `close`.
    webSocket.on('error', () => undefined);
    const notifyClosed = this.#transport.opened(this.#adaptSocket(webSocket, writer, limiter), connection);
    webSocket.once('close', (code, reason) => {
      limiter.end();
      connection.end();
      disconnect();
      this.#clients.delete(client);
      if (this.#clients.size === 0) this.#onEmpty?.();
      notifyClosed(code, String(reason)).catch((error: unknown) => this.#closeAfterFault(webSocket, error));
    });
  }

  #adaptSocket(webSocket: WebSocket, writer: SocketWriter, limiter: MessageLimiter): GraphqlWsSocket {
    return {
      protocol: webSocket.protocol,
      send: (message) => {
        writer.queueText(message);
        this.#flushAnswers();
      },
      close: (code, reason) => {
        writer.flush();
        webSocket.close(code, reason);
      },
      onMessage: (handle) => {
        limiter.listen((text) => {
          void handle(text).catch((error: unknown) => {
            if (isServerMessage(text)) webSocket.close(CLOSE.badRequest, 'only the server sends messages of this type');
            else this.#closeAfterFault(webSocket, error);
          });
        });
      },
    };
  }

  /** Sends waiting answers at the next turn, or now if there are many. An answer and its `complete` count as two. */
  #flushAnswers(): void {
    this.#waitingAnswers += 1;
    if (this.#waitingAnswers < MAX_WAITING_ANSWERS) this.#flushNextTurn();
    else this.#flush();
  }

  /** Sends the messages of one event-loop turn in one write per connection. */
  #flushNextTurn(): void {
    if (this.#willFlushNextTurn || this.#flushList.isEmpty) return;
    this.#willFlushNextTurn = true;
    void nextEventLoopTurn().then(() => {
      this.#willFlushNextTurn = false;
      this.#flush();
    });
  }

  #flush(): void {
    this.#waitingAnswers = 0;
    this.#flushList.flush();
  }

  #closeAfterFault(webSocket: WebSocket, error: unknown): void {
    this.#options.log.error({ err: error }, 'internal error on a socket');
    webSocket.close(CLOSE.internal, 'internal error');
  }
}
