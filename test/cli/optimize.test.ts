import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { studyFixture } from '../research/study/study-fixture.ts';
import { runInProcess } from './trading.ts';

describe('halfspread optimize', () => {
  it.each<[string, string[], RegExp]>([
    [
      'no workers',
      ['optimize', 'study.yaml', '--workers', '0'],
      /^error: --workers: expected a whole number from 1 to 256/,
    ],
    [
      'a number of workers that is not a number',
      ['optimize', 'study.yaml', '--workers', 'x'],
      /^error: --workers: expected a whole number/,
    ],
    [
      'the URL of a Redis with a password, without a line of the study',
      ['optimize', 'study.yaml', '--workers', 'redis://user:secret@host'],
      /^error: --workers: expected a URL without a password\. Set HALFSPREAD_REDIS_PASSWORD instead/,
    ],
    ['a backtest', ['optimize', 'backtest.yaml'], /this is a backtest, not a study\. Run it with/],
    [
      'no parameters',
      ['optimize', 'study.yaml', '--set', 'parameters={}'],
      /: parameters: expected at least one parameter/,
    ],
    [
      'a forbidden key',
      ['optimize', 'study.yaml', '--set', 'parameters={"params.__proto__": {low: 1, high: 2}}'],
      /: parameters\.params\.__proto__: expected a key that can be set \(no key may be called "__proto__"\)/,
    ],
    [
      'a key with consecutive dots',
      ['optimize', 'study.yaml', '--set', 'parameters={"params..bid_spread": {low: 1, high: 2}}'],
      /: parameters: expected keys of the backtest, such as params\.bid_spread, got "params\.\.bid_spread"/,
    ],
    [
      'a key of a section that the backtest lacks',
      ['optimize', 'study.yaml', '--set', 'parameters={latency.entry_ms: {low: 1, high: 2}}'],
      /: backtest: expected a backtest that takes these parameters \(latency\.model: .*\), got "backtest\.yaml"/,
    ],
    [
      'two objectives in one entry',
      ['optimize', 'study.yaml', '--set', 'objectives=[{maximise: pnl, minimise: drawdown}]'],
      /: objectives\[0\]: expected either maximise or minimise/,
    ],
    [
      'halving on a single tape',
      ['optimize', 'study.yaml', '--set', 'search={method: halving}'],
      /: search\.method: expected another method, or more tapes for training than search\.least, which is 1: there is 1/,
    ],
    [
      'a condition on itself',
      [
        'optimize',
        'study.yaml',
        '--set',
        'parameters={params.order_levels: {choices: [1, 2], when: {params.order_levels: [1]}}}',
      ],
      /: parameters\.params\.order_levels\.when: expected conditions without a cycle/,
    ],
  ])('refuses %s', async (_, args, words) => {
    const { folder } = studyFixture(1, 300);
    const { code, stderr } = await runInProcess(args, folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(existsSync(join(folder, 'study.study'))).toBe(false);
  });

  it('prints the result and then the error of the first trial when all failed', async () => {
    const { folder, write } = studyFixture(1, 300);
    write({ trials: 2, objectives: [{ maximise: 'pnl / (fills - fills)' }] });
    const { code, stdout, stderr } = await runInProcess(['optimize', 'study.yaml', '--json', '--quiet'], folder);
    expect(JSON.parse(stdout)).toMatchObject({ trials: { done: 0, failed: 2 }, best: null });
    const words = /all 2 trials failed\. Correct the cause, .*--new\. Trial 0: the objective .* a division by 0/;
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    const best = await runInProcess(['optimize', 'best', 'study.yaml'], folder);
    expect([best.code, best.stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('shows the line of an invalid parameter with dots in its key', async () => {
    const { folder, write } = studyFixture(1, 300);
    write({ parameters: { 'params.ask_spread': { low: 10, high: 20 }, 'params.bid_spread': { low: 20, high: 10 } } });
    const { code, stderr } = await runInProcess(['optimize', 'study.yaml'], folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/study\.yaml:\d+:\d+: .*\n.*low: 20/)]);
  });

  it('names the missing folder of a study’s database', async () => {
    const { folder } = studyFixture(1, 300);
    const { code, stderr } = await runInProcess(['optimize', 'study.yaml', '--set', 'file=nowhere/a.study'], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/there is no folder .*nowhere\. Create it/)]);
  });

  it.each<[string, string, RegExp]>([
    ['a tape', 'tapes/t0.tape', /t0\.tape: /],
    ['a file of configuration', 'backtest.yaml', /backtest\.yaml: /],
  ])('does not remove %s with --new when a study names it as its database', async (_, file, words) => {
    const { folder } = studyFixture(1, 300);
    const before = readFileSync(join(folder, file));
    const { code, stderr } = await runInProcess(['optimize', 'study.yaml', '--new', '--set', `file=${file}`], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
    expect(readFileSync(join(folder, file))).toEqual(before);
  });

  it('refuses a folder as the database of a study with --new', async () => {
    const { folder } = studyFixture(1, 300);
    const { code, stderr } = await runInProcess(['optimize', 'study.yaml', '--new', '--set', 'file=tapes'], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/tapes: it is a folder/)]);
  });

  it('refuses --new together with --resume, and keeps the study', async () => {
    const { folder } = studyFixture(1, 300);
    writeFileSync(join(folder, 'study.study'), 'kept');
    const { code, stderr } = await runInProcess(['optimize', 'study.yaml', '--new', '--resume'], folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --new: expected --new or --resume, not both/)]);
    expect(readFileSync(join(folder, 'study.study'), 'utf8')).toBe('kept');
  });

  it('warns that the backtest was changed after the study, on the terminal and in the file of the best trial', async () => {
    const { folder, write } = studyFixture(1, 300);
    write({ trials: 1 });
    await runInProcess(['optimize', 'study.yaml', '--quiet', '--workers', '1'], folder);
    const same = await runInProcess(['optimize', 'best', 'study.yaml', '--as-config'], folder);
    expect([same.code, same.stderr]).toEqual([0, '']);
    appendFileSync(
      join(folder, 'backtest.yaml'),
      '\nlatency: { model: constant, feed_ms: 1, entry_ms: 2, response_ms: 3 }\n',
    );
    const changed = await runInProcess(['optimize', 'best', 'study.yaml', '--as-config'], folder);
    const words = 'since the study ran, its backtest changed: the results are not those of this configuration\n';
    expect([changed.code, changed.stderr]).toEqual([0, `warning: ${words}`]);
    expect(changed.stdout).toContain(`# ${words}# Trial 0 of 1`);
  });

  it('passes options after `best` to `optimize best`', async () => {
    const { folder } = studyFixture(1, 300);
    const { code, stderr } = await runInProcess(
      ['optimize', 'best', 'study.yaml', '--set', 'file=other.study'],
      folder,
    );
    expect([code, stderr]).toEqual([3, expect.stringMatching(/other\.study: there is no such study/)]);
  });
});
