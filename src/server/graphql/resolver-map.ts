/**
 * What answers the fields: one function for each query and mutation, and for fields of objects that are not there to be
 * read. All else is read from the object by the field's name.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  type OperationTypeNode,
} from 'graphql';
import type { OperationContext } from './context.ts';

/** Coerced arguments or variables by name; what was left out is missing. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Answers a root field: with the value, with a promise of it, or by throwing (a `WireFault` is told to the client as it
 * is, anything else is a fault of the inside). Synchronous wherever it can be: a request without promises costs none.
 */
export type RootResolver = Bivariant<[args: Arguments, context: OperationContext]>;

/** Answers a field of an object, synchronously. What it throws is a fault of the inside, unless a `WireFault`. */
export type FieldResolver = Bivariant<[source: unknown, context: OperationContext]>;

/** By the names of the contract. */
export interface ResolverMap {
  readonly Query: Readonly<Record<string, RootResolver>>;
  readonly Mutation: Readonly<Record<string, RootResolver>>;
  /** By type, then by field. */
  readonly objects?: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>>;
}

/** Lets a function in that wants its arguments more exactly: the schema has tested them. */
type Bivariant<Parameters extends readonly unknown[]> = {
  resolve(...parameters: Parameters): unknown;
}['resolve'];

/** @throws Error with the names of fields that have no resolver, and of resolvers that have no field */
export function assertComplete(schema: GraphQLSchema, map: ResolverMap): void {
  const problems = [
    ...difference('Query', schema.getQueryType(), map.Query),
    ...difference('Mutation', schema.getMutationType(), map.Mutation),
  ];
  for (const [name, fields] of Object.entries(map.objects ?? {})) {
    const type = schema.getType(name);
    const known = isObjectType(type) ? type.getFields() : {};
    for (const field of Object.keys(fields)) {
      if (!Object.hasOwn(known, field)) problems.push(`${name}.${field} is not in the schema`);
    }
  }
  if (problems.length > 0) throw new Error(`Invariant: resolvers and schema differ: ${problems.join(', ')}`);
}

/** Field of a root type. @throws Error when there is none: validation let it pass */
export function rootFieldOf(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  name: string,
): GraphQLField<unknown, unknown> {
  const field = schema.getRootType(operation)?.getFields()[name];
  if (field === undefined) throw new Error(`Invariant: no root field ${operation} ${name}`);
  return field;
}

function difference(
  name: string,
  type: GraphQLObjectType | null | undefined,
  resolvers: Readonly<Record<string, unknown>>,
): readonly string[] {
  const fields = Object.keys(type?.getFields() ?? {});
  return [
    ...fields.filter((field) => !Object.hasOwn(resolvers, field)).map((field) => `${name}.${field} has no resolver`),
    ...Object.keys(resolvers)
      .filter((field) => !fields.includes(field))
      .map((field) => `${name}.${field} is not in the schema`),
  ];
}
