import { describe, expect, it } from 'vitest';
import { SequenceTracker } from '../../../src/protocol/kalshi/index.ts';

describe('a tracker of sequence numbers', () => {
  it('expects steps of one for each subscription, from any first number', () => {
    const sequence = new SequenceTracker();
    const steps = [sequence.step(7, 41, 'a', false), sequence.step(7, 42, 'b', false), sequence.step(8, 1, 'c', true)];
    expect(steps).toEqual(['next', 'next', 'next']);
  });

  it('reports a gap once and continues after it', () => {
    const sequence = new SequenceTracker();
    expect([1, 2, 5, 6].map((seq) => sequence.step(7, seq, seq, false))).toEqual(['next', 'next', 'gap', 'next']);
  });

  it('reports a repeated message, also for the first snapshot', () => {
    const sequence = new SequenceTracker();
    const steps = [1, 1, 2, 2, 1].map((seq) => sequence.step(7, seq, { seq }, false));
    expect(steps).toEqual(['next', 'repeat', 'next', 'repeat', 'repeat']);
    expect([sequence.step(9, 1, {}, true), sequence.step(9, 1, {}, true)]).toEqual(['next', 'repeat']);
  });

  it('reports a restart when a snapshot has the first number again', () => {
    const sequence = new SequenceTracker();
    const steps = [sequence.step(7, 1, {}, true), sequence.step(7, 2, {}, false), sequence.step(7, 1, {}, true)];
    expect(steps).toEqual(['next', 'next', 'restart']);
    expect(sequence.step(7, 2, {}, false)).toBe('next');
  });

  it('reports mixed connections when another message has the same number', () => {
    const sequence = new SequenceTracker();
    const mixed = [1, 1, 2, 2].map((seq, at) => sequence.step(7, seq, { market: at % 2 }, seq === 1));
    expect(mixed).toEqual(['next', 'mixed', 'next', 'mixed']);
  });

  it('continues after a restore as before it', () => {
    const sequence = new SequenceTracker();
    for (const seq of [1, 2, 3]) sequence.step(7, seq, { seq }, false);
    const restored = new SequenceTracker();
    restored.restore(sequence.save());
    expect([2, 3, 4].map((seq) => restored.step(7, seq, { seq }, false))).toEqual(['repeat', 'repeat', 'next']);
    expect(restored.step(7, 3, { seq: 'another' }, false)).toBe('mixed');
  });
});
