/** What a plan reads, and what graphql-js reads of the same. */
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
import { inputReader, UNREAD } from '../../../src/server/graphql/variables.ts';
import { json } from './random-document.ts';

/** What graphql-js makes of it; `UNREAD` where it finds something wrong. */
function reference(value: unknown, type: GraphQLInputType): unknown {
  let isWrong = false;
  const read = coerceInputValue(value, type, () => {
    isWrong = true;
  });
  return isWrong ? UNREAD : read;
}

const STRANGE: readonly unknown[] = [
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

/** The same, wrong in one place perhaps. */
function spoiled(value: unknown, dice: Random): unknown {
  if (dice.int(6) === 0) return STRANGE[dice.int(STRANGE.length)];
  if (Array.isArray(value)) return value.map((each) => (dice.int(3) === 0 ? spoiled(each, dice) : each));
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = Object.entries(value).map(([name, each]) => [name, spoiled(each, dice)]);
  if (dice.int(8) === 0) members.pop();
  if (dice.int(8) === 0) members.push(['extra', 1]);
  if (dice.int(12) === 0) members.push(['__proto__', { salt: 1 }]);
  return JSON.parse(`{${members.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each ?? null)}`)}}`);
}

describe('a plan of an input type', () => {
  const schema = venueSchema();
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .filter((type) => isInputType(type));

  it('reads values like graphql-js, with members in the same order, and no value that it refuses', () => {
    const dice = seededRandom(11);
    let [read, refused] = [0, 0];
    for (const named of types) {
      for (const type of [named, new GraphQLNonNull(named)]) {
        const reader = inputReader(type);
        for (let at = 0; at < 60; at += 1) {
          const right = json(type, dice);
          const value = at % 3 === 0 ? right : spoiled(right, dice);
          const expected = reference(value, type);
          const got = reader(value);
          if (got === UNREAD) {
            refused += expected === UNREAD ? 1 : 0;
            continue;
          }
          read += 1;
          expect(got, `${type} of ${JSON.stringify(value)}`).toStrictEqual(expected);
          expect(JSON.stringify(got)).toBe(JSON.stringify(expected));
        }
      }
    }
    expect(read).toBeGreaterThan(400);
    expect(refused).toBeGreaterThan(400);
  });

  it('reads every valid value of the input types of the venue without graphql-js', () => {
    const dice = seededRandom(12);
    const left = new Set<string>();
    for (const type of types) {
      const reader = inputReader(type);
      for (let at = 0; at < 25; at += 1) {
        const value = json(type, dice);
        if (reader(value) === UNREAD && reference(value, type) !== UNREAD) left.add(String(type));
      }
    }
    expect([...left]).toEqual([]);
  });

  it('leaves single values for lists, objects with prototypes and OneOf inputs to graphql-js', () => {
    const strange = buildSchema(`
      input One @oneOf { a: Int b: Int }
      input Taken { constructor: String }
      input Many { list: [Int] self: Many }
      type Query { a(one: One, many: Many): Int }
    `);
    const reader = (name: string) => {
      const type = strange.getType(name);
      if (!isInputObjectType(type)) throw new Error(name);
      return inputReader(type);
    };
    expect(reader('One')({ a: 1 })).toBe(UNREAD);
    expect(reader('Taken')({})).toBe(UNREAD);
    expect(reader('Many')({ list: 1 })).toBe(UNREAD);
    expect(reader('Many')(Object.create({ list: [1] }))).toBe(UNREAD);
    expect(reader('Many')({ list: [1, null], self: { list: [], self: null } })).toEqual({
      list: [1, null],
      self: { list: [], self: null },
    });
  });
});
