import { describe, expect, it } from 'vitest';
import { typeErrors } from '../../type-check.ts';

const IMPORTS = `
import type { PlainModels } from '../../../src/protocol/index.ts';
import { readMarketId } from '../../../src/protocol/index.ts';
import type { ResolverMap, TypedResolvers } from '../../../src/server/graphql/resolvers.ts';
interface Models extends Omit<PlainModels<Models>, 'RevokeSessionPayload'> { readonly RevokeSessionPayload: { readonly when: number } }
type Query = TypedResolvers<Models>['Query'];
`;

const CASES = {
  valid: `
export function asMap(typed: TypedResolvers<Models>): ResolverMap { return typed; }
export const market: Query['market'] = ({ id }, { now }) => { if (id != null && now > 0) readMarketId(id); return null; };
export const objects: TypedResolvers<Models>['objects'] = { RevokeSessionPayload: { revoked: ({ when }) => when > 0 } };
`,
  wrongType: `export const topics: Query['topics'] = () => 7;`,
  unknownArgument: `export const market: Query['market'] = ({ uuid }) => uuid;`,
  missingField: `export const objects: TypedResolvers<Models>['objects'] = {};`,
};
const pathOf = (name: string): string => `test/server/graphql/${name}.ts`;

const errors = typeErrors(
  Object.fromEntries(Object.entries(CASES).map(([name, text]) => [pathOf(name), `${IMPORTS}${text}`])),
);

function errorsOf(name: keyof typeof CASES): readonly string[] {
  // Most cases do not use all imports.
  return errors.filter(
    (line) => line.startsWith(`${pathOf(name)}:`) && !/is declared but|never read|never used/.test(line),
  );
}

describe('typed resolvers', () => {
  it('compile with typed arguments and can be used as a resolver map', () => {
    expect(errorsOf('valid')).toEqual([]);
  });

  it('do not compile with a wrong type, an unknown argument or a missing field', () => {
    expect(errorsOf('wrongType')).toHaveLength(1);
    expect(errorsOf('unknownArgument')).toHaveLength(1);
    expect(errorsOf('missingField')).toHaveLength(1);
  });
});
