import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, halfspread, start } from './halfspread.ts';
import { workspace } from './workspace.ts';

describe('halfspread backtest', () => {
  it('ends its summary with the path of one self-contained report', async () => {
    const { folder, reports } = workspace();
    const { code, stdout, stderr } = await halfspread(['backtest', 'run.yaml'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('ladder on betfair-1.200806927');
    expect(lines.at(-1)).toBe(`report: reports/${reports()[0]}`);
    const html = readFileSync(join(folder, 'reports', reports()[0] ?? ''), 'utf8');
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(stdout).toContain('equity, USD\n');
  });

  it('prints only the path with --quiet, and writes the report to the folder of --out', async () => {
    const { folder } = workspace();
    const args = ['backtest', 'run.yaml', '--quiet', '--out', 'here/there'];
    const { stdout } = await ended(start(args, folder));
    expect(stdout).toMatch(/^report: here\/there\/ladder-betfair-1\.200806927-[0-9a-f]+\.html\n$/);
  });
});
