import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../src/clock/index.ts';

describe('nextTurn', () => {
  it('lets what was waiting for the loop run first', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('waiting'));
    await Promise.resolve();
    expect(seen).toEqual([]);
    await nextTurn();
    expect(seen).toEqual(['waiting']);
  });
});
