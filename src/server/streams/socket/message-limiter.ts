/** Limits the size, rate and duration of client messages before they are parsed. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../clock/index.ts';
import { isTooDeep, NETWORK_LIMITS, parseJson } from '../../../network/index.ts';
import { rateLimited } from '../../../protocol/index.ts';
import type { TokenBucket } from '../../access/buckets.ts';
import { bodyTokens, type RequestQuota } from '../../graphql/gate.ts';
import type { NetworkLimit } from '../../http/client-address.ts';
import type { StreamLimits } from '../options.ts';
import { createMessageBucket, type PerIpQuota } from '../per-ip-quota.ts';
import type { Connection } from './connection.ts';

/** Dependencies that all connections share. */
export interface MessageLimiterDeps {
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly perIpQuota: Pick<PerIpQuota, 'consumeMessage'>;
  readonly unfinishedBytes: NetworkLimit;
  readonly quota: RequestQuota;
}

export interface LimitedClient {
  readonly webSocket: WebSocket;
  /** The socket below `webSocket`. */
  readonly socket: Duplex;
  readonly ip: string;
  readonly connection: Connection;
}

/** Close codes (RFC 6455, 7.4.1). */
const CLOSE = { unsupported: 1003, policy: 1008, tooLarge: 1009 } as const;
/** Memory overhead of a chunk or a fragment, bytes. */
const PIECE_OVERHEAD_BYTES = 128;
const MAX_HEADER_BYTES = 14;
const FIRST_CONTROL_OPCODE = 8;

export class MessageLimiter {
  readonly #deps: MessageLimiterDeps;
  readonly #client: LimitedClient;
  readonly #messageBucket: TokenBucket;
  readonly #unfinished = new UnfinishedMessage();
  /** Returns false if the address has too many unfinished bytes. */
  readonly #countUnfinished: (change: number) => boolean;
  #countedBytes = 0;
  /** Number of the message that was unfinished at the last ping; 0 for none. */
  #unfinishedAtLastPing = 0;

  constructor(deps: MessageLimiterDeps, client: LimitedClient) {
    this.#deps = deps;
    this.#client = client;
    this.#messageBucket = createMessageBucket(deps.limits.messagesPerSecond);
    this.#countUnfinished = deps.unfinishedBytes.track(client.ip);
    client.socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    client.webSocket.on('ping', () => this.#admitRate());
  }

  /** Passes on messages within the limits. */
  listen(onMessage: (text: string) => void): void {
    const { webSocket } = this.#client;
    webSocket.on('message', (data: Buffer, isBinary) => {
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (isBinary) webSocket.close(CLOSE.unsupported, 'text frames only');
      else if (this.#admitRate() && this.#admitSize(data.length)) {
        if (isTooDeep(data)) webSocket.close(CLOSE.policy, `more than ${NETWORK_LIMITS.nesting} nested brackets`);
        else onMessage(String(data));
      }
    });
  }

  /** Call this at each ping. Returns whether one message has been unfinished since the last ping. */
  detectStuckMessage(): boolean {
    const { begunCount, bytes } = this.#unfinished;
    const isStuck = bytes > 0 && begunCount === this.#unfinishedAtLastPing;
    this.#unfinishedAtLastPing = bytes > 0 ? begunCount : 0;
    return isStuck;
  }

  end(): void {
    this.#updateCountedBytes(0);
  }

  #onData(chunk: Buffer): void {
    const { webSocket } = this.#client;
    if (webSocket.readyState !== webSocket.OPEN) return;
    this.#unfinished.addBytes(chunk);
    if (this.#unfinished.bytes === this.#countedBytes || this.#updateCountedBytes(this.#unfinished.bytes)) return;
    webSocket.close(CLOSE.policy, 'too many unfinished messages from this address');
  }

  #updateCountedBytes(bytes: number): boolean {
    const change = bytes - this.#countedBytes;
    this.#countedBytes = bytes;
    return this.#countUnfinished(change);
  }

  /** Counts a message. Returns false after closing the connection of a client above a rate limit. */
  #admitRate(): boolean {
    const { clock, limits, perIpQuota } = this.#deps;
    const { webSocket, connection, ip } = this.#client;
    const now = clock.now();
    const { messagesPerSecond, anonymousMessagesPerSecond: anonymous } = limits;
    if (this.#messageBucket.consume(1, now) > 0) {
      webSocket.close(CLOSE.policy, `more than ${messagesPerSecond} messages a second`);
      return false;
    }
    if (!connection.isInitialized || connection.isAuthenticated || perIpQuota.consumeMessage(ip, now)) return true;
    webSocket.close(CLOSE.policy, `more than ${anonymous} messages a second without credentials from this address`);
    return false;
  }

  /** Consumes `parse` tokens. Returns false after closing the connection for a message that is too large. */
  #admitSize(bytes: number): boolean {
    const { limits, quota } = this.#deps;
    const { webSocket, connection } = this.#client;
    if (!connection.isInitialized && bytes > limits.maxInitBytes) {
      webSocket.close(CLOSE.tooLarge, `connection_init is larger than ${limits.maxInitBytes} bytes`);
      return false;
    }
    const tokens = bodyTokens(bytes);
    const waitMs = tokens === 0 ? 0 : quota.consume(connection.context(), 'parse', tokens);
    if (waitMs > 0) webSocket.close(CLOSE.policy, rateLimited(waitMs).message);
    return waitMs === 0;
  }
}

/** Returns whether a message has a type that only servers send. graphql-ws throws for these types. */
export function isServerMessage(text: string): boolean {
  try {
    const type: unknown = Reflect.get(Object(parseJson(text)), 'type');
    return type === 'next' || type === 'error' || type === 'connection_ack';
  } catch {
    return false;
  }
}

/**
 * Parses the frames of a client (RFC 6455, 5.2) to count the bytes of an incomplete message, which ws buffers without
 * reporting the size.
 */
export class UnfinishedMessage {
  /** Approximate memory of the unfinished message; 0 for none. */
  bytes = 0;
  /** Number of messages that have begun. */
  begunCount = 0;
  readonly #header = Buffer.alloc(MAX_HEADER_BYTES);
  #headerLength = 0;
  #payloadLeft = 0;
  #isControl = false;
  #isLast = false;

  addBytes(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#payloadLeft > 0) {
        const payloadBytes = Math.min(this.#payloadLeft, chunk.length - offset);
        offset += payloadBytes;
        this.#payloadLeft -= payloadBytes;
        if (!this.#isControl) this.bytes += payloadBytes;
      } else {
        this.#header[this.#headerLength] = chunk[offset] ?? 0;
        this.#headerLength += 1;
        offset += 1;
        if (!this.#readHeader()) continue;
      }
      if (this.#payloadLeft === 0 && this.#isLast && !this.#isControl) this.bytes = 0;
    }
    if (this.bytes > 0) this.bytes += PIECE_OVERHEAD_BYTES;
  }

  /** @returns whether the header is complete */
  #readHeader(): boolean {
    const header = this.#header;
    const [first = 0, second = 0] = header;
    const lengthCode = second & 0x7f;
    const lengthBytes = lengthCode < 126 ? 0 : lengthCode === 126 ? 2 : 8;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#headerLength < 2 + lengthBytes + maskBytes) return false;
    this.#headerLength = 0;
    this.#isLast = (first & 0x80) !== 0;
    this.#isControl = (first & 0x0f) >= FIRST_CONTROL_OPCODE;
    this.#payloadLeft =
      lengthBytes === 0 ? lengthCode : lengthBytes === 2 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
    if (this.#isControl) return true;
    if (this.bytes === 0) this.begunCount += 1;
    this.bytes += PIECE_OVERHEAD_BYTES;
    return true;
  }
}
