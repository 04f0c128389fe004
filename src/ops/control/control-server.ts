/**
 * The door through which a running bot is asked and told: a Unix socket that only its owner may open.
 *
 * Each command is validated before anything of it is done; what changes the bot becomes an event of the run there.
 */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Fault, FileFault, InputFault } from '../../domain/index.ts';
import { NETWORK_LIMITS } from '../../network/index.ts';
import { nearest, parseStrict } from '../../strategy/index.ts';
import type { Log } from '../ports.ts';
import type { ControlledBot } from './bot-port.ts';
import {
  CONTROL_COMMANDS as COMMANDS,
  CONTROL_VERSION,
  type ControlResponse,
  isControlCommand,
  requestSchema,
} from './commands.ts';
import { connectTo } from './control-client.ts';
import { splitLines } from './lines.ts';

export interface ControlOptions {
  readonly path: string;
  readonly bot: ControlledBot;
  readonly log: Log;
  /** Sets the process's mask for new files and answers the one before: the socket must never be open to others. */
  readonly umask: (mask: number) => number;
}

/** Names of Unix sockets are that long at most, with the zero at their end. */
const LONGEST_PATH = 107;
/** Change nothing. */
const ASKED: ReadonlySet<string> = new Set(['status', 'orders', 'positions', 'fills']);
const OTHERS_OUT = 0o177;
const OWNER_ONLY = 0o600;

export class ControlServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
  }

  /** @throws FileFault when another process listens there, or the path cannot be one */
  static async listen({ path, bot, log, umask }: ControlOptions): Promise<ControlServer> {
    await clear(path);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(socket, bot, log);
    });
    server.maxConnections = NETWORK_LIMITS.controlConnections;
    await bound(server, path, umask);
    return new ControlServer(server, sockets);
  }

  /** Node deletes the socket with its server. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.end();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroySoon();
    });
  }
}

/** Deletes the socket of a process that was killed. Nothing but a socket is deleted, and none that is answered. */
async function clear(path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    const remedy = 'Set `control.socket` to a shorter path, such as /tmp/halfspread.sock';
    throw new FileFault(path, undefined, `a socket's path has at most ${LONGEST_PATH} bytes`, remedy);
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) {
    const remedy = 'Set `control.socket` to a path of its own, such as /tmp/halfspread.sock';
    throw new FileFault(path, undefined, 'this is no socket, so it is not replaced by one', remedy);
  }
  const socket = await connectTo(path).catch(() => undefined);
  if (socket === undefined) {
    unlinkSync(path);
    return;
  }
  socket.destroy();
  throw new FileFault(
    path,
    undefined,
    'another bot listens there',
    'End it first, or give this one a database of its own',
  );
}

async function bound(server: Server, path: string, umask: (mask: number) => number): Promise<void> {
  const before = umask(OTHERS_OUT);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const remedy = 'Set `control.socket` to a path in a folder that this user may write to';
        reject(new FileFault(path, undefined, `no socket can be made there (${cause.message})`, remedy, { cause }));
      });
      server.listen(path, () => resolve());
    });
  } finally {
    umask(before);
  }
  chmodSync(path, OWNER_ONLY);
}

function serve(socket: Socket, bot: ControlledBot, log: Log): void {
  const { controlCommand, controlQueue, unsentBytes } = NETWORK_LIMITS;
  // Answers keep the order of the questions.
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const take = splitLines(controlCommand, (line) => {
    if (waiting === controlQueue) throw new Fault('CONTROL', `more than ${controlQueue} commands wait`);
    waiting += 1;
    last = last.then(async () => {
      if (socket.destroyed) return;
      const answer = await answered(line, bot, log);
      waiting -= 1;
      if (socket.destroyed) return;
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

/** Never rejects. */
async function answered(line: string, bot: ControlledBot, log: Log): Promise<ControlResponse> {
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
    const result = await obeyed(request.command, request.args, bot);
    if (!ASKED.has(request.command)) {
      log.info({ command: request.command, args: request.args }, 'an operator: done as told');
    }
    return { v: CONTROL_VERSION, id, ok: true, result: result ?? null };
  } catch (error) {
    const isFault = error instanceof Fault;
    if (!isFault) log.error({ err: error }, 'control: a command failed');
    const message = error instanceof Error ? error.message : String(error);
    return { v: CONTROL_VERSION, id, ok: false, error: { code: isFault ? error.code : 'INTERNAL', message } };
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new InputFault('request', line, 'a line of JSON', { cause });
  }
}

async function obeyed(name: string, given: unknown, bot: ControlledBot): Promise<unknown> {
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
    case 'set': {
      const { name: parameter, value, market } = parseStrict(COMMANDS[name], given, '');
      return bot.setParameter(parameter, value, market);
    }
    default:
      return bot.operate(name, parseStrict(COMMANDS[name], given, '').reason);
  }
}
