/**
 * The schema as projections run it: one root with every field of queries, mutations and subscriptions, none of which has
 * arguments; each hands out what its resolver gave. So neither of the two executors calls a root resolver, coerces an
 * argument, keeps an order or waits.
 */
import { type GraphQLFieldConfig, GraphQLObjectType, GraphQLSchema, isObjectType } from 'graphql';
import type { ResolverMap } from './resolver-map.ts';

/** @param schema its object types are given the resolvers of `map`, so it belongs to one server */
export function projectionSchema(schema: GraphQLSchema, map: ResolverMap): GraphQLSchema {
  attachResolvers(schema, map);
  const fields: Record<string, GraphQLFieldConfig<unknown, unknown>> = {};
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const [name, { type }] of Object.entries(root?.getFields() ?? {})) {
      if (Object.hasOwn(fields, name)) throw new Error(`Invariant: two root fields are called ${name}`);
      fields[name] = { type };
    }
  }
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Answer', fields }) });
}

function attachResolvers(schema: GraphQLSchema, map: ResolverMap): void {
  for (const [name, resolvers] of Object.entries(map.objects ?? {})) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`Invariant: ${name} is no object type`);
    const fields = type.getFields();
    for (const [field, resolve] of Object.entries(resolvers)) {
      const known = fields[field];
      if (known === undefined) throw new Error(`Invariant: ${name}.${field} is not in the schema`);
      known.resolve = (source, _args, context) => resolve(source, context);
    }
  }
}
