/**
 * The control socket of a running bot: a Unix socket that only its owner may open.
 *
 * Invariant: a command is validated completely before it has an effect. Each change of the bot is an event of its run.
 */
import { type BigIntStats, chmodSync, existsSync, linkSync, lstatSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { Fault, FileFault, InputFault } from '../../domain/index.ts';
import { NETWORK_LIMITS, parseJson } from '../../network/index.ts';
import { checkFolder } from '../../runtime/index.ts';
import { nearest, parseStrict } from '../../strategy/index.ts';
import { BOT_MS, MARKET_MS } from '../feed/bot-feed.ts';
import type { Log } from '../log/log.ts';
import type { ControlledBot } from './bot-port.ts';
import {
  CONTROL_COMMANDS as COMMANDS,
  CONTROL_VERSION,
  type ControlResponse,
  isControlCommand,
  requestSchema,
  splitLines,
} from './commands.ts';
import { connectTo } from './control-client.ts';
import { Watches } from './watches.ts';

export interface ControlOptions {
  readonly path: string;
  readonly bot: ControlledBot;
  readonly clock: Clock;
  readonly log: Log;
}

/** Most bytes in the path of a Unix socket, with the zero at its end. */
const LONGEST_PATH = 107;
/** Bytes of `/.XXXXXX/s`, the temporary path. */
const TEMPORARY_BYTES = 10;
/** Commands that change nothing and are not logged. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'status',
  'orders',
  'positions',
  'fills',
  'log',
  'watch',
  'watch-market',
]);
const OWNER_ONLY = 0o600;
const WATCHED = Symbol('watched');

export class ControlServer {
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;
  readonly #path: string;
  /** Identity of this server's socket file. */
  readonly #own: BigIntStats;

  private constructor(server: Server, sockets: ReadonlySet<Socket>, path: string, own: BigIntStats) {
    this.#server = server;
    this.#sockets = sockets;
    this.#path = path;
    this.#own = own;
  }

  /** @throws FileFault when another process listens there, or no socket can have this path */
  static async listen({ path, bot, clock, log }: ControlOptions): Promise<ControlServer> {
    await clearControlPath(path);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(socket, { bot, log, watches: new Watches(socket, clock) });
    });
    server.maxConnections = NETWORK_LIMITS.controlConnections;
    return new ControlServer(server, sockets, path, await bound(server, path));
  }

  /** Deletes the socket file, unless another process replaced it. Does not wait for clients that read no answers. */
  async close(): Promise<void> {
    // While the server is open, no other file gets the socket's inode.
    deleteOwn(this.#path, this.#own);
    for (const socket of this.#sockets) socket.end();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) {
        if (socket.writableLength > 0) socket.destroy();
        else socket.destroySoon();
      }
    });
  }
}

/** Deletes the socket of a process that has died. @throws FileFault when another process listens there, or it is not a socket */
export async function clearControlPath(path: string): Promise<void> {
  const found = checkControlPath(path);
  if (found === undefined) return;
  try {
    (await connectTo(path)).destroy();
  } catch (cause) {
    // A bot that is frozen, or has too many connections, still runs.
    if (!(cause instanceof Fault && cause.code === 'NO_BOT')) throw taken(path, cause);
    deleteOwn(path, found);
    return;
  }
  throw taken(path);
}

/** Whether a socket can be made at a path, or is there. @returns what is there. @throws FileFault where neither is so */
export function checkControlPath(path: string): BigIntStats | undefined {
  refuseLong(path);
  const elsewhere = 'Set `control.socket` to a path in a folder that this user may write to';
  if (!existsSync(dirname(path))) throw new FileFault(path, undefined, 'its folder is not there', elsewhere);
  checkFolder(dirname(path), elsewhere);
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || found.isSocket()) return found;
  const remedy = 'Set `control.socket` to a path of its own, such as /tmp/halfspread.sock';
  throw new FileFault(path, undefined, 'this file is not a socket and is not replaced', remedy);
}

function taken(path: string, cause?: unknown): FileFault {
  const remedy = 'End it first, or give this one a database of its own';
  return new FileFault(path, undefined, 'another bot listens there', remedy, { cause });
}

function refuseLong(path: string): void {
  const folder = Buffer.byteLength(dirname(path));
  if (Buffer.byteLength(path) <= LONGEST_PATH && folder + TEMPORARY_BYTES <= LONGEST_PATH) return;
  const problem = `a socket's path has at most ${LONGEST_PATH} bytes, and its folder ${LONGEST_PATH - TEMPORARY_BYTES}`;
  throw new FileFault(path, undefined, problem, 'Set `control.socket` to a shorter path, such as /tmp/halfspread.sock');
}

/**
 * Creates the socket in a private folder and links it to its path. When the server closes, Node deletes whatever file has the
 * path that it was given. Only this user can enter the private folder, and a link never replaces a file.
 * @returns identity of the file at the path
 */
async function bound(server: Server, path: string): Promise<BigIntStats> {
  let folder: string | undefined;
  try {
    // `join` would drop the full stop, which would name a folder beside this one.
    folder = mkdtempSync(`${dirname(path)}/.`);
    const temporary = join(folder, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(temporary, () => resolve());
    });
    chmodSync(temporary, OWNER_ONLY);
    linkSync(temporary, path);
    return lstatSync(temporary, { bigint: true });
  } catch (cause) {
    server.close();
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (isTaken) throw new FileFault(path, undefined, 'another process just made this file', 'Start again', { cause });
    const why = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'Set `control.socket` to a path in a folder that this user may write to';
    throw new FileFault(path, undefined, `no socket can be made there (${why})`, remedy, { cause });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

/** Deletes a file, unless it was replaced. */
function deleteOwn(path: string, { dev, ino }: BigIntStats): void {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found !== undefined && found.dev === dev && found.ino === ino) unlinkSync(path);
}

interface Client {
  readonly bot: ControlledBot;
  readonly log: Log;
  readonly watches: Watches;
}

function serve(socket: Socket, client: Client): void {
  const { log } = client;
  const { controlCommand, controlQueue, unsentBytes } = NETWORK_LIMITS;
  // Answers keep the order of the commands.
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const take = splitLines(controlCommand, (line) => {
    if (waiting === controlQueue) throw new Fault('CONTROL', `more than ${controlQueue} commands wait`);
    waiting += 1;
    last = last.then(async () => {
      if (socket.destroyed) return;
      const answer = await answerTo(line, client);
      waiting -= 1;
      if (socket.destroyed || answer === undefined) return;
      socket.write(`${JSON.stringify(answer)}\n`);
      if (socket.writableLength > unsentBytes) socket.destroy();
    });
  });
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    try {
      take(piece);
    } catch (error) {
      log.warn({ err: error }, 'control: a socket was closed');
      socket.destroy();
    }
  });
  socket.on('error', (error) => log.debug({ err: error }, 'control: a socket broke'));
}

/** Never rejects. @returns undefined when a watch answers */
async function answerTo(line: string, client: Client): Promise<ControlResponse | undefined> {
  let id = 0;
  try {
    const request = parseStrict(requestSchema, jsonOf(line), 'request');
    id = request.id;
    if (request.v !== CONTROL_VERSION) {
      throw new InputFault(
        'request.v',
        request.v,
        `${CONTROL_VERSION}: the command line and the bot are of different versions, use that of the bot`,
      );
    }
    const result = await execute(request, client);
    if (result === WATCHED) return undefined;
    if (!READ_ONLY.has(request.command)) {
      client.log.info({ command: request.command, args: request.args }, "an operator's command was executed");
    }
    return { v: CONTROL_VERSION, id, ok: true, result: result ?? null };
  } catch (error) {
    const isFault = error instanceof Fault;
    if (!isFault) client.log.error({ err: error }, 'control: a command failed');
    const message = error instanceof Error ? error.message : String(error);
    return { v: CONTROL_VERSION, id, ok: false, error: { code: isFault ? error.code : 'INTERNAL', message } };
  }
}

function jsonOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new InputFault('request', line, 'a line of JSON', { cause });
  }
}

type Request = z.output<typeof requestSchema>;

/** @returns the answer, or `WATCHED` when reports answer */
async function execute({ id, command: name, args: given }: Request, { bot, watches }: Client): Promise<unknown> {
  if (!isControlCommand(name)) {
    const near = nearest(name, Object.keys(COMMANDS));
    throw new InputFault(
      'command',
      name,
      near === undefined ? `one of ${Object.keys(COMMANDS).join(', ')}` : `a known one (did you mean "${near}"?)`,
    );
  }
  switch (name) {
    case 'status':
      parseStrict(COMMANDS.status, given, '');
      return bot.status();
    case 'orders':
      parseStrict(COMMANDS.orders, given, '');
      return bot.orders();
    case 'positions':
      parseStrict(COMMANDS.positions, given, '');
      return bot.positions();
    case 'fills':
      return bot.fills(parseStrict(COMMANDS.fills, given, '').limit);
    case 'log': {
      const { level, limit, after } = parseStrict(COMMANDS.log, given, '');
      return bot.log(level, limit, after);
    }
    case 'watch':
      parseStrict(COMMANDS.watch, given, '');
      watches.add(id, BOT_MS, () => bot.watch());
      return WATCHED;
    case 'watch-market': {
      const { market } = parseStrict(COMMANDS[name], given, '');
      watches.add(id, MARKET_MS, () => bot.watchMarket(market));
      return WATCHED;
    }
    case 'cancel-all':
      return bot.operate('cancelAll', parseStrict(COMMANDS[name], given, '').reason);
    case 'market-add': {
      const { market, params } = parseStrict(COMMANDS[name], given, '');
      return bot.addMarket(market, params);
    }
    case 'market-remove':
      return bot.removeMarket(parseStrict(COMMANDS[name], given, '').market);
    case 'market-confirm-fee': {
      const { market, feeBps } = parseStrict(COMMANDS[name], given, '');
      return bot.confirmFee(market, feeBps);
    }
    case 'signal':
      return bot.signal(parseStrict(COMMANDS[name], given, ''));
    case 'set': {
      const { name: parameter, value, market, strategy } = parseStrict(COMMANDS[name], given, '');
      return bot.setParameter(parameter, value, { market, strategy });
    }
    default:
      return bot.operate(name, parseStrict(COMMANDS[name], given, '').reason);
  }
}
