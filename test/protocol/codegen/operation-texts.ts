/**
 * The operations of clients and tests, one for each root field. An operation passes every argument as a variable of
 * the same name and selects every field, in the order of the schema. Types that occur twice become fragments.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationTypeNode,
} from 'graphql';

/** Fields that select a short form of their type. Query the object itself for all of its fields. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  'Position.market': '{ id slug question status acceptingOrders }',
};
/** Names of fields that no operation selects, so that a bot can trade on a venue without them. */
export const OPTIONAL_FIELDS: ReadonlySet<string> = new Set(['Fill.reversed']);

type Field = GraphQLField<unknown, unknown>;

/** The text of all operations and their fragments, as one document. */
export function operationTexts(schema: GraphQLSchema): string {
  const operations = [
    ...operationsOf('query', schema.getQueryType()),
    ...operationsOf('mutation', schema.getMutationType()),
    ...operationsOf('subscription', schema.getSubscriptionType()),
  ];
  const shared = sharedTypes(operations.map(({ field }) => field));
  return [
    ...[...shared].map((type) => `fragment ${fragmentName(type)} on ${type} ${selectionOf(type, shared)}`),
    ...operations.map(({ kind, field }) => operationText(kind, field, shared)),
  ].join('\n');
}

function operationsOf(kind: `${OperationTypeNode}`, root: GraphQLObjectType | null | undefined) {
  return Object.values(root?.getFields() ?? {}).map((field) => ({ kind, field }));
}

/** Object types that are reachable at least twice from root fields. */
function sharedTypes(roots: readonly Field[]): ReadonlySet<GraphQLObjectType> {
  const seen = new Set<GraphQLObjectType>();
  const shared = new Set<GraphQLObjectType>();
  const visit = ({ type }: Field): void => {
    const object = getNamedType(type);
    if (!isObjectType(object)) return;
    if (seen.has(object)) shared.add(object);
    else {
      seen.add(object);
      for (const field of fieldsOf(object)) if (!(pathOf(object, field) in SHORT_FORMS)) visit(field);
    }
  };
  for (const root of roots) visit(root);
  return shared;
}

function operationText(kind: string, { name, args, type }: Field, shared: ReadonlySet<GraphQLObjectType>): string {
  const [variables, passed] = [
    args.map((each) => `$${each.name}: ${each.type}`),
    args.map((each) => `${each.name}: $${each.name}`),
  ].map((list) => (list.length === 0 ? '' : `(${list.join(', ')})`));
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return `${kind} ${title}${variables} { ${name}${passed} ${objectText(getNamedType(type), shared)} }`;
}

function objectText(type: unknown, shared: ReadonlySet<GraphQLObjectType>): string {
  if (!isObjectType(type)) return '';
  return shared.has(type) ? `{ ...${fragmentName(type)} }` : selectionOf(type, shared);
}

function selectionOf(type: GraphQLObjectType, shared: ReadonlySet<GraphQLObjectType>): string {
  const fields = fieldsOf(type).map((field) => {
    const short = SHORT_FORMS[pathOf(type, field)];
    return `${field.name} ${short ?? objectText(getNamedType(field.type), shared)}`;
  });
  return `{ ${fields.join(' ')} }`;
}

function fieldsOf(type: GraphQLObjectType): readonly Field[] {
  return Object.values(type.getFields()).filter((field) => !OPTIONAL_FIELDS.has(pathOf(type, field)));
}

function pathOf(type: GraphQLObjectType, { name }: Field): string {
  return `${type.name}.${name}`;
}

function fragmentName({ name }: GraphQLObjectType): string {
  return `${name}Fields`;
}
