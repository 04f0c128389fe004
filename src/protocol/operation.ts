/** An operation of the venue's GraphQL API, as a client sends it. */
import type { Selection } from './answer-check.ts';

/** A document with the types of its variables and of its answer's `data`. */
export interface Operation<Data, Variables> {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** `operationName` of the request. */
  readonly name: string;
  /** Its only root field, under which `data` has the answer. */
  readonly field: string;
  /** The document, without superfluous spaces. */
  readonly text: string;
  readonly answer: Selection;
  /** Exists only for the compiler. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** Gives an operation the types of its data and its variables. */
export function operation<Data, Variables>(
  plain: Omit<Operation<Data, Variables>, '__apiType'>,
): Operation<Data, Variables> {
  return plain;
}

export type DataOf<O> = O extends Operation<infer Data, infer _Variables> ? Data : never;

export type VariablesOf<O> = O extends Operation<infer _Data, infer Variables> ? Variables : never;
