/** The specification's own answer: the whole document run by graphql-js, errors in the form of the contract. */
import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { WireFault } from '../../../src/protocol/index.ts';
import type { OperationContext } from '../../../src/server/graphql/context.ts';
import type { ResolverMap } from '../../../src/server/graphql/resolvers.ts';
import type { DrawnRequest } from './random-document.ts';

export async function referenceAnswer(
  schema: GraphQLSchema,
  resolvers: ResolverMap,
  { query, variables }: DrawnRequest,
  context: OperationContext,
): Promise<string> {
  const result = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    contextValue: context,
    fieldResolver: (source, args, given, { parentType, fieldName }) => {
      if (parentType === schema.getQueryType()) return resolvers.Query[fieldName]?.(args, given);
      if (parentType === schema.getMutationType()) return resolvers.Mutation[fieldName]?.(args, given);
      return source[fieldName];
    },
  });
  return reported(result, context.requestId);
}

function reported({ data, errors }: ExecutionResult, requestId: string): string {
  if (errors === undefined) return JSON.stringify({ data });
  return JSON.stringify({ data: data ?? null, errors: errors.map((error) => oneTold(error, requestId)) });
}

function oneTold({ originalError, message, path = [] }: GraphQLError, requestId: string): object {
  const keys = path.filter((key) => typeof key === 'string');
  if (originalError instanceof WireFault) return { message: originalError.message, path: keys };
  // Only what a variable does to an argument has no original: it concerns the caller.
  const isOfCaller = originalError === undefined && message.startsWith('Argument ');
  return { message: isOfCaller ? message : `internal error ${requestId}`, path: keys };
}
