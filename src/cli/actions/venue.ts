import { resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { FileFault, InputFault } from '../../domain/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import { action } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { postJson } from '../post-json.ts';

const OPTIONS = {
  url: z.url('expected the base URL of a venue, such as http://127.0.0.1:4000'),
  tokenFile: z.string().optional(),
};
const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);

const KEY = /^[a-z][a-z0-9_]*$/;
/** Seeding a venue takes seconds. */
const TIMEOUT_MS = 60_000;
const MAX_TOKEN_BYTES = 65_536;
const TOKEN_VARIABLE = 'HALFSPREAD_OPERATOR_TOKEN';

/** Sends a command and prints the result. Ends with `EXIT.usage` when the venue refuses it. */
export const venue = action(OPTIONS, async ({ terminal, end }, [command = '', ...args], { url, tokenFile }) => {
  if (command === 'commands') {
    const { OPERATOR_COMMANDS } = await import('../../server/index.ts');
    for (const [name, { summary }] of Object.entries(OPERATOR_COMMANDS))
      terminal.out.write(`${name.padEnd(16)}${summary}\n`);
    return;
  }
  const body = JSON.stringify({ ...Object.fromEntries(args.map(parseArgument)), command });
  const headers = { authorization: `Bearer ${tokenOf(tokenFile, terminal.cwd)}` };
  const request = { url, path: '/operator', body, headers, timeoutMs: TIMEOUT_MS, answer: answerSchema };
  const answer = await postJson(request);
  if (answer.ok) {
    terminal.out.write(`${JSON.stringify(answer.result, null, 2)}\n`);
    return;
  }
  terminal.err.write(`error: ${answer.error.message}\n`);
  end(EXIT.usage);
});

function parseArgument(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0));
  if (!KEY.test(key) || key === 'command')
    throw new InputFault('argument', text, 'key=value, such as market=will-it-rain');
  const value = text.slice(at + 1);
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

function tokenOf(file: string | undefined, cwd: string): string {
  if (file !== undefined) {
    try {
      return readFileAtMost(resolve(cwd, file), MAX_TOKEN_BYTES, 'a token').toString('utf8').trim();
    } catch (cause) {
      if (cause instanceof FileFault) throw cause;
      throw new FileFault(file, undefined, 'cannot be read', "Name the file with the operators' token", { cause });
    }
  }
  const token = process.env[TOKEN_VARIABLE];
  if (token === undefined || token === '') {
    const expected = "the operators' token in the environment, or --token-file; `serve` shows it only once";
    throw new InputFault(TOKEN_VARIABLE, token, expected);
  }
  return token;
}
