/** An operation of the contract as a client sends it. */
import { type DocumentNode, parse } from 'graphql';
import type { Selection } from './selection.ts';

/** A document with the types of its variables and of its answer's `data`. */
export interface Operation<Data, Variables> {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** `operationName` of the request. */
  readonly name: string;
  /** Its only root field, under which `data` has the answer. */
  readonly field: string;
  /** The document, without superfluous spaces. */
  readonly text: string;
  /** What `data` has to look like. */
  readonly answer: Selection;
  /** Only for the compiler: nothing is ever there. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** A parsed document that still knows its types, in the form that GraphQL clients read them from. */
export interface TypedDocument<Data, Variables> extends DocumentNode {
  /** Only for the compiler. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** The operation for clients that take documents; parsed anew each time. */
export function documentOf<Data, Variables>(operation: Operation<Data, Variables>): TypedDocument<Data, Variables> {
  return parse(operation.text, { noLocation: true });
}

/** The `data` that an operation is answered with. */
export type DataOf<O> = O extends Operation<infer Data, infer _Variables> ? Data : never;

/** The variables of an operation. */
export type VariablesOf<O> = O extends Operation<infer _Data, infer Variables> ? Variables : never;
