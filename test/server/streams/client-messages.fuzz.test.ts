/** Random client messages over a socket. `npm run soak:decoders` is the long form. */
import { expect, it } from 'vitest';
import { fuzzClientMessages } from './client-messages-fuzz.ts';

it('random client messages get a response or close only their own connection', async () => {
  const { failure, messages, closed } = await fuzzClientMessages(1, 400);
  expect(failure).toBeUndefined();
  expect(messages).toBeGreaterThan(1_000);
  // Checks that the run had both refused and accepted messages.
  expect(closed[4400]).toBeGreaterThan(10);
  expect(closed[1000]).toBeGreaterThan(10);
});
