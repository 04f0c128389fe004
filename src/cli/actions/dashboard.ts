import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { localBot, openDashboard } from '../../app/dashboard.ts';
import type { BotEndpoint } from '../../dashboard/index.ts';
import { InputFault } from '../../domain/index.ts';
import { action, flag, optionalText, textList, whole } from '../command.ts';
import { isTcpAddress, readTcpAddress, type TokenPlaces } from '../remote-bot.ts';

const OPTIONS = {
  host: z.string().min(1),
  port: whole(0, 65_535, 'a port'),
  passwordEnv: optionalText,
  viewerPasswordEnv: optionalText,
  behindProxy: flag,
  tokenEnv: textList,
  tokenFile: textList,
  name: textList.refine((names) => names.every((name) => !/\/|^[^:]*:\d*$/.test(name)), {
    message: 'expected host names or addresses without scheme, port and path, such as bots.example.org or fd00::1',
  }),
  reports: z.string().min(1),
  studies: z.string().min(1),
  audit: z.string().min(1),
};

const MIN_PASSWORD_LENGTH = 10;

export const dashboard = action(OPTIONS, async ({ terminal, setExitCode, interruption }, operands, options) => {
  const { cwd, out } = terminal;
  const places = { env: options.tokenEnv, file: options.tokenFile };
  const bots = operands.map((operand) => parseBotEndpoint(operand, places, cwd));
  const opened = await openDashboard({
    bots,
    host: options.host,
    port: options.port,
    operatorPassword: readPassword('--password-env', options.passwordEnv),
    viewerPassword: readPassword('--viewer-password-env', options.viewerPasswordEnv),
    isBehindProxy: options.behindProxy,
    hostNames: options.name,
    reports: resolve(cwd, options.reports),
    studies: resolve(cwd, options.studies),
    audit: resolve(cwd, options.audit),
  });
  out.write(`dashboard ${opened.url}\n`);
  for (const { id, address } of bots)
    if (typeof address === 'string' && !existsSync(address))
      out.write(`${id}: no bot listens at ${address}. The page shows the bot when it starts\n`);
  const { stopRequested, exitCode } = interruption();
  await stopRequested;
  await opened.close();
  setExitCode(exitCode() ?? 0);
});

/** Parses a bot with an optional name before `=`. The default name is derived from its file or host. */
function parseBotEndpoint(operand: string, places: TokenPlaces, cwd: string): BotEndpoint {
  const [, name, botLocation = operand] = /^([\w.-]{1,60})=(.+)$/.exec(operand) ?? [];
  if (!isTcpAddress(botLocation)) {
    const local = localBot(botLocation, cwd);
    return { ...local, id: name ?? local.id };
  }
  const address = readTcpAddress(botLocation, { bot: name, field: 'bots', places, cwd });
  return { id: name ?? address.host, address };
}

/** @throws InputFault for a variable that is not set, or a password that is too short */
function readPassword(option: string, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const password = process.env[variable] ?? '';
  if (password.length >= MIN_PASSWORD_LENGTH) return password;
  const expected = `the name of an environment variable with a password of at least ${MIN_PASSWORD_LENGTH} characters`;
  throw new InputFault(option, variable, expected);
}
