import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatReport, medianOf, row, sideBySide, summarise, writeReport } from '../../bench/harness.ts';

const runFile = promisify(execFile);
const bench = (...args: string[]) =>
  runFile(process.execPath, [join(import.meta.dirname, '../../bench/run.ts'), ...args]);

describe('bench samples', () => {
  it('have as median the middle value or the mean of the two middle values', () => {
    expect(summarise([9, 1, 5])).toEqual({ median: 5, low: 1, high: 9 });
    expect(summarise([9, 1, 5, 7])).toEqual({ median: 6, low: 1, high: 9 });
    expect(summarise([4])).toEqual({ median: 4, low: 4, high: 4 });
  });

  it('are refused when empty or not a number', () => {
    expect(() => summarise([])).toThrow(RangeError);
    expect(() => summarise([1, Number.NaN])).toThrow(RangeError);
  });

  it('exclude the warm-up run', async () => {
    const values = [100, 3, 1, 2];
    expect(await medianOf(3, () => values.shift() ?? Number.NaN)).toEqual({ median: 2, low: 1, high: 3 });
  });

  it('alternate the order of runs', async () => {
    const turns: string[] = [];
    const run = (name: string, value: number) => () => {
      turns.push(name);
      return value;
    };
    const samples = await sideBySide(2, { ours: run('ours', 2), peer: run('peer', 10) }, { warmUp: 1 });
    expect(turns.join(' ')).toBe('peer ours ours peer peer ours');
    expect([samples.ours.median, samples.peer.median]).toEqual([2, 10]);
  });
});

describe('bench reports', () => {
  const report = {
    results: [row('core', { median: 50, low: 45, high: 60 }, 'ns/op'), { label: 'orders', value: 10_000, unit: '' }],
    ratios: { vsPeer: 101.4 },
    values: { nsPerOp: 50 },
    notes: ['what is left out'],
  };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('show median, extremes and spread', () => {
    expect(formatReport('matching', 'a machine', report).split('\n').slice(1)).toEqual([
      '',
      '        median  unit    low  high  spread',
      'core      50.0  ns/op  45.0  60.0  30.0 %',
      'orders  10,000',
      '',
      'vsPeer: 101 times',
      '- what is left out',
    ]);
  });

  it('are written with the keys that the checks read', () => {
    const file = writeReport(folder, 'matching', 'a machine', report);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      name: 'matching',
      machine: 'a machine',
      node: process.version,
      results: [
        { label: 'core', value: 50, unit: 'ns/op' },
        { label: 'orders', value: 10_000, unit: '' },
      ],
      ratios: { vsPeer: 101.4 },
      values: { nsPerOp: 50 },
    });
  });
});

describe('npm run bench', () => {
  it('lists the benches when none is named', async () => {
    expect((await bench()).stdout).toContain('one of:');
  });

  it('refuses an unknown name and lists the known ones', async () => {
    await expect(bench('nonsense')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/unknown bench "nonsense"\n.*one of:/),
    });
  });
});
