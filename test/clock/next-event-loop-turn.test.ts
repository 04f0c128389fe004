import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../src/clock/index.ts';

describe('nextEventLoopTurn', () => {
  it('lets queued events of the event loop run first', async () => {
    const seen: string[] = [];
    setImmediate(() => seen.push('waiting'));
    await Promise.resolve();
    expect(seen).toEqual([]);
    await nextEventLoopTurn();
    expect(seen).toEqual(['waiting']);
  });
});
