import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ScratchFile } from '../../../src/store/index.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scratch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a scratch file', () => {
  it('has no name while it is open, so no file remains', () => {
    const scratch = new ScratchFile(join(folder, 'bot.db.warmup'));
    scratch.write(Buffer.alloc(1_000));
    expect(readdirSync(folder)).toEqual([]);
    scratch.close();
    scratch.close();
    scratch.write(Buffer.alloc(1_000));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('replaces only the file of an earlier one', () => {
    writeFileSync(join(folder, 'bot.db.warmup'), 'left');
    writeFileSync(join(folder, 'bot.db'), 'kept');
    new ScratchFile(join(folder, 'bot.db.warmup')).close();
    expect(readdirSync(folder)).toEqual(['bot.db']);
  });

  it('does not grow with its writes', () => {
    const scratch = new ScratchFile(join(folder, 'bot.db.warmup'));
    const sizes: number[] = [];
    for (let count = 0; count < 100; count += 1) {
      scratch.write(Buffer.alloc(10_000));
      sizes.push(scratch.length);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
    expect(Math.max(...sizes)).toBeGreaterThan(50_000);
    scratch.close();
  });

  it('reports the folder where it cannot be created', () => {
    mkdirSync(join(folder, 'bot.db.warmup'));
    expect(() => new ScratchFile(join(folder, 'bot.db.warmup'))).toThrow(/bot\.db\.warmup: could not be made/);
    expect(() => new ScratchFile(join(folder, 'none', 'x'))).toThrow(/there is no folder .*none\. Create it/);
  });
});
