/**
 * HOT: builds the `data` of one root field from its resolver's value (bench/server.ts).
 *
 * graphql-js gives the reference answer. graphql-jit compiles repeated selections, but differs in three cases:
 * - A directive on one spread of a fragment affects all spreads of the fragment.
 * - The response key `__proto__` sets the prototype, because graphql-jit writes object literals.
 * - Errors have another order and number.
 * Documents in the first two cases are never compiled. When compiled code reports errors, graphql-js runs again, which
 * is safe because all root resolvers have already run.
 */
import { executeSync, type GraphQLError, type GraphQLSchema, parse, print } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Arguments, Data, OperationContext } from './context.ts';
import { createSelectionSum, extractRootField, type RootFieldPart, type SubDocument } from './sub-document.ts';

/** Reports additional memory of a cached document, in characters of about 50 bytes. */
export type ReportGrowth = (characters: number) => void;

export interface ProjectionResult {
  readonly data: Data;
  readonly errors: readonly GraphQLError[];
}

export interface CompileRule {
  /** Number of uses before a selection is compiled; Infinity for never. */
  readonly after: number;
  /** Maximum number of fields of a compiled selection, with fragments expanded. */
  readonly maxFields: number;
}

/** Compilation takes about 1 ms and 10 kB, too much for a single use. */
export const COMPILE: CompileRule = { after: 2, maxFields: 500 };

type Compiled = (root: unknown, context: OperationContext) => ProjectionResult | undefined;

/** Memory of compiled code, in characters of about 50 bytes: 10 kB, plus 1.3 kB per field. */
const COMPILED_CHARACTERS = 200;
const FIELD_CHARACTERS = 26;
const NO_ERRORS: readonly GraphQLError[] = [];

interface ProjectionOptions {
  /** The schema that `projectionSchema` returns. Its root fields have no arguments. */
  readonly schema: GraphQLSchema;
  readonly part: RootFieldPart;
  readonly rule: CompileRule;
  readonly reportGrowth: ReportGrowth;
}

export class Projection {
  /** Number of fields below the root field, with fragments expanded. */
  readonly fields: number;
  readonly #name: string;
  readonly #schema: GraphQLSchema;
  readonly #subDocument: SubDocument;
  #text: string | undefined;
  #usesLeft: number;
  #compiled: Compiled | undefined;
  readonly #reportGrowth: ReportGrowth;

  constructor({ schema, part, rule, reportGrowth }: ProjectionOptions) {
    this.#reportGrowth = reportGrowth;
    this.#name = part.name;
    this.#schema = schema;
    this.#subDocument = extractRootField(part);
    this.fields = this.#subDocument.fields;
    const isCompilable = this.#subDocument.isPlain && this.fields <= rule.maxFields;
    this.#usesLeft = isCompilable ? rule.after : Number.POSITIVE_INFINITY;
  }

  /** The selection as normalized text, without the root field's arguments. */
  get text(): string {
    this.#text ??= print(this.#subDocument.document);
    return this.#text;
  }

  /** Returns errors of object resolvers instead of throwing. @param value the result of the root resolver */
  project(value: unknown, variables: Arguments, context: OperationContext): ProjectionResult {
    const root = { [this.#name]: value };
    if (this.#compiled !== undefined) {
      const projected = this.#compiled(root, context);
      if (projected !== undefined) return projected;
    } else if (this.#usesLeft > 0) {
      this.#usesLeft -= 1;
    } else {
      this.#usesLeft = Number.POSITIVE_INFINITY;
      this.#compiled = compile(this.#schema, this.#subDocument);
      this.#reportGrowth(COMPILED_CHARACTERS + FIELD_CHARACTERS * this.fields);
    }
    return interpret(this.#schema, this.#subDocument, { root, variables, context });
  }
}

function interpret(
  schema: GraphQLSchema,
  part: SubDocument,
  { root, variables, context }: { root?: unknown; variables: Arguments; context?: OperationContext },
): ProjectionResult {
  const used = part.variables.filter((name) => Object.hasOwn(variables, name));
  const { data, errors } = executeSync({
    schema,
    document: part.document,
    rootValue: root,
    contextValue: context,
    // Reads a property without calling it, as graphql-jit does. The default resolver of graphql-js calls functions.
    fieldResolver: (source: Arguments, _args, _context, { fieldName }) => source[fieldName],
    variableValues: Object.fromEntries(used.map((name) => [name, variables[name]])),
  });
  return { data: data ?? null, errors: errors ?? NO_ERRORS };
}

/** Compiles with graphql-jit. The compiled function returns undefined when graphql-js must answer. */
function compile(schema: GraphQLSchema, { document }: SubDocument): Compiled | undefined {
  // Compile a copy of the shared document, because graphql-jit modifies the compiled nodes.
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

/** Assumed lengths of lists that describe a type. */
const LIST_LENGTHS: Readonly<Record<string, number>> = {
  fields: 10,
  args: 2,
  inputFields: 6,
  enumValues: 8,
  directives: 5,
};

/** One `__schema` or `__type` field, answered by graphql-js. Answers are large, so they are not cached. */
export class Introspection {
  readonly cost: number;
  readonly #schema: GraphQLSchema;
  readonly #part: SubDocument;

  constructor(schema: GraphQLSchema, part: RootFieldPart) {
    this.#schema = schema;
    this.#part = extractRootField(part);
    const typeCount = Object.keys(schema.getTypeMap()).length;
    const estimateCost = createSelectionSum(part.fragments, (name) =>
      name === 'types' ? typeCount : (LIST_LENGTHS[name] ?? 1),
    );
    this.cost = part.nodes.reduce((sum, node) => sum + estimateCost(node.selectionSet), 1);
  }

  project(variables: Arguments): ProjectionResult {
    return interpret(this.#schema, this.#part, { variables });
  }
}
