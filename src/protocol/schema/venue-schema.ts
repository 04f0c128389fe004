/** The schema that a server runs. */
import {
  buildASTSchema,
  type DocumentNode,
  GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  visit,
} from 'graphql';
import { SCHEMA_SDL } from '../schema-sdl.ts';
import { equipScalar, safeInt } from './scalars.ts';

/** Stands for `Int` while the schema is built: `buildASTSchema` knows no other `Int` than GraphQL's own. */
const WIDE_INT = 'SafeInt';

/**
 * The contract as an executable schema, a new one each time: without resolvers (object fields are read as they are called),
 * with its own scalars and with `Int` widened to safe integers.
 * @param intName what the widened scalar is called; another name than `Int` is for compilers that go by names (they would
 *   check 32 bits), and then documents have to call it so too: see `renameInt`
 */
export function venueSchema(intName = 'Int'): GraphQLSchema {
  const document = parse(`${SCHEMA_SDL}\nscalar ${WIDE_INT}`, { noLocation: true });
  const built = buildASTSchema(renameInt(document, WIDE_INT), { assumeValidSDL: true });
  const wide = built.getType(WIDE_INT);
  for (const type of Object.values(built.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) equipScalar(type);
  }
  if (!isScalarType(wide)) throw new Error(`Invariant: ${WIDE_INT} is no scalar of the schema`);
  Object.assign(wide, safeInt(intName));
  // The first schema lists its types by name, so the name can only change on the way into a second one.
  return new GraphQLSchema(built.toConfig());
}

/** The document with another name for `Int`, in definitions and in the types of variables. */
export function renameInt(document: DocumentNode, name: string): DocumentNode {
  return visit(document, {
    NamedType: (node) => (node.name.value === 'Int' ? { ...node, name: { ...node.name, value: name } } : undefined),
  });
}
