import { describe, expect, it } from 'vitest';
import { typeErrors } from '../type-check.ts';

/** A server with its own type for categories and plain answers for all other types. */
const HEAD = `
import type { ArgsOf, PlainModels, RootFields, FieldToResolve, ObjectToResolve } from '../../src/protocol/index.ts';
interface Row { readonly no: number; readonly slug: string; readonly totalVolumeCents: string }
interface Mine extends Omit<PlainModels<Mine>, 'Category'> { readonly Category: Row }
export type Field = FieldToResolve<Mine, 'Category'>;
export type Named = ObjectToResolve<Mine>;
export type Plain = FieldToResolve<Mine, 'Market'>;
export type Votes = ArgsOf<RootFields<Mine>['Query']['modelVotes']>;
export type Volume = PlainModels<Mine>['Category']['totalVolumeCents'];
export const row = (market: PlainModels<Mine>['Market']): Row | null => market.category;
`;

const READY = 'name: 1, marketCount: 1, totalVolumeCents: 1';
const CASES = {
  ready: `export const fields: Record<Field, 1> = { ${READY} };`,
  lacking: 'export const fields: Record<Field, 1> = { name: 1, marketCount: 1 };',
  unknown: `export const fields: Record<Field, 1> = { ${READY}, slug: 1 };`,
  plain: 'export const none: [Plain] extends [never] ? 1 : 0 = 1;',
  named: "export const one: Named = 'Category';",
  plainNamed: "export const other: Named = 'Market';",
  number: 'export const volume: Volume = 1;',
  text: "export const volume: Volume = '1';",
  raw: 'export const open = ({ marketId }: Votes) => marketId;',
  rawLength: 'export const open = ({ marketId }: Votes) => marketId.length;',
};
const pathOf = (name: string): string => `test/protocol/unresolved-${name}.ts`;
// One program checks all cases, because each program checks the whole protocol.
const found = typeErrors(
  Object.fromEntries(Object.entries(CASES).map(([name, code]) => [pathOf(name), `${HEAD}${code}`])),
);

/** Compiler errors of a case. */
function errorsOf(name: keyof typeof CASES): readonly string[] {
  return found.filter((line) => line.startsWith(`${pathOf(name)}:`));
}

describe('fields that a server must resolve', () => {
  it('are the fields that its object lacks or has with another type', () => {
    expect(errorsOf('ready')).toEqual([]);
    expect(errorsOf('lacking')).toEqual([expect.stringContaining("Property 'totalVolumeCents' is missing")]);
    expect(errorsOf('unknown')).toEqual([expect.stringContaining("'slug' does not exist")]);
  });

  it('do not include fields of plain answers', () => {
    expect(errorsOf('plain')).toEqual([]);
    expect(errorsOf('named')).toEqual([]);
    expect(errorsOf('plainNamed')).toHaveLength(1);
  });
});

describe('fields', () => {
  it('have the type of their result', () => {
    expect(errorsOf('number')).toEqual([]);
    expect(errorsOf('text')).toEqual([expect.stringContaining('not assignable')]);
  });

  it('have raw arguments that cannot be used as strings', () => {
    expect(errorsOf('raw')).toEqual([]);
    expect(errorsOf('rawLength')).toEqual([expect.stringContaining("Property 'length' does not exist")]);
  });
});
