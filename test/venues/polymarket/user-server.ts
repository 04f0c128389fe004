/** A user channel server. A test can stop its replies to pings. */
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { afterThisTest } from '../../cleanup.ts';

export interface UserServer {
  readonly url: string;
  /** All connections so far. */
  readonly sockets: readonly WebSocket[];
  answersPings: boolean;
}

/** Opens a server that closes after the test. */
export async function openUserServer(): Promise<UserServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const sockets: WebSocket[] = [];
  const opened = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/user`,
    sockets,
    answersPings: true,
  };
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data) => {
      if (String(data) === 'PING' && opened.answersPings) socket.send('PONG');
    });
  });
  afterThisTest.add(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  return opened;
}
