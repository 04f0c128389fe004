import { expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import { WireFault } from '../../../src/protocol/index.ts';
import { parseCursor, toCursor, toRefusal } from '../../../src/server/polymarket/request.ts';

it.each([
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['INVALID', 400],
  ['RATE_LIMITED', 429],
  ['INTERNAL', 500],
] as const)('a fault %s of the venue is answered with %d', (code, status) => {
  expect(toRefusal(new WireFault(code, 'a problem'))).toMatchObject({ status, body: { error: 'a problem' } });
});

it('a venue that is closing is answered as a restart, and an unknown error as an internal one', () => {
  expect(toRefusal(new Fault('EXCHANGE_CLOSING', 'closing'))).toMatchObject({ status: 425 });
  expect(toRefusal(new RangeError('unknown'))).toBeUndefined();
});

it('a cursor of a fill after a billion events is accepted again', () => {
  const fill = 2 * 1_000_000_000 + 1;
  expect(parseCursor(toCursor(fill))).toBe(fill);
});

it.each(['-1', '1.5', '1e3', '9007199254740993'])('a cursor that encodes the text "%s" is refused', (text) => {
  expect(() => parseCursor(Buffer.from(text).toString('base64'))).toThrow('Invalid next_cursor');
});
