import { describe, expect, it } from 'vitest';
import { SequenceTracker } from '../../../src/protocol/kalshi/index.ts';

describe('a tracker of sequence numbers', () => {
  it('expects steps of one for each subscription, from any first number', () => {
    const sequence = new SequenceTracker();
    const steps = [
      sequence.step(7, { seq: 41, message: 'a', isSnapshot: false }),
      sequence.step(7, { seq: 42, message: 'b', isSnapshot: false }),
      sequence.step(8, { seq: 1, message: 'c', isSnapshot: true }),
    ];
    expect(steps).toEqual(['next', 'next', 'next']);
  });

  it('reports a gap once and continues after it', () => {
    const sequence = new SequenceTracker();
    expect([1, 2, 5, 6].map((seq) => sequence.step(7, { seq, message: seq, isSnapshot: false }))).toEqual([
      'next',
      'next',
      'gap',
      'next',
    ]);
  });

  it('reports a repeated message, also for the first snapshot', () => {
    const sequence = new SequenceTracker();
    const steps = [1, 1, 2, 2, 1].map((seq) => sequence.step(7, { seq, message: { seq }, isSnapshot: false }));
    expect(steps).toEqual(['next', 'repeat', 'next', 'repeat', 'repeat']);
    expect([
      sequence.step(9, { seq: 1, message: {}, isSnapshot: true }),
      sequence.step(9, { seq: 1, message: {}, isSnapshot: true }),
    ]).toEqual(['next', 'repeat']);
  });

  it('reports a restart when a snapshot has the first number again', () => {
    const sequence = new SequenceTracker();
    const steps = [
      sequence.step(7, { seq: 1, message: {}, isSnapshot: true }),
      sequence.step(7, { seq: 2, message: {}, isSnapshot: false }),
      sequence.step(7, { seq: 1, message: {}, isSnapshot: true }),
    ];
    expect(steps).toEqual(['next', 'next', 'restart']);
    expect(sequence.step(7, { seq: 2, message: {}, isSnapshot: false })).toBe('next');
  });

  it('reports mixed connections when another message has the same number', () => {
    const sequence = new SequenceTracker();
    const mixed = [1, 1, 2, 2].map((seq, at) =>
      sequence.step(7, { seq, message: { market: at % 2 }, isSnapshot: seq === 1 }),
    );
    expect(mixed).toEqual(['next', 'mixed', 'next', 'mixed']);
  });

  it('continues after a restore as before it', () => {
    const sequence = new SequenceTracker();
    for (const seq of [1, 2, 3]) sequence.step(7, { seq, message: { seq }, isSnapshot: false });
    const restored = new SequenceTracker();
    restored.restore(sequence.save());
    expect([2, 3, 4].map((seq) => restored.step(7, { seq, message: { seq }, isSnapshot: false }))).toEqual([
      'repeat',
      'repeat',
      'next',
    ]);
    expect(restored.step(7, { seq: 3, message: { seq: 'another' }, isSnapshot: false })).toBe('mixed');
  });
});
