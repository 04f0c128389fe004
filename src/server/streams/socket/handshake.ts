/** Refuses WebSocket upgrades with HTTP answers in the usual format. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestFailed } from '../../graphql/context.ts';

const STATUS = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;

/** HTTP statuses of a refused upgrade. */
export type UpgradeStatus = keyof typeof STATUS;

/** Sends an HTTP answer and destroys the socket, because HTTP timeouts do not apply after an upgrade. */
export function refuseUpgrade(socket: Duplex, status: UpgradeStatus, problem: string): void {
  socket.once('finish', () => socket.destroy());
  const body = JSON.stringify(requestFailed(problem).answer);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Path of a request, without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
