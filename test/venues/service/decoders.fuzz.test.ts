/** Every decoder of what a venue sends, on frames that were changed in a few places: none throws, and the client goes on. */
import { describe, expect, it } from 'vitest';
import { fuzzAnswers, fuzzBooks, fuzzMessages, fuzzOwnEvents } from './decoders-fuzz.ts';

describe('whatever a venue sends', () => {
  it('as a message or an HTTP body is an answer or a named problem', () => {
    expect(fuzzMessages(1, 4_000).thrown).toEqual([]);
  });

  it('as an answer can be read by every codec once it has passed', async () => {
    const { thrown, passed } = await fuzzAnswers(1, 6_000);
    expect(thrown).toEqual([]);
    expect(passed).toBeGreaterThan(100);
  });

  it('as a book never becomes a wrong book, and the next snapshot makes it right', () => {
    const { thrown, wrong, refused } = fuzzBooks(1, 4_000);
    expect([thrown, wrong]).toEqual([[], []]);
    expect(refused).toBeGreaterThan(1_000);
  });

  it('as an event of own orders is told, or asked for again, and never ends the run', async () => {
    const { thrown, refused } = await fuzzOwnEvents(1, 3_000);
    expect(thrown).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  });
});
