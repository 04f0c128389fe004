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
import { messageBucket, type PerIpQuota } from '../per-ip-quota.ts';
import type { Connection } from './connection.ts';

/** Dependencies that all connections share. */
export interface IncomingDeps {
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly perIpQuota: Pick<PerIpQuota, 'consumeMessage'>;
  readonly unfinished: NetworkLimit;
  readonly quota: RequestQuota;
}

export interface IncomingClient {
  readonly web: WebSocket;
  /** The socket below `web`. */
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

export class Incoming {
  readonly #deps: IncomingDeps;
  readonly #client: IncomingClient;
  readonly #rate: TokenBucket;
  readonly #unfinished = new UnfinishedMessage();
  /** Returns false if the address has too many unfinished bytes. */
  readonly #countUnfinished: (change: number) => boolean;
  #countedBytes = 0;
  /** Number of the message that was unfinished at the last ping; 0 for none. */
  #stuckCandidate = 0;

  constructor(deps: IncomingDeps, client: IncomingClient) {
    this.#deps = deps;
    this.#client = client;
    this.#rate = messageBucket(deps.limits.messagesPerSecond);
    this.#countUnfinished = deps.unfinished.track(client.ip);
    client.socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    client.web.on('ping', () => this.#isWithinRate());
  }

  /** Passes on messages within the limits. */
  listen(onMessage: (text: string) => void): void {
    const { web } = this.#client;
    web.on('message', (data: Buffer, isBinary) => {
      if (web.readyState !== web.OPEN) return;
      if (isBinary) web.close(CLOSE.unsupported, 'text frames only');
      else if (this.#isWithinRate() && this.#isWithinSize(data.length)) {
        if (isTooDeep(data)) web.close(CLOSE.policy, `more than ${NETWORK_LIMITS.nesting} nested brackets`);
        else onMessage(String(data));
      }
    });
  }

  /** Call this at each ping. Returns whether a message has been unfinished since the last ping. */
  isStuck(): boolean {
    const { begun, bytes } = this.#unfinished;
    const isStuck = bytes > 0 && begun === this.#stuckCandidate;
    this.#stuckCandidate = bytes > 0 ? begun : 0;
    return isStuck;
  }

  end(): void {
    this.#count(0);
  }

  #onData(chunk: Buffer): void {
    const { web } = this.#client;
    if (web.readyState !== web.OPEN) return;
    this.#unfinished.addBytes(chunk);
    if (this.#unfinished.bytes === this.#countedBytes || this.#count(this.#unfinished.bytes)) return;
    web.close(CLOSE.policy, 'too many unfinished messages from this address');
  }

  #count(bytes: number): boolean {
    const change = bytes - this.#countedBytes;
    this.#countedBytes = bytes;
    return this.#countUnfinished(change);
  }

  #isWithinRate(): boolean {
    const { clock, limits, perIpQuota } = this.#deps;
    const { web, connection, ip } = this.#client;
    const now = clock.now();
    const { messagesPerSecond, anonymousMessagesPerSecond: anonymous } = limits;
    if (this.#rate.consume(1, now) > 0) {
      web.close(CLOSE.policy, `more than ${messagesPerSecond} messages a second`);
      return false;
    }
    if (!connection.isInitialized || connection.isAuthenticated || perIpQuota.consumeMessage(ip, now)) return true;
    web.close(CLOSE.policy, `more than ${anonymous} messages a second without credentials from this address`);
    return false;
  }

  #isWithinSize(bytes: number): boolean {
    const { limits, quota } = this.#deps;
    const { web, connection } = this.#client;
    if (!connection.isInitialized && bytes > limits.maxInitBytes) {
      web.close(CLOSE.tooLarge, `connection_init is larger than ${limits.maxInitBytes} bytes`);
      return false;
    }
    const price = bodyTokens(bytes);
    const wait = price === 0 ? 0 : quota.consume(connection.context(), 'parse', price);
    if (wait > 0) web.close(CLOSE.policy, rateLimited(wait).message);
    return wait === 0;
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
  begun = 0;
  readonly #header = Buffer.alloc(MAX_HEADER_BYTES);
  #headerLength = 0;
  #payloadLeft = 0;
  #isControl = false;
  #isLast = false;

  addBytes(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, chunk.length - at);
        at += taken;
        this.#payloadLeft -= taken;
        if (!this.#isControl) this.bytes += taken;
      } else {
        this.#header[this.#headerLength] = chunk[at] ?? 0;
        this.#headerLength += 1;
        at += 1;
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
    if (this.bytes === 0) this.begun += 1;
    this.bytes += PIECE_OVERHEAD_BYTES;
    return true;
  }
}
