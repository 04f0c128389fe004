import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../../src/exchange/markets/canonical-json.ts';

/** Any code units, including lone surrogates. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units));

describe('canonical JSON', () => {
  it('sorts keys by UTF-16 code units at every depth and writes no white space', () => {
    expect(canonicalJson({ b: [{ z: 1, a: null }], a: true, B: false })).toBe(
      '{"B":false,"a":true,"b":[{"a":null,"z":1}]}',
    );
  });

  // RFC 8785, 3.2.3: the example of sorting.
  it('sorts a surrogate pair before a letter of the private use area', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, key])));
    expect(Object.keys(JSON.parse(text)).filter((key) => key !== '1')).toEqual(sorted.filter((key) => key !== '1'));
    expect(text.indexOf('"1"')).toBe(text.indexOf('"\\r":"\\r",') + '"\\r":"\\r",'.length);
  });

  // RFC 8785, 3.2.2: the example of primitive values.
  it('writes numbers and strings as ECMAScript does', () => {
    const numbers = [1e9 / 3, 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
    expect(canonicalJson(numbers)).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27]');
    expect(canonicalJson('\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
    expect(canonicalJson(-0)).toBe('0');
  });

  it('gives the same text for the same value, whatever the order of its keys', () => {
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 2, depthSize: 'small' },
        anyText,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('json'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

/** Returns the value with the keys of every object in reverse order. */
function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]): [string, Json] => [key, reversed(member)])
      .reverse(),
  );
}
