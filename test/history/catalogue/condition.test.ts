import { describe, expect, it } from 'vitest';
import { type FieldKind, type FieldValue, parseCondition } from '../../../src/history/catalogue/condition.ts';

const FIELDS: Readonly<Record<string, FieldValue>> = {
  category: 'tennis',
  slug: "o'neil",
  volume_before: 12_000,
  tags: ['atp', 'men'],
  missing: undefined,
};
const KNOWN: ReadonlyMap<string, FieldKind> = new Map([
  ['category', 'text'],
  ['slug', 'text'],
  ['volume_before', 'number'],
  ['tags', 'list of texts'],
  ['missing', 'text'],
]);
const holds = (text: string): boolean => parseCondition('where', text, KNOWN).matches((field) => FIELDS[field]);

describe('a condition', () => {
  it.each([
    ["category = 'tennis' and volume_before > 10000", true],
    ["category = 'tennis' and volume_before > 12000", false],
    ["category != 'tennis' or volume_before >= 12000", true],
    ["not category = 'tennis'", false],
    ["category = 'golf' or category = 'tennis' and volume_before < 5", false],
    ["(category = 'golf' or category = 'tennis') and not volume_before < 5", true],
    ["category in ('golf', 'tennis')", true],
    ['volume_before in (1, 12000)', true],
    ["'atp' in tags", true],
    ["'wta' in tags", false],
    ["slug = 'o''neil'", true],
    ['volume_before <> 12000', false],
    ["CATEGORY = 'tennis' AND Volume_Before > -1.5", true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it('is false for a field that a market does not have', () => {
    expect(["missing = 'a'", "missing != 'a'", "missing > 'a'"].map(holds)).toEqual([false, false, false]);
  });

  it('lists the fields that it names', () => {
    const { fields } = parseCondition('where', "category = 'a' or 'b' in tags", KNOWN);
    expect([...fields]).toEqual(['category', 'tags']);
  });

  it.each([
    ['', /one of category, .* at character 1/],
    ['categry = 1', /one of category, .* at character 1/],
    ["category = 'a", /with texts in '…' at character 12/],
    ["category 'a'", /=, !=, .* at character 10/],
    ['category = ', /a text in '…' at character 12/],
    ['category > 5', /a text in '…' at character 12/],
    ["volume_before = '5'", /a number at character 17/],
    ["volume_before in (1, 'b')", /a number at character 22/],
    ["tags = 'atp'", /'text' in tags, as tags is a list of texts, at character 1/],
    ["'a' in category", /not the text category \(category = 'text'\), at character 8/],
    ["'a' in volume_before", /a list of texts after "in", not the number volume_before, at character 8/],
    ["category = 'a' tags", /and, or, or the end at character 16/],
    ["(category = 'a'", /"\)" at character 16/],
    ["category in 'a'", /"\(" and values at character 13/],
    ["'a' = category", /in at character 5/],
    ['volume_before > 1; drop', /with texts in '…' at character 18/],
    [`${'('.repeat(60)}slug = 'a'${')'.repeat(60)}`, /at most 50 brackets/],
    [`slug = 'a'${" or slug = 'a'".repeat(1_000)}`, /at most 10000 characters/],
  ])('is refused with the position of a syntax error: %s', (text, problem) => {
    expect(() => parseCondition('tapes[0].where', text, KNOWN)).toThrow(problem);
  });
});
