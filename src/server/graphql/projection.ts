/**
 * HOT: builds the `data` of one root field from the value of its resolver (bench/server.ts).
 *
 * graphql-js gives the reference answer. graphql-jit compiles repeated selections, but differs in three cases:
 * - directives: it applies the condition of one fragment spread to all spreads of the fragment;
 * - `__proto__` as a response key: it writes object literals;
 * - the order and number of errors.
 * Documents of the first two kinds are never compiled. When compiled code reports errors, graphql-js runs again, which is safe
 * because all resolvers have run before.
 */
import { executeSync, type GraphQLError, type GraphQLSchema, parse, print } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Arguments, Data, OperationContext } from './context.ts';
import { type Part, type SubDocument, selectionSum, subDocumentOf } from './sub-document.ts';

/** Reports additional memory of a cached document, in characters. */
export type Grow = (characters: number) => void;

/** The `data` of one root field, and its errors. */
export interface Projected {
  readonly data: Data;
  readonly errors: readonly GraphQLError[];
}

export interface CompileRule {
  /** Uses before a selection is compiled; Infinity for never. */
  readonly after: number;
  /** Largest number of fields with fragments expanded. */
  readonly maxFields: number;
}

/** Compilation costs about 1 ms and 10 kB, too much for a single use. */
export const COMPILE: CompileRule = { after: 2, maxFields: 500 };

type Compiled = (root: unknown, context: OperationContext) => Projected | undefined;

/** Memory of compiled code in characters of the document cache: 10 kB, plus 1.3 kB per field. */
const COMPILED_CHARACTERS = 200;
const FIELD_CHARACTERS = 26;
const NO_ERRORS: readonly GraphQLError[] = [];

export interface ProjectionOptions {
  /** From `projectionSchema`: root fields have no arguments. */
  readonly schema: GraphQLSchema;
  readonly part: Part;
  readonly rule: CompileRule;
  readonly grow: Grow;
}

export class Projection {
  /** Number of fields below the root field, with fragments expanded. */
  readonly fields: number;
  readonly #name: string;
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;
  #text: string | undefined;
  #usesLeft: number;
  #compiled: Compiled | undefined;
  readonly #grow: Grow;

  constructor({ schema, part, rule, grow }: ProjectionOptions) {
    this.#grow = grow;
    this.#name = part.name;
    this.#schema = schema;
    this.#part = subDocumentOf(part);
    this.fields = this.#part.fields;
    const isCompilable = this.#part.isPlain && this.fields <= rule.maxFields;
    this.#usesLeft = isCompilable ? rule.after : Number.POSITIVE_INFINITY;
  }

  /** The selection as normalized text, without the arguments of the root field. */
  get text(): string {
    this.#text ??= print(this.#part.document);
    return this.#text;
  }

  /** @param value the result of the resolver @throws the error of an object resolver outside of a nullable field */
  project(value: unknown, variables: Arguments, context: OperationContext): Projected {
    const root = { [this.#name]: value };
    if (this.#compiled !== undefined) {
      const projected = this.#compiled(root, context);
      if (projected !== undefined) return projected;
    } else if (this.#usesLeft > 0) {
      this.#usesLeft -= 1;
    } else {
      this.#usesLeft = Number.POSITIVE_INFINITY;
      this.#compiled = compile(this.#schema, this.#part);
      this.#grow(COMPILED_CHARACTERS + FIELD_CHARACTERS * this.fields);
    }
    return interpret(this.#schema, this.#part, { root, variables, context });
  }
}

function interpret(
  schema: GraphQLSchema,
  part: SubDocument,
  { root, variables, context }: { root?: unknown; variables: Arguments; context?: OperationContext },
): Projected {
  const used = part.variables.filter((name) => Object.hasOwn(variables, name));
  const { data, errors } = executeSync({
    schema,
    document: part.document,
    rootValue: root,
    contextValue: context,
    fieldResolver: property,
    variableValues: Object.fromEntries(used.map((name) => [name, variables[name]])),
  });
  return { data: data ?? null, errors: errors ?? NO_ERRORS };
}

/** Reads a property without calling functions, like graphql-jit (the default of graphql-js calls them). */
function property(source: Arguments, _args: unknown, _context: unknown, { fieldName }: { fieldName: string }): unknown {
  return source[fieldName];
}

/** Compiles with graphql-jit. The result returns undefined when graphql-js must answer. */
function compile(schema: GraphQLSchema, { document }: SubDocument): Compiled | undefined {
  // graphql-jit modifies the nodes that it compiles: give it a copy of the shared document.
  const compiled = compileQuery(schema, parse(print(document), { noLocation: true }), '', {
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  return (root, context) => {
    let result: unknown;
    try {
      result = compiled.query(root, context, {});
    } catch {
      return undefined; // graphql-js repeats the error and reports its field
    }
    return hasNoErrors(result) ? { data: result.data, errors: NO_ERRORS } : undefined;
  };
}

function hasNoErrors(result: unknown): result is { readonly data: NonNullable<Data> } {
  return typeof result === 'object' && result !== null && 'data' in result && !('errors' in result);
}

/** Assumed lengths of lists in the schema; the number of types is exact. */
const ENTRIES: Readonly<Record<string, number>> = { fields: 10, args: 2, inputFields: 6, enumValues: 8, directives: 5 };

/** `__schema` or `__type` in one document, answered by graphql-js. Answers are large, so they are not cached. */
export class Introspection {
  /** Estimated number of values in the answer. */
  readonly cost: number;
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;

  constructor(schema: GraphQLSchema, part: Part) {
    this.#schema = schema;
    this.#part = subDocumentOf(part);
    const types = Object.keys(schema.getTypeMap()).length;
    const price = selectionSum(part.fragments, (name) => (name === 'types' ? types : (ENTRIES[name] ?? 1)));
    this.cost = part.nodes.reduce((sum, node) => sum + price(node.selectionSet), 1);
  }

  project(variables: Arguments): Projected {
    return interpret(this.#schema, this.#part, { variables });
  }
}
