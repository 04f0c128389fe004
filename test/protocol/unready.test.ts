import { describe, expect, it } from 'vitest';
import { typeErrors } from '../type-check.ts';

/** A server that has a row of its own for categories, and plain answers for all else. */
const HEAD = `
import type { Answer, ArgsOf, PlainModels, ResolverFields, ResultOf, UnreadyField, UnreadyObject } from '../../src/protocol/index.ts';
interface Row { readonly no: number; readonly slug: string; readonly totalVolumeCents: string }
interface Mine extends Omit<PlainModels<Mine>, 'Category'> { readonly Category: Row }
export type Field = UnreadyField<Mine, 'Category'>;
export type Named = UnreadyObject<Mine>;
export type Plain = UnreadyField<Mine, 'Market'>;
export type Votes = ArgsOf<ResolverFields<Mine>['Query']['modelVotes']>;
export type Volume = ResultOf<ResolverFields<Mine>['Category']['totalVolumeCents']>;
export const row = (market: Answer<Mine, 'Market'>): Row | null => market.category;
`;

/** What the compiler says of a server that says this. */
function findings(code: string): readonly string[] {
  return typeErrors({ 'test/protocol/unready-case.ts': `${HEAD}${code}` });
}

describe('fields that a server has to resolve', () => {
  it('are the fields that its object lacks or has with another type', () => {
    const unready = 'name: 1, marketCount: 1, totalVolumeCents: 1';
    expect(findings(`export const fields: Record<Field, 1> = { ${unready} };`)).toEqual([]);
    expect(findings('export const fields: Record<Field, 1> = { name: 1, marketCount: 1 };')).toEqual([
      expect.stringContaining("Property 'totalVolumeCents' is missing"),
    ]);
    expect(findings(`export const fields: Record<Field, 1> = { ${unready}, slug: 1 };`)).toEqual([
      expect.stringContaining("'slug' does not exist"),
    ]);
  });

  it('do not include fields of plain answers', () => {
    expect(findings('export const none: [Plain] extends [never] ? 1 : 0 = 1;')).toEqual([]);
    expect(findings("export const one: Named = 'Category';")).toEqual([]);
    expect(findings("export const other: Named = 'Market';")).toHaveLength(1);
  });
});

describe('ResolverFields', () => {
  it('have the type of each argument', () => {
    expect(findings('export const volume: Volume = 1;')).toEqual([]);
    expect(findings("export const volume: Volume = '1';")).toEqual([expect.stringContaining('not assignable')]);
  });

  it('have raw arguments that cannot be used as strings', () => {
    expect(findings('export const open = ({ marketId }: Votes) => marketId;')).toEqual([]);
    expect(findings('export const open = ({ marketId }: Votes) => marketId.length;')).toEqual([
      expect.stringContaining("Property 'length' does not exist"),
    ]);
  });
});
