/** A request on its way through the service: what came, what it was read as, what comes of it. */
import { type Answer, type Reply, requestFailed } from './answer.ts';
import type { OperationContext } from './context.ts';
import type { RootArguments } from './execution.ts';
import type { PreparedOperation, RootField } from './operation.ts';
import type { Arguments } from './resolver-map.ts';

/** What a client asks. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Arguments | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A subscription that may begin: whoever has events makes frames of them with `frame`. */
export interface SubscriptionPlan {
  /** Root field of the contract, such as `orderBookUpdated`. */
  readonly field: string;
  /** Its response key. */
  readonly key: string;
  readonly args: Arguments;
  /** How its frames look: subscribers of one stream whose shapes are the same get one and the same frame. */
  readonly shape: string;
  /** The answer that carries one event, put together anew. Synchronous. */
  frame(event: unknown, context: OperationContext): Answer;
}

/** Query, mutation or subscription. */
type OperationKind = PreparedOperation['kind'];

/** It may run. */
export interface Planned {
  readonly state: 'planned';
  readonly operation: PreparedOperation;
  readonly roots: readonly RootField[];
  readonly variables: Arguments;
  readonly args: readonly RootArguments[];
  /** Values that introspection in it may come to. */
  readonly introspection: number;
}

/** It may not. */
export interface Refused {
  readonly state: 'refused';
  readonly reply: Reply;
  /** Undefined where the document has no operation that could be run. */
  readonly kind: OperationKind | undefined;
}

/**
 * A request that was read: what it asks for, why it cannot be run whoever asks, what broke over it, or, where its document is
 * not in the cache, the request itself, which its caller has to pay for first.
 */
export type ReadRequest =
  | Planned
  | Refused
  | { readonly state: 'unread'; readonly request: GraphqlRequest }
  | { readonly state: 'broken'; readonly error: unknown };

/** What comes of a request over a transport that has subscriptions. */
export type Opened =
  /** There is nothing to run. */
  | { readonly kind: 'failed'; readonly answer: Answer }
  | { readonly kind: 'answered'; readonly answer: Answer | Promise<Answer> }
  | { readonly kind: 'subscription'; readonly plan: SubscriptionPlan };

/** A request that cannot be run, whoever sends it. @param kind undefined where it has no operation */
export function refused(reply: Reply, kind?: OperationKind): Refused {
  return { state: 'refused', reply, kind };
}

/** A request that is none. */
export function unreadable(problem: string): ReadRequest {
  return refused(requestFailed(problem));
}
