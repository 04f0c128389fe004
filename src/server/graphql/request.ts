/** States of a request: received (`GraphqlRequest`), checked (`RequestPlan`), then run (`Reply` or `OpenedRequest`). */
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
  /** Response key: alias or name. */
  readonly key: string;
  readonly args: Arguments;
  /** Identifies the selection. Subscribers of one stream share each answer if their shapes are equal. */
  readonly shape: string;
  /** Builds the answer for one event synchronously. */
  answerEvent(event: unknown, context: OperationContext): Answer;
}

type OperationKind = PreparedOperation['kind'];

/** A request that passed all checks, except those that depend on the caller. */
export interface PlannedRequest {
  readonly state: 'planned';
  readonly operation: PreparedOperation;
  readonly calls: readonly RootCall[];
  readonly variables: Arguments;
  /** Estimated number of values in the answers of introspection fields. */
  readonly introspection: number;
}

export interface RefusedRequest {
  readonly state: 'refused';
  readonly reply: Reply;
  /** Undefined when the document has no runnable operation. */
  readonly kind: OperationKind | undefined;
}

/**
 * The result of `GraphqlService.plan`. `uncached`: the document is not cached, so `run` or `open` parses it and charges
 * `parse` tokens. `broken`: an internal error occurred.
 */
export type RequestPlan =
  | PlannedRequest
  | RefusedRequest
  | { readonly state: 'uncached'; readonly request: GraphqlRequest }
  | { readonly state: 'broken'; readonly error: unknown };

export type OpenedRequest =
  /** The request failed before any resolver ran. */
  | { readonly kind: 'failed'; readonly answer: Answer }
  | { readonly kind: 'answered'; readonly answer: Answer | Promise<Answer> }
  | { readonly kind: 'subscription'; readonly plan: SubscriptionPlan };

/** @param kind undefined when the document has no runnable operation */
export function refuseRequest(reply: Reply, kind?: OperationKind): RefusedRequest {
  return { state: 'refused', reply, kind };
}
