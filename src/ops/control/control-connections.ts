/**
 * The connections to a running bot. Each executes its commands in order, except that a kill does not wait.
 *
 * Invariants:
 * - At most `controlConnections` connections of a server are open. One more closes the longest idle one at once. A
 *   connection is idle if no command or watch is in progress, and nothing happened for `KILL_GRACE_MS`.
 * - Commands are numbered as they arrive on all connections. The bot executes no `resume`, `reduce` or `flatten` after
 *   a command that arrived later, see `ControlledBot.operate`.
 * - A received command is executed even if the client has disconnected, because a kill must not be lost. Only read-only
 *   commands are skipped then.
 * - A connection that is ended for waiting commands or unread answers still executes a kill that arrives within
 *   `KILL_GRACE_MS`. The kill, or a line that is too long, closes it at once.
 */
import type { Server, Socket } from 'node:net';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { type EpochMs, InputFault, timeAfter } from '../../domain/index.ts';
import { NETWORK_LIMITS } from '../../network/index.ts';
import { WATCH_MS } from '../feed/bot-feed.ts';
import { CONTROL_VERSION, splitLines } from './commands.ts';
import { type CommandContext, type ControlClient, executeLine, isValidKill } from './execute-command.ts';

/** A kill may be on its way to a connection that was ended, or was active, less than this time ago. */
const KILL_GRACE_MS = 5_000;
const MAX_WATCHED_REPORTS = 16;
/** An unchanged report is sent again after this time, as a sign that the bot runs. */
const UNCHANGED_REPORT_MS = 1_000;

/** The open connections of one server. */
export class ControlConnections {
  readonly #open = new Set<ControlConnection>();

  get isFull(): boolean {
    return this.#open.size >= NETWORK_LIMITS.controlConnections;
  }

  /** Executes the commands of a connection, and closes another one if too many are open. @param socket decodes UTF-8 */
  serve(socket: Socket, client: ControlClient): void {
    if (this.isFull) this.#closeLongestIdle();
    const connection = new ControlConnection(socket, client);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  /** Closes the server without waiting for clients that read no answers. */
  close(server: Server): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      for (const { socket } of this.#open) {
        if (socket.writableLength > 0) socket.destroy();
        else socket.destroySoon();
      }
    });
  }

  /** Closes the longest idle connection. If none is idle, closes the one whose last command or answer is the oldest. */
  #closeLongestIdle(): void {
    const connections = [...this.#open].toSorted((a, b) => a.lastActiveAt - b.lastActiveAt);
    const closing = connections.find(({ isIdle }) => isIdle) ?? connections[0];
    if (closing === undefined) return;
    // The event `close` comes after further connections of the same burst.
    this.#open.delete(closing);
    closing.socket.destroy();
  }
}

class ControlConnection {
  readonly socket: Socket;
  readonly #client: ControlClient;
  /** Each command except a kill waits for the answers to all previous commands. */
  #lastAnswer: Promise<void> = Promise.resolve();
  /** When the connection was made, or received or answered its last command. */
  lastActiveAt: EpochMs;
  #waiting = 0;
  #watches = 0;

  constructor(socket: Socket, client: ControlClient) {
    const { clock, log } = client;
    this.socket = socket;
    this.#client = client;
    this.lastActiveAt = clock.now();
    const receive = splitLines('control', NETWORK_LIMITS.controlCommand, (line) => this.#onLine(line));
    socket.on('data', (piece: string) => {
      try {
        receive(piece);
      } catch (error) {
        log.warn({ err: error }, 'control: a socket was closed');
        socket.destroy();
      }
    });
    socket.on('error', (error) => log.debug({ err: error }, 'control: a socket broke'));
  }

  get isIdle(): boolean {
    const isActive = this.#client.clock.now() < timeAfter(this.lastActiveAt, KILL_GRACE_MS);
    return this.#waiting === 0 && this.#watches === 0 && !isActive;
  }

  #onLine(line: string): void {
    const { socket } = this;
    const { bot, clock, log, isViewer = false } = this.#client;
    this.lastActiveAt = clock.now();
    if (this.#waiting >= NETWORK_LIMITS.controlQueue && socket.writable) {
      log.warn({}, `control: a socket was closed, because more than ${NETWORK_LIMITS.controlQueue} commands wait`);
      this.#end();
    }
    const isKill = !isViewer && isValidKill(line);
    if (!socket.writable) {
      if (!isKill || socket.destroyed) return;
      // No further kill is needed, and each that waits costs memory.
      socket.destroy();
    }
    this.#waiting += 1;
    const number = bot.nextCommandNumber();
    const previousAnswer = this.#lastAnswer;
    const answered = (isKill ? Promise.resolve() : previousAnswer).then(() => this.#execute(line, number));
    this.#lastAnswer = answered.then(() => previousAnswer);
  }

  async #execute(line: string, number: number): Promise<void> {
    const { socket } = this;
    const isDisconnected = !socket.writable;
    const answer = await executeLine(line, this.#client, { number, isDisconnected, watch: this.#watch });
    this.#waiting -= 1;
    this.lastActiveAt = this.#client.clock.now();
    if (!socket.writable || answer === undefined) return;
    socket.write(`${JSON.stringify(answer)}\n`);
    if (socket.writableLength > NETWORK_LIMITS.unsentBytes) this.#end();
  }

  readonly #watch: CommandContext['watch'] = (id, createReport) => {
    if (this.#watches === MAX_WATCHED_REPORTS)
      throw new InputFault('command', 'watch', `at most ${MAX_WATCHED_REPORTS} reports on one connection`);
    this.#watches += 1;
    sendReports(this.socket, this.#client.clock, id, createReport);
  };

  /** Only a kill is executed from now on, without an answer. */
  #end(): void {
    const { socket } = this;
    const { clock } = this.#client;
    socket.end();
    const cancel = clock.schedule(timeAfter(clock.now(), KILL_GRACE_MS), () => void socket.destroy());
    socket.once('close', cancel);
  }
}

/** Sends a report now, and again after each change, at most every `WATCH_MS`, until the connection ends. */
function sendReports(socket: Socket, clock: Clock, id: number, createReport: () => string): void {
  let sent = '';
  let sentAt = 0;
  const send = (): void => {
    // A slow client gets no further report until it has read the last one.
    if (!socket.writable || socket.writableLength > 0) return;
    const report = createReport();
    const now = clock.now();
    if (report === sent && now - sentAt < UNCHANGED_REPORT_MS) return;
    sent = report;
    sentAt = now;
    socket.write(`{"v":${CONTROL_VERSION},"id":${id},"ok":true,"result":${report}}\n`);
  };
  send();
  const stop = repeatEvery(clock, WATCH_MS, () => (socket.writable ? send() : stop()));
}
