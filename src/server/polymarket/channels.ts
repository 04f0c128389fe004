/**
 * The WebSocket channels `/ws/market` for books and trades, and `/ws/user` for an account's orders and trades
 * (docs/spec/polymarket.md#market-stream, docs/spec/polymarket.md#user-stream).
 *
 * The channels do not replay events, so a client reads missed data over REST. The server closes connections of slow
 * clients.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { tryParseJson } from '../../network/index.ts';
import { createAddressReader, NetworkLimit } from '../http/client-address.ts';
import { getPath, refuseSocket } from '../http/headers.ts';
import { createMessageBucket } from '../streams/per-ip-quota.ts';
import { KeepAlive } from '../streams/socket/keep-alive.ts';
import type { PolymarketCaller } from './accounts.ts';
import type { PolymarketShared } from './shared.ts';

export interface ChannelClient {
  /** Subscribed tokens of the market channel. */
  readonly tokens: Set<string>;
  /** Whether the client also receives best prices, new markets and resolutions (`custom_feature_enabled`). */
  hasCustomFeatures: boolean;
  /** Caller of the user channel; undefined before authentication. */
  caller: PolymarketCaller | undefined;
  /** Condition ids of the user channel. Undefined selects all markets; an empty set selects none. */
  markets: Set<string> | undefined;
  send(events: readonly object[]): void;
  /** Closes the connection with the code 1013, after which clients connect again. */
  close(): void;
}

export interface ChannelDeps extends PolymarketShared {
  readonly trustedProxies: readonly string[];
  /** Called when a connection of the market channel subscribes to tokens. */
  onSubscribed(client: ChannelClient, tokens: readonly string[]): Promise<void>;
}

const MAX_CONNECTIONS = 2_000;
/** Maximum number of connections of one IPv4 address or IPv6 /64. */
const MAX_PER_NETWORK = 500;
/** Limits of one connection. The server ignores further tokens and markets. */
const MAX_TOKENS = 500;
const MAX_MARKETS = 500;
const MAX_MESSAGE_BYTES = 131_072;
const MAX_UNSENT_BYTES = 4_194_304;
const KEEP_ALIVE_MS = 15_000;
const MESSAGES_PER_SECOND = 20;
const CLOSE = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

const idList = z.array(z.string().max(100)).max(10_000).default([]);
const operation = z.enum(['subscribe', 'unsubscribe']).default('subscribe');
const marketMessage = z.object({ assets_ids: idList, operation, custom_feature_enabled: z.boolean().optional() });
const [keyText, secretText] = [z.string().max(100), z.string().max(200)];
const credentials = z.object({ apiKey: keyText, secret: secretText, passphrase: secretText }).optional();
const userMessage = z.object({ auth: credentials, markets: idList, operation });

export class Channels {
  readonly #deps: ChannelDeps;
  readonly #sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE_BYTES });
  readonly #keepAlive: KeepAlive;
  readonly #getClientAddress: (request: IncomingMessage) => string;
  readonly #marketClients = new Map<WebSocket, ChannelClient>();
  readonly #userClients = new Map<WebSocket, ChannelClient>();
  readonly #connectionsPerNetwork = new NetworkLimit(MAX_PER_NETWORK);
  #isClosed = false;

  constructor(deps: ChannelDeps) {
    this.#deps = deps;
    this.#keepAlive = new KeepAlive(deps.clock, KEEP_ALIVE_MS);
    this.#getClientAddress = createAddressReader(deps.trustedProxies);
    this.#sockets.on('wsClientError', ({ message }, socket) =>
      refuseSocket(socket, 400, `not a WebSocket handshake: ${message}`),
    );
  }

  /** Returns whether the request's path belongs to the Polymarket API. */
  handles(request: IncomingMessage): boolean {
    return getPath(request).startsWith(`${this.#deps.prefix}/`);
  }

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const channel = getPath(request).slice(this.#deps.prefix.length);
    const clients =
      channel === '/ws/market' ? this.#marketClients : channel === '/ws/user' ? this.#userClients : undefined;
    const connections = this.#marketClients.size + this.#userClients.size;
    if (clients === undefined) refuseSocket(socket, 404, 'this path has no WebSocket');
    else if (this.#isClosed) refuseSocket(socket, 503, 'the server is shutting down');
    else if (connections >= MAX_CONNECTIONS) refuseSocket(socket, 503, 'too many connections');
    else if (!this.#connectionsPerNetwork.addConnection(this.#getClientAddress(request), socket))
      refuseSocket(socket, 429, 'too many connections from this address');
    else this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#onOpen(webSocket, clients));
  };

  get marketClients(): Iterable<ChannelClient> {
    return this.#marketClients.values();
  }

  *userClients(account: number): Iterable<ChannelClient> {
    for (const client of this.#userClients.values()) if (client.caller?.account === account) yield client;
  }

  /** Closes the connections that a revoked key authenticated. */
  onRevoked(keyId: string): void {
    for (const [webSocket, { caller }] of this.#userClients)
      if (caller?.key.id === keyId) webSocket.close(CLOSE.policy, 'the API key was revoked');
  }

  get hasUserClients(): boolean {
    return this.#userClients.size > 0;
  }

  get hasMarketClients(): boolean {
    return this.#marketClients.size > 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#keepAlive.stop();
    for (const webSocket of [...this.#marketClients.keys(), ...this.#userClients.keys()])
      webSocket.close(CLOSE.goingAway, 'the server is shutting down');
  }

  #onOpen(webSocket: WebSocket, clients: Map<WebSocket, ChannelClient>): void {
    const client: ChannelClient = {
      tokens: new Set(),
      hasCustomFeatures: false,
      caller: undefined,
      markets: undefined,
      send: (events) => this.#send(webSocket, events),
      close: () => webSocket.close(CLOSE.tryAgainLater, 'try again'),
    };
    clients.set(webSocket, client);
    this.#keepAlive.add(webSocket, () => webSocket.ping());
    // Errors need no handling, because ws emits `close` after an error.
    webSocket.on('error', () => undefined);
    const messageLimit = createMessageBucket(MESSAGES_PER_SECOND);
    webSocket.on('message', (data, isBinary) => {
      if (messageLimit.consume(1, this.#deps.clock.now()) > 0) {
        webSocket.close(CLOSE.policy, 'too many messages');
        return;
      }
      const text = isBinary || !Buffer.isBuffer(data) ? '' : data.toString('utf8');
      if (text === 'PING') {
        this.#write(webSocket, 'PONG');
        return;
      }
      const message = tryParseJson(text);
      const isValid =
        clients === this.#userClients ? this.#onUserMessage(message, client) : this.#onMarketMessage(message, client);
      if (!isValid) webSocket.close(CLOSE.policy, 'invalid message');
    });
    webSocket.once('close', () => clients.delete(webSocket));
  }

  /** @returns false for an invalid message */
  #onMarketMessage(json: unknown, client: ChannelClient): boolean {
    const message = marketMessage.safeParse(json);
    if (!message.success) return false;
    const { assets_ids: tokens, operation, custom_feature_enabled: wantsCustom } = message.data;
    if (wantsCustom !== undefined) client.hasCustomFeatures = wantsCustom;
    if (operation === 'unsubscribe') {
      for (const token of tokens) client.tokens.delete(token);
      return true;
    }
    const added = tokens.slice(0, Math.max(0, MAX_TOKENS - client.tokens.size));
    for (const token of added) client.tokens.add(token);
    this.#deps.onSubscribed(client, added).catch((error: unknown) => {
      this.#deps.log.info({ err: error }, 'polymarket: the books of a subscription were not read');
      client.close();
    });
    return true;
  }

  /** @returns false for an invalid or unauthenticated message */
  #onUserMessage(json: unknown, client: ChannelClient): boolean {
    const message = userMessage.safeParse(json);
    if (!message.success) return false;
    const { auth, markets, operation } = message.data;
    if (auth !== undefined) client.caller = this.#deps.accounts.findCaller(auth);
    if (client.caller === undefined) return false;
    for (const market of markets) {
      if (operation === 'unsubscribe') client.markets?.delete(market.toLowerCase());
      else {
        client.markets ??= new Set();
        if (client.markets.size < MAX_MARKETS) client.markets.add(market.toLowerCase());
      }
    }
    return true;
  }

  /** Sends one event as an object, several as a list. Injected faults can drop the message or send it twice. */
  #send(webSocket: WebSocket, events: readonly object[]): void {
    if (events.length === 0) return;
    const { faults, clock } = this.#deps;
    const now = clock.now();
    if (faults.remainingMs('silence', now) > 0) return;
    const text = JSON.stringify(events.length === 1 ? events[0] : events);
    this.#write(webSocket, text);
    if (faults.remainingMs('double', now) > 0) this.#write(webSocket, text);
  }

  #write(webSocket: WebSocket, text: string): void {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (webSocket.bufferedAmount > MAX_UNSENT_BYTES) {
      webSocket.close(CLOSE.tryAgainLater, 'slow consumer');
      return;
    }
    webSocket.send(text);
  }
}
