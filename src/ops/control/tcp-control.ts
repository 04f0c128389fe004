/**
 * The TCP port of a running bot, for programs on other machines. Uses the protocol of the control socket.
 *
 * Invariants:
 * - Before the login, a connection can execute no command, and costs at most one short line and a few seconds.
 * - Connections before the login do not count against the limit of logged-in connections.
 * - Tokens are kept as hashes, compared in constant time, and never logged.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { timeAfter } from '../../domain/index.ts';
import { FailedAttempts, listenOn, NETWORK_LIMITS, tryParseJson } from '../../network/index.ts';
import { CONTROL_VERSION, type ControlResponse } from './commands.ts';
import { ControlConnections } from './control-connections.ts';
import type { ControlClient } from './execute-command.ts';

export interface TcpControlOptions extends Pick<ControlClient, 'bot' | 'clock' | 'log'> {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Allows all commands. */
  readonly token: string;
  /** Allows read-only commands. Default: none. */
  readonly viewerToken?: string | undefined;
}

const MAX_LOGIN_CHARACTERS = 2_000;
const LOGIN_TIMEOUT_MS = 5_000;
/** Maximum number of connections before the login. A further connection closes the oldest. */
const MAX_LOGGING_IN = 16;
const MAX_WRONG_TOKENS_A_MINUTE = { perAddress: 5, total: 1_000 };
/** An idle connection is closed after this time. Commands take at most 30 s. */
const IDLE_TIMEOUT_MS = 60_000;

const loginSchema = z.object({
  v: z.int(),
  id: z.int().default(0),
  command: z.literal('login'),
  args: z.object({ token: z.string() }),
});

export class TcpControl {
  readonly #options: TcpControlOptions;
  readonly #tokens: readonly { readonly hash: Buffer; readonly isViewer: boolean }[];
  readonly #server: Server;
  readonly #loggingIn = new Set<Socket>();
  readonly #connections = new ControlConnections();
  readonly #failedLogins = new FailedAttempts(MAX_WRONG_TOKENS_A_MINUTE);
  #port = 0;

  private constructor(options: TcpControlOptions) {
    const { token, viewerToken } = options;
    this.#options = options;
    this.#tokens = [
      { hash: digest(token), isViewer: false },
      ...(viewerToken === undefined ? [] : [{ hash: digest(viewerToken), isViewer: true }]),
    ];
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    return this.#port;
  }

  /** @throws InputFault if the port cannot be opened */
  static async listen(options: TcpControlOptions): Promise<TcpControl> {
    const control = new TcpControl(options);
    const { host, port } = options;
    control.#port = await listenOn(control.#server, port, host, 'control.tcp.port');
    return control;
  }

  /** Does not wait for clients that read no answers. */
  close(): Promise<void> {
    for (const socket of this.#loggingIn) socket.destroy();
    return this.#connections.close(this.#server);
  }

  #accept(socket: Socket): void {
    const { clock, log } = this.#options;
    const from = socket.remoteAddress ?? '';
    socket.on('error', (error) => log.debug({ err: error }, 'control: a connection broke'));
    const [oldest] = this.#loggingIn;
    if (this.#loggingIn.size >= MAX_LOGGING_IN) oldest?.destroy();
    this.#loggingIn.add(socket);
    const cancel = clock.schedule(timeAfter(clock.now(), LOGIN_TIMEOUT_MS), () => socket.destroy());
    const endLogin = (): void => {
      cancel();
      this.#loggingIn.delete(socket);
    };
    socket.once('close', endLogin);
    socket.setEncoding('utf8');
    let received = '';
    const onData = (chunk: string): void => {
      received += chunk;
      const lineEnd = received.indexOf('\n');
      if ((lineEnd < 0 ? received.length : lineEnd) > MAX_LOGIN_CHARACTERS) socket.destroy();
      else if (lineEnd < 0) return;
      else onLoginLine(lineEnd);
    };
    const onLoginLine = (lineEnd: number): void => {
      socket.off('data', onData);
      endLogin();
      const rest = received.slice(lineEnd + 1);
      this.#logIn(socket, from, received.slice(0, lineEnd));
      if (rest !== '' && !socket.destroyed) socket.unshift(rest, 'utf8');
    };
    socket.on('data', onData);
  }

  #logIn(socket: Socket, from: string, line: string): void {
    const { bot, clock, log } = this.#options;
    const login = this.#checkLogin(from, line);
    if (typeof login === 'string') {
      write(socket, { v: CONTROL_VERSION, id: 0, ok: false, error: { code: 'LOGIN', message: login } });
      socket.destroySoon();
      return;
    }
    socket.setNoDelay(true);
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
    const { id, isViewer } = login;
    write(socket, { v: CONTROL_VERSION, id, ok: true, result: { role: isViewer ? 'viewer' : 'operator' } });
    this.#connections.serve(socket, { bot, log, clock, from, isViewer });
  }

  /** @returns the accepted login, or why it is refused */
  #checkLogin(from: string, line: string): string | { readonly id: number; readonly isViewer: boolean } {
    const { clock, log } = this.#options;
    const login = loginSchema.safeParse(tryParseJson(line));
    if (!login.success) return 'log in first: this port expects the token of a command line or dashboard';
    const { v, id, args } = login.data;
    if (v !== CONTROL_VERSION)
      return 'the bot is of another version: use the command line and the dashboard of its version';
    const waitSeconds = this.#failedLogins.waitSeconds(from, clock.now());
    if (waitSeconds > 0) return `too many wrong tokens from this address: try again in ${waitSeconds} s`;
    const givenHash = digest(args.token);
    // Compares all tokens, so that the time does not depend on which one matches.
    const [found] = this.#tokens.filter(({ hash }) => timingSafeEqual(hash, givenHash));
    if (found === undefined) {
      this.#failedLogins.add(from, clock.now());
      log.warn({ from }, 'control: a login with a wrong token');
      return 'the token is wrong';
    }
    const { isViewer } = found;
    const { controlConnections } = NETWORK_LIMITS;
    // An operator is never refused, because a kill must be executed.
    return isViewer && this.#connections.isFull ? `more than ${controlConnections} connections` : { id, isViewer };
  }
}

function write(socket: Socket, response: ControlResponse): void {
  socket.write(`${JSON.stringify(response)}\n`);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
