/** Limits the size, rate and duration of client messages before they are parsed. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../clock/index.ts';
import { isTooDeep, NETWORK_LIMITS, parseJson } from '../../../network/index.ts';
import { rateLimited } from '../../../protocol/index.ts';
import { bodyTokens, type RequestQuota } from '../../graphql/gate.ts';
import type { UnfinishedBytes } from '../../http/client-address.ts';
import type { StreamLimits } from '../options.ts';
import { MessageRate, type PerIpQuota } from '../per-ip-quota.ts';
import type { Connection } from './connection.ts';
import { UnfinishedMessage } from './unfinished-message.ts';

/** Dependencies that all connections share. */
export interface IncomingDeps {
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly shares: Pick<PerIpQuota, 'takeMessage'>;
  readonly unfinished: UnfinishedBytes;
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

export class Incoming {
  readonly #deps: IncomingDeps;
  readonly #client: IncomingClient;
  readonly #rate: MessageRate;
  readonly #unfinished = new UnfinishedMessage();
  readonly #account: (change: number) => boolean;
  #counted = 0;
  /** Number of the message that was unfinished at the last ping; 0 for none. */
  #stuckCandidate = 0;

  constructor(deps: IncomingDeps, client: IncomingClient) {
    this.#deps = deps;
    this.#client = client;
    this.#rate = new MessageRate(deps.limits.messagesPerSecond);
    this.#account = deps.unfinished.open(client.ip);
    client.socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    client.web.on('ping', () => this.#isWithinRate());
  }

  /** Passes on messages within the limits. */
  listen(take: (text: string) => void): void {
    const { web } = this.#client;
    web.on('message', (data: Buffer, isBinary) => {
      if (web.readyState !== web.OPEN) return;
      if (isBinary) web.close(CLOSE.unsupported, 'text frames only');
      else if (this.#isWithinRate() && this.#isWithinSize(data.length)) {
        if (isTooDeep(data)) web.close(CLOSE.policy, `more than ${NETWORK_LIMITS.nesting} nested brackets`);
        else take(String(data));
      }
    });
  }

  /** Call it at each ping. @returns whether a message has been unfinished since the last ping */
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
    this.#unfinished.take(chunk);
    if (this.#unfinished.bytes === this.#counted || this.#count(this.#unfinished.bytes)) return;
    web.close(CLOSE.policy, 'too many unfinished messages from this address');
  }

  #count(bytes: number): boolean {
    const change = bytes - this.#counted;
    this.#counted = bytes;
    return this.#account(change);
  }

  #isWithinRate(): boolean {
    const { clock, limits, shares } = this.#deps;
    const { web, connection, ip } = this.#client;
    const now = clock.now();
    if (!this.#rate.take(now)) {
      web.close(CLOSE.policy, `more than ${limits.messagesPerSecond} messages a second`);
      return false;
    }
    if (!connection.hasBegun || connection.isKnown || shares.takeMessage(ip, now)) return true;
    const maxRate = limits.anonymousMessagesPerSecond;
    web.close(CLOSE.policy, `more than ${maxRate} messages a second without credentials from this address`);
    return false;
  }

  #isWithinSize(bytes: number): boolean {
    const { limits, quota } = this.#deps;
    const { web, connection } = this.#client;
    if (!connection.hasBegun && bytes > limits.maxInitBytes) {
      web.close(CLOSE.tooLarge, `connection_init is larger than ${limits.maxInitBytes} bytes`);
      return false;
    }
    const price = bodyTokens(bytes);
    const wait = price === 0 ? 0 : quota.take(connection.context(), 'parse', price);
    if (wait > 0) web.close(CLOSE.policy, rateLimited(wait).message);
    return wait === 0;
  }
}

/** Returns whether a message is of a type that only servers send, for which graphql-ws throws. */
export function isServerMessage(text: string): boolean {
  try {
    const type: unknown = Reflect.get(Object(parseJson(text)), 'type');
    return type === 'next' || type === 'error' || type === 'connection_ack';
  } catch {
    return false;
  }
}
