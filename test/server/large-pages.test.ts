import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { openLargePages } from '../../src/server/large-pages.ts';

const MB = 1_048_576;

/** kB of large pages that this process has. */
function large(): number {
  return Number(/AnonHugePages:\s+(\d+)/.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]);
}

const mayHave =
  process.platform === 'linux' &&
  readFileSync('/sys/kernel/mm/transparent_hugepage/enabled', 'utf8').includes('[madvise]') &&
  (await openLargePages()) !== undefined;

describe('large pages', () => {
  it.runIf(mayHave)('are what the memory that was shown is made of, once it is used', async () => {
    const advise = await openLargePages();
    const before = large();
    const table = new Float64Array((64 * MB) / 8);
    advise?.(table.buffer);
    table.fill(1);
    // All but what does not begin or end with a page; a machine that is short of whole ones has some left at least.
    expect(large() - before).toBeGreaterThan(16 * 1_024);
    expect(table[0]).toBe(1);
  });

  it('leave what is in the memory as it is, and small tables alone', async () => {
    const advise = await openLargePages();
    for (const bytes of [0, 8, MB, 32 * MB]) {
      const table = new Uint8Array(bytes).fill(7);
      advise?.(table.buffer);
      expect(table.every((byte) => byte === 7)).toBe(true);
    }
  });

  it('are not asked for on other systems', async () => {
    expect(await openLargePages('darwin')).toBeUndefined();
  });
});
