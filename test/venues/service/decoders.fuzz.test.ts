/** Every decoder of a venue's frames and answers handles changed input without throwing. */
import { describe, expect, it } from 'vitest';
import { fuzzAnswers, fuzzBooks, fuzzMessages } from './decoders-fuzz.ts';
import { fuzzOwnEvents } from './own-events-fuzz.ts';

describe('a changed answer of a venue', () => {
  it('is decoded or reported as a problem when it is a message or an HTTP body', () => {
    expect(fuzzMessages(1, 4_000).thrown).toEqual([]);
  });

  it('is read by every reader when it passed its check', async () => {
    const { thrown, passed } = await fuzzAnswers(1, 6_000);
    expect(thrown).toEqual([]);
    expect(passed).toBeGreaterThan(100);
  });

  it('never leaves a wrong book after the next snapshot', () => {
    const { thrown, wrong, refused } = fuzzBooks(1, 4_000);
    expect([thrown, wrong]).toEqual([[], []]);
    expect(refused).toBeGreaterThan(1_000);
  });

  it('is delivered or requested again when it is an own-order event, and never ends the run', async () => {
    const { thrown, refused } = await fuzzOwnEvents(1, 3_000);
    expect(thrown).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  });
});
