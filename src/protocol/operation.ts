import type { Selection } from './answer-check.ts';

const KINDS = ['query', 'mutation', 'subscription'] as const;

/** A GraphQL document with the types of its variables and of its answer's `data`. */
export interface Operation<Data, Variables> {
  readonly kind: (typeof KINDS)[number];
  /** `operationName` of the request. */
  readonly name: string;
  /** The only root field. `data` contains the answer under this key. */
  readonly field: string;
  /** The document, without superfluous spaces. */
  readonly text: string;
  readonly answer: Selection;
  /** Exists only for the compiler. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** @throws Error for a document without kind or name, and for an answer without fields */
export function operation<Data, Variables>(text: string, answer: Selection): Operation<Data, Variables> {
  const [document, name] = /^(?:query|mutation|subscription) (\w+)/.exec(text) ?? [];
  const kind = KINDS.find((candidate) => document?.startsWith(candidate));
  const [field] = Object.keys(answer);
  if (kind === undefined || name === undefined || field === undefined)
    throw new Error(`Invariant: ${text} is not an operation with a kind, a name and a field`);
  return { kind, name, field, text, answer };
}

export type DataOf<O> = O extends Operation<infer Data, infer _Variables> ? Data : never;

export type VariablesOf<O> = O extends Operation<infer _Data, infer Variables> ? Variables : never;
