/** The check of answers against the selections of their operations, field by field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badFieldText, findBadField, type Operation } from '../../src/protocol/index.ts';
import { runs } from '../runs.ts';
import { mutate, validAnswer, withInvalidValue } from './answers.ts';
import { ALL_OPERATIONS } from './generated/operations.ts';

const all: readonly Operation<unknown, never>[] = Object.values(ALL_OPERATIONS);
const { orders, fills, balance, orderEvents, createSession, market, me } = ALL_OPERATIONS;

/** Problem of an answer after a change. @param path such as `orders.edges.0.node.seq` @param value undefined deletes */
function problem(operation: Operation<unknown, never>, path: string, value: unknown): string | undefined {
  const answer: unknown = structuredClone(validAnswer(operation.answer));
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let holder: unknown = answer;
  for (const step of steps) holder = Reflect.get(Object(holder), step);
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  const found = findBadField(operation.answer, answer);
  return found === undefined ? undefined : badFieldText(found);
}

describe('the check of an answer', () => {
  it.each(all)('accepts an answer to $name that matches its selection', ({ answer }) => {
    expect(findBadField(answer, validAnswer(answer))).toBeUndefined();
  });

  it.each<[string, Operation<unknown, never>, string, unknown, string]>([
    [
      'a missing field',
      orders,
      'orders.edges.0.node.seq',
      undefined,
      'an unsigned integer within 2^53 - 1 as a string, got nothing',
    ],
    [
      'null in a non-null field',
      fills,
      'fills.edges.0.node.shares',
      null,
      'a number of shares in whole lots of 0.01, from 0 to a billion, got null',
    ],
    [
      'a size above the largest order',
      fills,
      'fills.edges.0.node.shares',
      1_000_000_001,
      'a number of shares in whole lots of 0.01, from 0 to a billion, got 1000000001',
    ],
    ['a negative price', market, 'market.yesPriceBps', -1, 'basis points from 0 to 10000, got -1'],
    ['a huge price', market, 'market.yesPriceBps', 1e300, 'basis points from 0 to 10000, got 1e+300'],
    ['a tick that does not divide 10000', market, 'market.tickSizeBps', 7, 'basis points that divide 10000, got 7'],
    [
      'a balance that is not a number',
      balance,
      'balance.availableMicros',
      'NaN',
      'whole micro-USD as a string, at most a billion dollars, got "NaN"',
    ],
    [
      'a balance above the limit',
      balance,
      'balance.availableMicros',
      '9'.repeat(16),
      'whole micro-USD as a string, at most a billion dollars, got "9999999999999999"',
    ],
    [
      'an event of an unknown kind',
      orderEvents,
      'orderEvents.kind',
      'LOST',
      'one of SYNC, ACCEPTED, FILLED, CANCELLED, EXPIRED, REDUCED, REVERSED, GAP, got "LOST"',
    ],
    [
      'a date that does not exist',
      orderEvents,
      'orderEvents.at',
      '2026-02-30T00:00:00Z',
      'a time such as 2026-03-01T12:00:00Z, got "2026-02-30T00:00:00Z"',
    ],
    ['a list instead of an object', balance, 'balance', [], 'an object, got a list'],
    ['an object instead of a list', orders, 'orders.edges', { length: 1 }, 'a list, got an object'],
    ['a field that was not selected', balance, 'balance.more', 1, 'nothing, as it was not selected, got a field'],
    [
      'a very long text',
      orders,
      'orders.edges.0.node.id',
      'x'.repeat(1e6),
      `an id of 1 to 128 visible characters, got "${'x'.repeat(80)}…"`,
    ],
    [
      'an invalid token, which the message does not show',
      createSession,
      'createSession.accessToken',
      'S3CRET\n',
      'a token of 1 to 8192 visible characters, got a string',
    ],
  ])('refuses an answer with %s and names the field', (_, operation, path, value, expected) => {
    expect(problem(operation, path, value)).toBe(`${path}: expected ${expected}`);
  });

  it('refuses a value that is not an answer or contains a prototype', () => {
    expect(findBadField(me.answer, null)).toEqual({ path: '', expected: 'an object', received: 'null' });
    const found = findBadField(balance.answer, JSON.parse('{"balance":{"__proto__":{"seq":"1"}}}'));
    expect(found?.path).toBe('balance.availableCents');
  });

  it("accepts extra fields and missing nullable fields for an operator's own document", () => {
    const answer = JSON.parse(JSON.stringify(validAnswer(market.answer)));
    delete answer.market.eventId;
    answer.market.more = 1;
    expect(findBadField(market.answer, answer, { isOverridden: true })).toBeUndefined();
    expect(answer.market.eventId).toBeNull();
    delete answer.market.slug;
    expect(findBadField(market.answer, answer, { isOverridden: true })?.path).toBe('market.slug');
  });

  it('accepts or refuses any value without throwing', () => {
    const operations = fc.constantFrom(...all);
    fc.assert(
      fc.property(operations, fc.nat(), (operation, seed) => {
        const found = findBadField(operation.answer, mutate(validAnswer(operation.answer), seed));
        if (found === undefined) return;
        expect(badFieldText(found).length).toBeLessThan(500);
      }),
      { numRuns: runs(5_000) },
    );
    fc.assert(
      fc.property(operations, fc.jsonValue(), (operation, value) => void findBadField(operation.answer, value)),
      { numRuns: runs(2_000) },
    );
    fc.assert(
      fc.property(operations, fc.nat(), ({ answer }, seed) => {
        expect(findBadField(answer, withInvalidValue(validAnswer(answer), seed))).toBeDefined();
      }),
      { numRuns: runs(2_000) },
    );
  });
});
