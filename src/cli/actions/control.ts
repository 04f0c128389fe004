import { existsSync } from 'node:fs';
import { z } from 'zod';
import { botCommand, botPaths } from '../../app/live/paths.ts';
import { queryDatabase, STORED_COMMANDS } from '../../app/live/stored-bot.ts';
import { COMMANDS_WITH_VENUE_FLAG, queryVenue } from '../../app/live/venue-queries.ts';
import { wallClock } from '../../clock/index.ts';
import { ConfigFault } from '../../config/config-fault.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { parseYaml } from '../../config/yaml-file.ts';
import { Fault, InputFault, MAX_FEE_BPS } from '../../domain/index.ts';
import { addressText, type ControlCommand, requestBot } from '../../ops/index.ts';
import { type Action, action, assignments, flag, type OptionsOf, optionalText, whole } from '../command.ts';
import { botText, venueText } from '../output/control-text.ts';
import { chooseBotFile } from '../paths.ts';
import { readTcpAddress } from '../remote-bot.ts';

const OPTIONS = {
  db: optionalText,
  json: flag,
  venue: flag,
  config: optionalText,
  bot: optionalText,
  tokenEnv: optionalText,
  tokenFile: optionalText,
  /** Maximum number of fills. */
  limit: whole(1, 10_000).default(50),
  reason: optionalText,
  param: assignments,
  market: z.string().optional(),
  strategy: z.string().optional(),
};
type Options = OptionsOf<typeof OPTIONS>;

/**
 * Returns an action that sends a command to a running bot, or with `--venue` to the venue. If no bot runs, the bot's
 * database answers the commands in `STORED_COMMANDS`.
 * @param operandCount number of operands before the bot's file
 */
export function controlAction(
  command: ControlCommand,
  operandCount = 0,
  toArgs: (operands: readonly string[], options: Options) => object = () => ({}),
): Action {
  return action(OPTIONS, async ({ terminal }, operands, options) => {
    const { out, err, cwd } = terminal;
    const limit = command === 'fills' ? options.limit : undefined;
    const args = { ...toArgs(operands, options), limit, reason: options.reason };
    const config = chooseBotFile(operands[operandCount], options.config);
    const show = (result: unknown): void => {
      out.write(options.json ? `${JSON.stringify(result)}\n` : botText(command, result, out));
    };
    if (options.bot !== undefined) return show(await sendToRemoteBot(options, config, { command, args }, cwd));
    if (options.venue) {
      if (config === undefined)
        throw new InputFault('config', undefined, "the bot's YAML file: it names venue and account");
      const warn = (text: string): void => err.write(`warning: ${text}\n`);
      const answer = await queryVenue({ live: readLiveFile(config, cwd), warn }, command, options.limit);
      return out.write(options.json ? `${JSON.stringify(answer)}\n` : venueText(command, answer, out));
    }
    const { socket, db, killFilePath } = botPaths(config, options.db, cwd);
    try {
      show(await requestBot(socket, { command, args }, wallClock()));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'NO_BOT') throw error;
      if (STORED_COMMANDS.has(command) && existsSync(db)) {
        const resumeCommand = botCommand({ db, socket }, config ?? '', ['resume']);
        const { result, note } = queryDatabase({ db, killFilePath, resumeCommand }, command, options.limit);
        const notes = options.json ? err : out;
        notes.write(`${note}${staleOrdersWarning(command, result)}. \`--venue\` reads from the venue.\n`);
        return show(result);
      }
      throw new ConfigFault(socket, `no bot runs there. ${remedyFor(command, config)}`, { cause: error });
    }
  });
}

export const addMarket = controlAction('market-add', 1, ([market], { param }) => {
  const params = param.map((text) => parseParameter(text));
  return { market, params: Object.fromEntries(params.map(({ name, value }) => [name, value])) };
});

export const removeMarket = controlAction('market-remove', 1, ([market]) => ({ market }));

export const confirmFee = controlAction('market-confirm-fee', 2, ([market, bps]) => ({
  market,
  feeBps: parseFee(bps),
}));

export const cancelOrder = controlAction('cancel', 1, ([order = '']) => {
  if (!/^[1-9]\d{0,14}$/.test(order))
    throw new InputFault('order', order, 'the number of an order, as `orders` shows it');
  return { order: Number(order) };
});

export const sendSignal = controlAction('signal', 2, ([name, value = '']) => {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw new InputFault('value', value, 'a number, such as 0.61');
  return { name, value: number };
});

export const setParameter = controlAction('set', 1, ([parameter = ''], { market, strategy }) => {
  return { ...parseParameter(parameter), market, strategy };
});

/** Sends a command to a remote bot. @throws InputFault if a local bot is also named; faults of `requestBot` */
async function sendToRemoteBot(
  { bot = '', tokenEnv, tokenFile, db, venue }: Options,
  config: string | undefined,
  request: { readonly command: ControlCommand; readonly args: Readonly<Record<string, unknown>> },
  cwd: string,
): Promise<unknown> {
  if (config !== undefined || db !== undefined || venue)
    throw new InputFault(
      '--bot',
      bot,
      'no YAML file, --db or --venue together with it: those name a bot on this machine',
    );
  const places = { env: tokenEnv === undefined ? [] : [tokenEnv], file: tokenFile === undefined ? [] : [tokenFile] };
  const address = readTcpAddress(bot, { field: '--bot', places, cwd });
  try {
    return await requestBot(address, request, wallClock());
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'NO_BOT') throw error;
    const remedy = 'Check the address, and `control.tcp` in the file of the bot';
    throw new ConfigFault(addressText(address), `no bot listens there. ${remedy}`, { cause: error });
  }
}

const openOrdersSchema = z.union([z.array(z.unknown()).min(1), z.looseObject({ openOrders: z.int().min(1) })]);

/** Returns a warning if the result has open orders. A watchdog, a heartbeat or the venue may have cancelled them. */
function staleOrdersWarning(command: ControlCommand, result: unknown): string {
  if ((command !== 'orders' && command !== 'status') || !openOrdersSchema.safeParse(result).success) return '';
  return '; orders may have been cancelled since';
}

/** Commands that stop a bot. Without a running bot, orders may still be open at the venue. */
const STOPPING_COMMANDS: ReadonlySet<ControlCommand> = new Set(['kill', 'pause', 'reduce', 'flatten', 'cancel-all']);

function remedyFor(command: ControlCommand, config: string | undefined): string {
  const file = config ?? '<config.yaml>';
  if (STOPPING_COMMANDS.has(command))
    return `To cancel every order of the account at the venue: \`npx halfspread cancel-all --venue ${file}\`; else name the right file`;
  const venue = COMMANDS_WITH_VENUE_FLAG.has(command) ? '; --venue reads from the venue itself' : '';
  return `Start it with \`npx halfspread run\`, or name the right file${venue}`;
}

/** Parses `name=value`. @throws ConfigFault, and InputFault for an infinite number */
function parseParameter(text: string): { readonly name: string; readonly value: unknown } {
  const equals = text.indexOf('=');
  if (equals < 1) throw new ConfigFault(text, 'expected name=value, for example order_amount=5');
  const [name, valueText] = [text.slice(0, equals), text.slice(equals + 1)];
  const { value } = parseYaml(valueText, name);
  // JSON has no infinite numbers, so the bot would receive null.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new InputFault(name, valueText, 'a finite number');
  return { name, value };
}

function parseFee(text = ''): number {
  const fee = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(fee <= MAX_FEE_BPS))
    throw new ConfigFault('fee', `"${text}": expected whole basis points from 0 to ${MAX_FEE_BPS}`);
  return fee;
}
