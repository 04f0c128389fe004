/** Whatever a client sends over a socket; `npm run soak:decoders` does the same for as long as is wanted. */
import { expect, it } from 'vitest';
import { fuzzClientMessages } from './client-messages-fuzz.ts';

it('random client messages get an answer or end only their own connection', async () => {
  const { failure, messages, closed } = await fuzzClientMessages(1, 400);
  expect(failure).toBeUndefined();
  expect(messages).toBeGreaterThan(1_000);
  // Some were refused, and some connections lived.
  expect(closed[4400]).toBeGreaterThan(10);
  expect(closed[1000]).toBeGreaterThan(10);
});
