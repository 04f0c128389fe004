/**
 * Load over HTTP/1.1: keep-alive connections with a few pipelined requests on each. It reads responses by
 * `content-length` and checks status and body, so that it costs less than any server.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** The requests, their concurrency and the duration. */
export interface LoadShape {
  readonly port: number;
  readonly path: string;
  /** Request bodies, sent one after the other. */
  readonly bodies: readonly string[];
  /** Expected response bodies. */
  readonly answers: readonly string[];
  readonly connections: number;
  /** Requests in flight on each connection. */
  readonly ahead: number;
  /** Duration of the load, ms. */
  readonly duration: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;
const OK = 'HTTP/1.1 200 ';

/**
 * Sends requests and waits for the responses.
 * @returns the number of responses, and responses per second of wall time
 * @throws Error on an unexpected response
 */
export async function loadServer(shape: LoadShape) {
  const requests = shape.bodies.map((body) =>
    Buffer.from(
      `POST ${shape.path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );
  const answers = shape.answers.map((answer) => Buffer.from(answer));
  const end = performance.now() + shape.duration;
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: shape.connections }, (_, at) =>
      runConnection(connect(shape.port, '127.0.0.1'), { requests, answers, first: at, ahead: shape.ahead, end }),
    ),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { answers: total, perSecond: (total / (performance.now() - start)) * 1000 };
}

interface Connection {
  readonly requests: readonly Buffer[];
  readonly answers: readonly Buffer[];
  readonly first: number;
  readonly ahead: number;
  readonly end: number;
}

/** Runs one connection until the time is over and every request has a response. */
function runConnection(socket: Socket, { requests, answers, first, ahead, end }: Connection): Promise<number> {
  return new Promise((resolve, reject) => {
    let sent = first;
    let received = first;
    let rest: Buffer = Buffer.alloc(0);
    const send = (count: number): void => {
      const batch: Buffer[] = [];
      for (let more = 0; more < count; more += 1) {
        const request = requests[sent % requests.length];
        if (request !== undefined) batch.push(request);
        sent += 1;
      }
      socket.write(batch.length === 1 && batch[0] !== undefined ? batch[0] : Buffer.concat(batch));
    };
    socket.setNoDelay(true);
    socket.on('connect', () => send(ahead));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let done = 0;
      let at = 0;
      for (;;) {
        const body = bodyIn(rest, at);
        if (body === undefined) break;
        const expected = answers[received % answers.length];
        if (expected === undefined || rest.compare(expected, 0, expected.length, body.from, body.to) !== 0) {
          reject(new Error(`unexpected response: ${rest.subarray(at, body.to)}`));
          socket.destroy();
          return;
        }
        received += 1;
        done += 1;
        at = body.to;
      }
      rest = rest.subarray(at);
      if (performance.now() < end) {
        if (done > 0) send(done);
      } else if (received === sent) {
        socket.destroy();
        resolve(received - first);
      }
    });
  });
}

/** Returns the position of the body of the response at `at`, or undefined while it is incomplete. */
export function bodyIn(bytes: Buffer, at: number): { readonly from: number; readonly to: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END, at);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', at, headEnd);
  const length = LENGTH.exec(head)?.[1];
  if (!head.startsWith(OK) || length === undefined) throw new Error(`unexpected response: ${head}`);
  const from = headEnd + HEAD_END.length;
  const to = from + Number(length);
  return to <= bytes.length ? { from, to } : undefined;
}
