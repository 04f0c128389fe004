/** The context of an HTTP request or of a WebSocket handshake. */
import type { IncomingMessage } from 'node:http';
import type { EpochMs } from '../../domain/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';

/** `OperationContext` over a request of `node:http`. */
export class RequestContext implements OperationContext {
  readonly viewer: Viewer | undefined;
  readonly requestId: string;
  readonly ip: string;
  readonly now: EpochMs;
  readonly #request: IncomingMessage;

  constructor({ viewer, requestId, ip, now }: Omit<OperationContext, 'header'>, request: IncomingMessage) {
    this.viewer = viewer;
    this.requestId = requestId;
    this.ip = ip;
    this.now = now;
    this.#request = request;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }
}
