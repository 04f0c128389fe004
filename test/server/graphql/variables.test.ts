/** Compares our readers of variables with graphql-js. */
import {
  buildSchema,
  coerceInputValue,
  type GraphQLInputType,
  GraphQLNonNull,
  isInputObjectType,
  isInputType,
  isIntrospectionType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { createInputReader, NEEDS_GRAPHQL_JS } from '../../../src/server/graphql/variables.ts';
import { randomJson } from './random-document.ts';

/** Reads a value with graphql-js. @returns `NEEDS_GRAPHQL_JS` for an invalid value */
function reference(value: unknown, type: GraphQLInputType): unknown {
  let isWrong = false;
  const read = coerceInputValue(value, type, () => {
    isWrong = true;
  });
  return isWrong ? NEEDS_GRAPHQL_JS : read;
}

const INVALID: readonly unknown[] = [
  null,
  1.5,
  -1,
  2 ** 40,
  '',
  'nobody',
  true,
  [],
  [null],
  {},
  { order: null },
  [[{}]],
];

/** Returns the value, possibly with an invalid part. */
function mutate(value: unknown, random: Random): unknown {
  if (random.int(6) === 0) return INVALID[random.int(INVALID.length)];
  if (Array.isArray(value)) return value.map((each) => (random.int(3) === 0 ? mutate(each, random) : each));
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = Object.entries(value).map(([name, each]) => [name, mutate(each, random)]);
  if (random.int(8) === 0) members.pop();
  if (random.int(8) === 0) members.push(['extra', 1]);
  if (random.int(12) === 0) members.push(['__proto__', { salt: 1 }]);
  return JSON.parse(`{${members.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each ?? null)}`)}}`);
}

describe('the reader of an input type', () => {
  const schema = venueSchema();
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .filter((type) => isInputType(type));

  it('reads values like graphql-js, with members in the same order, and never reads an invalid value', () => {
    const random = seededRandom(11);
    let [read, refused] = [0, 0];
    for (const named of types) {
      for (const type of [named, new GraphQLNonNull(named)]) {
        const reader = createInputReader(type);
        for (let at = 0; at < 60; at += 1) {
          const valid = randomJson(type, random);
          const value = at % 3 === 0 ? valid : mutate(valid, random);
          const expected = reference(value, type);
          const actual = reader(value);
          if (actual === NEEDS_GRAPHQL_JS) {
            refused += expected === NEEDS_GRAPHQL_JS ? 1 : 0;
            continue;
          }
          read += 1;
          expect(actual, `${type} of ${JSON.stringify(value)}`).toStrictEqual(expected);
          expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
        }
      }
    }
    expect(read).toBeGreaterThan(400);
    expect(refused).toBeGreaterThan(400);
  });

  it('reads every valid value of the input types of the venue', () => {
    const random = seededRandom(12);
    const unread = new Set<string>();
    for (const type of types) {
      const reader = createInputReader(type);
      for (let at = 0; at < 25; at += 1) {
        const value = randomJson(type, random);
        if (reader(value) === NEEDS_GRAPHQL_JS && reference(value, type) !== NEEDS_GRAPHQL_JS) unread.add(String(type));
      }
    }
    expect([...unread]).toEqual([]);
  });

  it('does not read single values for lists, objects with prototypes and OneOf inputs', () => {
    const unusual = buildSchema(`
      input One @oneOf { a: Int b: Int }
      input Taken { constructor: String }
      input Many { list: [Int] self: Many }
      type Query { a(one: One, many: Many): Int }
    `);
    const reader = (name: string) => {
      const type = unusual.getType(name);
      if (!isInputObjectType(type)) throw new Error(name);
      return createInputReader(type);
    };
    expect(reader('One')({ a: 1 })).toBe(NEEDS_GRAPHQL_JS);
    expect(reader('Taken')({})).toBe(NEEDS_GRAPHQL_JS);
    expect(reader('Many')({ list: 1 })).toBe(NEEDS_GRAPHQL_JS);
    expect(reader('Many')(Object.create({ list: [1] }))).toBe(NEEDS_GRAPHQL_JS);
    expect(reader('Many')({ list: [1, null], self: { list: [], self: null } })).toEqual({
      list: [1, null],
      self: { list: [], self: null },
    });
  });
});
