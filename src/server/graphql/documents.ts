/** Parses, limits, validates and caches documents. */
import { type DocumentNode, GraphQLError, Kind, NoFragmentCyclesRule, parse, specifiedRules, validate } from 'graphql';
import { indexFragments, isNestedTooDeep, type Limits, measureDocument } from './limits.ts';
import { type OperationSetup, PreparedOperation } from './operation.ts';
import type { ReportGrowth } from './projection.ts';

export interface PreparedDocument {
  /** Operations by name. An unnamed operation has the name ''. */
  readonly operations: ReadonlyMap<string, PreparedOperation>;
  /** Number of fields with fragments expanded. */
  readonly fields: number;
  readonly problems?: undefined;
}

export interface RefusedDocument {
  readonly problems: readonly string[];
  /** Number of checked fields, with fragments expanded. */
  readonly fields: number;
}

const MAX_PROBLEMS = 20;

/**
 * Parses, measures, validates and prepares a document. Does not throw for an invalid document.
 * @param options `reportGrowth` is called with the memory that the document allocates after its preparation
 */
export function prepareDocument(
  text: string,
  options: { readonly setup: OperationSetup; readonly limits: Limits; readonly reportGrowth: ReportGrowth },
): PreparedDocument | RefusedDocument {
  const { setup, limits, reportGrowth } = options;
  if (text.length > limits.maxText) return refuseDocument([`the document is longer than ${limits.maxText} characters`]);
  if (isNestedTooDeep(text, limits)) return refuseDocument([`more than ${limits.maxNesting} nested brackets`]);
  const document = tryParse(text, limits);
  if (document instanceof GraphQLError) return refuseDocument([document]);
  const cycles = validate(setup.schema, document, [NoFragmentCyclesRule], { maxErrors: MAX_PROBLEMS });
  if (cycles.length > 0) return refuseDocument(cycles);
  const { fields, excess } = measureDocument(document, limits);
  if (excess !== undefined) return refuseDocument([`the document is too large: ${excess}`], fields);
  const errors = validate(setup.schema, document, specifiedRules, { maxErrors: MAX_PROBLEMS });
  if (errors.length > 0) return refuseDocument(errors, fields);

  const fragments = indexFragments(document);
  const operations = new Map<string, PreparedOperation>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    operations.set(definition.name?.value ?? '', new PreparedOperation({ setup, definition, fragments, reportGrowth }));
  }
  return { operations, fields };
}

/** @param name undefined, null or '' for the only operation @returns the operation, or a message for the client */
export function chooseOperation(
  { operations }: PreparedDocument,
  name: string | null | undefined,
): PreparedOperation | string {
  if (name === undefined || name === null || name === '') {
    const [only, ...others] = operations.values();
    if (only === undefined) return 'the document has no operation';
    return others.length === 0 ? only : 'the document has several operations: set operationName to one of them';
  }
  return operations.get(name) ?? `the document has no operation ${JSON.stringify(name)}`;
}

function tryParse(text: string, limits: Limits): DocumentNode | GraphQLError {
  try {
    return parse(text, { maxTokens: limits.maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function refuseDocument(problems: readonly (GraphQLError | string)[], fields = 0): RefusedDocument {
  return { problems: problems.map((problem) => (typeof problem === 'string' ? problem : problem.message)), fields };
}

export type CacheBounds = Readonly<typeof CACHE_BOUNDS>;
/** A prepared document takes about 50 bytes per character, so a full cache takes about 100 MB. */
export const CACHE_BOUNDS = { maxDocuments: 2_000, maxCharacters: 2_000_000 };

/** A least-recently-used cache of documents by text. Also caches refused documents. */
export class DocumentCache<Prepared> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, { readonly prepared: Prepared; readonly size: { characters: number } }>();
  #lastUsed: { readonly text: string; readonly prepared: Prepared } | undefined;
  /** Characters of all texts, plus the reported growth. */
  characters = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(text: string): Prepared | undefined {
    // Fast path: clients often repeat a document, which is then already the last entry.
    if (this.#lastUsed?.text === text) return this.#lastUsed.prepared;
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    this.#lastUsed = { text, prepared: entry.prepared };
    return entry.prepared;
  }

  add(text: string, prepare: (text: string, reportGrowth: ReportGrowth) => Prepared): Prepared {
    const size = { characters: text.length };
    const prepared = prepare(text, (characters) => {
      size.characters += characters;
      // The size counts only while the document is in the cache.
      if (this.#entries.get(text)?.size !== size) return;
      this.characters += characters;
      this.#shrink();
    });
    this.#entries.set(text, { prepared, size });
    this.characters += size.characters;
    this.#lastUsed = { text, prepared };
    this.#shrink();
    return prepared;
  }

  #shrink(): void {
    const { maxDocuments, maxCharacters } = this.#bounds;
    for (const [text, { size }] of this.#entries) {
      if (this.#entries.size <= maxDocuments && this.characters <= maxCharacters) return;
      this.#entries.delete(text);
      this.characters -= size.characters;
    }
  }
}
