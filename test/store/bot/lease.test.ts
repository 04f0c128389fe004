import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaseHolder, takeLease } from '../../../src/store/index.ts';
import { databaseFiles } from '../sqlite/files.ts';

const CHILD = join(import.meta.dirname, 'leasing-child.ts');
const file = databaseFiles();
const HOLDER = { pid: 42, host: 'here', since: '2026-03-01T12:00:00Z', file: 'bot.db' };

const leases = (...paths: readonly string[]) => paths.map((path) => ({ path, resource: 'account 0xab' }));

describe('a lease on a database', () => {
  it('is held by one process at a time, and names it', () => {
    const path = file();
    const release = takeLease(leases(path), HOLDER);
    expect(leaseHolder(path)).toEqual(HOLDER);
    expect(() => takeLease(leases(path), HOLDER)).toThrow(
      'process 42 on here since 2026-03-01T12:00:00Z (bot.db) uses account 0xab. Stop that process first',
    );
    release();
    expect(leaseHolder(path)).toBeUndefined();
    takeLease(leases(path), HOLDER)();
  });

  it('is acquired for all paths or for none', () => {
    const [first, second] = [file(), file()];
    const release = takeLease(leases(second), HOLDER);
    expect(() => takeLease(leases(first, second), HOLDER)).toThrow('uses account 0xab');
    expect(existsSync(`${first}.json`)).toBe(false);
    takeLease(leases(first), HOLDER)();
    release();
  });

  it('is free again after its holder file could not be written', () => {
    const path = file();
    mkdirSync(`${path}.json`);
    expect(() => takeLease(leases(path), HOLDER)).toThrow(/\.json: could not be written .*Move it away/);
    expect(existsSync(path)).toBe(false);
    rmdirSync(`${path}.json`);
    takeLease(leases(path), HOLDER)();
  });

  it('in a missing folder is refused with the command that creates it', () => {
    const path = join(file(), 'bot.db.lock');
    expect(() => takeLease(leases(path), HOLDER)).toThrow(
      /bot\.db\.lock: there is no folder .*\. Create it first \(mkdir -p /,
    );
  });

  it('without a valid lock file is refused, whatever its holder file contains', () => {
    const path = file();
    writeFileSync(path, 'notes\n'.repeat(200));
    writeFileSync(`${path}.json`, '{"pid":');
    expect(() => takeLease(leases(path), HOLDER)).toThrow('A lock file must be empty. Move this file away');
    expect(leaseHolder(path)).toBeUndefined();
  });

  it('is held until its process is killed', async () => {
    const path = file();
    const child = spawn(process.execPath, [CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    try {
      await once(child.stdout, 'data');
      expect(() => takeLease(leases(path), HOLDER)).toThrow(
        `process ${child.pid} on elsewhere since 2026-03-01T12:00:00Z (first.db) uses account 0xab`,
      );
    } finally {
      child.kill('SIGKILL');
      await closed;
    }
    takeLease(leases(path), HOLDER)();
  }, 180_000);
});
