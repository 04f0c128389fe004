/** The questions of `halfspread init` on a terminal. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { isCancel, select, type TextOptions, text } from '@clack/prompts';
import { Fault } from '../../domain/index.ts';
import { type BotAnswers, DEFAULT_BOT, FIRST_STRATEGY } from './init-template.ts';

interface Streams {
  readonly input?: Readable;
  readonly output?: Writable;
}

const PROCESS_STREAMS: Streams = { input: process.stdin, output: process.stdout };

/** Prompts for a project's folder and name. `toName` returns a valid name. @throws Fault ABORTED after Ctrl+C */
export async function promptForPlace(folder: string, toName: (folder: string) => string, streams = PROCESS_STREAMS) {
  const folderOptions = { placeholder: folder, defaultValue: folder };
  const chosenFolder = resolve(folder, (await promptForText('Folder of the project', streams, folderOptions)).trim());
  if (existsSync(join(chosenFolder, 'package.json'))) return { folder: chosenFolder };
  const preset = toName(chosenFolder);
  const name = await promptForText('Name of the project', streams, { placeholder: preset, defaultValue: preset });
  return { folder: chosenFolder, name: toName(name) };
}

/** Prompts for a bot's markets and limits. Validates each answer at once. @throws Fault ABORTED after Ctrl+C */
export async function promptForBot(streams = PROCESS_STREAMS): Promise<BotAnswers> {
  const { url: venue, slugs } = DEFAULT_BOT;
  const mode = await promptForChoice('How does the bot trade?', streams, [
    { value: 'paper', label: 'paper', hint: 'real market data, simulated orders, no key' },
    { value: 'live', label: 'live', hint: 'orders at the venue, signed with a key' },
  ] as const);
  const url = await promptForText('Address of the venue', streams, { initialValue: venue, validate: urlProblem });
  const key = mode === 'paper' ? DEFAULT_BOT.key : await promptForKeyVariable(streams);
  const markets = await promptForText('Markets, by slug, separated by commas', streams, {
    initialValue: slugs.join(', '),
    validate: (answer) => (slugsIn(answer).length === 0 ? 'at least one slug' : undefined),
  });
  const strategy = await promptForChoice('Strategy', streams, [
    { value: FIRST_STRATEGY, label: FIRST_STRATEGY, hint: 'one bid and one ask, in your project to change' },
    { value: 'ladder', label: 'ladder', hint: 'several levels, inventory skew, 40 options' },
  ] as const);
  const promptForNumber = async (message: string, preset: number, max: number): Promise<number> => {
    const validate = (answer = ''): string | undefined => {
      const value = /^\d{1,8}$/.test(answer.trim()) ? Number(answer) : Number.NaN;
      return value >= 1 && value <= max ? undefined : `a whole number from 1 to ${max}`;
    };
    return Number(await promptForText(message, streams, { initialValue: String(preset), validate }));
  };
  return {
    mode,
    url: url.trim(),
    key,
    slugs: slugsIn(markets),
    strategy,
    halfSpread: await promptForNumber('Distance of each quote from the mid, in basis points of $1', 100, 5_000),
    amount: await promptForNumber('Size of each quote, in shares', 10, 1_000_000),
    maxPosition: await promptForNumber('Largest position in a market, in shares', 200, 10_000_000),
    dailyLoss: await promptForNumber('Loss of a day after which the bot stops, in dollars', 50, 10_000_000),
  };
}

function promptForKeyVariable(streams: Streams): Promise<string> {
  return promptForText('Environment variable with the key that signs (never the key itself)', streams, {
    initialValue: DEFAULT_BOT.key,
    validate: (answer = '') =>
      /^[A-Za-z_]\w{0,99}$/.test(answer) && !/^(0x)?[0-9a-f]{64}$/i.test(answer) ? undefined : 'the name of a variable',
  });
}

function slugsIn(answer = ''): readonly string[] {
  return answer.split(/[\s,]+/).filter((slug) => slug !== '');
}

function urlProblem(answer = ''): string | undefined {
  const isUrl = URL.canParse(answer.trim()) && /^https?:\/\//.test(answer.trim());
  return isUrl ? undefined : 'an address that begins with https:// or http://';
}

async function promptForText(
  message: string,
  streams: Streams,
  options: Pick<TextOptions, 'initialValue' | 'placeholder' | 'defaultValue' | 'validate'>,
): Promise<string> {
  const answer = await text({ message, ...options, ...streams });
  if (isCancel(answer)) throw cancelledFault();
  return answer;
}

async function promptForChoice<const T extends string>(
  message: string,
  streams: Streams,
  options: readonly { readonly value: T; readonly label: string; readonly hint: string }[],
): Promise<T> {
  const values: { value: string; label: string; hint: string }[] = options.map((option) => ({ ...option }));
  const answer = await select({ message, options: values, ...streams });
  const chosenOption = isCancel(answer) ? undefined : options.find(({ value }) => value === answer);
  if (chosenOption === undefined) throw cancelledFault();
  return chosenOption.value;
}

function cancelledFault(): Fault {
  return new Fault('ABORTED', 'cancelled: nothing was written');
}
