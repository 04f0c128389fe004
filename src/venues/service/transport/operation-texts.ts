/**
 * The documents that are sent: the contract's own, or an operator's from files, for a venue whose names differ.
 *
 * Answers are read by the names of the contract, so a document of another venue renames by aliases
 * (`orderBookUpdated: bookChanged(market: $marketId) { … }`).
 */
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql';
import { FileFault } from '../../../domain/index.ts';
import { OPERATIONS, type Operation, type Selection } from '../../../protocol/index.ts';
import { readFileAtMost } from '../../../runtime/index.ts';

const LARGEST = 65_536;

/** Text by operation; one that is not in it has the contract's. */
export class OperationTexts {
  readonly #texts = new Map<string, string>();
  /** File by operation name. */
  readonly #files = new Map<string, string>();

  /** The request text of an operation. */
  textOf({ name, text }: Operation<unknown, never>): string {
    return this.#texts.get(name) ?? text;
  }

  /** Names of operations that are overridden, with their files. */
  get overridden(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** Puts a document in an operation's place. @throws FileFault unless it can answer as the contract's */
  override(file: string, text: string): void {
    const name = basename(file, extname(file));
    const known: Operation<unknown, never> | undefined = Object.values(OPERATIONS).find((each) => each.name === name);
    if (known === undefined) {
      const near = Object.values(OPERATIONS).map((each) => each.name);
      throw new FileFault(
        file,
        undefined,
        `no operation is called ${name}`,
        `Name it after one of: ${near.join(', ')}.`,
      );
    }
    const document = parsed(file, text);
    const operation = onlyOperation(file, document);
    if (operation.operation !== known.kind) {
      throw new FileFault(file, undefined, `it is a ${operation.operation}`, `${name} has to be a ${known.kind}.`);
    }
    if (operation.name?.value !== name) {
      throw new FileFault(file, undefined, 'its operation has another name', `Write "${known.kind} ${name}(…) { … }".`);
    }
    const keys = operation.selectionSet.selections.map((field) =>
      field.kind === Kind.FIELD ? (field.alias ?? field.name).value : '…',
    );
    if (keys.length !== 1 || keys[0] !== known.field) {
      const remedy = `Ask for one field and answer it under the contract's name, such as "${known.field}: otherName(…) { … }".`;
      throw new FileFault(file, undefined, `its answer is under ${keys.join(', ') || 'nothing'}`, remedy);
    }
    const missing = missingFields(known.answer, [operation.selectionSet], document);
    if (missing.length > 0) {
      const remedy =
        'Request them under the names of the contract; use an alias for a field of the same type with another name.';
      throw new FileFault(file, undefined, `it does not ask for ${missing.join(', ')}`, remedy);
    }
    this.#texts.set(name, compact(print(document)));
    this.#files.set(name, file);
  }
}

/** Reads `<Operation>.graphql` files of a folder. @throws FileFault on one that cannot be used */
export function readOperationTexts(folder: string | undefined): OperationTexts {
  const texts = new OperationTexts();
  if (folder === undefined) return texts;
  for (const name of listed(folder)) {
    if (extname(name) !== '.graphql') continue;
    const file = join(folder, name);
    texts.override(file, readDocument(file));
  }
  return texts;
}

/** The longest document of the contract has 2 KB. GraphQL's parser is recursive, which bounds how deep it goes. */
function readDocument(file: string): string {
  try {
    return readFileAtMost(file, LARGEST, 'a GraphQL operation').toString('utf8');
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    throw new FileFault(file, undefined, `it cannot be read (${String(cause)})`, 'Restore the file, or remove it', {
      cause,
    });
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    throw new FileFault(folder, undefined, 'the folder of operations cannot be read', 'Give one that exists.', {
      cause,
    });
  }
}

function parsed(file: string, text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new FileFault(file, undefined, problem, 'Write one GraphQL operation, with its fragments.', { cause });
  }
}

function onlyOperation(file: string, { definitions }: DocumentNode): OperationDefinitionNode {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    throw new FileFault(file, undefined, `it holds ${operations.length} operations`, 'Write exactly one.');
  }
  return operation;
}

/** Required paths of the answer that the document does not select. Nullable fields may be left out. */
function missingFields(
  wanted: Selection,
  sets: readonly SelectionSetNode[],
  document: DocumentNode,
): readonly string[] {
  const requested = sets.flatMap((set) => fieldsOf(set, document, []));
  return Object.entries(wanted).flatMap(([name, shape]) => {
    const found = requested.filter((field) => (field.alias ?? field.name).value === name);
    const wrap = typeof shape === 'string' ? shape : shape.wrap;
    if (found.length === 0) return wrap.endsWith('?') ? [] : [name];
    if (typeof shape === 'string') return [];
    const below = missingFields(
      shape.fields,
      found.flatMap(({ selectionSet }) => selectionSet ?? []),
      document,
    );
    return below.map((path) => `${name}.${path}`);
  });
}

/** Fields of a selection, those of its fragments among them. @param within fragments that lead here */
function fieldsOf(set: SelectionSetNode, document: DocumentNode, within: readonly string[]): readonly FieldNode[] {
  return set.selections.flatMap((each): readonly FieldNode[] => {
    if (each.kind === Kind.FIELD) return [each];
    if (each.kind === Kind.INLINE_FRAGMENT) return fieldsOf(each.selectionSet, document, within);
    const name = each.name.value;
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || within.includes(name)) return [];
    return fieldsOf(fragment.selectionSet, document, [...within, name]);
  });
}

/** Strings of documents have no line breaks (block strings stay as they are): what `print` indents is one space. */
function compact(text: string): string {
  return text.includes('"""') ? text : text.replace(/\s*\n\s*/g, ' ');
}
