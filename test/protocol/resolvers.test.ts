import { describe, expect, it } from 'vitest';
import { typeErrors } from '../type-check.ts';

/** A server that has a row of its own for categories, and plain answers for all else. */
const HEAD = `
import { type Answer, type PlainModels, type Resolvers, readMarketId } from '../../src/protocol/index.ts';
interface Row { readonly no: number; readonly slug: string; readonly totalVolumeCents: string }
interface Mine extends Omit<PlainModels<Mine>, 'Category'> { readonly Category: Row }
export type All = Resolvers<Mine, { readonly account: number }>;
export type Needed = { [Name in keyof All]-?: {} extends Pick<All, Name> ? never : Name }[keyof All];
export type Own = All['Category'];
export const rest = { marketCount: () => 1, totalVolumeCents: () => 2 };
export const row = (market: Answer<Mine, 'Market'>): Row | null => market.category;
export const id = readMarketId;
`;

/** What the compiler says of a server that says this. */
function findings(code: string): readonly string[] {
  return typeErrors({ 'test/protocol/resolvers-case.ts': `${HEAD}${code}` });
}

describe('Resolvers', () => {
  it('ask for every field that the server’s own object does not carry', () => {
    expect(findings('export const own: Own = { ...rest, name: ({ no }) => String(no) };')).toEqual([]);
    expect(findings('export const own: Own = { ...rest };')).toEqual([
      expect.stringContaining("Property 'name' is missing"),
    ]);
  });

  it('ask for a field that the object has with another type', () => {
    expect(findings("export const own: Own = { name: () => '', marketCount: () => 1 };")).toEqual([
      expect.stringContaining("Property 'totalVolumeCents' is missing"),
    ]);
  });

  it('ask for the roots and for objects that are not ready to be read, for no others', () => {
    expect(findings('export const needed: Record<Needed, 1> = { Query: 1, Mutation: 1, Category: 1 };')).toEqual([]);
    expect(findings('export const needed: Record<Needed, 1> = { Query: 1, Mutation: 1 };')).toHaveLength(1);
  });

  it('know what a field may be given', () => {
    expect(findings('export const own: Own = { ...rest, name: () => 7 };')).toEqual([
      expect.stringContaining("'number' is not assignable"),
    ]);
  });

  it('hand arguments over unread', () => {
    const query = (body: string) =>
      findings(`export const query: All['Query']['modelVotes'] = (_, { marketId }, { account }) => ${body};`);
    expect(query('(id(marketId).length + account > 0 ? [] : null)')).toEqual([]);
    expect(query('(marketId.length + account > 0 ? [] : null)')).toEqual([
      expect.stringContaining("Property 'length' does not exist"),
    ]);
  });
});
