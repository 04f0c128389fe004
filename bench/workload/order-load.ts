/** Sends signed orders over many connections at once. Each response must report an accepted order. */
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { bodyIn } from './http-load.ts';

/** The requests and their destination. */
export interface OrderLoad {
  readonly port: number;
  readonly token: string;
  /** GraphQL requests as JSON. */
  readonly bodies: readonly string[];
  /** Orders per request. */
  readonly ordersEach: number;
  readonly connections: number;
  /** Requests in flight on each connection. */
  readonly ahead: number;
}

const ACCEPTED = '"accepted":true';

/** Sends over keep-alive HTTP connections. @throws Error on an order that was not accepted */
export async function placeOverHttp(load: OrderLoad): Promise<void> {
  const head =
    'POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n' +
    `authorization: Bearer ${load.token}\r\ncontent-length: `;
  const requests = load.bodies.map((body) => Buffer.from(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`));
  await sendOverHttp(requests, { ...load, accepted: ACCEPTED });
}

interface HttpLoad extends Pick<OrderLoad, 'port' | 'ordersEach' | 'connections' | 'ahead'> {
  /** Text that a response contains once for each accepted order. */
  readonly accepted: string;
}

/** Sends complete requests with headers. @throws Error on an order that was not accepted */
export async function sendOverHttp(requests: readonly Buffer[], load: HttpLoad): Promise<void> {
  await Promise.all(shares(requests, load.connections).map((part) => sendShareOverHttp(part, load)));
}

function sendShareOverHttp(
  requests: readonly Buffer[],
  { port, ahead, ordersEach, accepted }: HttpLoad,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    let [sent, received] = [0, 0];
    let rest: Buffer = Buffer.alloc(0);
    const send = (count: number): void => {
      const batch = requests.slice(sent, sent + count);
      sent += batch.length;
      if (batch.length > 0) socket.write(Buffer.concat(batch));
    };
    socket.on('error', reject);
    socket.on('connect', () => send(ahead));
    socket.on('data', (chunk: Buffer) => {
      try {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        let [at, done] = [0, 0];
        for (let body = bodyIn(rest, at); body !== undefined; body = bodyIn(rest, at)) {
          assertAccepted(rest.toString('latin1', body.from, body.to), ordersEach, accepted);
          at = body.to;
          done += 1;
        }
        rest = rest.subarray(at);
        received += done;
        send(done);
        if (received === requests.length) {
          socket.destroy();
          resolve();
        }
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
  });
}

/** Sends over WebSockets (graphql-transport-ws). @throws Error on an order that was not accepted */
export async function placeOverSockets(load: OrderLoad): Promise<void> {
  const messages = load.bodies.map((payload, id) => `{"id":"${id}","type":"subscribe","payload":${payload}}`);
  await Promise.all(shares(messages, load.connections).map((part) => sendShareOverSocket(part, load)));
}

function sendShareOverSocket(
  messages: readonly string[],
  { port, token, ahead, ordersEach }: OrderLoad,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      headers: { authorization: `Bearer ${token}` },
    });
    let [sent, received] = [0, 0];
    const send = (count: number): void => {
      for (const message of messages.slice(sent, sent + count)) socket.send(message);
      sent += count;
    };
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${reason}`)));
    socket.on('open', () => {
      const payload = { authorization: `Bearer ${token}`, Authorization: `Bearer ${token}` };
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
    });
    socket.on('message', (data: Buffer) => {
      try {
        const text = data.toString('latin1');
        if (text.includes('"type":"connection_ack"')) send(ahead);
        else if (!text.includes('"type":"complete"') && !text.includes('"type":"ping"')) {
          assertAccepted(text, ordersEach, ACCEPTED);
          received += 1;
          send(1);
          if (received === messages.length) {
            socket.removeAllListeners('close').terminate();
            resolve();
          }
        }
      } catch (error) {
        reject(error);
      }
    });
  });
}

function assertAccepted(text: string, orders: number, accepted: string): void {
  if (text.split(accepted).length - 1 !== orders) throw new Error(`not accepted: ${text.slice(0, 500)}`);
}

/** Distributes requests in turn, so that each connection has a share of every kind. */
function shares<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  const parts = Array.from({ length: count }, (): Item[] => []);
  for (const [at, item] of items.entries()) parts[at % count]?.push(item);
  return parts.filter(({ length }) => length > 0);
}
