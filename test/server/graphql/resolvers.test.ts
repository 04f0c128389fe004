import { describe, expect, it } from 'vitest';
import { typeErrors } from '../../type-check.ts';

const OPENING = `
import type { PlainModels } from '../../../src/protocol/index.ts';
import { readMarketId } from '../../../src/protocol/index.ts';
import type { ResolverMap, TypedResolvers } from '../../../src/server/graphql/resolvers.ts';
interface Models extends Omit<PlainModels<Models>, 'RevokeSessionPayload'> { readonly RevokeSessionPayload: { readonly when: number } }
type Query = TypedResolvers<Models>['Query'];
`;

function complaints(text: string): readonly string[] {
  // The opening is more than one text needs.
  return typeErrors({ 'test/server/graphql/drawn.ts': `${OPENING}${text}` }).filter(
    (line) => !/is declared but|never read|never used/.test(line),
  );
}

describe('typed resolvers', () => {
  it('are resolvers with typed arguments', () => {
    expect(
      complaints(`
export function asMap(typed: TypedResolvers<Models>): ResolverMap { return typed; }
export const market: Query['market'] = ({ id }, { now }) => { if (id != null && now > 0) readMarketId(id); return null; };
export const objects: TypedResolvers<Models>['objects'] = { RevokeSessionPayload: { revoked: ({ when }) => when > 0 } };
`),
    ).toEqual([]);
  });

  it('do not compile with a wrong type, an unknown argument or a missing field', () => {
    expect(complaints(`export const topics: Query['topics'] = () => 7;`)).toHaveLength(1);
    expect(complaints(`export const market: Query['market'] = ({ uuid }) => uuid;`)).toHaveLength(1);
    expect(complaints(`export const objects: TypedResolvers<Models>['objects'] = {};`)).toHaveLength(1);
  });
});
