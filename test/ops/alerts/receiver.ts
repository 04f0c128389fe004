/** Fake receivers of alerts on real sockets: Slack, Discord, Telegram and a webhook. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { wallClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { listenOn } from '../../../src/network/index.ts';
import { type Alert, type AlertTarget, Redactor } from '../../../src/ops/index.ts';
import { afterThisTest } from '../../cleanup.ts';

/** In the path of each URL; no output may contain it. */
export const SECRET = 'T0KEN-in-the-path';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly url: string;
  readonly got: Received[];
}

/** Answers a request. @param at number of the request, from 0 */
export type Respond = (response: ServerResponse, at: number, request: Received) => void;

/** Opens a receiver that closes after the test. By default it accepts everything. */
export async function receiver(respond: Respond = (response) => void response.end('{"ok":true}')): Promise<Receiver> {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, body: text === '' ? {} : JSON.parse(text) };
      got.push(received);
      respond(response, got.length - 1, received);
    });
  });
  const port = await listenOn(server, 0, '127.0.0.1', 'port');
  afterThisTest.add(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, got };
}

/** Answers with these statuses in turn, and repeats the last one. */
export function statuses(...list: readonly number[]): Respond {
  return (response, at) => void response.writeHead(list[Math.min(at, list.length - 1)] ?? 200).end();
}

export function target(url: string, more: Partial<AlertTarget> = {}): AlertTarget {
  return { name: 'alerts.targets[0] (webhook)', type: 'webhook', level: 'info', url: `${url}/${SECRET}`, ...more };
}

export function alertOf(more: Partial<Alert> = {}): Alert {
  const time = epochMs(1_770_000_000_000);
  return { kind: 'kill', level: 'critical', text: 'killed: loss', fields: { open: 0 }, time, ...more };
}

/** The wall clock, which a test can set forward. */
export function settableClock() {
  const wall = wallClock();
  let offset = 0;
  return {
    now: () => epochMs(wall.now() + offset),
    schedule: (when: number, fire: () => void) => wall.schedule(epochMs(when - offset), fire),
    setForward: (ms: number) => {
      offset += ms;
    },
  };
}

/** A log that keeps its lines, and a redactor. */
export function logged() {
  const lines: string[] = [];
  const line =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return {
    lines,
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    redactor: new Redactor(),
  };
}
