import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { localBot, openDashboard } from '../../app/dashboard.ts';
import type { BotPlace } from '../../dashboard/index.ts';
import { InputFault } from '../../domain/index.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Session } from '../output/terminal.ts';
import { isTcpAddress, type TokenPlaces, tcpAddressOf } from '../remote-bot.ts';

const optionsSchema = z.object({
  host: z.string().min(1),
  port: z.coerce.number('expected a port from 0 to 65535').int().min(0).max(65_535),
  passwordEnv: z.string().min(1).optional(),
  viewerPasswordEnv: z.string().min(1).optional(),
  behindProxy: z.boolean().default(false),
  tokenEnv: z.array(z.string().min(1)).default([]),
  tokenFile: z.array(z.string().min(1)).default([]),
  name: z.array(z.string().min(1)).default([]),
  reports: z.string().min(1),
  studies: z.string().min(1),
  audit: z.string().min(1),
});

const MIN_PASSWORD_LENGTH = 10;

/** Serves the dashboard until a signal. */
export async function dashboard(
  { terminal, end }: Session,
  operands: readonly string[],
  given: unknown,
): Promise<void> {
  const { host, port, passwordEnv, viewerPasswordEnv, behindProxy, name, reports, studies, audit, ...tokens } =
    optionsSchema.parse(given);
  const places = { env: tokens.tokenEnv, file: tokens.tokenFile };
  const { cwd, out } = terminal;
  if (operands.length === 0)
    throw new InputFault('bots', undefined, 'at least one bot: its YAML file, database, control socket or address');
  const bots = operands.map((operand) => botPlaceOf(operand, places, cwd));
  const opened = await openDashboard({
    bots,
    host,
    port,
    operatorPassword: passwordOf('--password-env', passwordEnv),
    viewerPassword: passwordOf('--viewer-password-env', viewerPasswordEnv),
    isBehindProxy: behindProxy,
    names: name,
    reports: resolve(cwd, reports),
    studies: resolve(cwd, studies),
    audit: resolve(cwd, audit),
  });
  out.write(`dashboard ${opened.url}\n`);
  for (const { id, address } of bots) {
    if (typeof address === 'string' && !existsSync(address))
      out.write(`${id}: no bot runs here (${address}). The page shows it as soon as one does\n`);
  }
  const interruption = listenForInterrupt();
  await interruption.requested;
  await opened.close();
  interruption.release();
  end(interruption.code() ?? 0);
}

/** Parses a bot with an optional name before `=`. The default name is that of its file or host. */
function botPlaceOf(operand: string, places: TokenPlaces, cwd: string): BotPlace {
  const [, name, place = operand] = /^([\w.-]{1,60})=(.+)$/.exec(operand) ?? [];
  if (!isTcpAddress(place)) {
    const local = localBot(place, cwd);
    return { ...local, id: name ?? local.id };
  }
  const address = tcpAddressOf(place, { bot: name, field: 'bots', places, cwd });
  return { id: name ?? address.host, address };
}

/** @throws InputFault for a variable that is not set, or a password that is too short */
function passwordOf(option: string, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const password = process.env[variable] ?? '';
  if (password.length >= MIN_PASSWORD_LENGTH) return password;
  throw new InputFault(
    option,
    variable,
    `the name of an environment variable with a password of at least ${MIN_PASSWORD_LENGTH} characters`,
  );
}
