/** Executes a document with graphql-js and formats errors as the API requires. */
import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { WireFault } from '../../../src/protocol/index.ts';
import type { OperationContext } from '../../../src/server/graphql/context.ts';
import type { ResolverMap } from '../../../src/server/graphql/resolvers.ts';
import type { RandomRequest } from './random-document.ts';

export async function executeReference(
  schema: GraphQLSchema,
  resolvers: ResolverMap,
  { query, variables }: RandomRequest,
  context: OperationContext,
): Promise<string> {
  const result = await execute({
    schema,
    document: parse(query),
    variableValues: variables,
    contextValue: context,
    fieldResolver: (source, args, operation, { parentType, fieldName }) => {
      if (parentType === schema.getQueryType()) return resolvers.Query[fieldName]?.(args, operation);
      if (parentType === schema.getMutationType()) return resolvers.Mutation[fieldName]?.(args, operation);
      return source[fieldName];
    },
  });
  return formatResult(result, context.requestId);
}

function formatResult({ data, errors }: ExecutionResult, requestId: string): string {
  if (errors === undefined) return JSON.stringify({ data });
  return JSON.stringify({ data: data ?? null, errors: errors.map((error) => formatError(error, requestId)) });
}

function formatError({ originalError, message, path = [] }: GraphQLError, requestId: string): object {
  const keys = path.filter((key) => typeof key === 'string');
  if (originalError instanceof WireFault) return { message: originalError.message, path: keys };
  // Only an invalid variable gives an error without an original error.
  const isCallerError = originalError === undefined && message.startsWith('Argument ');
  return { message: isCallerError ? message : `internal error ${requestId}`, path: keys };
}
