/** What a fault becomes for the client: its own message where it has one for it, else a number to look up in the log. */
import { GraphQLError } from 'graphql';
import { internalError, type WireError, WireFault, wireError } from '../../protocol/index.ts';
import type { OperationContext } from './context.ts';
import { type Log, logged } from './log.ts';

/** A fault that a root field's resolver threw, or its arguments. @param key response key of the field */
export function failureOf(thrown: unknown, key: string, context: OperationContext, log: Log): WireError {
  if (thrown instanceof WireFault) return wireError(thrown.message, [key]);
  return internal(thrown, [key], context, log);
}

/** A fault met while an answer was put together; most are broken promises of a resolver. */
export function projectionFailure(error: GraphQLError, context: OperationContext, log: Log): WireError {
  const path = error.path ?? [];
  const cause = error.originalError ?? error;
  if (cause instanceof WireFault) return wireError(cause.message, path);
  return internal(cause, path, context, log);
}

/** A fault outside of any field. */
export function internalFailure(thrown: unknown, context: OperationContext, log: Log): WireError {
  return internal(thrown, [], context, log);
}

/** Arguments that cannot be taken, though the document was valid: a variable is null where the argument may not be. */
export function argumentFailure(thrown: unknown, key: string, context: OperationContext, log: Log): WireError {
  if (thrown instanceof GraphQLError) return wireError(thrown.message, [key]);
  return internal(thrown, [key], context, log);
}

function internal(thrown: unknown, path: readonly (string | number)[], context: OperationContext, log: Log): WireError {
  const { requestId } = context;
  log.error({ ...logged(thrown), requestId, path }, 'internal error while answering a request');
  return wireError(internalError(requestId).message, path);
}
