/**
 * The connections to a running bot. Each executes its commands in order, except that a kill does not wait.
 *
 * Invariants:
 * - A command is validated completely before it has an effect. Each change is recorded as an event of the run.
 * - A `resume` that was received before a kill never ends that kill, whatever caused the kill.
 * - A connection that is ended for a limit still executes a kill that arrives within `KILL_GRACE_MS`. It is closed at
 *   once by a line that is too long, by the first line with a kill, and if `MAX_OPEN` connections are open.
 */
import type { Server, Socket } from 'node:net';
import type { z } from 'zod';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { errorMessage, Fault, InputFault, type OperatorCommand, timeAfter } from '../../domain/index.ts';
import { getMember, NETWORK_LIMITS, parseJson, tryParseJson } from '../../network/index.ts';
import { nearest, parseStrict } from '../../strategy/index.ts';
import { WATCH_MS } from '../feed/bot-feed.ts';
import type { Log } from '../log/log.ts';
import type { ControlledBot } from './bot-port.ts';
import {
  CONTROL_COMMANDS as COMMANDS,
  CONTROL_VERSION,
  type ControlCommand,
  type ControlResponse,
  isControlCommand,
  requestSchema,
  splitLines,
} from './commands.ts';

export interface ControlClient {
  readonly bot: ControlledBot;
  readonly log: Log;
  readonly clock: Clock;
  /** Whether only read-only commands are allowed. Default false. */
  readonly isViewer?: boolean;
  /** Address of another machine, for the log. */
  readonly from?: string;
}

/** Result of a command that sends its own answers. */
const WATCHED = Symbol('watched');

/** Sends reports until the connection ends. Each report repeats the command's `id`. */
type Watch = (id: number, createReport: () => string) => void;
type Handler = (bot: ControlledBot, args: object, watch: (createReport: () => string) => typeof WATCHED) => unknown;

/** Commands that change nothing. They are not logged, and a viewer can send them. */
const READ_ONLY = {
  status: validated(COMMANDS.status, (bot) => bot.status()),
  orders: validated(COMMANDS.orders, (bot) => bot.orders()),
  positions: validated(COMMANDS.positions, (bot) => bot.positions()),
  fills: validated(COMMANDS.fills, (bot, { limit }) => bot.fills(limit)),
  log: validated(COMMANDS.log, (bot, { level, limit, after }) => bot.log(level, limit, after)),
  watch: validated(COMMANDS.watch, (bot, _, watch) => watch(() => bot.reportJson())),
  'watch-market': validated(COMMANDS['watch-market'], (bot, { market }, watch) =>
    watch(() => bot.marketReportJson(market)),
  ),
};

const HANDLERS: Readonly<Record<ControlCommand, Handler>> = {
  ...READ_ONLY,
  cancel: validated(COMMANDS.cancel, (bot, { order }) => bot.cancelOrder(order)),
  'cancel-all': operatorCommand('cancelAll'),
  pause: operatorCommand('pause'),
  reduce: operatorCommand('reduce'),
  flatten: operatorCommand('flatten'),
  resume: operatorCommand('resume'),
  kill: operatorCommand('kill'),
  'market-add': validated(COMMANDS['market-add'], (bot, { market, params }) => bot.addMarket(market, params)),
  'market-remove': validated(COMMANDS['market-remove'], (bot, { market }) => bot.removeMarket(market)),
  'market-confirm-fee': validated(COMMANDS['market-confirm-fee'], (bot, { market, feeBps }) =>
    bot.confirmFee(market, feeBps),
  ),
  signal: validated(COMMANDS.signal, (bot, signal) => bot.signal(signal)),
  set: validated(COMMANDS.set, (bot, { name, value, market, strategy }) =>
    bot.setParameter(name, value, { market, strategy }),
  ),
};

/** A connection that was ended is still read for this time, because a kill may be on its way. */
const KILL_GRACE_MS = 5_000;
/** Maximum number of connections, with those that were ended. A further connection closes the longest idle one. */
const MAX_OPEN = 512;

/**
 * Adds a connection. If `controlConnections` are served already, the longest idle one of them is ended.
 * @param connections the longest idle first
 */
export function addConnection(socket: Socket, connections: Set<Socket>, clock: Clock): void {
  const [longestOpen] = connections;
  if (connections.size >= MAX_OPEN) longestOpen?.destroy();
  const served = [...connections].filter(({ writable }) => writable);
  const [longestIdle] = served;
  if (longestIdle !== undefined && served.length >= NETWORK_LIMITS.controlConnections) endCommands(longestIdle, clock);
  connections.add(socket);
  socket.on('data', () => {
    connections.delete(socket);
    connections.add(socket);
  });
  socket.once('close', () => connections.delete(socket));
}

/** Ends a connection. Only a kill is executed from now on, without an answer. */
function endCommands(socket: Socket, clock: Clock): void {
  if (!socket.writable) return;
  socket.end();
  socket.once(
    'close',
    clock.schedule(timeAfter(clock.now(), KILL_GRACE_MS), () => void socket.destroy()),
  );
}

/**
 * Executes the commands of a connection. A received command is executed even if the client has disconnected meanwhile,
 * because a kill must not be lost. Only read-only commands are skipped then.
 * @param socket decodes UTF-8
 */
export function serveCommands(socket: Socket, client: ControlClient): void {
  const { log, clock, isViewer = false } = client;
  let watchCount = 0;
  const watch: Watch = (id, createReport) => {
    if (watchCount === MAX_WATCHED_REPORTS)
      throw new InputFault('command', 'watch', `at most ${MAX_WATCHED_REPORTS} reports on one connection`);
    sendReports(socket, clock, id, createReport);
    watchCount += 1;
  };
  const { controlCommand, controlQueue, unsentBytes } = NETWORK_LIMITS;
  // Each command except a kill waits for the answers to all previous commands.
  let lastAnswer: Promise<void> = Promise.resolve();
  let waiting = 0;
  const receive = splitLines('control', controlCommand, (line) => {
    if (waiting >= controlQueue && socket.writable) {
      log.warn({}, `control: a socket was closed, because more than ${controlQueue} commands wait`);
      endCommands(socket, clock);
    }
    const isKill = !isViewer && getMember(tryParseJson(line), 'command') === 'kill';
    if (!socket.writable) {
      if (!isKill) return;
      // No further kill is needed, and each that waits costs memory.
      socket.destroy();
    }
    waiting += 1;
    const { killCount } = client.bot;
    const previousAnswer = lastAnswer;
    const answered = (isKill ? Promise.resolve() : previousAnswer).then(async () => {
      const state = { isDisconnected: !socket.writable, isKilled: client.bot.killCount !== killCount };
      const answer = await executeLine(line, { ...client, ...state }, watch);
      waiting -= 1;
      if (!socket.writable || answer === undefined) return;
      socket.write(`${JSON.stringify(answer)}\n`);
      if (socket.writableLength > unsentBytes) endCommands(socket, clock);
    });
    lastAnswer = answered.then(() => previousAnswer);
  });
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

/** Closes a server without waiting for clients that read no answers. */
export function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) {
      if (socket.writableLength > 0) socket.destroy();
      else socket.destroySoon();
    }
  });
}

/**
 * Executes one command. Never rejects.
 * @param client `isKilled`: whether trading was killed while the command waited
 * @returns undefined for a watch, which sends its own answers, and for a skipped command
 */
async function executeLine(
  line: string,
  client: ControlClient & { readonly isDisconnected: boolean; readonly isKilled: boolean },
  watch: Watch,
): Promise<ControlResponse | undefined> {
  let id = 0;
  try {
    const request = parseStrict(requestSchema, parseLine(line), 'request');
    id = request.id;
    if (request.v !== CONTROL_VERSION) {
      const expected = `${CONTROL_VERSION}: the versions of command line and bot differ, use the version of the bot`;
      throw new InputFault('request.v', request.v, expected);
    }
    const isReadOnly = Object.hasOwn(READ_ONLY, request.command);
    if (isReadOnly && client.isDisconnected) return undefined;
    if (client.isKilled && request.command === 'resume')
      throw new Fault('INPUT', 'resume was not executed, because trading was killed after it was received');
    const result = await execute(request, client, watch);
    if (result === WATCHED) return undefined;
    if (!isReadOnly) {
      const { command, args } = request;
      const from = client.from === undefined ? {} : { from: client.from };
      client.log.info({ command, args, ...from }, "an operator's command was executed");
    }
    return { v: CONTROL_VERSION, id, ok: true, result: result ?? null };
  } catch (error) {
    const isFault = error instanceof Fault;
    if (!isFault) client.log.error({ err: error }, 'control: a command failed');
    const message = errorMessage(error);
    return { v: CONTROL_VERSION, id, ok: false, error: { code: isFault ? error.code : 'INTERNAL', message } };
  }
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new InputFault('request', line, 'a line of JSON', { cause });
  }
}

function execute(
  { id, command: name, args }: z.output<typeof requestSchema>,
  { bot, isViewer = false }: ControlClient,
  watch: Watch,
): unknown {
  if (!isControlCommand(name)) {
    const near = nearest(name, Object.keys(COMMANDS));
    const knownNames = `one of ${Object.keys(COMMANDS).join(', ')}`;
    throw new InputFault('command', name, near === undefined ? knownNames : `a known one (did you mean "${near}"?)`);
  }
  if (isViewer && !Object.hasOwn(READ_ONLY, name))
    throw new Fault('FORBIDDEN', `this token is for viewing only, not for ${name}`);
  return HANDLERS[name](bot, args, (createReport) => {
    watch(id, createReport);
    return WATCHED;
  });
}

function validated<Schema extends z.ZodType>(
  schema: Schema,
  run: (bot: ControlledBot, args: z.output<Schema>, watch: Parameters<Handler>[2]) => unknown,
): Handler {
  return (bot, rawArgs, watch) => run(bot, parseStrict(schema, rawArgs, ''), watch);
}

/** Uses the schema of `kill`, because all operator commands have the same arguments. */
function operatorCommand(command: OperatorCommand): Handler {
  return validated(COMMANDS.kill, (bot, { reason }) => bot.operate(command, reason));
}

const MAX_WATCHED_REPORTS = 16;
/** An unchanged report is sent again after this time, as a sign that the bot runs. */
const UNCHANGED_REPORT_MS = 1_000;

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
