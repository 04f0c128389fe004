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
import { configureScalar, safeInt } from './scalars.ts';

/** Temporary name of `Int` while the schema is built: `buildASTSchema` supports only GraphQL's own `Int`. */
const WIDE_INT = 'SafeInt';

/** Builds an executable schema of the API contract, without resolvers. Its `Int` accepts all safe integers. */
export function venueSchema(): GraphQLSchema {
  const document = parse(`${SCHEMA_SDL}\nscalar ${WIDE_INT}`, { noLocation: true });
  const built = buildASTSchema(withWideInt(document), { assumeValidSDL: true });
  const wide = built.getType(WIDE_INT);
  if (!isScalarType(wide)) throw new Error(`Invariant: ${WIDE_INT} is not a scalar of the schema`);
  for (const type of Object.values(built.getTypeMap())) {
    if (isScalarType(type) && type !== wide && !isSpecifiedScalarType(type)) configureScalar(type);
  }
  Object.assign(wide, safeInt());
  // A schema indexes its types by name, so renaming the type needs a second schema.
  return new GraphQLSchema(built.toConfig());
}

function withWideInt(document: DocumentNode): DocumentNode {
  return visit(document, {
    NamedType: (node) => (node.name.value === 'Int' ? { ...node, name: { ...node.name, value: WIDE_INT } } : undefined),
  });
}
