/** How large a request may be. Introspection has no limit of levels. */

/** Bounds of what is accepted, all of them inclusive. */
export interface Limits {
  /** Length of the document as text; the whole body of a request has the same bound in bytes. */
  readonly mostText: number;
  /** Levels of fields, a root field is the first. */
  readonly mostLevels: number;
  /** Root fields of an operation, aliases and fragments counted each. */
  readonly mostRootFields: number;
  /** Values that an answer may come to, by the sizes of lists asked for. */
  readonly mostCost: number;
  /** The same for introspection, by the size of the schema; what tools ask for comes to half of it. */
  readonly mostIntrospection: number;
  /** Tokens of the document. */
  readonly mostTokens: number;
  /** Fields of all operations with their fragments written out, introspection too. */
  readonly mostFields: number;
  /** Pairs of fields that share a response key and have to be compared with each other. */
  readonly mostPairs: number;
  /** Brackets within brackets, before anything is parsed: the parser walks them by recursion. */
  readonly mostNesting: number;
}

/** The first three are the contract's, the others keep what they allow within some milliseconds of work. */
export const LIMITS: Limits = {
  mostText: 262_144,
  mostLevels: 12,
  mostRootFields: 50,
  mostCost: 50_000,
  mostIntrospection: 400_000,
  mostTokens: 10_000,
  mostFields: 3_000,
  mostPairs: 5_000,
  mostNesting: 250,
};
