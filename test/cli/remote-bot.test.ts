import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTcpPort } from '../../src/cli/actions/run.ts';
import { wallClock } from '../../src/clock/index.ts';
import { readLiveFile } from '../../src/config/live-file.ts';
import { Redactor, TcpControl } from '../../src/ops/index.ts';
import { afterThisTest } from '../cleanup.ts';
import { controlledBot } from '../ops/controlled-bot.ts';
import { newFolder } from './halfspread.ts';
import { runInProcess, setSecret } from './trading.ts';

const TOKEN = 'operator-token-0123456789abcdef0123';
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

async function listen() {
  const { bot, received } = controlledBot();
  const server = await TcpControl.listen({
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    bot,
    clock: wallClock(),
    log: SILENT,
  });
  afterThisTest.add(() => server.close());
  setSecret('TEST_BOT_TOKEN', TOKEN);
  return { address: `tcp://127.0.0.1:${server.port}`, received, server };
}

describe('a command with --bot', () => {
  it('queries and controls a bot on another machine with a token from the environment or a file', async () => {
    const { address, received } = await listen();
    const folder = newFolder();
    const file = join(folder, 'token');
    writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
    const status = await runInProcess(['status', '--bot', address, '--token-env', 'TEST_BOT_TOKEN', '--json'], folder);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status.stdout)).toMatchObject({ mode: 'ACTIVE' });
    const kill = ['kill', '--bot', address, '--token-file', 'token', '--reason', 'news'];
    expect(await runInProcess(kill, folder)).toMatchObject({ code: 0, stderr: '' });
    const add = ['market', 'add', 'rain', '--bot', address, '--token-file', file];
    expect(await runInProcess(add, folder)).toMatchObject({ code: 0, stderr: '' });
    expect(received).toEqual([
      ['kill', 'news'],
      ['rain', {}],
    ]);
    chmodSync(file, 0o644);
    expect(await runInProcess(kill, folder)).toMatchObject({ code: 3, stderr: expect.stringContaining('chmod 600') });
  });

  it.each([
    [['--bot', 'tcp://127.0.0.1:1'], /--bot: expected the place of its token: --token-env <variable>/],
    [
      ['--bot', 'tcp://127.0.0.1:1', '--token-env', 'TEST_NOT_THERE'],
      /--token-env: expected an environment variable that is set/,
    ],
    [
      ['--bot', 'tcp://127.0.0.1:1', '--token-env', 'toString'],
      /--token-env: expected an environment variable that is set/,
    ],
    [['--bot', 'tcp://127.0.0.1:1', '--token-env', 'TEST_SHORT_TOKEN'], /--token-env: expected a token of 32 to 1000/],
    [['--bot', '127.0.0.1:1', '--token-env', 'TEST_BOT_TOKEN'], /--bot: expected tcp:\/\/<host>:<port>/],
    [['--bot', 'tcp://127.0.0.1:1', '--db', 'a.db'], /--bot: expected no YAML file, --db or --venue together with it/],
    [['--bot', 'tcp://127.0.0.1:1', '--token-env', 'TEST_BOT_TOKEN'], /tcp:\/\/127\.0\.0\.1:1: no bot listens there/],
  ])('is refused with invalid options: %j', async (options, expected) => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    setSecret('TEST_SHORT_TOKEN', 'hunter2');
    const { code, stderr } = await runInProcess(['kill', ...options]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(expected)]);
    expect(stderr).not.toMatch(/hunter2|operator-token/);
  });

  it('reports that the token is wrong', async () => {
    const { address } = await listen();
    setSecret('TEST_BOT_TOKEN', `${TOKEN}x`);
    const { code, stderr } = await runInProcess(['kill', '--bot', address, '--token-env', 'TEST_BOT_TOKEN']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('the token is wrong')]);
  });
});

describe('a dashboard of bots on other machines', () => {
  it('is refused without the token of each', async () => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    const bots = ['a=tcp://127.0.0.1:1', 'b=tls://127.0.0.1:2'];
    const { code, stderr } = await runInProcess(['dashboard', ...bots, '--token-env', 'a=TEST_BOT_TOKEN']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--token-env b=<variable> or --token-file b=<file>')]);
  });
});

describe('a dashboard of several bots', () => {
  it.each([
    [['a=one.db', 'a=two.db'], 2, /write <name>=<file>, got "a"/],
    [['one.db', 'elsewhere/one.db'], 2, /a name that no other bot here has/],
    [['missing.yaml'], 2, /missing\.yaml: there is no such file/],
    [['broken.yaml'], 2, /broken\.yaml:2:1: /],
    [['far=tls://far:9444', '--token-env', 'fra=TEST_BOT_TOKEN'], 2, /--token-env far=<variable>/],
    [['far=tls://far:9444', '--token-file', 'open.token'], 3, /chmod 600/],
    [['tls://far:99999', '--token-env', 'TEST_BOT_TOKEN'], 2, /tls:\/\/<host>:<port>/],
    [['tls://me:hunter2@far:9444', '--token-env', 'TEST_BOT_TOKEN'], 2, /only a host and a port/],
  ])('is refused with invalid operands: %j', async (given, code, expected) => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    const folder = newFolder();
    writeFileSync(join(folder, 'broken.yaml'), 'mode: [\n');
    writeFileSync(join(folder, 'open.token'), TOKEN, { mode: 0o644 });
    const ended = await runInProcess(['dashboard', '--port', '0', ...given], folder);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(expected) });
    expect(ended.stderr).not.toMatch(new RegExp(`hunter2|${TOKEN}|    at `));
  });
});

describe('the tokens in the file of a bot', () => {
  function read(tcp: string) {
    const folder = newFolder();
    const text = ['venue: { url: "http://127.0.0.1:2" }', 'markets: { slugs: [a] }', 'strategy: ladder', 'mode: paper'];
    const params = 'params: { bid_spread: 60, ask_spread: 60, order_amount: 5, max_position: 10 }';
    writeFileSync(join(folder, 'bot.yaml'), `${[...text, params, `control: { tcp: ${tcp} }`].join('\n')}\n`);
    const redactor = new Redactor();
    return { port: readTcpPort(readLiveFile('bot.yaml', folder), redactor), redactor };
  }

  it('are read from their sources and do not appear in the log', () => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    const { port, redactor } = read('{ port: 9444, token: { env: TEST_BOT_TOKEN } }');
    expect(port).toEqual({ host: '127.0.0.1', port: 9_444, token: TOKEN, viewerToken: undefined });
    expect(redactor.error(new Error(TOKEN))).not.toMatchObject({ message: expect.stringContaining(TOKEN) });
  });

  it.each([
    ['{ port: 1, token: { env: TEST_NOT_THERE } }', /control\.tcp\.token: expected a secret/],
    ['{ port: 1, token: { env: TEST_SHORT_TOKEN } }', /control\.tcp\.token: expected a token of 32 to 1000/],
    [
      '{ port: 1, token: { env: TEST_BOT_TOKEN }, viewer_token: { env: TEST_BOT_TOKEN } }',
      /control\.tcp\.viewer_token: expected another token/,
    ],
  ])('are refused: %s', (tcp, expected) => {
    setSecret('TEST_BOT_TOKEN', TOKEN);
    setSecret('TEST_SHORT_TOKEN', 'hunter2');
    expect(() => read(tcp)).toThrow(expected);
    expect(() => read(tcp)).not.toThrow(/hunter2|operator-token/);
  });
});
