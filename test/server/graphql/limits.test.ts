import { describe, expect, it } from 'vitest';
import { isNestedTooDeep, LIMITS } from '../../../src/server/graphql/limits.ts';

describe('isNestedTooDeep', () => {
  it.each([
    ['{{{}}}', 3, false],
    ['{{{{}}}}', 3, true],
    ['{[(({)', 4, true],
    ['{}{}{}{}{}{}', 1, false],
    ['{ a(b: "{{{{{{{{") }', 2, false],
    ['{ a(b: "\\"{{{{{{{{") }', 2, false],
    ['{ a(b: """ {{{ " {{{ \\""" {{{ """) }', 2, false],
    ['# {{{{{{{{{{{\n{}', 2, false],
    ['" \n{{{{{{', 2, false],
    ['"""never ended {{{{{{', 2, false],
  ])('for %j with at most %i levels returns %s', (text, max, isBeyond) => {
    expect(isNestedTooDeep(text, { ...LIMITS, maxNesting: max })).toBe(isBeyond);
  });
});
