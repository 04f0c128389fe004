/**
 * Configured sources of signals: a growing file, an HTTP address that is polled, a WebSocket.
 *
 * A failing source is retried and never ends the bot. Strategies can see the age of a signal. Every read is bounded.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { WebSocket } from 'ws';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { InputFault, timeAfter } from '../../domain/index.ts';
import { parseSignal, type Signal } from '../../history/index.ts';
import { HttpClient, parseJson } from '../../network/index.ts';
import type { SignalIntake } from './signal-intake.ts';

/** Reads signals from JSON messages: `{ "rain-tomorrow.p": "data.prices.0" }`. */
export interface ValueMapping {
  /** Path of each signal's value: keys and list indexes, separated by dots. */
  readonly values: Readonly<Record<string, string>>;
  /** Ignores messages with other values at these paths, such as `{ type: 'price' }`. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
}

interface FileSource {
  readonly type: 'file';
  readonly path: string;
}

interface HttpSource extends ValueMapping {
  readonly type: 'http';
  readonly url: URL;
  readonly everyMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface SocketSource extends ValueMapping {
  readonly type: 'socket';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly subscribe?: string | undefined;
}

export type SignalSource = FileSource | HttpSource | SocketSource;
const FILE_POLL_MS = 200;
/** Maximum bytes of one read. The next read continues after them. */
const MAX_READ_BYTES = 1_048_576;
const MAX_LINE_CHARACTERS = 4_096;
const MISSING_FILE = 'the file does not exist yet: it is read from its start when it appears';
const MAX_ANSWER_BYTES = 1_048_576;
const ANSWER_TIMEOUT_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Delivers a source's signals to the intake. The returned function stops the source. */
export function startSource(source: SignalSource, intake: SignalIntake, clock: Clock): () => void {
  if (source.type === 'file') return followFile(source, intake, clock);
  return source.type === 'http' ? pollHttp(source, intake, clock) : followSocket(source, intake, clock);
}

/** Reads lines that are added from now on. Reads a replaced or truncated file from its start. */
function followFile({ path }: FileSource, intake: SignalIntake, clock: Clock): () => void {
  let identity: number | undefined;
  let offset = 0;
  let partialLine = '';
  let isFirstRead = true;
  const readNewLines = (): void => {
    // A named pipe without a writer would block the bot.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) throw new Error('it is not a file');
      const { ino, size } = stat;
      if (isFirstRead) offset = size;
      else if (ino !== identity || size < offset) [offset, partialLine] = [0, ''];
      [identity, isFirstRead] = [ino, false];
      const buffer = Buffer.alloc(Math.min(MAX_READ_BYTES, size - offset));
      const bytesRead = readSync(fd, buffer, 0, buffer.length, offset);
      offset += bytesRead;
      const lines = (partialLine + buffer.toString('utf8', 0, bytesRead)).split('\n');
      partialLine = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() !== '') acceptSignals(intake, path, 'LINE', () => [parseSignal(parseJson(line))]);
      }
      if (partialLine.length > MAX_LINE_CHARACTERS) {
        partialLine = '';
        intake.refuse(path, 'LINE', new Error(`a line has more than ${MAX_LINE_CHARACTERS} characters`));
      }
    } finally {
      closeSync(fd);
    }
  };
  return callEvery(clock, FILE_POLL_MS, () => {
    try {
      readNewLines();
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      // A file that appears later is read from its start.
      if (isMissing) isFirstRead = false;
      intake.logFailure(path, 'FILE', isMissing ? new Error(MISSING_FILE) : error);
    }
  });
}

function pollHttp({ url, everyMs, headers, ...mapping }: HttpSource, intake: SignalIntake, clock: Clock): () => void {
  const client = new HttpClient({ clock, keepAlive: true });
  const name = url.origin;
  let isWaiting = false;
  let isClosed = false;
  const request = async (): Promise<void> => {
    const answer = await client.send({ url, headers, timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
    if (isClosed) return;
    if (answer.type === 'failed') intake.logFailure(name, 'HTTP', new Error(answer.problem));
    else if (answer.status !== 200) intake.logFailure(name, 'HTTP', new Error(`it answered ${answer.status}`));
    else acceptSignals(intake, name, 'MESSAGE', () => readSignals(parseJson(answer.text), mapping));
  };
  const stop = callEvery(clock, everyMs, () => {
    if (isWaiting) return;
    isWaiting = true;
    void request().finally(() => {
      isWaiting = false;
    });
  });
  return () => {
    isClosed = true;
    stop();
    client.close();
  };
}

function followSocket(source: SocketSource, intake: SignalIntake, clock: Clock): () => void {
  const { url, headers, subscribe, ...mapping } = source;
  const name = url.origin;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let cancelRetry: () => void = () => {};
  let socket: WebSocket | undefined;
  const retry = (): void => {
    cancelRetry = clock.schedule(timeAfter(clock.now(), retryMs), connect);
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
  };
  const connect = (): void => {
    let opened: WebSocket;
    try {
      opened = new WebSocket(url, {
        headers,
        maxPayload: MAX_ANSWER_BYTES,
        handshakeTimeout: CONNECT_TIMEOUT_MS,
        followRedirects: false,
        perMessageDeflate: false,
      });
    } catch (error) {
      // The headers are invalid.
      intake.logFailure(name, 'SOCKET', error);
      retry();
      return;
    }
    socket = opened;
    opened.on('open', () => {
      retryMs = FIRST_RETRY_MS;
      if (subscribe !== undefined) opened.send(subscribe);
    });
    opened.on('message', (data) => {
      if (!isClosed) acceptSignals(intake, name, 'MESSAGE', () => readSignals(parseJson(String(data)), mapping));
    });
    opened.on('error', (error) => intake.logFailure(name, 'SOCKET', error));
    opened.on('close', () => {
      if (isClosed) return;
      const problem = `the connection ended; the next try is in ${retryMs / 1_000} s`;
      intake.logFailure(name, 'CLOSED', new Error(problem));
      retry();
    });
  };
  connect();
  return () => {
    isClosed = true;
    cancelRetry();
    socket?.terminate();
  };
}

/** Delivers the signals that `read` returns. If `read` throws, the intake counts a refusal of `kind`. */
function acceptSignals(intake: SignalIntake, source: string, kind: string, read: () => readonly Signal[]): void {
  let signals: readonly Signal[];
  try {
    signals = read();
  } catch (error) {
    intake.refuse(source, kind, error);
    return;
  }
  for (const signal of signals) intake.accept(source, signal);
}

/** Reads the signals in a message. Accepts numbers written as text. @throws InputFault for a path without a number */
export function readSignals(message: unknown, { values, where = {} }: ValueMapping): readonly Signal[] {
  const isWanted = Object.entries(where).every(([path, wanted]) => valueAtPath(message, path) === wanted);
  if (!isWanted) return [];
  return Object.entries(values).map(([name, path]) => {
    const found = valueAtPath(message, path);
    const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new InputFault(path, found, `a number for ${name}`);
    return { name, value, time: undefined };
  });
}

function valueAtPath(message: unknown, path: string): unknown {
  let value = message;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Returns a warning for each signal that no strategy reads. @param names undefined if a strategy reads all signals */
export function unreadSignalWarnings(sources: readonly SignalSource[], names?: readonly string[]): readonly string[] {
  if (names === undefined) return [];
  return sources.flatMap((source) => {
    const label = source.type === 'file' ? source.path : source.url.origin;
    if (names.length === 0)
      return `no strategy of this run reads signals, and those of ${label} are refused: add onSignal, or remove the source`;
    const unread = source.type === 'file' ? [] : Object.keys(source.values).filter((name) => !names.includes(name));
    return unread.map((name) => `no strategy reads the signal "${name}" of ${label}; they read ${names.join(', ')}`);
  });
}

function callEvery(clock: Clock, everyMs: number, work: () => void): () => void {
  work();
  return repeatEvery(clock, everyMs, work);
}
