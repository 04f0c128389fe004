/** From text to operations that are ready to run, or to the messages why not. No request is ever thrown back. */
import { type DocumentNode, GraphQLError, Kind, NoFragmentCyclesRule, parse, specifiedRules, validate } from 'graphql';
import type { Grow } from './document-cache.ts';
import type { Limits } from './limits.ts';
import { isNestedBeyond } from './nesting.ts';
import { PreparedOperation, type Venue } from './operation.ts';
import { fragmentsOf, weigh } from './weight.ts';

/** A document that may be run. */
export interface PreparedDocument {
  /** By name; an operation without a name is under ''. */
  readonly operations: ReadonlyMap<string, PreparedOperation>;
  /** With fragments written out. */
  readonly fields: number;
  readonly problems?: undefined;
}

/** Why a document may not be run. */
export interface RefusedDocument {
  readonly problems: readonly string[];
  /** That were looked at, with fragments written out. */
  readonly fields: number;
}

const MOST_PROBLEMS = 20;

/** What a document is prepared with. */
export interface Preparing {
  readonly venue: Venue;
  readonly limits: Limits;
  /** Told what the document takes more as it is used. */
  readonly grow: Grow;
}

/** Parses, weighs, validates and prepares. */
export function prepareDocument(text: string, { venue, limits, grow }: Preparing): PreparedDocument | RefusedDocument {
  if (text.length > limits.mostText) return refused(`the document is longer than ${limits.mostText} characters`);
  if (isNestedBeyond(text, limits.mostNesting))
    return refused(`more than ${limits.mostNesting} brackets in each other`);
  const document = parsed(text, limits);
  if (document instanceof GraphQLError) return refused(document.message);
  const cycles = validate(venue.schema, document, [NoFragmentCyclesRule], { maxErrors: MOST_PROBLEMS });
  if (cycles.length > 0) return refusedFor(cycles);
  const { fields, excess } = weigh(document, limits);
  if (excess !== undefined) return refused(`the document is too large: ${excess}`, fields);
  const errors = validate(venue.schema, document, specifiedRules, { maxErrors: MOST_PROBLEMS });
  if (errors.length > 0) return refusedFor(errors, fields);

  const fragments = fragmentsOf(document);
  const operations = new Map<string, PreparedOperation>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    operations.set(definition.name?.value ?? '', new PreparedOperation({ venue, definition, fragments, grow }));
  }
  return { operations, fields };
}

/**
 * The operation that is meant.
 * @param name undefined, null and '' where the document has only one
 * @returns a string to tell the client when there is no such operation
 */
export function chooseOperation(
  { operations }: PreparedDocument,
  name: string | null | undefined,
): PreparedOperation | string {
  if (name === undefined || name === null || name === '') {
    const [only, ...others] = operations.values();
    if (only === undefined) return 'the document has no operation';
    return others.length === 0 ? only : 'the document has several operations: operationName has to say which';
  }
  return operations.get(name) ?? `the document has no operation ${JSON.stringify(name)}`;
}

function parsed(text: string, limits: Limits): DocumentNode | GraphQLError {
  try {
    return parse(text, { maxTokens: limits.mostTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function refused(problem: string, fields = 0): RefusedDocument {
  return { problems: [problem], fields };
}

function refusedFor(errors: readonly GraphQLError[], fields = 0): RefusedDocument {
  return { problems: errors.map(({ message }) => message), fields };
}
