/**
 * The texts of operations, one for each root field. An operation passes every argument as a variable of the same name
 * and selects every field of the schema, in its order. Types that occur twice become fragments.
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
      for (const field of Object.values(object.getFields())) if (!(pathOf(object, field) in SHORT_FORMS)) visit(field);
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
  const fields = Object.values(type.getFields()).map((field) => {
    const short = SHORT_FORMS[pathOf(type, field)];
    return `${field.name} ${short ?? objectText(getNamedType(field.type), shared)}`;
  });
  return `{ ${fields.join(' ')} }`;
}

function pathOf(type: GraphQLObjectType, { name }: Field): string {
  return `${type.name}.${name}`;
}

function fragmentName({ name }: GraphQLObjectType): string {
  return `${name}Fields`;
}
