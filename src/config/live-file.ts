/** Reads the configuration of a bot. Refuses a file that contains a secret, without repeating the secret. */
import { resolve } from 'node:path';
import { InputFault } from '../domain/index.ts';
import { memberOf } from '../network/index.ts';
import { readFileAtMost } from '../runtime/index.ts';
import { parseStrict } from '../strategy/index.ts';
import { endpointOf } from '../venues/service/index.ts';
import { ConfigFault, type Place } from './config-fault.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { expectKind } from './kinds.ts';
import { type LiveFile, liveSchema } from './live-schema.ts';
import { MAX_BYTES } from './yaml-file.ts';

export interface LiveConfiguration {
  readonly configuration: Configuration;
  readonly file: LiveFile;
}

const SECRETS: readonly (readonly [what: string, pattern: RegExp, remedy: string])[] = [
  [
    'a private key',
    // The strategy checksum of a backtest is as long as a key.
    /(?<![0-9a-zA-Z]|strategy_sha256: *)(?:0x)?[0-9a-fA-F]{64}(?![0-9a-zA-Z])/,
    'Put it into an environment variable, a file or a keystore and name that place: `key: { env: HALFSPREAD_KEY }`',
  ],
  [
    'an API key',
    /pm[ko]_[0-9a-zA-Z-]{6,}/,
    'Put it into an environment variable or a file and name that place: `api_key: { env: HALFSPREAD_API_KEY }`',
  ],
  [
    'the URL of a webhook',
    /hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot/,
    'Put it into an environment variable or a file and name that place: `url: { env: HALFSPREAD_WEBHOOK }`',
  ],
  [
    'the token of a Telegram bot',
    /(?<![0-9A-Za-z])\d{6,12}:[A-Za-z0-9_-]{30,}/,
    'Put it into an environment variable or a file and name that place: `token: { env: TELEGRAM_TOKEN }`',
  ],
];
const HIDDEN = '(not shown)';
/** Keys that must name the place of a secret, with examples. */
const PLACES: readonly (readonly [path: readonly string[], example: string])[] = [
  [['account', 'key'], '{ env: HALFSPREAD_KEY }'],
  [['account', 'api_key'], '{ env: HALFSPREAD_API_KEY }'],
];

/** Keys of each alert target that must name the place of a secret, with examples. */
const TARGET_SECRETS = [
  ['url', '{ env: SLACK_URL }'],
  ['token', '{ env: TELEGRAM_TOKEN }'],
] as const;

/** @throws ConfigFault with line and column, without the text of a secret */
export function readLiveFile(path: string, cwd: string, sets: readonly string[] = []): LiveConfiguration {
  refuseSecrets(path, cwd, sets, true);
  const configuration = readConfiguration(path, cwd, sets);
  expectKind(configuration, 'live');
  try {
    return { configuration, file: parseLive(configuration) };
  } catch (fault) {
    throw configuration.locateFault(fault);
  }
}

/** @throws ConfigFault for a secret in the file, InputFault for the first other error */
export function parseLive(configuration: ParsedConfiguration): LiveFile {
  refuseLiterals(configuration);
  refuseUnquotedAddresses(configuration.value);
  refuseRemoved(configuration.value);
  const file = parseStrict(liveSchema, configuration.value, '');
  const { url, ws_url: wsUrl } = file.venue;
  // Not in the schema, so that the message does not repeat a password in the URL.
  endpointOf({ url, ...(wsUrl === undefined ? {} : { wsUrl }) });
  return file;
}

/** Refuses secrets in a bot's file, or in one with a bot's sections. @throws ConfigFault with the place, without the secret */
export function refuseSecrets(path: string, cwd: string, sets: readonly string[], isBot: boolean): void {
  const text = textOf(resolve(cwd, path));
  if (!isBot && !/^(venue|account) *:/m.test(text)) return;
  for (const option of sets) {
    const key = option.split('=')[0] ?? '';
    for (const [what, pattern, remedy] of SECRETS) {
      if (pattern.test(option))
        throw new ConfigFault(`--set ${pattern.test(key) ? HIDDEN : key}`, secretText(what, remedy));
    }
  }
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    for (const [what, pattern, remedy] of SECRETS) {
      const found = pattern.exec(line);
      if (found === null) continue;
      const place: Place = { file: path, line: at + 1, column: found.index + 1, text: HIDDEN };
      throw new ConfigFault(place, secretText(what, remedy));
    }
  }
}

/** Returns '' for an unreadable file: the next reader reports it. */
function textOf(path: string): string {
  try {
    return readFileAtMost(path, MAX_BYTES, 'a configuration').toString('utf8');
  } catch {
    return '';
  }
}

type ParsedConfiguration = Pick<Configuration, 'value' | 'shown' | 'placeOf'>;

/** Refuses text in place of a secret's location: it may be the secret itself. */
function refuseLiterals({ value, shown, placeOf }: ParsedConfiguration): void {
  const refuse = (field: string, example: string): never => {
    const place = placeOf(field);
    throw new ConfigFault(
      place === undefined ? shown : { ...place, text: HIDDEN },
      `${field}: a configuration must not contain a secret. Name its place: ${example}`,
    );
  };
  for (const [path, example] of PLACES) {
    const found = path.reduce<unknown>((node, step) => memberOf(node, step), value);
    if (typeof found === 'string' || typeof found === 'number') refuse(path.join('.'), example);
  }
  const targets = memberOf(memberOf(value, 'alerts'), 'targets');
  for (const [at, target] of (Array.isArray(targets) ? targets : []).entries()) {
    for (const [key, example] of TARGET_SECRETS) {
      if (typeof memberOf(target, key) === 'string') refuse(`alerts.targets[${at}].${key}`, example);
    }
  }
}

/** YAML parses unquoted addresses as numbers and loses digits. */
function refuseUnquotedAddresses(value: unknown): void {
  for (const path of [
    ['venue', 'contract'],
    ['account', 'address'],
  ] as const) {
    const found = path.reduce<unknown>((node, step) => memberOf(node, step), value);
    if (typeof found === 'number') throw new InputFault(path.join('.'), found, 'an address in quotes: "0x…"');
  }
}

/** Keys of earlier versions, with a remedy. */
const REMOVED_KEYS = {
  busy_poll: 'no such key: it was removed. Remove this line; warmup_ms keeps orders fast',
  keep_warm_ms: 'no such key: it is now called warmup_ms',
  webhooks: 'no such key: receivers of alerts are now in `alerts.targets`',
} as const;

function refuseRemoved(value: unknown): void {
  for (const [key, remedy] of Object.entries(REMOVED_KEYS)) {
    const found = memberOf(value, key);
    if (found !== undefined) throw new InputFault(key, found, remedy);
  }
}

function secretText(what: string, remedy: string): string {
  return `this looks like ${what}, which must not be in a configuration. ${remedy}. If you have shared the file, replace the secret`;
}
