/** Reads the configuration of a bot. Refuses a file that contains a secret, without repeating the secret. */
import { resolve } from 'node:path';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { InputFault } from '../domain/index.ts';
import { getMember } from '../network/index.ts';
import { readFileAtMost } from '../runtime/index.ts';
import { parseStrict } from '../strategy/index.ts';
import { parseEndpoint } from '../venues/service/index.ts';
import { ConfigFault } from './config-fault.ts';
import { type Configuration, parsePath, readConfiguration } from './configuration.ts';
import { expectKind } from './kinds.ts';
import { type LiveFile, liveSchema } from './live-schema.ts';
import { MAX_BYTES, MAX_CHARACTERS } from './yaml-file.ts';

export interface LiveConfiguration {
  readonly configuration: Configuration;
  readonly file: LiveFile;
}

interface SecretPattern {
  /** Name of the secret, with its article. */
  readonly secret: string;
  readonly pattern: RegExp;
  readonly example: string;
  /** Possible places of the secret. Default: an environment variable or a file. */
  readonly places?: string;
}

const PRIVATE_KEY: SecretPattern = {
  secret: 'a private key',
  // The strategy checksum of a backtest is as long as a key.
  pattern: /(?<![0-9a-zA-Z]|strategy_sha256: *)(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-zA-Z])/,
  example: 'key: { env: HALFSPREAD_KEY }',
  places: 'an environment variable, a file or a keystore',
};
const SECRET_PATTERNS: readonly SecretPattern[] = [
  PRIVATE_KEY,
  { secret: 'an API key', pattern: /pm[ko]_[0-9a-zA-Z-]{6,}/, example: 'api_key: { env: HALFSPREAD_API_KEY }' },
  {
    secret: 'the URL of a webhook',
    pattern: /hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot/,
    example: 'url: { env: HALFSPREAD_WEBHOOK }',
  },
  {
    secret: 'the token of a Telegram bot',
    pattern: /(?<![0-9A-Za-z])\d{6,12}:[A-Za-z0-9_-]{30,}/,
    example: 'token: { env: TELEGRAM_TOKEN }',
  },
];
const HIDDEN = '(not shown)';
/** A condition id of Polymarket, which looks like a private key. */
const CONDITION_ID = /0x[0-9a-f]{64}/gi;
/** Options that name markets in their value or in their key. */
const MARKETS_OPTIONS = [
  /^(?:markets\.(?:ids|slugs)|strategies\[\d+\]\.markets)(?:\[\d+\]=["']?[\w-]*["']?|=\[["'\w\s,-]*\])$/,
  /^markets\.(?:overrides|select\.starts_at)\.[\w-]+/,
];

/** @throws ConfigFault with line and column, without the text of a secret */
export function readLiveFile(path: string, cwd: string, sets: readonly string[] = []): LiveConfiguration {
  refuseSecrets(path, cwd, sets, 'bot');
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
  refuseUnquotedHex(configuration.value);
  refuseRemovedKeys(configuration.value);
  const file = parseStrict(liveSchema, configuration.value, '');
  const { url, ws_url: wsUrl } = file.venue;
  // A check by the schema would repeat a password in the URL.
  parseEndpoint({ url, ...(wsUrl === undefined ? {} : { wsUrl }) });
  refuseKeysAsIds(file, configuration);
  return file;
}

/** Refuses an id that may be a key, because it would be sent to the venue. Ids are UUIDs, except on Polymarket. */
function refuseKeysAsIds({ venue, markets }: LiveFile, { givenPath, placeOf }: ParsedConfiguration): void {
  if (venue.polymarket !== undefined) return;
  const index = markets.ids.findIndex((id) => PRIVATE_KEY.pattern.test(id));
  if (index < 0) return;
  const place = placeOf(`markets.ids[${index}]`);
  throw new ConfigFault(place === undefined ? givenPath : { ...place, text: HIDDEN }, describeSecret(PRIVATE_KEY));
}

/** Refuses secrets in a bot's file, or in a file with a bot's sections. @throws ConfigFault without the secret */
export function refuseSecrets(path: string, cwd: string, sets: readonly string[], kind: 'bot' | 'any'): void {
  const text = tryReadText(resolve(cwd, path));
  if (kind !== 'bot' && !/^(venue|account) *:/m.test(text)) return;
  for (const option of sets) {
    const key = option.split('=')[0] ?? '';
    const match = SECRET_PATTERNS.find(({ pattern }) => pattern.test(hideIdsOfOption(option)));
    if (match !== undefined)
      throw new ConfigFault(`--set ${match.pattern.test(key) ? HIDDEN : key}`, describeSecret(match));
  }
  const lines = hideIdsOfFile(text).split(/\r?\n/);
  for (const [row, line] of lines.entries()) {
    for (const match of SECRET_PATTERNS) {
      const column = line.search(match.pattern) + 1;
      if (column > 0) throw new ConfigFault({ file: path, line: row + 1, column, text: HIDDEN }, describeSecret(match));
    }
  }
}

function hideIdsOfOption(option: string): string {
  const markets = MARKETS_OPTIONS.map((pattern) => pattern.exec(option)?.[0]).find((text) => text !== undefined) ?? '';
  return markets.replaceAll(CONDITION_ID, '') + option.slice(markets.length);
}

/** Replaces condition ids by spaces where the file names markets, unless an anchor lets another place use the id. */
function hideIdsOfFile(text: string): string {
  let hidden = text;
  for (const node of marketNames(text)) {
    if (!isScalar(node) || node.anchor !== undefined || node.range === undefined || node.range === null) continue;
    const [from, to] = node.range;
    const name = text.slice(from, to).replaceAll(CONDITION_ID, (id) => ' '.repeat(id.length));
    hidden = hidden.slice(0, from) + name + hidden.slice(to);
  }
  return hidden;
}

/** Returns the nodes of a YAML text that name markets. */
function marketNames(text: string): readonly unknown[] {
  if (text.length > MAX_CHARACTERS) return [];
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  const strategies = document.getIn(['strategies'], true);
  const lists = [
    document.getIn(['markets', 'ids'], true),
    document.getIn(['markets', 'slugs'], true),
    ...(isSeq(strategies) ? strategies.items : []).map((item) => (isMap(item) ? item.get('markets', true) : undefined)),
  ];
  const maps = [
    document.getIn(['markets', 'overrides'], true),
    document.getIn(['markets', 'select', 'starts_at'], true),
  ];
  return [
    ...lists.flatMap((list) => (isSeq(list) ? list.items : [])),
    ...maps.flatMap((map) => (isMap(map) ? map.items.map(({ key }) => key) : [])),
  ];
}

/** Returns '' for an unreadable file, which `readConfiguration` reports. */
function tryReadText(path: string): string {
  try {
    return readFileAtMost(path, MAX_BYTES, 'a configuration').toString('utf8');
  } catch {
    return '';
  }
}

type ParsedConfiguration = Pick<Configuration, 'value' | 'givenPath' | 'placeOf'>;

/** Refuses a text or number in place of a secret's location, because it may be the secret itself. */
function refuseLiterals({ value, givenPath, placeOf }: ParsedConfiguration): void {
  const targets = memberAt(value, 'alerts.targets');
  const fields: readonly (readonly [field: string, variable: string])[] = [
    ['account.key', 'HALFSPREAD_KEY'],
    ['account.api_key', 'HALFSPREAD_API_KEY'],
    ...(Array.isArray(targets) ? [...targets.keys()] : []).flatMap((index) => [
      [`alerts.targets[${index}].url`, 'SLACK_URL'] as const,
      [`alerts.targets[${index}].token`, 'TELEGRAM_TOKEN'] as const,
    ]),
  ];
  for (const [field, variable] of fields) {
    const literal = memberAt(value, field);
    if (typeof literal !== 'string' && typeof literal !== 'number') continue;
    const place = placeOf(field);
    throw new ConfigFault(
      place === undefined ? givenPath : { ...place, text: HIDDEN },
      `${field}: a configuration must not contain a secret. Name its place: { env: ${variable} }`,
    );
  }
}

function memberAt(value: unknown, field: string): unknown {
  return parsePath(field).reduce<unknown>((node, step) => getMember(node, `${step}`), value);
}

/** A key that was a number of 22 digits or more. */
const LARGE_NUMBER = /^\d(?:\.\d+)?e\+\d+$/;

/** YAML parses unquoted addresses and condition ids as numbers and loses digits. */
function refuseUnquotedHex(value: unknown): void {
  for (const field of ['venue.contract', 'account.address']) {
    const member = memberAt(value, field);
    if (typeof member === 'number') throw new InputFault(field, member, 'an address in quotes: "0x…"');
  }
  const strategies = getMember(value, 'strategies');
  const lists = Array.isArray(strategies) ? [...strategies.keys()].map((index) => `strategies[${index}].markets`) : [];
  const names = ['markets.ids', 'markets.slugs', ...lists].flatMap((field) => {
    const list = memberAt(value, field);
    return Array.isArray(list) ? list.map((name: unknown, index) => [`${field}[${index}]`, name] as const) : [];
  });
  const keys = ['markets.overrides', 'markets.select.starts_at'].flatMap((field) =>
    Object.keys(memberAt(value, field) ?? {}).map(
      (key) => [`${field}.${key}`, LARGE_NUMBER.test(key) && Number(key)] as const,
    ),
  );
  for (const [field, name] of [...names, ...keys]) {
    if (typeof name === 'number' && name > Number.MAX_SAFE_INTEGER)
      throw new InputFault(field, name, 'a condition id in quotes: "0x…"');
  }
}

const REMOVED_KEYS = {
  busy_poll: 'no such key: it was removed. Remove this line; warmup_ms keeps orders fast',
  keep_warm_ms: 'no such key: it is now called warmup_ms',
  webhooks: 'no such key: receivers of alerts are now in `alerts.targets`',
} as const;

function refuseRemovedKeys(value: unknown): void {
  for (const [key, remedy] of Object.entries(REMOVED_KEYS)) {
    const member = getMember(value, key);
    if (member !== undefined) throw new InputFault(key, member, remedy);
  }
}

function describeSecret({ secret, example, places = 'an environment variable or a file' }: SecretPattern): string {
  const remedy = `Put it into ${places} and name that place: \`${example}\``;
  return `this looks like ${secret}, which must not be in a configuration. ${remedy}. If you have shared the file, replace the secret`;
}
