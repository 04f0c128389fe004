/**
 * Executes the commands of clients.
 *
 * Invariant: a command is validated completely before it has an effect. Each change is recorded as an event of the run.
 */
import type { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { errorMessage, Fault, InputFault, type OperatorCommand } from '../../domain/index.ts';
import { parseJson, tryParseJson } from '../../network/index.ts';
import { nearest, parseStrict } from '../../strategy/index.ts';
import type { Log } from '../log/log.ts';
import type { ControlledBot } from './bot-port.ts';
import {
  CONTROL_COMMANDS as COMMANDS,
  CONTROL_VERSION,
  type ControlCommand,
  type ControlResponse,
  isControlCommand,
  requestSchema,
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

/** The number and the connection of a command. */
export interface CommandContext {
  /** Number of the command among those of all connections. */
  readonly number: number;
  readonly isDisconnected: boolean;
  /** Sends reports until the connection ends. Each report repeats the command's `id`. */
  watch(id: number, createReport: () => string): void;
}

type Handler = (
  bot: ControlledBot,
  args: object,
  context: { readonly number: number; watch(createReport: () => string): typeof WATCHED },
) => unknown;

/** Commands that change nothing. They are not logged, and a viewer can send them. */
const READ_ONLY = {
  status: validated(COMMANDS.status, (bot) => bot.status()),
  orders: validated(COMMANDS.orders, (bot) => bot.orders()),
  positions: validated(COMMANDS.positions, (bot) => bot.positions()),
  fills: validated(COMMANDS.fills, (bot, { limit }) => bot.fills(limit)),
  log: validated(COMMANDS.log, (bot, { level, limit, after }) => bot.log(level, limit, after)),
  watch: validated(COMMANDS.watch, (bot, _, { watch }) => watch(() => bot.reportJson())),
  'watch-market': validated(COMMANDS['watch-market'], (bot, { market }, { watch }) =>
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

/** Whether a line is a kill that `executeLine` does not refuse for its form. */
export function isValidKill(line: string): boolean {
  const { success, data } = requestSchema.safeParse(tryParseJson(line));
  return success && data.v === CONTROL_VERSION && data.command === 'kill' && COMMANDS.kill.safeParse(data.args).success;
}

/**
 * Executes one command. Never rejects.
 * @returns undefined for a watch, which sends its own answers, and for a skipped command
 */
export async function executeLine(
  line: string,
  client: ControlClient,
  context: CommandContext,
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
    if (isReadOnly && context.isDisconnected) return undefined;
    const result = await execute(request, client, context);
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
  { number, watch }: CommandContext,
): unknown {
  if (!isControlCommand(name)) {
    const near = nearest(name, Object.keys(COMMANDS));
    const knownNames = `one of ${Object.keys(COMMANDS).join(', ')}`;
    throw new InputFault('command', name, near === undefined ? knownNames : `a known one (did you mean "${near}"?)`);
  }
  if (isViewer && !Object.hasOwn(READ_ONLY, name))
    throw new Fault('FORBIDDEN', `this token is for viewing only, not for ${name}`);
  const watchAs = (createReport: () => string): typeof WATCHED => {
    watch(id, createReport);
    return WATCHED;
  };
  return HANDLERS[name](bot, args, { number, watch: watchAs });
}

function validated<Schema extends z.ZodType>(
  schema: Schema,
  run: (bot: ControlledBot, args: z.output<Schema>, context: Parameters<Handler>[2]) => unknown,
): Handler {
  return (bot, rawArgs, context) => run(bot, parseStrict(schema, rawArgs, ''), context);
}

/** Uses the schema of `kill`, because all operator commands have the same arguments. */
function operatorCommand(command: OperatorCommand): Handler {
  return validated(COMMANDS.kill, (bot, { reason }, { number }) => bot.operate(command, reason, number));
}
