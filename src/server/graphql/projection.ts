/**
 * HOT: makes the `data` of one root field from the value that its resolver gave (bench/server.ts).
 *
 * Two executors, one answer. graphql-js is always right; graphql-jit compiles what is asked for again and again, where it
 * conforms. It does not
 * - with directives: the condition of one spread of a fragment counts for all of them;
 * - with `__proto__` as a response key: it writes object literals;
 * - in order and number of errors.
 * So the first two are never compiled, and whatever it answers with errors is done again by graphql-js. The value was made
 * before: doing it again changes nothing.
 */
import { executeSync, type GraphQLError, type GraphQLSchema, parse, print } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Data } from './answer.ts';
import type { OperationContext } from './context.ts';
import type { Grow } from './document-cache.ts';
import type { Arguments } from './resolver-map.ts';
import { type Part, type SubDocument, subDocumentOf } from './sub-document.ts';

/** `data` of one root field alone, and what failed below it. */
export interface Projected {
  readonly data: Data;
  readonly errors: readonly GraphQLError[];
}

/** How often, and how large, a selection has to be asked for to be compiled. */
export interface CompileRule {
  /** Uses that go by; Infinity: never compile. */
  readonly after: number;
  /** Fields with fragments written out. */
  readonly mostFields: number;
}

/** Compiling costs about a millisecond and some ten kB: not for what comes once. */
export const COMPILE: CompileRule = { after: 2, mostFields: 500 };

type Compiled = (root: unknown, context: OperationContext) => Projected | undefined;

/** What compiled code takes, in characters of the document cache: some 10 kB, and 1.3 kB a field. */
const COMPILED_CHARACTERS = 200;
const FIELD_CHARACTERS = 26;
const NO_ERRORS: readonly GraphQLError[] = [];

/** What a projection is made of. */
export interface ProjectionParts {
  /** Its root fields have no arguments (`projectionSchema`). */
  readonly schema: GraphQLSchema;
  readonly part: Part;
  readonly rule: CompileRule;
  readonly grow: Grow;
}

/** Projects one root field of one document, again and again. */
export class Projection {
  /** Fields below the root field, fragments written out. */
  readonly fields: number;
  readonly #name: string;
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;
  #text: string | undefined;
  #usesLeft: number;
  #compiled: Compiled | undefined;
  readonly #grow: Grow;

  constructor({ schema, part, rule, grow }: ProjectionParts) {
    this.#grow = grow;
    this.#name = part.name;
    this.#schema = schema;
    this.#part = subDocumentOf(part);
    this.fields = this.#part.fields;
    const isCompilable = this.#part.isPlain && this.fields <= rule.mostFields;
    this.#usesLeft = isCompilable ? rule.after : Number.POSITIVE_INFINITY;
  }

  /** The selection as text, spelled in one way and without the root field's arguments. */
  get text(): string {
    this.#text ??= print(this.#part.document);
    return this.#text;
  }

  /** @param value what the root field's resolver gave. @throws whatever objects and their resolvers throw where nobody may */
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

/** By graphql-js. */
export function interpret(
  schema: GraphQLSchema,
  part: SubDocument,
  { root, variables, context }: { root: unknown; variables: Arguments; context: OperationContext },
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

/** Values are data: a function is no value, as for graphql-jit (graphql-js by itself would call it). */
function property(source: Arguments, _args: unknown, _context: unknown, { fieldName }: { fieldName: string }): unknown {
  return source[fieldName];
}

/** By graphql-jit; answers undefined where graphql-js has to. */
function compile(schema: GraphQLSchema, { document }: SubDocument): Compiled | undefined {
  // It leaves marks on what it compiles: a copy keeps them off the nodes that documents share.
  const compiled = compileQuery(schema, parse(print(document), { noLocation: true }), '', {
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  return (root, context) => {
    let result: unknown;
    try {
      result = compiled.query(root, context, {});
    } catch {
      return undefined; // graphql-js meets the same fault, and says in which field
    }
    return isWhole(result) ? { data: result.data, errors: NO_ERRORS } : undefined;
  };
}

function isWhole(result: unknown): result is { readonly data: NonNullable<Data> } {
  return typeof result === 'object' && result !== null && 'data' in result && !('errors' in result);
}
