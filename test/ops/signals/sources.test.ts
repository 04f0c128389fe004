import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { SimClock, wallClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { listenOn } from '../../../src/network/index.ts';
import { SignalIntake } from '../../../src/ops/signals/signal-intake.ts';
import { type SignalSource, startSource, unreadSignalWarnings } from '../../../src/ops/signals/signal-sources.ts';

let folder = '';
const values: number[] = [];
const warnings: string[] = [];
/** Sources and servers. */
const open: { close(): void }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-signals-'));
});
afterEach(() => {
  for (const each of open.splice(0)) each.close();
  values.length = 0;
  warnings.length = 0;
  rmSync(folder, { recursive: true, force: true });
});

function start(source: SignalSource, clock = wallClock()): SignalIntake {
  const ignore = (): void => {};
  const log = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (fields: unknown, text: string) => void warnings.push(`${text} ${JSON.stringify(fields)}`),
  };
  const intake = new SignalIntake({
    clock,
    log,
    run: {
      signalNames: () => ['fair'],
      submit: (event) => void (event.type === 'signalReceived' && values.push(event.value)),
    },
    onFailed: ignore,
  });
  open.push({ close: startSource(source, intake, clock) });
  return intake;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const line = (value: number): string => `{"name":"fair","value":${value}}\n`;

describe('a followed file', () => {
  it('delivers lines that are added, and no earlier lines', async () => {
    const path = join(folder, 'a.jsonl');
    writeFileSync(path, line(1));
    start({ type: 'file', path });
    appendFileSync(path, `${line(2)}{"name":"fair",`);
    await until(() => values.length === 1);
    appendFileSync(path, '"value":3}\n');
    await until(() => values.length === 2);
    expect(values).toEqual([2, 3]);
  });

  it('is read from its start when it appears later, is cut or is replaced', async () => {
    const path = join(folder, 'b.jsonl');
    start({ type: 'file', path });
    expect(warnings.join()).toMatch(
      /a source of signals failed .*the file does not exist yet: it is read from its start when it appears/,
    );
    writeFileSync(path, line(1) + line(1));
    await until(() => values.length === 2);
    writeFileSync(path, line(2));
    await until(() => values.length === 3);
    writeFileSync(join(folder, 'new'), line(3) + line(3) + line(3));
    renameSync(join(folder, 'new'), path);
    await until(() => values.length === 6);
    expect(values).toEqual([1, 1, 2, 3, 3, 3]);
  });

  it('that could not be opened at first delivers no earlier lines', () => {
    const path = join(folder, 'd.jsonl');
    // A link that leads to itself exists, but cannot be opened.
    symlinkSync(path, path);
    const clock = new SimClock(epochMs(0));
    start({ type: 'file', path }, clock);
    expect(warnings).toHaveLength(1);
    writeFileSync(join(folder, 'old'), line(1));
    renameSync(join(folder, 'old'), path);
    clock.runNext();
    appendFileSync(path, line(2));
    clock.runNext();
    expect(values).toEqual([2]);
  });

  it('is still read after invalid or too long lines, which are counted and logged once', async () => {
    const path = join(folder, 'c.jsonl');
    writeFileSync(path, '');
    const intake = start({ type: 'file', path });
    appendFileSync(path, `no json\n{"name":"fair"}\n${'x'.repeat(10_000)}\n${line(7)}`);
    await until(() => values.length === 1);
    expect(values).toEqual([7]);
    expect(intake.counts).toEqual({ received: 1, refused: 3 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/a signal was refused .*this is not JSON/);
    expect(warnings[0]).not.toMatch(/SyntaxError|InputFault/);
  });
});

describe('sources whose signals no strategy reads', () => {
  const http: SignalSource = {
    type: 'http',
    url: new URL('https://odds.example/v1?key=hidden'),
    everyMs: 1_000,
    headers: {},
    values: { fair: 'a', rain: 'b' },
  };
  const file: SignalSource = { type: 'file', path: '/x/fair.jsonl' };

  it('give a warning when no strategy reads signals', () => {
    const warned = unreadSignalWarnings([http, file], []);
    expect(warned).toHaveLength(2);
    expect(warned[0]).toMatch(
      /^no strategy of this run reads signals, and those of https:\/\/odds\.example are refused/,
    );
    expect(warned[1]).toContain('/x/fair.jsonl');
  });

  it('give a warning for each name of a mapping that is not read', () => {
    expect(unreadSignalWarnings([http, file], ['fair'])).toEqual([
      'no strategy reads the signal "rain" of https://odds.example; they read fair',
    ]);
    expect(unreadSignalWarnings([http, file], ['fair', 'rain'])).toEqual([]);
    expect(unreadSignalWarnings([http, file], undefined)).toEqual([]);
  });
});

describe('a path that is not a file', () => {
  it.each(['a named pipe', 'a folder', 'a device'])('is logged, and the bot continues: %s', async (kind) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe], { timeout: 20_000 });
    start({ type: 'file', path: kind === 'a folder' ? folder : kind === 'a device' ? '/dev/zero' : pipe });
    await until(() => warnings.length > 0);
    expect(warnings.join()).toContain('it is not a file');
    expect(values).toEqual([]);
  });
});

describe('an HTTP source', () => {
  it('is polled at intervals, survives invalid answers, follows no redirect, and keeps its URL out of the log', async () => {
    const answers = [
      { status: 500, body: 'no' },
      { status: 200, body: '<html>' },
      { status: 302, body: '', location: '/elsewhere' },
      { status: 200, body: '{"data":{"p":"4.5"}}' },
      { status: 200, body: '{"data":{"p":5}}' },
    ];
    const paths: string[] = [];
    const server = createServer((request, response) => {
      const { status, body, location } = answers[paths.length] ?? { status: 404, body: '' };
      paths.push(request.url ?? '');
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    });
    open.push(server);
    const port = await listenOn(server, 0, '127.0.0.1', 'port');
    const url = new URL(`http://127.0.0.1:${port}/price?key=hidden`);
    const intake = start({ type: 'http', url, everyMs: 20, headers: {}, values: { fair: 'data.p' } });
    await until(() => values.length === 2);
    expect(values).toEqual([4.5, 5]);
    expect(new Set(paths)).toEqual(new Set(['/price?key=hidden']));
    expect(intake.counts).toEqual({ received: 2, refused: 1 });
    expect(warnings.some((text) => /a source of signals failed .*it answered 500/.test(text))).toBe(true);
    expect(warnings.join()).not.toContain('hidden');
  });
});

describe('a WebSocket source', () => {
  it('logs headers that cannot be sent, and the bot continues', () => {
    start({ type: 'socket', url: new URL('ws://127.0.0.1:1/'), headers: { 'not a name': 'x' }, values: { fair: 'p' } });
    expect(warnings.join()).toContain('Header name must be a valid HTTP token');
  });

  it('sends its subscription, reads values, and connects again after an end', async () => {
    const http = createServer();
    const server = new WebSocketServer({ server: http });
    open.push(server, http);
    const port = await listenOn(http, 0, '127.0.0.1', 'port');
    const subscriptions: string[] = [];
    server.on('connection', (socket) => {
      socket.on('message', (text) => {
        subscriptions.push(String(text));
        socket.send('{"type":"hello"}');
        socket.send(`{"type":"price","p":${subscriptions.length}}`, () => socket.close());
      });
    });
    const url = new URL(`ws://127.0.0.1:${port}`);
    const where = { type: 'price' };
    start({ type: 'socket', url, headers: {}, subscribe: '{"channel":"prices"}', values: { fair: 'p' }, where });
    await until(() => values.length === 2);
    expect(values).toEqual([1, 2]);
    expect(subscriptions).toEqual(['{"channel":"prices"}', '{"channel":"prices"}']);
  });
});
