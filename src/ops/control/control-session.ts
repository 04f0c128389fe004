/**
 * One connection to a running bot. Executes its commands in order.
 *
 * Invariant: a command is validated completely before it has an effect. Each change of the bot is an event of its run.
 */
import type { Socket } from 'node:net';
import type { z } from 'zod';
import { Fault, InputFault } from '../../domain/index.ts';
import { NETWORK_LIMITS, parseJson } from '../../network/index.ts';
import { nearest, parseStrict } from '../../strategy/index.ts';
import { WATCH_MS } from '../feed/bot-feed.ts';
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
import type { Watches } from './watches.ts';

/** Context of a connection. */
export interface ControlClient {
  readonly bot: ControlledBot;
  readonly log: Log;
  readonly watches: Watches;
  /** Whether only read-only commands are allowed. Default false. */
  readonly isViewer?: boolean;
  /** Address of another machine, for the log. */
  readonly from?: string;
}

/** Commands that change nothing. They are not logged, and a viewer can send them. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'status',
  'orders',
  'positions',
  'fills',
  'log',
  'watch',
  'watch-market',
]);
const WATCHED = Symbol('watched');

/** Executes commands until the connection ends. @param socket decodes UTF-8 */
export function serveCommands(socket: Socket, client: ControlClient): void {
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

/** Never rejects. @returns undefined for a watch, which sends its own answers */
async function answerTo(line: string, client: ControlClient): Promise<ControlResponse | undefined> {
  let id = 0;
  try {
    const request = parseStrict(requestSchema, jsonOf(line), 'request');
    id = request.id;
    if (request.v !== CONTROL_VERSION) {
      throw new InputFault(
        'request.v',
        request.v,
        `${CONTROL_VERSION}: the versions of command line and bot differ, use the version of the bot`,
      );
    }
    const result = await execute(request, client);
    if (result === WATCHED) return undefined;
    if (!READ_ONLY.has(request.command)) {
      const { command, args } = request;
      const from = client.from === undefined ? {} : { from: client.from };
      client.log.info({ command, args, ...from }, "an operator's command was executed");
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

/** @returns the result, or `WATCHED` for a watch */
async function execute(
  { id, command: name, args: given }: Request,
  { bot, watches, isViewer = false }: ControlClient,
): Promise<unknown> {
  if (!isControlCommand(name)) {
    const near = nearest(name, Object.keys(COMMANDS));
    throw new InputFault(
      'command',
      name,
      near === undefined ? `one of ${Object.keys(COMMANDS).join(', ')}` : `a known one (did you mean "${near}"?)`,
    );
  }
  if (isViewer && !READ_ONLY.has(name)) throw new Fault('FORBIDDEN', `this token is for viewing only, not for ${name}`);
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
      watches.add(id, WATCH_MS, () => bot.watch());
      return WATCHED;
    case 'watch-market': {
      const { market } = parseStrict(COMMANDS[name], given, '');
      watches.add(id, WATCH_MS, () => bot.watchMarket(market));
      return WATCHED;
    }
    case 'cancel':
      return bot.cancelOrder(parseStrict(COMMANDS.cancel, given, '').order);
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
