import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url).href;
const PAGE = readFileSync(new URL('../../docs/journal.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'journal-walk-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program of the page in its own process. */
function runProgram() {
  const [, program = ''] = /^## A walk$[\s\S]*?^```ts$([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  const file = join(folder, 'walk.ts');
  writeFileSync(file, program.replaceAll("'../src/", `'${SOURCES}`));
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [file, join(folder, 'journal')], {
    timeout: 120_000,
    encoding: 'utf8',
  });
  return { lines: stdout.trim().split('\n'), stderr, signal, status };
}

describe('the program in docs/journal.md', () => {
  it('prints an order event before it kills itself, and finds the order after the restart', () => {
    const first = runProgram();
    expect(first.stderr).toBe('');
    expect(first.signal).toBe('SIGKILL');
    expect(JSON.parse(first.lines.at(-1) ?? '')).toMatchObject({ type: 'accepted', order: 1, account: 1 });
    expect(runProgram()).toEqual({
      lines: ['found 1 open order after 5 records'],
      stderr: '',
      signal: null,
      status: 0,
    });
  }, 180_000);
});
