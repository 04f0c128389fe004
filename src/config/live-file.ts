/** Reads the configuration of a bot, and refuses one that has a secret in it without repeating it. */
import { resolve } from 'node:path';
import { InputFault } from '../domain/index.ts';
import { readFileAtMost } from '../runtime/index.ts';
import { parseStrict } from '../strategy/index.ts';
import { endpointOf } from '../venues/service/index.ts';
import { ConfigFault, type Place } from './config-fault.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { expectKind } from './kinds.ts';
import { type LiveFile, liveSchema } from './live-schema.ts';
import { MOST_BYTES } from './yaml-file.ts';

export interface LiveConfiguration {
  readonly configuration: Configuration;
  readonly file: LiveFile;
}

/** What looks like a secret: a private key, an API key of a venue, the URL of a webhook. */
const SECRETS: readonly (readonly [what: string, pattern: RegExp, remedy: string])[] = [
  [
    'a private key',
    /(?<![0-9a-zA-Z])(?:0x)?[0-9a-fA-F]{64}(?![0-9a-zA-Z])/,
    'Put it into an environment variable, a file or a keystore and name that: `key: { env: HALFSPREAD_KEY }`',
  ],
  [
    'an API key',
    /pm[ko]_[0-9a-zA-Z-]{6,}/,
    'Put it into an environment variable or a file and name that: `api_key: { env: HALFSPREAD_API_KEY }`',
  ],
  [
    'the URL of a webhook',
    /hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot/,
    'Put it into an environment variable or a file and name that: `url: { env: HALFSPREAD_WEBHOOK }`',
  ],
];
const HIDDEN = '(not shown)';
/** Where only the place of a secret may stand, and what it looks like there. */
const PLACES: readonly (readonly [path: readonly string[], example: string])[] = [
  [['account', 'key'], '{ env: HALFSPREAD_KEY }'],
  [['account', 'api_key'], '{ env: HALFSPREAD_API_KEY }'],
];

/** @throws ConfigFault with line and column; of a secret only where it stands */
export function readLiveFile(path: string, cwd: string, sets: readonly string[] = []): LiveConfiguration {
  refuseSecrets(path, cwd, sets, true);
  const configuration = readConfiguration(path, cwd, sets);
  expectKind(configuration, 'live');
  try {
    return { configuration, file: parseLive(configuration) };
  } catch (fault) {
    throw configuration.blame(fault);
  }
}

/** @throws ConfigFault for a secret in the place of its name, InputFault for the first other thing that is wrong */
export function parseLive(configuration: Read): LiveFile {
  refuseLiterals(configuration);
  refuseNumbers(configuration.value);
  refuseRemoved(configuration.value);
  const file = parseStrict(liveSchema, configuration.value, '');
  const { url, ws_url: wsUrl } = file.venue;
  // Here and not in the schema: a URL with a password in it is refused without being repeated.
  endpointOf({ url, ...(wsUrl === undefined ? {} : { wsUrl }) });
  return file;
}

/** Refuses secrets in a bot's file, or in one with a bot's sections. @throws ConfigFault that says where, not what */
export function refuseSecrets(path: string, cwd: string, sets: readonly string[], isBot: boolean): void {
  const text = textOf(resolve(cwd, path));
  if (!isBot && !/^(venue|account) *:/m.test(text)) return;
  for (const option of sets) {
    const key = option.split('=')[0] ?? '';
    for (const [what, pattern, remedy] of SECRETS) {
      if (pattern.test(option)) throw new ConfigFault(`--set ${pattern.test(key) ? HIDDEN : key}`, told(what, remedy));
    }
  }
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    for (const [what, pattern, remedy] of SECRETS) {
      const found = pattern.exec(line);
      if (found === null) continue;
      const place: Place = { file: path, line: at + 1, column: found.index + 1, text: HIDDEN };
      throw new ConfigFault(place, told(what, remedy));
    }
  }
}

/** Empty where it cannot be read: whoever reads it next says what is wrong with it. */
function textOf(path: string): string {
  try {
    return readFileAtMost(path, MOST_BYTES, 'a configuration').toString('utf8');
  } catch {
    return '';
  }
}

type Read = Pick<Configuration, 'value' | 'shown' | 'placeOf'>;

/** A text where the place of a secret belongs may be the secret itself, whatever it looks like. */
function refuseLiterals({ value, shown, placeOf }: Read): void {
  const refuse = (field: string, example: string): never => {
    const place = placeOf(field);
    throw new ConfigFault(
      place === undefined ? shown : { ...place, text: HIDDEN },
      `${field}: a secret never stands in a configuration. Name where it is: ${example}`,
    );
  };
  for (const [path, example] of PLACES) {
    const found = path.reduce<unknown>((node, step) => memberOf(node, step), value);
    if (typeof found === 'string' || typeof found === 'number') refuse(path.join('.'), example);
  }
  const webhooks = memberOf(value, 'webhooks');
  for (const [at, webhook] of (Array.isArray(webhooks) ? webhooks : []).entries()) {
    if (typeof memberOf(webhook, 'url') === 'string') refuse(`webhooks[${at}].url`, '{ env: HALFSPREAD_WEBHOOK }');
  }
}

/** YAML reads `0x` and digits as a number, which has lost most of them by then. */
function refuseNumbers(value: unknown): void {
  for (const path of [
    ['venue', 'contract'],
    ['account', 'address'],
  ] as const) {
    const found = path.reduce<unknown>((node, step) => memberOf(node, step), value);
    if (typeof found === 'number') throw new InputFault(path.join('.'), found, 'an address in quotes: "0x…"');
  }
}

/** Keys of earlier versions, with what to do now. */
const REMOVED_KEYS = {
  busy_poll: 'no such key: it was removed. Remove this line; warmup_ms keeps orders fast',
  keep_warm_ms: 'no such key: its name is warmup_ms now',
} as const;

function refuseRemoved(value: unknown): void {
  for (const [key, remedy] of Object.entries(REMOVED_KEYS)) {
    const found = memberOf(value, key);
    if (found !== undefined) throw new InputFault(key, found, remedy);
  }
}

function memberOf(node: unknown, key: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
}

function told(what: string, remedy: string): string {
  return `this looks like ${what}, which never stands in a configuration. ${remedy}. If it was shared, take another one`;
}
