/**
 * The types of resolvers. Each query, each mutation, and each object field that is not a plain property has a resolver.
 * The compiler checks resolvers against the schema by `TypedResolvers`. The service runs them as a `ResolverMap`.
 */
import { type GraphQLFieldConfig, GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';
import type {
  ArgsOf,
  FieldToResolve,
  Models,
  ObjectName,
  ObjectToResolve,
  PlainModels,
  ResultOf,
  RootFields,
} from '../../protocol/index.ts';
import type { Arguments, OperationContext } from './context.ts';

/**
 * Resolves a root field. The client sees the message of a `WireFault`. Any other error is an internal error. Return
 * a plain value where possible, because a promise is slower.
 */
export type RootResolver = Bivariant<[args: Arguments, context: OperationContext]>;

/** Resolves an object's field synchronously. Errors have the same effect as in a `RootResolver`. */
type FieldResolver = Bivariant<[source: unknown, context: OperationContext]>;

export interface ResolverMap {
  readonly Query: Readonly<Record<string, RootResolver>>;
  readonly Mutation: Readonly<Record<string, RootResolver>>;
  readonly objects?: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>>;
}

/** Accepts functions with narrower argument types, because the schema validates the arguments. */
type Bivariant<Parameters extends readonly unknown[]> = {
  resolve(...parameters: Parameters): unknown;
}['resolve'];

/** @throws Error that lists root fields without a resolver and resolvers without a root field */
export function assertComplete(schema: GraphQLSchema, map: ResolverMap): void {
  const problems = (['Query', 'Mutation'] as const).flatMap((name) => {
    const type = name === 'Query' ? schema.getQueryType() : schema.getMutationType();
    const [fields, resolved] = [Object.keys(type?.getFields() ?? {}), Object.keys(map[name])];
    return [
      ...fields.filter((field) => !resolved.includes(field)).map((field) => `${name}.${field} has no resolver`),
      ...resolved.filter((field) => !fields.includes(field)).map((field) => `${name}.${field} is not in the schema`),
    ];
  });
  if (problems.length > 0) throw new Error(`Invariant: resolvers and schema differ: ${problems.join(', ')}`);
}

type RootResolverOf<F> = (args: ArgsOf<F>, context: OperationContext) => ResultOf<F> | PromiseLike<ResultOf<F>>;

/** @typeParam M the server's models by object type */
type RootResolversOf<M extends Models, Root extends 'Query' | 'Mutation'> = {
  readonly [F in keyof RootFields<M>[Root]]: RootResolverOf<RootFields<M>[Root][F]>;
};

/** Resolvers of the fields that the object's model omits. */
type ObjectResolversOf<M extends Models, Name extends ObjectName> = {
  readonly [F in FieldToResolve<M, Name>]: (source: M[Name], context: OperationContext) => PlainModels<M>[Name][F];
};

/** All resolvers of a server except subscriptions. */
export interface TypedResolvers<M extends Models> {
  readonly Query: RootResolversOf<M, 'Query'>;
  readonly Mutation: RootResolversOf<M, 'Mutation'>;
  readonly objects: { readonly [Name in ObjectToResolve<M>]: ObjectResolversOf<M, Name> };
}

/**
 * Creates the schema of projections, which select the requested fields of results. One root type has all fields of
 * queries, mutations and subscriptions, without their arguments. A root field's value is the resolver's result, so the
 * executor calls no root resolver, coerces no argument and never waits.
 * @param schema receives the object resolvers of `map`, so do not share the schema between servers
 */
export function projectionSchema(schema: GraphQLSchema, map: ResolverMap): GraphQLSchema {
  for (const [name, resolvers] of Object.entries(map.objects ?? {})) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`Invariant: ${name} is not an object type`);
    for (const [field, resolve] of Object.entries(resolvers)) {
      const objectField = type.getFields()[field];
      if (objectField === undefined) throw new Error(`Invariant: ${name}.${field} is not in the schema`);
      objectField.resolve = (source, _args, context) => resolve(source, context);
    }
  }
  const fields: Record<string, GraphQLFieldConfig<unknown, unknown>> = {};
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const [name, { type }] of Object.entries(root?.getFields() ?? {})) {
      if (Object.hasOwn(fields, name)) throw new Error(`Invariant: two root fields are called ${name}`);
      fields[name] = { type };
    }
  }
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Answer', fields }) });
}
