/** Client of a running bot: its address, single commands, and reports. */
import { connect, isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../clock/index.ts';
import { Fault, InputFault, timeAfter } from '../../domain/index.ts';
import { NETWORK_LIMITS, tryParseJson } from '../../network/index.ts';
import { CONTROL_VERSION, type ControlCommand, responseSchema, splitLines } from './commands.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  /** Whether a proxy in front of the bot terminates TLS. The client checks the proxy's certificate. */
  readonly isTls: boolean;
  readonly token: string;
}

/** The absolute path of a control socket, or a TCP address. */
export type BotAddress = string | TcpAddress;

/** Minimum length of a token: 128 random bits in hex. */
const MIN_TOKEN_LENGTH = 32;
/** Visible ASCII, which environment variables and files keep unchanged. */
const TOKEN = new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN_LENGTH},1000}$`);

/** Returns a valid token. @param field name of the token in the error @throws InputFault, which hides the token */
export function checkToken(token: string, field: string): string {
  if (TOKEN.test(token)) return token;
  const expected = `a token of ${MIN_TOKEN_LENGTH} to 1000 visible ASCII characters: make one with \`openssl rand -hex 32\``;
  throw new InputFault(field, undefined, expected);
}

/** @param text `tcp://host:port` or `tls://host:port`. @throws InputFault that shows at most host and port */
export function parseTcpAddress(text: string, field: string): Omit<TcpAddress, 'token'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isTls = url?.protocol === 'tls:';
  const isKnown = isTls || url?.protocol === 'tcp:';
  if (url === undefined || !isKnown || url.hostname === '' || !(Number(url.port) > 0)) {
    throw new InputFault(field, undefined, 'tcp://<host>:<port> or tls://<host>:<port>, the port from 1 to 65535');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname.length > 1) {
    const expected = 'only a host and a port: give the token with --token-env';
    throw new InputFault(field, `${url.protocol}//${url.host}`, expected);
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), isTls };
}

/** Formats an address for people, without the token. */
export function addressText(address: BotAddress): string {
  if (typeof address === 'string') return address;
  const { host, port, isTls } = address;
  return `${isTls ? 'tls' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export interface ControlRequest {
  readonly command: ControlCommand;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Ends the wait for the answer with a fault. */
  readonly signal?: AbortSignal | undefined;
}

/** Commands can take seconds: a verified kill, or a new market that waits for its first book. */
const TIMEOUT_MS = 30_000;
const CONNECT_AND_LOGIN_MS = 10_000;
/** Error codes if no bot listens. EINVAL and ENAMETOOLONG mean that the path is too long for a socket. */
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'EINVAL', 'ENAMETOOLONG']);

/**
 * Sends a command to a running bot and returns its result.
 * @throws Fault NO_BOT if no bot listens, CONTROL_INPUT for invalid arguments, CONTROL otherwise
 */
export async function requestBot(
  address: BotAddress,
  { command, args = {}, signal }: ControlRequest,
  clock: Clock,
  timeoutMs = TIMEOUT_MS,
): Promise<unknown> {
  const socket = await connectTo(address);
  if (signal !== undefined) addAbortSignal(signal, socket);
  try {
    socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 1, command, args })}\n`);
    return readResult(await readFirstLine(socket, address, clock, timeoutMs), address);
  } finally {
    socket.destroy();
  }
}

/** Connects to a bot, and logs in at a TCP address. The socket decodes UTF-8. @throws Fault NO_BOT, CONTROL */
export async function connectTo(address: BotAddress): Promise<Socket> {
  if (typeof address === 'string') return waitForConnection(connect(address), 'connect', address);
  const { host, port, isTls, token } = address;
  const socket = isTls
    ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connect({ host, port });
  // Without this timeout, a host that drops packets blocks for minutes.
  socket.setTimeout(CONNECT_AND_LOGIN_MS, () => {
    socket.destroy(new Error(`it did not answer within ${CONNECT_AND_LOGIN_MS} ms`));
  });
  await waitForConnection(socket, isTls ? 'secureConnect' : 'connect', address);
  try {
    socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 0, command: 'login', args: { token } })}\n`);
    readResult(await readFirstLine(socket, address), address);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.setTimeout(0);
  return socket;
}

/** @throws Fault for a refusal, or an answer that is not from a bot */
function readResult(line: string, address: BotAddress): unknown {
  const response = responseSchema.safeParse(tryParseJson(line));
  if (!response.success) throw controlFault(address, 'the process that answers there is no halfspread bot');
  const answer = response.data;
  if (answer.ok) return answer.result;
  const { code, message } = answer.error;
  throw new Fault(code === 'INPUT' ? 'CONTROL_INPUT' : 'CONTROL', message);
}

/** @throws Fault NO_BOT */
function waitForConnection(socket: Socket, event: 'connect' | 'secureConnect', address: BotAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.setEncoding('utf8');
    socket.once(event, () => resolve(socket));
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const isAbsent = NOT_LISTENING.has(cause.code ?? '');
      const problem = isAbsent ? 'no bot runs there' : `it cannot be reached (${cause.message})`;
      reject(controlFault(address, problem, cause, isAbsent ? 'NO_BOT' : 'CONTROL'));
    });
  });
}

function controlFault(address: BotAddress, problem: string, cause?: unknown, code: 'CONTROL' | 'NO_BOT' = 'CONTROL') {
  return new Fault(code, `${addressText(address)}: ${problem}`, { cause });
}

/** @param clock limits the wait. Default: only the socket's timeout limits the wait */
function readFirstLine(socket: Socket, address: BotAddress, clock?: Clock, timeoutMs = TIMEOUT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const onTimeout = (): void =>
      reject(controlFault(address, `the bot did not answer within ${timeoutMs} ms: it hangs or is overloaded`));
    const cancel = clock?.schedule(timeAfter(clock.now(), timeoutMs), onTimeout);
    const stop = readLines(socket, address, {
      closedProblem: 'the bot closed the connection before it answered',
      onLine: (line) => {
        stop();
        cancel?.();
        resolve(line);
      },
      onFailed: (fault) => {
        cancel?.();
        reject(fault);
      },
    });
  });
}

interface LineReader {
  readonly closedProblem: string;
  /** An error that `onLine` throws is passed to `onFailed`. */
  onLine(line: string): void;
  /** Called twice for a broken connection: for its error, and when it closes. */
  onFailed(fault: Fault): void;
}

/** Passes the bot's lines to `reader`. The returned function stops reading. */
function readLines(socket: Socket, address: BotAddress, reader: LineReader): () => void {
  const receive = splitLines(addressText(address), NETWORK_LIMITS.controlAnswer, (line) => reader.onLine(line));
  const onData = (piece: string): void => {
    try {
      receive(piece);
    } catch (cause) {
      reader.onFailed(cause instanceof Fault ? cause : controlFault(address, 'the bot sent an invalid report', cause));
    }
  };
  const onError = (cause: Error): void =>
    reader.onFailed(controlFault(address, `the connection to the bot broke (${cause.message})`, cause));
  const onClose = (): void => reader.onFailed(controlFault(address, reader.closedProblem));
  socket.on('data', onData).once('error', onError).once('close', onClose);
  return () => socket.off('data', onData).off('error', onError).off('close', onClose);
}

export interface BotWatch {
  /** Called once, before the first report. */
  onConnected?(): void;
  /** Receives each report, unvalidated. The first report arrives at once. */
  onReport(result: unknown): void;
  /** Called instead of `onReport` for a report equal to the last one. Default: `onReport` is called. */
  onRepeated?(): void;
  /** Called once, when the connection ends or the bot refuses. No report follows. */
  onEnded(fault: Fault): void;
}

type WatchCommand =
  | { readonly command: 'watch' }
  | { readonly command: 'watch-market'; readonly args: { readonly market: string } };

/** Silence that ends a watch, because a crashed machine closes no connection. A bot reports at least once a second. */
const SILENT_MS = 10_000;

/** Receives reports of a running bot. The returned function ends the watch. @throws Fault NO_BOT, CONTROL */
export async function watchBot(address: BotAddress, request: WatchCommand, watch: BotWatch): Promise<() => void> {
  const socket = await connectTo(address);
  watch.onConnected?.();
  let isEnded = false;
  let lastLine = '';
  const end = (fault: Fault): void => {
    if (isEnded) return;
    isEnded = true;
    socket.destroy();
    watch.onEnded(fault);
  };
  readLines(socket, address, {
    closedProblem: 'the bot closed the connection',
    onLine: (line) => {
      if (line === lastLine && watch.onRepeated !== undefined) watch.onRepeated();
      else watch.onReport(readResult(line, address));
      lastLine = line;
    },
    onFailed: end,
  });
  if (typeof address !== 'string')
    socket.setTimeout(SILENT_MS, () => end(controlFault(address, `no report arrived for ${SILENT_MS} ms`)));
  socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 1, ...request })}\n`);
  return () => {
    isEnded = true;
    socket.destroy();
  };
}
