/** Limits the size, rate and duration of client messages before they are parsed. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../clock/index.ts';
import { isTooDeep, NETWORK_LIMITS, parseJson } from '../../../network/index.ts';
import { rateLimited } from '../../../protocol/index.ts';
import { bodyPrice, type RequestQuota } from '../../graphql/gate.ts';
import type { UnfinishedBytes } from '../../http/per-address-bounds.ts';
import type { StreamLimits } from '../options.ts';
import type { PerIpQuota } from '../per-ip-quota.ts';
import type { Connection } from './connection.ts';
import { MessageRate } from './message-rate.ts';
import { UnfinishedMessage } from './unfinished-message.ts';

/** Dependencies that all connections share. */
export interface IncomingDeps {
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly shares: Pick<PerIpQuota, 'takeMessage'>;
  /** Bytes of unfinished messages. */
  readonly unfinished: UnfinishedBytes;
  readonly quota: RequestQuota;
}

/** One connection. */
export interface Line {
  readonly web: WebSocket;
  /** Below it. */
  readonly socket: Duplex;
  readonly ip: string;
  readonly connection: Connection;
}

/** Codes of closing (RFC 6455, 7.4.1). */
const CLOSE = { unsupported: 1003, policy: 1008, tooLarge: 1009 } as const;

export class Incoming {
  readonly #deps: IncomingDeps;
  readonly #line: Line;
  readonly #rate: MessageRate;
  readonly #unfinished = new UnfinishedMessage();
  readonly #account: (change: number) => boolean;
  #counted = 0;
  /** The message that was unfinished at the last ping. */
  #slow = 0;

  constructor(deps: IncomingDeps, line: Line) {
    this.#deps = deps;
    this.#line = line;
    this.#rate = new MessageRate(deps.limits.messagesPerSecond);
    this.#account = deps.unfinished.open(line.ip);
    line.socket.on('data', (chunk: Buffer) => this.#came(chunk));
    line.web.on('ping', () => this.#isWithinRate());
  }

  /** Passes on messages within the limits. */
  listen(take: (text: string) => void): void {
    const { web } = this.#line;
    web.on('message', (data: Buffer, isBinary) => {
      if (web.readyState !== web.OPEN) return;
      if (isBinary) web.close(CLOSE.unsupported, 'text frames only');
      else if (this.#isWithinRate() && this.#isWithinSize(data.length)) {
        if (isTooDeep(data)) web.close(CLOSE.policy, `more than ${NETWORK_LIMITS.nesting} brackets in each other`);
        else take(String(data));
      }
    });
  }

  /** Call it at each ping. @returns whether a message has been unfinished since the last ping */
  isStuck(): boolean {
    const { begun, bytes } = this.#unfinished;
    const isStuck = bytes > 0 && begun === this.#slow;
    this.#slow = bytes > 0 ? begun : 0;
    return isStuck;
  }

  /** The connection is closed. */
  end(): void {
    this.#count(0);
  }

  #came(chunk: Buffer): void {
    const { web } = this.#line;
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
    const { web, connection, ip } = this.#line;
    const now = clock.now();
    if (!this.#rate.take(now)) {
      web.close(CLOSE.policy, `more than ${limits.messagesPerSecond} messages a second`);
      return false;
    }
    if (!connection.hasBegun || connection.isKnown || shares.takeMessage(ip, now)) return true;
    const most = limits.strangersMessagesPerSecond;
    web.close(CLOSE.policy, `more than ${most} messages a second without credentials from this address`);
    return false;
  }

  #isWithinSize(bytes: number): boolean {
    const { limits, quota } = this.#deps;
    const { web, connection } = this.#line;
    if (!connection.hasBegun && bytes > limits.maxInitBytes) {
      web.close(CLOSE.tooLarge, `connection_init is larger than ${limits.maxInitBytes} bytes`);
      return false;
    }
    const price = bodyPrice(bytes);
    const wait = price === 0 ? undefined : quota.take(connection.context(), 'parse', price);
    if (wait !== undefined) web.close(CLOSE.policy, rateLimited(wait).message);
    return wait === undefined;
  }
}

/** Whether a client sent a message that only servers send; graphql-ws throws for it. */
export function isServersMessage(text: string): boolean {
  try {
    const type: unknown = Reflect.get(Object(parseJson(text)), 'type');
    return type === 'next' || type === 'error' || type === 'connection_ack';
  } catch {
    return false;
  }
}
