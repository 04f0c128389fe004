import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/runtime/index.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('makeFolder', () => {
  it('makes what is missing, says where that began, and is content with what is there', () => {
    const path = join(scratch, 'a/b/c');
    expect(makeFolder(path, 0o700)).toBe(join(scratch, 'a'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(makeFolder(path)).toBeUndefined();
    expect(makeFolder(join(path, 'd/'))).toBe(join(path, 'd'));
  });

  it('refuses a file in the place of a folder, at the end and on the way', () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'inner'))).toThrow('ENOTDIR');
  });

  // In a process of its own: one that never came back could not be ended from here.
  it.runIf(existsSync('/proc/self'))('comes back where nothing can be made', () => {
    const door = JSON.stringify(join(import.meta.dirname, '../../src/runtime/make-folder.ts'));
    const script = `import { makeFolder } from ${door};
      try { makeFolder('/proc/halfspread/reports'); } catch (cause) { console.log(cause.code); }`;
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000,
      killSignal: 'SIGKILL',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(told.trim()).toBe('ENOENT');
  });
});
