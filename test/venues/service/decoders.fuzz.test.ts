/** Every decoder of what a venue sends, on frames that were changed in a few places: none throws, and the client goes on. */
import { describe, expect, it } from 'vitest';
import { fuzzAnswers, fuzzBooks, fuzzMessages, fuzzOwnEvents } from './decoders-fuzz.ts';

describe('any answer of a venue', () => {
  it('as a message or an HTTP body is read or becomes a named problem', () => {
    expect(fuzzMessages(1, 4_000).thrown).toEqual([]);
  });

  it('that passed its check can be read by every codec', async () => {
    const { thrown, passed } = await fuzzAnswers(1, 6_000);
    expect(thrown).toEqual([]);
    expect(passed).toBeGreaterThan(100);
  });

  it('as a book never becomes a wrong book, and the next snapshot corrects it', () => {
    const { thrown, wrong, refused } = fuzzBooks(1, 4_000);
    expect([thrown, wrong]).toEqual([[], []]);
    expect(refused).toBeGreaterThan(1_000);
  });

  it('as an own-order event is delivered or requested again, and never ends the run', async () => {
    const { thrown, refused } = await fuzzOwnEvents(1, 3_000);
    expect(thrown).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  });
});
