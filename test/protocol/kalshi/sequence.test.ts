import { describe, expect, it } from 'vitest';
import { SequenceTracker } from '../../../src/protocol/kalshi/index.ts';

describe('sequence numbers', () => {
  it('count up by one a subscription, from whatever number the recording begins with', () => {
    const sequence = new SequenceTracker();
    expect([sequence.step(7, 41, false), sequence.step(7, 42, false), sequence.step(8, 1, true)]).toEqual([
      'next',
      'next',
      'next',
    ]);
  });

  it('show a gap once, and go on after it', () => {
    const sequence = new SequenceTracker();
    expect([1, 2, 5, 6].map((seq) => sequence.step(7, seq, false))).toEqual(['next', 'next', 'gap', 'next']);
  });

  it('show what was there before, also the first snapshot twice', () => {
    const sequence = new SequenceTracker();
    expect([1, 1, 2, 2, 1].map((seq) => sequence.step(7, seq, false))).toEqual([
      'next',
      'repeat',
      'next',
      'repeat',
      'repeat',
    ]);
    expect([sequence.step(9, 1, true), sequence.step(9, 1, true)]).toEqual(['next', 'repeat']);
  });

  it('show a new connection by a snapshot that is the first again', () => {
    const sequence = new SequenceTracker();
    expect([sequence.step(7, 1, true), sequence.step(7, 2, false), sequence.step(7, 1, true)]).toEqual([
      'next',
      'next',
      'restart',
    ]);
    expect(sequence.step(7, 2, false)).toBe('next');
  });
});
