import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { halfspread, ROOT } from './halfspread.ts';
import { runInProcess } from './trading.ts';
import { SHORT_RUN, strategyWith, workspace } from './workspace.ts';

/** Runs `backtest run.yaml` on a configuration and expects it to fail without a report. */
async function expectFailure(config: string, ...args: readonly string[]) {
  const { folder, reports } = workspace(config);
  const { code, stdout, stderr } = await runInProcess(['backtest', 'run.yaml', ...args], folder);
  expect({ stdout, reports: reports() }).toEqual({ stdout: '', reports: [] });
  return { code, stderr };
}

/** A run of a wrapper; the parameters of the wrapped strategy begin in line 6. */
function wrapperRun(strategy: string, param: string): string {
  const params = `params:\n  pull_time: 5\n  strategy: ${strategy}\n  params:\n    ${param}\n`;
  return SHORT_RUN.replace('strategy: ladder', 'strategy: event-regime').replace(/params:[\s\S]*(?=tapes:)/, params);
}

describe('a command with an invalid configuration', { concurrent: true }, () => {
  it.each([
    ['broken YAML', SHORT_RUN.replace('[match.tape]', '[match.tape'), /^error: run\.yaml:\d+:\d+: /],
    ['a key given twice', `${SHORT_RUN}seed: 1\nseed: 2\n`, /^error: run\.yaml:11:1: .*unique/],
    ['a second document', `${SHORT_RUN}---\nseed: 1\n`, /^error: run\.yaml:10:1: a second document begins here/],
    [
      'a key named __proto__',
      `${SHORT_RUN}risk: { __proto__: { max_order: 1 } }\n`,
      /^error: run\.yaml:10:9: no key may/,
    ],
    [
      'nesting that is too deep',
      `a: ${'['.repeat(20_000)}\n`,
      /^error: run\.yaml:1:\d+: this is nested too deeply\n.{1,140}\n/,
    ],
    [
      'a file that is too long',
      `${SHORT_RUN}${'# x\n'.repeat(100_000)}`,
      /^error: run\.yaml: longer than 262144 characters/,
    ],
    ['a terminal control sequence', `${SHORT_RUN}"\u001b]0;owned\u0007": 1\n`, /^[\P{Cc}\n]*$/u],
    ['an empty file', '', /^error: run\.yaml:1:1: expected a section of keys \(key: value\), got null/],
    [
      'an unknown key',
      `${SHORT_RUN}sede: 1\n`,
      /^error: run\.yaml:10:1: sede: expected a known key \(did you mean "seed"\?.*\n {2}10 \| sede: 1\n {5}\| \^\n/,
    ],
    [
      'an unknown key in a section',
      `${SHORT_RUN}latency:\n  model: constant\n  enrty_ms: 5\n`,
      /^error: run\.yaml:12:3: latency\.enrty_ms: expected a known key \(did you mean "entry_ms"\?/,
    ],
    [
      'a value out of its range',
      `${SHORT_RUN}seed: -1\n`,
      /^error: run\.yaml:10:7: seed: expected at least 0, got -1\n {2}10 \| seed: -1\n {5}\| {7}\^\n/,
    ],
    [
      'an unknown parameter',
      SHORT_RUN.replace('order_amount', 'order_amuont'),
      /^error: run\.yaml:5:3: params\.order_amuont: expected a known key \(did you mean "order_amount"\?/,
    ],
    [
      'a parameter out of its range',
      SHORT_RUN.replace('order_amount: 20', 'order_amount: -20'),
      /^error: run\.yaml:5:17: params\.order_amount: expected more than 0, got -20/,
    ],
    [
      'a size beyond any market',
      SHORT_RUN.replace('order_amount: 20', 'order_amount: 1e300'),
      /^error: run\.yaml:5:17: params\.order_amount: expected at most 1000000000, got 1e\+300/,
    ],
    [
      'a parameter of another type',
      SHORT_RUN.replace('bid_spread: 60', 'bid_spread: sixty'),
      /^error: run\.yaml:3:15: params\.bid_spread: expected a number, got "sixty"/,
    ],
    [
      'an unknown wrapped strategy',
      wrapperRun('leader', 'bid_spread: 60'),
      /^error: run\.yaml:4:13: params\.strategy: expected the name of a strategy \(did you mean "ladder"\? .*got "leader"/,
    ],
    [
      'a wrapped strategy that is missing',
      wrapperRun('null', ''),
      /^error: run\.yaml:4:13: params\.strategy: expected the name or path of the strategy that event-regime wraps, got/,
    ],
    [
      'an unknown parameter of a wrapped strategy',
      wrapperRun('ladder', 'bid_spraed: 60'),
      /^error: run\.yaml:6:5: params\.params\.bid_spraed: expected a known key \(did you mean "bid_spread"\?/,
    ],
    [
      'a wrong parameter of a wrapped strategy',
      wrapperRun('ladder', 'bid_spread: sixty'),
      /^error: run\.yaml:6:17: params\.params\.bid_spread: expected a number, got "sixty"/,
    ],
    [
      'an unknown parameter of a wrapper',
      wrapperRun('ladder', 'bid_spread: 60').replace('pull_time', 'pul_time'),
      /^error: run\.yaml:3:3: params\.pul_time: expected a known key \(did you mean "pull_time"\?/,
    ],
    [
      'a window outside the tape',
      SHORT_RUN.replace('to: 2022', 'to: 2021'),
      /^error: run\.yaml:9:5: to: expected a time/,
    ],
    ['no tape', SHORT_RUN.replace('[match.tape]', '[]'), /^error: run\.yaml:7:8: tapes: expected at least 1 entries/],
  ])('exits with code 2 and prints line and column: %s', async (_what, config, message) => {
    const { code, stderr } = await expectFailure(config);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('names an option with an invalid value', async () => {
    const { code, stderr } = await expectFailure(SHORT_RUN, '--seed', 'x');
    expect(stderr).toMatch(/^error: --set seed=x: seed: expected a number, got "x"\n$/);
    expect(code).toBe(2);
  });

  it.each([
    ['seed=*a', /^error: --set seed=\*a: the value is not valid YAML \(Unresolved alias .*\)\. Quote it\n$/],
    ['seed=!foo 3', /^error: --set seed=!foo 3: the value is not valid YAML \(Unresolved tag: !foo\)\. Quote it\n$/],
    ['..seed=3', /^error: --set \.\.seed=3: expected key=value/],
    ['seed]=3', /^error: --set seed\]=3: expected key=value/],
    ['tapes[7]=x.tape', /^error: --set tapes\[7\]=x\.tape: there is no \[7\]: the list has 1 entries\n$/],
    [
      'queue.model=riskaverse',
      /queue\.model: expected one of "risk-averse", "power", "log", "fifo" \(did you mean "risk-averse"\?\), got "riskaverse"\n$/,
    ],
    ['queue=power', /queue: expected a section of keys, such as \{ model: power \}, got "power"\n$/],
    ['tapes=x.tape', /tapes: expected a list, such as \[x\.tape\], got "x\.tape"\n$/],
    ['fees={ model: taker }', /fees\.rate_bps: expected a number, but it is missing\n$/],
    [
      'fees={ model: none, commission_bps: 0.05 }',
      /fees\.commission_bps: expected "from tape" or a whole number from 0 to 10000, got 0\.05\n$/,
    ],
    [
      'latency={ model: sampled, feed_ms: { median: 9, p99: 5 }, entry_ms: { median: 1, p99: 1 }, response_ms: { median: 1, p99: 1 } }',
      /latency\.feed_ms\.p99: expected p99 at or above the median, got 5\n$/,
    ],
    ['params.__proto__={a: 1}', /^error: --set params\.__proto__=.*: no key may be called "__proto__"\n$/],
    ['params={__proto__: {a: 1}}', /^error: --set params=.*no key may be called "__proto__"/],
  ])('exits with code 2 for --set %s', async (option, message) => {
    const { code, stderr } = await expectFailure(SHORT_RUN, '--set', option);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('names an empty option', async () => {
    const { code, stderr } = await expectFailure(SHORT_RUN, '--out', '');
    expect(stderr).toMatch(/^error: --out: Too small/);
    expect(code).toBe(2);
  });

  it('names a missing file and a similar one', async () => {
    const { folder } = workspace();
    const { code, stderr } = await runInProcess(['backtest', 'rnu.yaml'], folder);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: rnu.yaml: there is no such file. Did you mean run.yaml?\n',
    });
    expect((await runInProcess(['backtest', 'run.yml'], folder)).stderr).toContain('Did you mean run.yaml?');
    expect((await runInProcess(['backtest', 'other/nothing.yaml'], folder)).stderr).toContain('Check the path');
  });

  it('is also refused by config check, which does not run the backtest', async () => {
    const { folder, write } = workspace();
    expect(await runInProcess(['config', 'check', 'run.yaml'], folder)).toMatchObject({ code: 0, stderr: '' });
    write('run.yaml', SHORT_RUN.replace('order_amount: 20', 'order_amount: -20'));
    const { code, stderr } = await runInProcess(['config', 'check', 'run.yaml'], folder);
    expect(stderr).toMatch(/^error: run\.yaml:5:17: params\.order_amount/);
    expect(code).toBe(2);
    write('recipe.yaml', 'events: 1000\ntake_share: 0.7\ncancel_share: 0.5\n');
    const recipe = await runInProcess(['config', 'check', 'recipe.yaml'], folder);
    expect(recipe.stderr).toMatch(
      /^error: recipe\.yaml:3:15: cancel_share: expected at most 1 minus the share of takers/,
    );
    expect(recipe.code).toBe(2);
    write('recipe.yaml', 'events: 1000\nstart: yesterday\n');
    const moment = await runInProcess(['config', 'check', 'recipe.yaml'], folder);
    expect(moment.stderr).toMatch(/^error: recipe\.yaml:2:8: start: expected a time such as/);
  });
});

describe('a strategy that fails', { concurrent: true }, () => {
  it.each([
    [
      'in a market handler',
      '{ onBook() { throw new RangeError("the moon is full"); } }',
      /failed in onBook/,
      /market row/,
    ],
    [
      'at the start',
      '{ onStart() { throw new RangeError("the moon is full"); } }',
      /failed in onStart/,
      /"type":"started"/,
    ],
  ])(
    'ends the backtest with code 4, the stack and the event that caused the error: %s',
    async (_when, handlers, where, event) => {
      const { folder, write, reports } = workspace(
        SHORT_RUN.replace('ladder', './moon').replace(/params:[\s\S]*?tapes/, 'tapes'),
      );
      write('moon/strategy.ts', strategyWith('moon', handlers));
      const { code, stdout, stderr } = await halfspread(['backtest', 'run.yaml'], folder);
      expect(stderr).toMatch(/strategy "moon"/);
      expect(stderr).toMatch(where);
      expect(stderr).toMatch(event);
      expect(stderr).toMatch(/RangeError: the moon is full/);
      expect(stderr).toMatch(/moon\/strategy\.ts:7:\d+/);
      expect({ code, stdout, reports: reports() }).toEqual({ code: 4, stdout: '', reports: [] });
    },
  );
});

describe('a damaged tape', { concurrent: true }, () => {
  const whole = readFileSync(join(ROOT, 'config/tapes/betfair-1.200806927.tape'));

  async function backtestOnTape(bytes: Uint8Array | undefined) {
    const { folder, write, reports } = workspace(bytes === undefined ? SHORT_RUN.replace('match', 'none') : SHORT_RUN);
    if (bytes !== undefined) write('match.tape', bytes);
    const { code, stdout, stderr } = await runInProcess(['backtest', 'run.yaml'], folder);
    expect({ code, stdout, reports: reports() }).toEqual({ code: 3, stdout: '', reports: [] });
    return stderr;
  }

  function flipBit(at: number): Uint8Array {
    const bytes = Uint8Array.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    return bytes;
  }

  it('causes an error with the path and a remedy when the file is missing', async () => {
    expect(await backtestOnTape(undefined)).toMatch(
      /^error: .*none\.tape: there is no such file or folder\. Check the path, or make/,
    );
  });

  it('causes an error with the byte position when the file is cut short', async () => {
    expect(await backtestOnTape(whole.subarray(0, 100_000))).toMatch(/^error: .*match\.tape, byte \d+: .*cut short/);
    expect(await backtestOnTape(whole.subarray(0, 0))).toMatch(/^error: .*match\.tape, byte 0: /);
  });

  it.each([
    ['the header', 3],
    ['a block', 5_000],
    ['the footer', whole.length - 1_000],
    ['the trailer', whole.length - 20],
  ])('causes an error with the position when a bit is flipped in %s', async (_part, at) => {
    expect(await backtestOnTape(flipBit(at))).toMatch(/^error: .*match\.tape, (byte|block|footer).*\d+/);
  });

  it('is found by tape check', async () => {
    const { folder, write } = workspace();
    write('match.tape', flipBit(5_000));
    const { code, stdout, stderr } = await runInProcess(['tape', 'check', 'match.tape'], folder);
    expect(stderr).toMatch(/^error: .*match\.tape/);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  });
});

describe('a damaged recording', { concurrent: true }, () => {
  const recording = join(ROOT, 'test/fixtures/betfair/1.200806927.gz');

  it('ends the import with code 3, file and line, and leaves no tape', async () => {
    const { folder, write, reports } = workspace();
    const lines = gunzipSync(readFileSync(recording)).toString('utf8').split('\n').slice(0, 300);
    lines[149] = (lines[149] ?? '').slice(0, -7);
    write('garbled.jsonl', lines.join('\n'));
    const { code, stdout, stderr } = await runInProcess(
      ['import', 'betfair', 'garbled.jsonl', '--out', 'reports'],
      folder,
    );
    expect(stderr).toMatch(/^error: .*garbled\.jsonl, line 150: .*\. Download the recording again/);
    expect({ code, stdout, left: reports() }).toEqual({ code: 3, stdout: '', left: [] });
  });

  it('leaves no tape when the compressed file is cut short', async () => {
    const { folder, write, reports } = workspace();
    const cut = write('cut.gz', readFileSync(recording));
    truncateSync(cut, 20_000);
    const { code, stdout, stderr } = await runInProcess(['import', 'betfair', 'cut.gz', '--out', 'reports'], folder);
    expect(stderr).toMatch(/^error: .*cut\.gz/);
    expect({ code, stdout, left: reports() }).toEqual({ code: 3, stdout: '', left: [] });
  });
});
