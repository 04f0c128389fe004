/** Sends an error for malformed HTTP in the format of other answers, and closes the connection. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestFailed } from '../graphql/context.ts';

const STATUS_OF: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const BAD_REQUEST = 400;

/** A handler for `clientError` of `node:http`. */
export function answerClientFault({ code }: { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[code ?? ''] ?? BAD_REQUEST;
  const reason = STATUS_CODES[status] ?? '';
  const body = JSON.stringify(requestFailed(reason.toLowerCase()).answer);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
