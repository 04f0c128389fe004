import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { openRowMemory } from '../../src/server/row-memory.ts';

const MB = 1_048_576;

/** kB of large pages that this process has. */
function large(): number {
  return Number(/AnonHugePages:\s+(\d+)/.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]);
}

const mayHave =
  process.platform === 'linux' &&
  readFileSync('/sys/kernel/mm/transparent_hugepage/enabled', 'utf8').includes('[madvise]') &&
  (await openRowMemory()) !== undefined;

describe('where rows of orders lie', () => {
  it.runIf(mayHave)('is in large pages, once it is used', async () => {
    const advise = await openRowMemory();
    const before = large();
    const table = new Float64Array((64 * MB) / 8);
    advise?.(table.buffer);
    table.fill(1);
    // All but what does not begin or end with a page; a machine that is short of whole ones has some left at least.
    expect(large() - before).toBeGreaterThan(16 * 1_024);
    expect(table[0]).toBe(1);
  });

  it('is at the next cache line, and what is in the memory stays as it is', async () => {
    const advise = await openRowMemory();
    for (const bytes of [0, 8, MB, 32 * MB]) {
      const table = new Uint8Array(bytes).fill(7);
      const start = advise?.(table.buffer) ?? 0;
      expect(start).toBeGreaterThanOrEqual(0);
      expect(start).toBeLessThanOrEqual(56);
      expect(start % 8).toBe(0);
      expect(table.every((byte) => byte === 7)).toBe(true);
    }
  });

  it.runIf(mayHave)('is one line for each row, whatever the system gives', async () => {
    const advise = await openRowMemory();
    const { default: koffi } = await import('koffi');
    for (const bytes of [1_000, 100_000, 32 * MB]) {
      const { buffer } = new Uint8Array(bytes);
      expect((BigInt(koffi.address(buffer)) + BigInt(advise?.(buffer) ?? 1)) % 64n).toBe(0n);
    }
  });

  it('is not asked for on other systems', async () => {
    expect(await openRowMemory('darwin')).toBeUndefined();
  });
});
