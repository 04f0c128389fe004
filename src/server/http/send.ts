/** Writes an answer: `data` and `errors`, whatever the status. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../graphql/index.ts';
import type { HeaderBag } from './cors.ts';

/** An answer and its envelope. */
export interface Outgoing {
  readonly status: number;
  readonly type: string;
  readonly reply: Reply;
  readonly headers: HeaderBag;
}

const MS_PER_SECOND = 1_000;

/** Sends at once; nothing happens where the client is gone. */
export function send(response: ServerResponse, { status, type, reply, headers }: Outgoing): void {
  if (response.destroyed || response.headersSent) return;
  const body = JSON.stringify(reply.answer);
  const { retryAfterMs } = reply;
  const size = Buffer.byteLength(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': size,
    ...headers,
    ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / MS_PER_SECOND)) }),
  });
  // Pure ASCII, which nearly all answers are, is copied to the socket without being transcoded.
  response.end(body, size === body.length ? 'latin1' : 'utf8');
}
