import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess, TestBot } from './trading.ts';

/** No venue is needed: the configuration is refused before a connection. */
const URL = 'http://127.0.0.1:1';
const HEX = 'ab'.repeat(32);

describe('a configuration with a secret in it', () => {
  it.each([
    ['a key', `account: { key: "0x${HEX}" }`, /bot\.yaml:\d+:\d+: this looks like a private key.*HALFSPREAD_KEY/],
    ['a key without 0x', `account: { key: ${HEX} }`, /this looks like a private key/],
    ['a key in a comment', `# old key ${HEX}\n`, /this looks like a private key/],
    ['a key after the markets', `markets:\n  ids: ["0x${HEX}"]\n# old key 0x${HEX}\n`, /this looks like a private key/],
    [
      'a key among parameters',
      `strategies: [{ strategy: a, markets: [b], params: { key: "0x${HEX}" } }]`,
      /a private key/,
    ],
    ['a key after the markets of a strategy', `strategies:\n- markets:\n  - a\n  key: "0x${HEX}"`, /a private key/],
    ['a key in a comment of the markets', `markets:\n  ids: [a]\n  # old key 0x${HEX}\n`, /a private key/],
    ['a key after a market', `markets:\n  ids: [a] # old key 0x${HEX}\n`, /a private key/],
    [
      'a key in an override',
      `markets:\n  ids: [a]\n  overrides: { a: { params: { key: "0x${HEX}" } } }`,
      /a private key/,
    ],
    ['a key as a filter', `markets: { filter: { search: "0x${HEX}" } }`, /a private key/],
    ['a key beside the markets', `markets-old: "0x${HEX}"`, /a private key/],
    ['a key with 0X', `log: { file: "0X${HEX}" }`, /a private key/],
    ['a key in parameters called markets', `strategies: [{ params: { markets: ["0x${HEX}"] } }]`, /a private key/],
    ['a key with an anchor', `markets: { ids: [&k "0x${HEX}"] }\naccount: { key: { env: *k } }`, /a private key/],
    ['a key after a market of a strategy', `strategies:\n- markets:\n  - a # old key 0x${HEX}\n`, /a private key/],
    ['an API key', 'account: { api_key: pmk_0123456789abcdef_secretsecret }', /this looks like an API key/],
    [
      'a password as a key',
      'account: { key: hunter2hunter2 }',
      /bot\.yaml:4:17: account\.key: a configuration must not contain a secret/,
    ],
    [
      'a webhook',
      'alerts: { targets: [{ type: slack, url: "https://hooks.slack.com/services/T0/B0/xyz" }] }',
      /URL of a webhook/,
    ],
    [
      'an unknown webhook',
      'alerts: { targets: [{ type: webhook, url: "https://hunter2.example/x" }] }',
      /bot\.yaml:4:43: alerts\.targets\[0\]\.url: a configuration must not contain a secret/,
    ],
  ])('(%s) is refused without printing it', async (_, section, message) => {
    const bot = new TestBot(URL);
    writeFileSync(
      join(bot.folder, 'bot.yaml'),
      `venue: { url: "${URL}" }\nmarkets: { slugs: [a] }\nstrategy: ladder\n${section}\n`,
    );
    const commands = [['run'], ['config', 'check']].map((command) =>
      runInProcess([...command, 'bot.yaml'], bot.folder),
    );
    for (const { code, stderr, stdout } of await Promise.all(commands)) {
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
      expect(stderr + stdout).not.toMatch(/abababab|hunter2|secretsecret|xyz/);
    }
  });
});

it('refuses a private key as the id of a market of a venue whose ids are UUIDs, without printing it', async () => {
  const { folder } = new TestBot(URL);
  const file = join(folder, 'bot.yaml');
  const bot = readFileSync(file, 'utf8');
  const check = async (markets: string, options: readonly string[] = []) => {
    writeFileSync(file, bot.replace(/^markets:.*$/m, markets));
    const { code, stderr, stdout } = await runInProcess(['config', 'check', 'bot.yaml', ...options], folder);
    expect(code).toBe(2);
    expect(stderr + stdout).not.toMatch(/abababab/);
    return stderr;
  };
  expect(await check(`markets: { ids: [a, "0x${HEX}"] }`)).toMatch(/bot\.yaml:3:21: this looks like a private key/);
  const [ids, id] = [`markets.ids=["0x${HEX}"]`, `markets.ids[0]=0x${HEX}`];
  for (const option of [ids, id])
    expect(await check('markets: { ids: [a] }', ['--set', option])).toMatch(/this looks like a private key/);
});

it('accepts condition ids of Polymarket as ids of markets', async () => {
  const { folder } = new TestBot(URL);
  const file = join(folder, 'bot.yaml');
  const polymarket = 'chain_id: 137, ws_url: "wss://127.0.0.1:1/ws", polymarket: {}';
  const bot = readFileSync(file, 'utf8').replace(/^venue: \{/, `venue: { ${polymarket},`);
  const check = async (markets: string, options: readonly string[] = []) => {
    writeFileSync(file, bot.replace(/^markets:.*$/m, markets));
    const { code, stderr } = await runInProcess(['config', 'check', file, ...options], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  };
  await check(`markets: { ids: ["0x${HEX}"] }`);
  await check(`markets:\n  ids:\n# A name\n  - "0x${HEX}"`);
  await check(`"markets": {"ids": ["0x${HEX}"], "overrides": {"0x${HEX}": {}}}`);
  await check('markets: { slugs: [] }', ['--set', `markets.ids=["0x${HEX}"]`]);
  await check('markets: { ids: [a] }', ['--set', `markets.ids[0]=0x${HEX}`]);
});

it.each([
  `markets.key=0x${HEX}`,
  `markets.overrides.a.params.key=0x${HEX}`,
  `markets={ids: [a], overrides: {a: {params: {key: "0x${HEX}"}}}}`,
  `markets.filter.search=0X${HEX}`,
])('refuses a private key in the option %j without printing it', async (option) => {
  const { folder } = new TestBot(URL);
  const { code, stderr, stdout } = await runInProcess(['config', 'check', 'bot.yaml', '--set', option], folder);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('this looks like a private key') });
  expect(stderr + stdout).not.toMatch(/abababab/);
});

it.each([
  `strategies: [{ strategy: quiet, markets: ["0x${HEX}", '0x${HEX}'] }]`,
  `strategies:\n  - strategy: quiet\n    markets: [\n      "0x${HEX}",\n      "0x${HEX}",\n    ]\n    params: {}`,
  `strategies:\r\n- markets: # of today\r\n  - "0x${HEX}" # rain\r\n  # snow\r\n\r\n  - "0x${HEX}"\r\n  strategy: quiet`,
])('accepts condition ids of Polymarket as markets of strategies in %j', async (strategies) => {
  const bot = new TestBot(URL, strategies);
  bot.strategy('quiet', 'return maker');
  for (const options of [[], ['--set', `strategies[0].markets[0]=0x${HEX}`]]) {
    const { code, stderr } = await runInProcess(['config', 'check', 'bot.yaml', ...options], bot.folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
});

it.each([
  [`markets: { ids: [0x${HEX}] }`, ':18: markets.ids[0]'],
  [`markets: { slugs: [a, 0x${HEX}] }`, ':23: markets.slugs[1]'],
  [`markets: { slugs: [a], overrides: { 0x${HEX}: {} } }`, ':105: markets.overrides.7.764881278267085e+76'],
  [`markets: { slugs: [a] }\nstrategies: [{ strategy: ladder, markets: [0x${HEX}] }]`, ':44: strategies[0].markets[0]'],
])('asks for quotes around the condition id in %j', async (sections, place) => {
  const { folder } = new TestBot(URL);
  writeFileSync(join(folder, 'bot.yaml'), `venue: { url: "${URL}" }\n${sections}\n`);
  const { code, stderr } = await runInProcess(['config', 'check', 'bot.yaml'], folder);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`${place}: expected a condition id in quotes: "0x…", got 7.764881278267085e+76`),
  });
});
