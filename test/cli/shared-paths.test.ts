/** A bot refuses paths that would overwrite each other before it writes or sends anything. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess, TestBot } from './trading.ts';

let requests = 0;
let url = '';
const venue = createHttpServer((_, response) => {
  requests += 1;
  response.writeHead(500).end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => void venue.listen(0, '127.0.0.1', resolve));
  const address = venue.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(() => void venue.close());

/** The text of every file in a folder. */
function filesOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Runs a command that reads a bot's configuration and expects no request to the venue. @returns its errors */
async function refusals(bot: TestBot, command: 'run' | 'config check', ...sets: readonly string[]) {
  const before = { requests, files: filesOf(bot.folder) };
  const args = [...command.split(' '), 'bot.yaml', ...sets.flatMap((set) => ['--set', set])];
  const { code, stderr, stdout } = await runInProcess(args, bot.folder);
  expect({ requests, files: filesOf(bot.folder) }).toEqual(before);
  expect(stdout).toBe('');
  return { code, stderr };
}

describe.each(['run', 'config check'] as const)('halfspread %s', (command) => {
  it.each([
    ['the socket and the database', 'control: { socket: bot.db }', '20:control.socket', 'is the database'],
    [
      'the socket and a named database',
      'db: a.db\ncontrol: { socket: ./a.db }',
      '20:control.socket',
      'is the database',
    ],
    [
      'the socket and the write-ahead log of the database',
      'control: { socket: bot.db-wal }',
      '20:control.socket',
      'a file of the database',
    ],
    ['the socket and the lock', 'control: { socket: bot.db.lock }', '20:control.socket', 'a file of the database'],
    ['the socket and the configuration', 'control: { socket: bot.yaml }', '20:control.socket', 'is the configuration'],
    ['the socket and the log', 'control: { socket: log }\nlog: { file: log }', '20:control.socket', 'is the log file'],
    [
      'the socket and the key',
      'control: { socket: key }\naccount: { key: { file: key } }',
      '20:control.socket',
      'is the file of a secret',
    ],
    [
      'the socket and the API key',
      'control: { socket: k }\naccount: { api_key: { file: k } }',
      '20:control.socket',
      'is the file of a secret',
    ],
    [
      'the socket and the keystore',
      'control: { socket: k }\naccount: { key: { keystore: k, password_env: P } }',
      '20:control.socket',
      'is the file of a secret',
    ],
    [
      'the socket and a webhook',
      'control: { socket: k }\nalerts: { targets: [{ type: slack, url: { file: k } }] }',
      '20:control.socket',
      'is the file of a secret',
    ],
    [
      'the socket and a webhook with a header named url',
      'control: { socket: k }\nalerts: { targets: [{ type: webhook, url: { file: k }, headers: { url: { file: h } } }] }',
      '20:control.socket',
      'is the file of a secret',
    ],
    [
      'the socket and the recordings',
      'control: { socket: r }\nrecord: r',
      '20:control.socket',
      'is the folder of recordings',
    ],
    ['the log and the database', 'log: { file: bot.db }', '14:log.file', 'is the database'],
    ['the log and the commit mark', 'log: { file: bot.db-mark }', '14:log.file', 'a file of the database'],
    ['the log and the default socket', 'log: { file: bot.sock }', '14:log.file', 'is the control socket'],
    ['the database and the configuration', 'db: bot.yaml', '5:db', 'is the configuration'],
    ['the database and the key', 'db: key\naccount: { key: { file: key } }', '5:db', 'is the file of a secret'],
  ])('refuses one path for two files: %s', async (_, sections, place, kept) => {
    const bot = new TestBot(url);
    const text = readFileSync(join(bot.folder, 'bot.yaml'), 'utf8')
      .split('\n')
      .filter((line) => !sections.includes('account:') || !line.startsWith('account:'))
      .filter((line) => !sections.includes('log:') || !line.startsWith('log:'));
    writeFileSync(join(bot.folder, 'bot.yaml'), [...text, sections, ''].join('\n'));
    const [column, field] = place.split(':');
    const { code, stderr } = await refusals(bot, command);
    expect(stderr).toMatch(
      new RegExp(`^error: bot\\.yaml:\\d+:${column}: ${field}: expected another path for .*${kept}`),
    );
    expect(code).toBe(2);
  });

  it('resolves symbolic links', async () => {
    const bot = new TestBot(url, 'control: { socket: link/bot.db }');
    symlinkSync('.', join(bot.folder, 'link'));
    expect((await refusals(bot, command)).stderr).toMatch(/control\.socket: expected another path/);
  });

  it('names the option that set the path', async () => {
    const { stderr } = await refusals(new TestBot(url), command, 'control.socket=bot.db');
    expect(stderr).toMatch(/^error: --set control\.socket=bot\.db: control\.socket: expected another path/);
  });
});

describe('halfspread run does not connect', () => {
  it.each([
    ['live', 'a file', (path: string) => writeFileSync(path, 'mine'), /this file is not a socket/],
    ['live', 'a folder', (path: string) => mkdirSync(path), /this file is not a socket/],
    ['paper', 'a file', (path: string) => writeFileSync(path, 'mine'), /this file is not a socket/],
  ])('in %s mode when its socket path is %s', async (mode, _, make, message) => {
    const bot = new TestBot(url);
    make(bot.socket);
    const before = requests;
    const { code, stderr } = await runInProcess(['run', 'bot.yaml', '--set', `mode=${mode}`], bot.folder);
    expect(stderr).toMatch(message);
    expect({ code, requests }).toEqual({ code: 3, requests: before });
  });

  it.each(['live', 'paper'])('in %s mode when another bot listens on its socket', async (mode) => {
    const bot = new TestBot(url);
    const other = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => void other.listen(bot.socket, resolve));
    const before = requests;
    const { code, stderr } = await runInProcess(['run', 'bot.yaml', '--set', `mode=${mode}`], bot.folder);
    expect(stderr).toMatch(/another bot listens there/);
    expect({ code, requests }).toEqual({ code: 3, requests: before });
    other.close();
  });
});
