/** Addresses and tokens of bots on other machines: `tcp://host:port` or `tls://host:port`. */
import { resolve } from 'node:path';
import process from 'node:process';
import { InputFault } from '../domain/index.ts';
import { checkToken, parseTcpAddress, type TcpAddress } from '../ops/index.ts';
import { readSecret } from '../venues/service/index.ts';

/** Values of `--token-env` (variables) and `--token-file` (files). The prefix `<bot>=` limits a value to one bot. */
export interface TokenPlaces {
  readonly env: readonly string[];
  readonly file: readonly string[];
}

export function isTcpAddress(text: string): boolean {
  return /^(tcp|tls):\/\//.test(text);
}

/**
 * Parses an address and reads the bot's token.
 * @param field option or operand with the address
 * @throws InputFault for an invalid address, or a missing or invalid token; FileFault for a file that others can read
 */
export function readTcpAddress(
  text: string,
  { bot, field, places, cwd }: { bot?: string | undefined; field: string; places: TokenPlaces; cwd: string },
): TcpAddress {
  const address = parseTcpAddress(text, field);
  const variable = placeFor(bot, places.env);
  if (variable !== undefined) {
    const token = Object.hasOwn(process.env, variable) ? (process.env[variable]?.trim() ?? '') : '';
    if (token === '') throw new InputFault('--token-env', variable, 'an environment variable that is set');
    return { ...address, token: checkToken(token, '--token-env') };
  }
  const file = placeFor(bot, places.file);
  if (file !== undefined) return { ...address, token: checkToken(readSecret(resolve(cwd, file)), '--token-file') };
  const name = bot === undefined ? '' : `${bot}=`;
  const expected = `the place of its token: --token-env ${name}<variable> or --token-file ${name}<file>`;
  throw new InputFault(field, text, expected);
}

function placeFor(bot: string | undefined, places: readonly string[]): string | undefined {
  const forBot = bot === undefined ? undefined : places.find((place) => place.startsWith(`${bot}=`));
  if (forBot !== undefined) return forBot.slice(forBot.indexOf('=') + 1);
  return places.find((place) => !place.includes('='));
}
