/** The parts of a schema that a document rests on. */
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Names of types, and `Type.field` of fields and of members of inputs. */
export type UsedParts = ReadonlySet<string>;

/** What documents use of the schema they were written for; inputs whole, as any member may be sent. */
export function usedParts(schema: GraphQLSchema, documents: readonly DocumentNode[]): UsedParts {
  const parts = new Set<string>();
  const input = (name: string): void => {
    const type = schema.getType(name);
    if (type === undefined || parts.has(name)) return;
    parts.add(name);
    if (!isInputObjectType(type)) return;
    for (const field of Object.values(type.getFields())) {
      parts.add(`${name}.${field.name}`);
      input(getNamedType(field.type).name);
    }
  };
  for (const document of documents) {
    const info = new TypeInfo(schema);
    const visitor = {
      Field: () => {
        const [parent, field] = [info.getParentType(), info.getFieldDef()];
        if (parent === null || parent === undefined || field === null || field === undefined) return;
        parts.add(`${parent.name}.${field.name}`);
        const type = getNamedType(field.type);
        parts.add(type.name);
        if (isEnumType(type)) for (const { name } of type.getValues()) parts.add(`${type.name}.${name}`);
        for (const { type: given } of field.args) input(getNamedType(given).name);
      },
    };
    visit(document, visitWithTypeInfo(info, visitor));
  }
  return parts;
}
