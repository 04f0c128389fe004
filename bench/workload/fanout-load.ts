/** Subscribers on bare sockets that only count frames, so that a thousand of them cost less than any server. */
import { connect, type Socket } from 'node:net';

/** A request to a server. */
export interface FanoutRequest {
  readonly updates: number;
  /** Updates per event loop turn. */
  readonly atOnce: number;
  /** Whether to wait until clients have received all earlier updates. */
  readonly isPaced: boolean;
  /** Text of an update to prepare. */
  readonly message?: string;
}

/** A server's reply. */
export interface FanoutReport {
  readonly port: number;
  /** Processor time of the process so far. */
  readonly cpuSeconds: number;
  readonly maxBacklog: number;
  readonly rssMb: number;
}

export const FANOUT_MARKET = '00000000-0000-4000-8000-000000000000';
export const FANOUT_QUERY =
  'subscription ($id: ID!) { orderBookUpdated(marketId: $id) { kind marketId seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum at } }';

const HEAD_END = '\r\n\r\n';

/** One subscriber. */
export class CountingClient {
  readonly socket: Socket;
  /** Complete frames so far. */
  frames = 0;
  /** Text of the last frame that arrived in one piece. */
  text = '';
  /** Whether to store the texts of frames. */
  keepsText = true;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  static open(port: number): Promise<CountingClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new CountingClient(socket);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.write(
          'GET /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
            'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' +
            'sec-websocket-protocol: graphql-transport-ws\r\n\r\n',
        );
      });
      let head = '';
      const onHead = (chunk: Buffer): void => {
        head += chunk.toString('latin1');
        if (!head.includes(HEAD_END)) return;
        socket.off('data', onHead);
        if (!head.startsWith('HTTP/1.1 101')) reject(new Error(head));
        socket.on('data', (more: Buffer) => client.#read(more));
        resolve(client);
      };
      socket.on('data', onHead);
    });
  }

  /** Sends a text frame, masked with zeros. */
  send(message: object): void {
    const payload = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(8);
    head.writeUInt16BE(0x81fe, 0);
    head.writeUInt16BE(payload.length, 2);
    this.socket.write(Buffer.concat([head, payload]));
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + 4 <= bytes.length) {
      const short = (bytes[at + 1] ?? 0) & 127;
      const from = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
      if (from > bytes.length) break;
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUIntBE(at + 4, 6);
      if (from + length > bytes.length) break;
      if (this.keepsText) this.text = bytes.toString('utf8', from, from + length);
      this.frames += 1;
      at = from + length;
    }
    this.#rest = bytes.subarray(at);
  }
}
