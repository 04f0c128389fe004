import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashState } from '../../src/runtime/index.ts';
import { encodeState } from '../../src/state/index.ts';
import { account, applyMessages, filled } from '../state/world.ts';

describe('the state hash of a run', () => {
  it('is the sha256 of the mode and the numbers of the state, little-endian', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    const bytes = Buffer.alloc(8 * encodeState(state).length);
    for (const [at, value] of encodeState(state).entries()) bytes.writeDoubleLE(value, 8 * at);
    const expected = createHash('sha256').update('ACTIVE').update(bytes).digest('hex');
    expect(hashState(state, 'ACTIVE')).toBe(expected);
  });

  it('differs by state and by mode', () => {
    const [initial, changed] = [account(), account()];
    changed.apply(filled({ order: 1 }));
    const hashes = [hashState(initial, 'ACTIVE'), hashState(changed, 'ACTIVE'), hashState(initial, 'KILLED')];
    expect(new Set(hashes).size).toBe(3);
  });
});
