import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../src/clock/index.ts';

describe('nextTurn', () => {
  it('lets queued events of the event loop run first', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('waiting'));
    await Promise.resolve();
    expect(seen).toEqual([]);
    await nextTurn();
    expect(seen).toEqual(['waiting']);
  });
});
