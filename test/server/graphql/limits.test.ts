import { describe, expect, it } from 'vitest';
import { isNestedTooDeep } from '../../../src/server/graphql/limits.ts';

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
    ['" \n{{{{{{', 2, true],
    ['"""never ended {{{{{{', 2, false],
  ])('for %j with at most %i levels returns %s', (text, max, isBeyond) => {
    expect(isNestedTooDeep(text, max)).toBe(isBeyond);
  });
});
