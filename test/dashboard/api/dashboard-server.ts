/** A dashboard's server with fake bots, and requests to it over real sockets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { wallClock } from '../../../src/clock/index.ts';
import { AuditLog, Fleet, serveDashboard } from '../../../src/dashboard/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import type { FakeBot } from '../fake-bot.ts';

export const OPERATOR = 'operator-token';
export const VIEWER = 'viewer-password';

export interface Dashboard {
  readonly port: number;
  readonly folder: string;
  /** @param cookie of a session */
  query(text: string, cookie?: string, variables?: object): Promise<{ readonly status: number; readonly body: string }>;
  signIn(secret: string): Promise<string>;
  audit(): string;
}

/** Opens a dashboard. @param viewerPassword only for tests with a viewer, as hashing it takes 0.1 s */
export async function openServer(
  bots: readonly FakeBot[],
  viewerPassword?: string,
  { isBehindProxy = false, host = '127.0.0.1', hostNames = [] as readonly string[] } = {},
): Promise<Dashboard> {
  const folder = newFolder();
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'reports'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>halfspread</title>');
  writeFileSync(join(page, 'assets/a.js'), '1');
  writeFileSync(join(folder, 'reports/one.html'), '<!doctype html><title>one</title>');
  writeFileSync(join(folder, 'secret.html'), 'secret');
  const clock = wallClock();
  const fleet = new Fleet(
    bots.map(({ socket }, index) => ({ id: `bot-${index}`, address: socket })),
    clock,
  );
  const server = await serveDashboard({
    fleet,
    audit: new AuditLog(join(folder, 'audit.jsonl')),
    clock,
    version: '0.1.0',
    reports: join(folder, 'reports'),
    studies: join(folder, 'studies'),
    studyRun: () => null,
    renderStudy: async () => '<!doctype html><title>a study</title>',
    host,
    port: 0,
    page,
    secrets: { token: OPERATOR, viewerPassword },
    isBehindProxy,
    hostNames,
  });
  afterThisTest.add(async () => {
    fleet.close();
    await server.close();
  });
  const { port } = server;
  return {
    port,
    folder,
    async query(text, cookie = '', variables = {}) {
      const response = await post(port, '/graphql', { query: text, variables }, { cookie });
      return { status: response.status, body: await response.text() };
    },
    async signIn(secret) {
      const response = await post(port, '/login', { secret });
      return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    },
    audit: () => readFileSync(join(folder, 'audit.jsonl'), 'utf8'),
  };
}

export function post(
  port: number,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-halfspread': '1', ...headers },
    body: JSON.stringify(body),
  });
}

/** Returns the status of a request with this exact `Host` and path. */
export function statusOf(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** Returns the outcome of a WebSocket with these headers. */
export function upgrade(port: number, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { headers });
    socket.on('open', () => {
      resolve('open');
      socket.terminate();
    });
    socket.on('error', (error) => resolve(error.message));
  });
}

export interface Stream {
  /** Received messages as JSON, the newest last. */
  readonly frames: string[];
  readonly closed: Promise<void>;
  send(message: object): void;
}

/** Opens a connection of a signed-in page. @param headers those that a proxy adds */
export async function openStream(
  port: number,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> {
  const url = `ws://127.0.0.1:${port}/graphql`;
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { ...headers, cookie } });
  afterThisTest.add(() => socket.terminate());
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(String(data)));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('{"type":"connection_init"}');
  await expect.poll(() => frames.length).toBe(1);
  return { frames, closed, send: (message) => socket.send(JSON.stringify(message)) };
}

export function subscription(id: string, query: string): object {
  return { type: 'subscribe', id, payload: { query } };
}

export async function health(dashboard: Dashboard, cookie: string): Promise<string> {
  return (await dashboard.query('{ bots { health healthReason } }', cookie)).body;
}
