/** `config check` refuses each configuration that `run` refuses before it connects to the venue. */
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { newFolder, ROOT } from './halfspread.ts';
import { newKey, runInProcess, setSecret } from './trading.ts';

const BOT = [
  // Nothing listens there.
  'venue: { url: "http://127.0.0.1:2" }',
  'account: { key: { env: TEST_CHECK_KEY } }',
  'markets: { slugs: [a] }',
  'strategy: ladder',
  'params: { bid_spread: 60, ask_spread: 60, order_amount: 5, max_position: 10 }',
  'watchdog_ms: none',
].join('\n');

function folder(): string {
  const path = newFolder();
  setSecret('TEST_CHECK_KEY', newKey());
  setSecret('XDG_STATE_HOME', path);
  mkdirSync(join(path, 'folder'));
  writeFileSync(join(path, 'file'), 'something');
  symlinkSync('file', join(path, 'link'));
  writeFileSync(join(path, 'first'), '');
  linkSync(join(path, 'first'), join(path, 'second'));
  writeFileSync(join(path, 'bot.yaml'), `${BOT}\n`);
  return path;
}

const LONG = 'x'.repeat(120);

describe('a bot’s configuration that `run` refuses before it connects', () => {
  it.each([
    ['log.file=none/bot.log', /none\/bot\.log: its folder is not there\. Make the folder, or set `log\.file`/, 3],
    ['log.file=folder', /folder: it is a folder\. Make the folder, or set `log\.file`/, 3],
    ['log.file=file/bot.log', /file\/bot\.log: its folder is not there/, 3],
    ['db=none/bot.db', /none\/bot\.db: there is no folder \S+none\. Create it first/, 3],
    ['db=folder', /folder: it is a folder/, 3],
    ['db=file', /file: this is not the database of a bot\. Set `db`/, 3],
    ['db=link', /link: it is a symbolic link\. Name the file itself: \S+file$/m, 3],
    ['db=first', /first: it has 2 names \(hard links\)\. Remove the other names/, 3],
    ['control.socket=none/bot.sock', /none\/bot\.sock: its folder is not there\. Set `control\.socket`/, 3],
    ['control.socket=file', /file: this file is not a socket/, 3],
    [`control.socket=${LONG}`, /a socket's path has at most 107 bytes/, 3],
    ['control.tcp={ port: 1 }', /control\.tcp\.token/, 2],
    ['control.tcp={ port: 1, token: { env: A }, host: 0.0.0.0 }', /control\.tcp\.host.*behind_proxy: true/, 2],
    ['record=file', /file is not a folder\. Set `record`/, 3],
    ['record=file/below', /file is not a folder\. Set `record`/, 3],
    ['venue.operations=none', /none: there is no such file or folder\. Give a folder of GraphQL operations/, 3],
    ['venue.headers={ "a b": c }', /venue\.headers: expected the name of a header, got "a b"/, 2],
    ['venue.headers={ a: "b\\nc" }', /venue\.headers\.a.*one line/, 2],
    ['markets.grid={ tape: none.tape }', /none\.tape: there is no such file/, 3],
    ['signals=[{ url: "ftp://a", values: { fair: p } }]', /signals\[0\]\.url.*begins with https:\/\//, 2],
    ['signals=[{ ws_url: "http://a", values: { fair: p } }]', /signals\[0\]\.ws_url.*begins with wss:\/\//, 2],
    ['signals=[{ url: "http://a", values: { "a b": p } }]', /signals\[0\]\.values.*a name of letters/, 2],
    ['markets.select={}', /markets\.select: expected either select, or ids, slugs and a filter/, 2],
    ['markets={}', /markets: expected ids, slugs, a filter or select/, 2],
    ['markets={ select: { sort: volume } }', /markets\.select\.sort/, 2],
    ['markets={ select: { max_hours_left: 1, min_hours_left: 2 } }', /select\.max_hours_left.*min_hours_left \(2\)/, 2],
    ['account={}', /account: expected a key that signs orders/, 2],
    ['strategy=none', /none/, 2],
  ])('is refused by `config check` with the same message: %s', async (set, expected, code) => {
    const cwd = folder();
    const [check, run] = await Promise.all([
      runInProcess(['config', 'check', 'bot.yaml', '--set', set], cwd),
      runInProcess(['run', 'bot.yaml', '--set', set], cwd),
    ]);
    expect(check).toEqual({ code, stdout: '', stderr: expect.stringMatching(expected) });
    expect(run).toEqual(check);
    expect(readdirSync(cwd).sort()).toEqual(['bot.yaml', 'file', 'first', 'folder', 'link', 'second']);
  });

  it.runIf(process.getuid?.() !== 0)('is refused when the log’s folder is not writable', async () => {
    const cwd = folder();
    chmodSync(join(cwd, 'folder'), 0o500);
    const check = await runInProcess(['config', 'check', 'bot.yaml', '--set', 'log.file=folder/bot.log'], cwd);
    expect(check).toMatchObject({ code: 3, stderr: expect.stringContaining('it cannot be written (EACCES') });
  });
});

describe('halfspread config check', () => {
  it('accepts paths of a log, a database and recordings that do not exist, and does not create them', async () => {
    const cwd = folder();
    const set = ['log.file=folder/bot.log', 'db=folder/bot.db', 'record=folder/kept/deep'];
    const args = set.flatMap((each) => ['--set', each]);
    expect(await runInProcess(['config', 'check', 'bot.yaml', ...args], cwd)).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(cwd, 'folder'))).toEqual([]);
  });

  it('reads no secret, and in paper mode needs no key and no database', async () => {
    const cwd = folder();
    const missing = ['account.key={ file: none }', 'alerts.targets=[{ type: webhook, url: { env: TEST_NOT_THERE } }]'];
    const sets = [missing, ['mode=paper', 'account={}', 'db=file']];
    for (const set of sets) {
      const args = set.flatMap((each) => ['--set', each]);
      expect(await runInProcess(['config', 'check', 'bot.yaml', ...args], cwd)).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('names all unknown keys of a file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'bot.yaml'), `${BOT}\nrsik: { max_position: 1 }\nalerts: { repaet_ms: 1 }\n`);
    const { code, stderr } = await runInProcess(['config', 'check', 'bot.yaml'], cwd);
    expect(stderr).toContain('did you mean "risk"?');
    expect(stderr).toContain('alerts.repaet_ms');
    expect(code).toBe(2);
  });

  it.each([
    [
      '{ slugs: [a], overrides: { a: {}, b: {}, c: {} } }',
      'nothing wrong, but markets.overrides has keys that are not in markets.slugs: b, c;',
    ],
    ['{ slugs: [a], overrides: { 01234567-89ab-4def-8123-456789abcdef: {} } }', 'nothing wrong;'],
    ['{ slugs: [a], filter: { category: x }, overrides: { b: {} } }', 'nothing wrong;'],
    ['{ select: { most: 3 }, overrides: { b: {} } }', 'nothing wrong;'],
  ])('names keys of `markets.overrides` that match no market of the file: %s', async (markets, expected) => {
    const check = await runInProcess(['config', 'check', 'bot.yaml', '--set', `markets=${markets}`], folder());
    expect(check).toEqual({ code: 0, stdout: expect.stringContaining(expected), stderr: '' });
  });

  it('checks several files, prints a line for each, and exits with the highest code', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'typo.yaml'), `${BOT}\nrsik: {}\n`);
    writeFileSync(join(cwd, 'log.yaml'), `${BOT}\nlog: { file: none/bot.log }\n`);
    const check = await runInProcess(['config', 'check', 'log.yaml', 'typo.yaml', 'bot.yaml'], cwd);
    expect(check.stdout).toMatch(
      /^log\.yaml: refused\ntypo\.yaml: refused\nbot\.yaml: a bot with ladder, nothing wrong.*\n$/,
    );
    expect(check.stderr).toMatch(/^error: .*bot\.log: its folder is not there.*\nerror: typo\.yaml:\d+:1: rsik: /);
    expect(check.code).toBe(3);
    const fine = await runInProcess(['config', 'check', 'bot.yaml', 'bot.yaml', '--set', 'log.level=warn'], cwd);
    expect(fine).toEqual({ code: 0, stdout: expect.stringMatching(/^(bot\.yaml: a bot .*\n){2}$/), stderr: '' });
  });

  const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');
  const BACKTEST = `strategy: ladder\nparams: { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 }\ntapes: [${TAPE}]\nreport_dir: reports\n`;

  it.each([
    ['from=2030-01-01T00:00:00Z', /from: expected a time between/, 2],
    ['signals=none.jsonl', /none\.jsonl/, 3],
    [`tapes=[${TAPE}, ${TAPE}]`, /tapes\[1\]: expected a tape without the market/, 2],
    ['report_dir=file', /file: \S+file is not a folder\. Set report_dir/, 3],
  ])(
    'refuses a backtest with the message of `backtest`, before anything is replayed: %s',
    async (set, expected, code) => {
      const cwd = folder();
      process.chdir(cwd);
      try {
        writeFileSync(join(cwd, 'backtest.yaml'), BACKTEST);
        const check = await runInProcess(['config', 'check', 'backtest.yaml', '--set', set], cwd);
        expect(check).toEqual({ code, stdout: '', stderr: expect.stringMatching(expected) });
        expect(await runInProcess(['backtest', 'backtest.yaml', '--set', set], cwd)).toEqual(check);
        expect(existsSync(join(cwd, 'reports'))).toBe(false);
      } finally {
        process.chdir(ROOT);
      }
    },
  );

  it.each([
    ['replay: [{ tape: none.tape }]', /none\.tape: there is no such file/, 3],
    ['audience: http://a/', /1:11: audience: expected a base URL without trailing slash.*, got "http:\/\/a\/"/, 2],
    ['trusted_proxies: [10.0.0.0/8, "::1", 10.0.0.0/33]', /trusted_proxies\[2\]: expected an IP address or a range/, 2],
    [
      'chain: { model: simulated, min_delay_ms: 9, max_delay_ms: 1 }',
      /1:59: chain\.max_delay_ms: expected at least min_delay_ms/,
      2,
    ],
    [
      'resolver: { model: panel, models: [{ name: a, accuracy: 1 }, { name: a, accuracy: 1 }] }',
      /resolver\.models: expected models with different names/,
      2,
    ],
    [`replay: [{ tape: "${TAPE}", from: 2030-01-01T00:00:00Z }]`, /replay\[0\]\.from: expected a time on the tape/, 2],
  ])('refuses a venue with the message of `serve`: %s', async (text, expected, code) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'venue.yaml'), `${text}\n`);
    const check = await runInProcess(['config', 'check', 'venue.yaml'], cwd);
    expect(check).toEqual({ code, stdout: '', stderr: expect.stringMatching(expected) });
    const args = ['serve', '--port', '0', '--db', ':memory:', '--config', 'venue.yaml'];
    expect(await runInProcess(args, cwd)).toEqual(check);
  });
});

describe('`config schema`', () => {
  it('without a kind prints the schema of a backtest, with the parameters of a strategy', async () => {
    const { code, stdout } = await runInProcess(['config', 'schema', '--strategy', 'ladder'], newFolder());
    expect({ code, properties: Object.keys(JSON.parse(stdout).properties) }).toMatchObject({
      code: 0,
      properties: expect.arrayContaining(['tapes', 'params']),
    });
  });
});
