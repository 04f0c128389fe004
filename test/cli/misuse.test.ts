import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './halfspread.ts';
import { runInProcess } from './trading.ts';
import { SHORT_RUN, workspace } from './workspace.ts';

const TAPE = `${ROOT}/config/tapes/betfair-1.200806927.tape`;

describe('an invalid command', { concurrent: true }, () => {
  it.each([
    [['backtest'], "error: missing required argument 'config'\n(npx halfspread backtest --help shows usage"],
    [['import', 'deribit', 'x.gz'], "error: unknown command 'deribit'\n(npx halfspread import --help lists"],
    [['tape', 'generate', 'x.yaml'], '(npx halfspread tape generate --help shows usage'],
    [['backtest', 'config'], 'error: config: this is a folder. Name a YAML file in it\n'],
    [['backtest', 'config/synthetic.yaml'], 'error: config/synthetic.yaml: this is the recipe of a tape'],
    [['tape', 'generate', 'config/demo.yaml', '--out', 'x.tape'], 'error: config/demo.yaml: this is a backtest'],
    [['run', 'config/backtest.yaml'], 'error: config/backtest.yaml: this is a backtest, not a bot'],
    [['run', 'config/optimize.yaml'], 'error: config/optimize.yaml: this is a study, not a bot'],
  ])('exits with code 2 and prints what to do: %j', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([['journal', 'check'], ['statement'], ['import', 'csv', '--mapping', 'polymarket-trades', '--out', 'out']])(
    'names the path, not an internal error, when it cannot be read: %s',
    async (...command) => {
      const { folder, write } = workspace();
      write('file', '');
      symlinkSync('loop', join(folder, 'loop'));
      for (const path of ['loop', 'file/bot.db', 'a'.repeat(5_000)]) {
        const { code, stderr } = await runInProcess([...command, path], folder);
        expect([path, code, stderr]).toEqual([path, 3, expect.stringContaining(`error: ${join(folder, path)}`)]);
      }
    },
  );

  it.each([['cut'], ['export']])(
    'names the output, not an internal error, when its name is too long: tape %s',
    async (command) => {
      const { folder } = workspace();
      const name = `${'a'.repeat(300)}${command === 'export' ? '' : '.tape'}`;
      const { code, stderr } = await runInProcess(['tape', command, TAPE, '--out', name], folder);
      expect([code, stderr]).toEqual([3, expect.stringContaining(`error: ${join(folder, name)}`)]);
      expect(stderr).toContain('name too long');
    },
  );

  it('does not replace an earlier recording, finished or not, by a new one', async () => {
    const { folder, write } = workspace();
    write('done.tape', 'done');
    write('killed.tape.partial', 'killed');
    for (const name of ['done.tape', 'killed.tape']) {
      const { code, stderr } = await runInProcess(['record', `${ROOT}/config/paper.yaml`, '--out', name], folder);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--out: expected .* a recording is never replaced/)]);
    }
    const texts = ['done.tape', 'killed.tape.partial'].map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toEqual(['done', 'killed']);
  });

  it('explains that tapes are relative to the configuration when a path is relative to the working folder', async () => {
    const { folder, write } = workspace();
    write('runs/deep.yaml', SHORT_RUN);
    for (const command of [['backtest'], ['config', 'check']]) {
      const { code, stderr } = await runInProcess([...command, 'runs/deep.yaml'], folder);
      expect(stderr).toMatch(/runs\/match\.tape: there is no such file\. Paths .* write \.\.\/match\.tape\n$/);
      expect(code).toBe(3);
    }
  });

  it('explains that a key of an earlier version was removed, and what to do', async () => {
    const { code, stderr } = await runInProcess(['config', 'check', 'config/bot.yaml', '--set', 'busy_poll=true']);
    expect(stderr).toContain('busy_poll: expected no such key: it was removed. Remove this line; warmup_ms');
    expect(code).toBe(2);
  });

  it('shows the position of an unknown strategy and the closest name', async () => {
    const { folder } = workspace(SHORT_RUN.replace('strategy: ladder', 'strategy: laddr'));
    for (const command of [['backtest'], ['config', 'check']]) {
      const { code, stderr } = await runInProcess([...command, 'run.yaml'], folder);
      expect(stderr).toMatch(
        /^error: run\.yaml:\d+:11: strategy: expected the name of a strategy \(did you mean "ladder"\?/,
      );
      expect(code).toBe(2);
    }
    const other = ['--set', 'markets.overrides.x={ strategy: lader }'];
    const { code, stderr } = await runInProcess(['config', 'check', 'config/live.yaml', ...other]);
    expect(stderr).toContain('markets.overrides.x.strategy: expected the name of a strategy (did you mean "ladder"?');
    expect(code).toBe(2);
  });

  it('advises to remove the quotes around a number', async () => {
    const set = ['--set', 'risk.max_position="50"'];
    const { code, stderr } = await runInProcess(['config', 'check', 'config/live.yaml', ...set]);
    expect(stderr).toContain('or "none" (remove the quotes: 50), got "50"');
    expect(code).toBe(2);
  });

  it('shows the new name of a renamed key', async () => {
    const { code, stderr } = await runInProcess(['config', 'check', 'config/bot.yaml', '--set', 'keep_warm_ms=2']);
    expect(stderr).toContain('keep_warm_ms: expected no such key: it is now called warmup_ms, got 2');
    expect(code).toBe(2);
  });

  it('accepts an address for --set without quotes', async () => {
    for (const key of ['venue.contract', 'account.address']) {
      const set = `${key}=0x${'12'.repeat(20)}`;
      const { code, stderr } = await runInProcess(['config', 'check', 'config/live.yaml', '--set', set]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  });

  it.each([
    [['markets', '--url', 'foo'], '--url: expected the base URL of a venue, such as http://127.0.0.1:4000'],
    [['venue', 'commands', '--url', 'foo'], '--url: expected the base URL of a venue, such as http://127.0.0.1:4000'],
    [['report', 'bot.db'], 'session: expected a .steps file of a recording, or the YAML file of a bot'],
    [['markets', '--limit', 'x'], '--limit: expected a whole number from 1 to 10000'],
    [['dashboard', 'config/live.yaml', '--port', ''], '--port: expected a port from 0 to 65535'],
    [
      ['dashboard', 'a.db', '--name', 'https://bots.example.org'],
      '--name: expected host names or addresses without scheme',
    ],
    [
      ['dashboard', 'a.db', '--name', 'bots.example.org:443'],
      '--name: expected host names or addresses without scheme',
    ],
    [['frames', 'x.frames', '--limit', '1.5'], '--limit: expected a whole number from 1 to 1000000000'],
    [['record', 'config/live.yaml', '--seconds', '0'], '--seconds: expected a number above 0, at most 1000000000'],
    [['fills', 'config/live.yaml', '--limit', 'x'], '--limit: expected a whole number from 1 to 10000'],
    [
      ['kill', 'config/live.yaml'],
      'no bot runs there. To cancel every order of the account at the venue: `npx halfspread cancel-all --venue config/live.yaml`',
    ],
    [['flatten', '--db', 'none.db'], '`npx halfspread cancel-all --venue <config.yaml>`'],
    [['resume', 'config/live.yaml'], 'no bot runs there. Start it with `npx halfspread run`'],
  ])('exits with code 2 and prints a valid value or the next command: %j', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    [
      'venue.url=localhost:4000',
      'venue.url: expected a URL that begins with http:// or https://, got "localhost:4000"',
    ],
    ['venue.ws_url=http://a.b', 'venue.ws_url: expected a URL that begins with ws:// or wss://'],
    ['venue.url="http://me:hush@a.b"', 'without user and password in it'],
  ])('reports an invalid URL before it connects: %s', async (set, message) => {
    for (const command of [['config', 'check'], ['doctor'], ['run']]) {
      const { code, stdout, stderr } = await runInProcess([...command, 'config/live.yaml', '--set', set]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
    }
  });

  it('reports a spread that is a fraction instead of basis points', async () => {
    const { folder } = workspace(SHORT_RUN.replace('bid_spread: 60', 'bid_spread: 0.006'));
    const { code, stderr } = await runInProcess(['backtest', 'run.yaml'], folder);
    expect(stderr).toMatch(
      /^error: run\.yaml:3:15: params\.bid_spread: expected 0, or at least 1: bps .*, got 0\.006\n/,
    );
    expect(code).toBe(2);
  });
});

describe('help', { concurrent: true }, () => {
  it('lists every command of each group in one line', async () => {
    const { code, stdout } = await runInProcess(['--help']);
    expect(code).toBe(0);
    const groups = [...stdout.matchAll(/^([A-Z][\w ]+):\n((?: {2}.*\n)+)/gm)].map(([, name, lines = '']) => [
      name,
      [...lines.matchAll(/^ {2}([\w-]+)/gm)].map(([, command]) => command),
    ]);
    expect(Object.fromEntries(groups)).toMatchObject({
      Trade: [
        'markets',
        'doctor',
        'alerts',
        'run',
        'dashboard',
        'download',
        'record',
        'replay',
        'report',
        'statement',
        'frames',
      ],
      'Local venue': ['serve', 'venue', 'journal'],
      Commands: ['help'],
    });
  });

  it('shows the help of a subcommand', async () => {
    const requests = await runInProcess(['help', 'tape', 'generate']);
    expect(requests).toEqual(await runInProcess(['tape', 'generate', '--help']));
    expect(requests).toMatchObject({ code: 0, stderr: '' });
    expect(requests.stdout).toMatch(/^Usage: halfspread tape generate .*<recipe>[\s\S]*Examples:/);
  });
});

describe('--quiet with --no-report', () => {
  it('prints nothing', async () => {
    const { folder } = workspace();
    const { code, stdout, stderr } = await runInProcess(
      ['backtest', join(folder, 'run.yaml'), '--quiet', '--no-report'],
      ROOT,
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
