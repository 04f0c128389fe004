/** The states of a GraphQL request in the service: received, read, refused or ready to run. */
import type { Answer, Arguments, OperationContext, Reply } from './context.ts';
import type { RootCall } from './execution.ts';
import type { PreparedOperation } from './operation.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Arguments | null | undefined;
  readonly operationName?: string | null | undefined;
}

export interface SubscriptionPlan {
  /** Root field of the schema, such as `orderBookUpdated`. */
  readonly field: string;
  readonly key: string;
  readonly args: Arguments;
  /** Identifies the selection. Subscribers of a stream with the same shape share each frame. */
  readonly shape: string;
  /** Builds the answer for one event, synchronously. */
  frame(event: unknown, context: OperationContext): Answer;
}

type OperationKind = PreparedOperation['kind'];

/** A request that passed all checks that do not depend on the caller. */
export interface Planned {
  readonly state: 'planned';
  readonly operation: PreparedOperation;
  readonly calls: readonly RootCall[];
  readonly variables: Arguments;
  /** Estimated values in the answers of introspection fields. */
  readonly introspection: number;
}

export interface Refused {
  readonly state: 'refused';
  readonly reply: Reply;
  /** Undefined when the document has no runnable operation. */
  readonly kind: OperationKind | undefined;
}

/**
 * The result of `GraphqlService.read`. `unread`: the document is not cached, and the caller must pay before it is parsed.
 * `broken`: reading failed with an internal error.
 */
export type ReadRequest =
  | Planned
  | Refused
  | { readonly state: 'unread'; readonly request: GraphqlRequest }
  | { readonly state: 'broken'; readonly error: unknown };

/** The result of a request over a transport that has subscriptions. */
export type OpenedRequest =
  /** The request failed before any resolver ran. */
  | { readonly kind: 'failed'; readonly answer: Answer }
  | { readonly kind: 'answered'; readonly answer: Answer | Promise<Answer> }
  | { readonly kind: 'subscription'; readonly plan: SubscriptionPlan };

/** A refusal that does not depend on the caller. @param kind undefined when the request has no operation */
export function refused(reply: Reply, kind?: OperationKind): Refused {
  return { state: 'refused', reply, kind };
}
