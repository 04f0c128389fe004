/** Writes an answer that is text already. */
import type { ServerResponse } from 'node:http';
import type { HeaderBag } from './cors.ts';

/** An answer and its envelope. */
export interface Outgoing {
  readonly status: number;
  readonly type: string;
  /** JSON. */
  readonly body: string;
  readonly headers: HeaderBag;
}

/** Sends at once; nothing happens where the client is gone. */
export function send(response: ServerResponse, { status, type, body, headers }: Outgoing): void {
  if (response.destroyed || response.headersSent) return;
  const size = Buffer.byteLength(body);
  response.writeHead(status, { 'content-type': type, 'content-length': size, ...headers });
  // Pure ASCII, which nearly all answers are, is copied to the socket without being transcoded.
  response.end(body, size === body.length ? 'latin1' : 'utf8');
}
