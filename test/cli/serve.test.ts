import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { newFolder } from './halfspread.ts';
import { serving } from './serving.ts';
import { runInProcess } from './trading.ts';

describe('halfspread serve', () => {
  it('prints its address, answers requests, and ends normally on SIGTERM', async () => {
    const venue = await serving([], newFolder());
    expect(await venue.query('{ health { status mode } }')).toEqual({
      data: { health: { status: 'OK', mode: 'NORMAL' } },
    });
    expect(await (await fetch(`${venue.url}/health`)).json()).toMatchObject({ status: 'OK', engineSeq: '0' });
    expect(await (await fetch(`${venue.url}/metrics`)).text()).toContain('halfspread_http_requests_total');
    const { code, stdout, stderr } = await venue.stop('SIGTERM');
    expect({ code, stdout }).toEqual({ code: 143, stdout: `listening on ${venue.url}\n` });
    expect(stderr).toContain('no markets yet: start with --seed for examples or --replay <tape>');
    expect(stderr).not.toContain('error');
  });

  it('closes the venue when its address cannot be printed', async () => {
    let url = '';
    const makeOutput = (write: (text: string) => void) => ({
      write,
      writeColored: write,
      isTty: false,
      columns: 200,
      colors: false,
      stream: process.stderr,
    });
    const out = makeOutput((text) => {
      url = /listening on (\S+)/.exec(text)?.[1] ?? url;
      throw new Error('the output is closed');
    });
    let errors = '';
    const err = makeOutput((text) => {
      errors += text;
    });
    const args = ['serve', '--port', '0', '--db', ':memory:', '--log', 'silent'];
    expect(await run(args, { out, err, cwd: newFolder() })).toBe(1);
    expect(errors).toContain('the output is closed');
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  it('loads the examples and the configuration, and ends normally on SIGINT', async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, 'venue.yaml'),
      'exchange: { spread_bps: 100 }\nchain: { model: simulated, max_delay_ms: 0, min_delay_ms: 0 }\n',
    );
    const venue = await serving(['--seed', '--config', 'venue.yaml', '--set', 'exchange.quorum=3'], folder);
    expect(await venue.operate('status')).toMatchObject({
      result: { markets: 13, config: { spread_bps: 100, quorum: 3 } },
    });
    expect(await venue.query('{ categories { slug } }')).toMatchObject({ data: { categories: { length: 4 } } });
    const { code, stdout, stderr } = await venue.stop('SIGINT');
    expect({ code, stdout }).toEqual({ code: 130, stdout: `listening on ${venue.url}\n` });
    expect(stderr).not.toContain('no markets');
    expect(stderr).not.toContain('error');
  });

  it.each([
    [['--port', '70000'], 2, /--port: expected a port from 0 to 65535/],
    [['--port', 'many'], 2, /--port: expected a port from 0 to 65535/],
    [['--log', 'loud'], 2, /--log: /],
    [['--host', '203.0.113.7', '--port', '4711'], 2, /--host: expected an address of this machine/],
    [
      ['--set', 'seed=1'],
      2,
      /--set: expected --config: --set changes .* `npx halfspread serve --config \S+ --set seed=1`/,
    ],
    [['--config', 'nowhere.yaml'], 2, /nowhere\.yaml: there is no such file/],
    [['--config', 'typo.yaml'], 2, /typo\.yaml:1:1: hause: expected a known key \(did you mean "house"\?/],
    [['--config', 'tick.yaml'], 2, /tick\.yaml:1:23: exchange\.tick_bps/],
    [
      ['--config', 'divisor.yaml'],
      2,
      /divisor\.yaml:1:23: exchange\.tick_bps: expected a value that the exchange accepts/,
    ],
    [['--chaos', 'typo.yaml'], 2, /typo\.yaml:1:1: hause: expected a known key/],
    [['--db', 'text.db'], 3, /text\.db: .*SQLITE_NOTADB.*Put back a good copy/],
    [
      ['--db', 'nowhere/venue.db'],
      3,
      /venue\.db: there is no folder .*nowhere\. Create it first \(mkdir -p .*nowhere\)/,
    ],
    [['--db', '.'], 3, /it is a folder\. Name a file in it, such as venue\.db/],
  ])('does not start with %s', async (args, expected, message) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'typo.yaml'), 'hause: {}\n');
    writeFileSync(join(folder, 'tick.yaml'), 'exchange: { tick_bps: 7000 }\n');
    writeFileSync(join(folder, 'divisor.yaml'), 'exchange: { tick_bps: 7 }\n');
    writeFileSync(join(folder, 'text.db'), 'this is text\n'.repeat(500));
    const { code, stdout, stderr } = await runInProcess(['serve', '--port', '0', ...args], folder);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('internal error');
  });

  it('does not start on a used port', async () => {
    const folder = newFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? `${address?.port}` : '';
    const { code, stderr } = await runInProcess(['serve', '--port', port], folder);
    taken.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`--port: expected a port that no other process listens on, got ${port}`);
  });
});

describe('halfspread venue', () => {
  it('sends commands and prints answers, and a second venue does not start on the database', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'venue.yaml'), 'chain: { model: manual }\n');
    const venue = await serving(['--config', 'venue.yaml', '--db', 'venue.db'], folder);
    const second = await runInProcess(['serve', '--port', '0', '--db', 'venue.db'], folder);
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(/venue\.db: process \d+ uses it\. Stop that process first, or name another file/);
    writeFileSync(join(folder, 'token'), `${venue.token}\n`);
    const run = (...args: readonly string[]) =>
      runInProcess(['venue', ...args, '--url', venue.url, '--token-file', 'token'], folder);
    expect(await run('put-category', 'slug=tests', 'name=Tests')).toMatchObject({ code: 0, stderr: '' });
    const made = await run(
      'create-market',
      ...['question=Will it hold?', 'rules=As tested.', 'category=tests', 'topics=[]'],
      ...['resolution_date=2100-01-01T00:00:00Z', 'tick_bps=50'],
    );
    expect(JSON.parse(made.stdout)).toMatchObject({ slug: 'will-it-hold', tickBps: 50 });
    const refused = await run('halt', 'market=will-it-hold');
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: the exchange refuses \(MARKET_NOT_OPEN/),
    });
    expect((await run('halt', 'markt=x')).stderr).toContain('markt: expected a known key (did you mean "market"?');
    expect((await run('halt', 'will-it-hold')).stderr).toContain('expected key=value');
    expect((await run('dance')).stderr).toContain('there is no "dance". The commands are create-market');
    await venue.stop('SIGTERM');
  });

  it('names missing arguments', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'token'), 'pmo_00\n');
    const none = await runInProcess(['venue', 'status'], folder);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('HALFSPREAD_OPERATOR_TOKEN') });
    const nobody = await runInProcess(
      ['venue', 'status', '--url', 'http://127.0.0.1:1', '--token-file', 'token'],
      folder,
    );
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('a venue that can be reached') });
    expect(await runInProcess(['venue', 'status', '--token-file', 'nowhere'], folder)).toMatchObject({ code: 3 });
    const list = await runInProcess(['venue', 'commands'], folder);
    expect(list.stdout).toMatch(/^halt {12}Halts an open market/m);
  });
});
