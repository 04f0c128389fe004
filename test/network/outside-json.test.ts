/** Every reader of untrusted JSON checks its nesting before parsing. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readKillFile } from '../../src/app/live/kill-file.ts';
import { wallClock } from '../../src/clock/index.ts';
import { readCatalogue } from '../../src/history/betfair/catalogue.ts';
import { parseMessage } from '../../src/history/betfair/message.ts';
import { parseList } from '../../src/history/recording/block-list.ts';
import { readFrames } from '../../src/history/recording/read-frames.ts';
import { readStepLog } from '../../src/history/recording/read-steps.ts';
import { parseFooter } from '../../src/history/tape-format.ts';
import { tryParseJson } from '../../src/network/index.ts';
import type { ControlledBot } from '../../src/ops/control/bot-port.ts';
import { requestBot, serveControl } from '../../src/ops/index.ts';
import { readableLine } from '../../src/ops/log/log.ts';
import { readWatchdogMessage } from '../../src/ops/watchdog/watchdog.ts';
import { parseBody } from '../../src/server/http/bodies.ts';
import { isServerMessage } from '../../src/server/streams/socket/message-limiter.ts';
import { readMessage } from '../../src/venues/service/transport/answer-codec.ts';
import { runInProcess } from '../cli/trading.ts';

const DEPTH = 3_000;
const DEEP = `{"a":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`;
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

const folder = mkdtempSync(join(tmpdir(), 'json-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'file');
writeFileSync(file, `${DEEP}\n`);
const socket = join(folder, 'sock');

/** Sends one line to a bot's socket. */
async function toBot(): Promise<void> {
  const bot = Object({ nextCommandNumber: () => 1 }) as ControlledBot;
  const server = await serveControl({ path: socket, bot, clock: wallClock(), log: LOG });
  await new Promise<void>((resolve) => {
    const client = connect(socket, () => client.write(`${DEEP}\n`));
    client.once('data', () => resolve(client.destroy() && undefined));
  });
  await server.close();
}

/** Receives one line from a bot's socket. */
async function fromBot(): Promise<void> {
  const server = createServer((client) => client.resume().end(`${DEEP}\n`));
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  await requestBot(socket, { command: 'status' }, wallClock()).catch(() => undefined);
  await new Promise((resolve) => server.close(resolve));
}

/** Receives one answer of a venue in a command. */
async function fromVenue(...args: readonly string[]): Promise<void> {
  const server = createHttpServer((_, response) => response.end(DEEP));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`;
  const { code } = await runInProcess([...args, '--url', url], folder);
  expect(code).not.toBe(0);
  await new Promise((resolve) => server.close(resolve));
}

it.each<[string, () => unknown]>([
  ['the footer of a tape', () => parseFooter(Buffer.from(DEEP))],
  ['the list of a tape', () => parseList(`${DEEP}\n${DEEP}\n`)],
  ['the steps of a session', () => readStepLog(file)],
  ['the frames of a session', () => readFrames(file)],
  ['a line of Betfair', () => parseMessage(DEEP)],
  ['a catalogue of Betfair', () => readCatalogue(file)],
  ['the kill file of a watchdog', () => readKillFile(file)],
  ['a message to a watchdog', () => readWatchdogMessage(DEEP)],
  ['a line of a log', () => readableLine(DEEP)],
  ['the body of a request', () => parseBody(Buffer.from(DEEP))],
  ['a body that is not ASCII', () => parseBody(Buffer.from(DEEP.replace('a', 'ä')))],
  ['a message of a client', () => isServerMessage(DEEP)],
  ['a frame of a venue', () => readMessage(tryParseJson(Buffer.from(DEEP)))],
  ['a command to a bot', toBot],
  ['the answer of a bot', fromBot],
  ['the answer to `markets`', () => fromVenue('markets')],
])('%s is not parsed when it is nested too deeply', async (_, read) => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
  const deep = parse.mock.calls.filter(([text]) => String(text).includes('['.repeat(251)));
  parse.mockRestore();
  expect(deep).toEqual([]);
});
