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

/** Stands for `Int` while the schema is built: `buildASTSchema` supports only GraphQL's own `Int`. */
const WIDE_INT = 'SafeInt';

/** The contract as a new executable schema without resolvers; `Int` is widened to safe integers. */
export function venueSchema(): GraphQLSchema {
  const document = parse(`${SCHEMA_SDL}\nscalar ${WIDE_INT}`, { noLocation: true });
  const built = buildASTSchema(withWideInt(document), { assumeValidSDL: true });
  const wide = built.getType(WIDE_INT);
  if (!isScalarType(wide)) throw new Error(`Invariant: ${WIDE_INT} is no scalar of the schema`);
  for (const type of Object.values(built.getTypeMap())) {
    if (isScalarType(type) && type !== wide && !isSpecifiedScalarType(type)) equipScalar(type);
  }
  Object.assign(wide, safeInt());
  // The first schema lists its types by name, so the name can only change on the way into a second one.
  return new GraphQLSchema(built.toConfig());
}

function withWideInt(document: DocumentNode): DocumentNode {
  return visit(document, {
    NamedType: (node) => (node.name.value === 'Int' ? { ...node, name: { ...node.name, value: WIDE_INT } } : undefined),
  });
}
