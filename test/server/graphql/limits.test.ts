import { describe, expect, it } from 'vitest';
import { isNestedBeyond } from '../../../src/server/graphql/limits.ts';

describe('isNestedBeyond', () => {
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
    expect(isNestedBeyond(text, max)).toBe(isBeyond);
  });
});
