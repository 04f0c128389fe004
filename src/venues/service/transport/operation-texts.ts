/**
 * GraphQL documents of the API, and an operator's overrides from files for a venue with other names.
 *
 * The bot reads answers by the API's names, so an override renames fields by aliases
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
import { errorMessage, FileFault, withReadFault } from '../../../domain/index.ts';
import { OPERATIONS, type Operation, type Selection } from '../../../protocol/index.ts';
import { readFileAtMost } from '../../../runtime/index.ts';

const MAX_BYTES = 65_536;

/** Request texts by operation. Defaults to the texts of the API. */
export class OperationTexts {
  readonly #texts = new Map<string, string>();
  readonly #files = new Map<string, string>();

  textOf({ name, text }: Operation<unknown, never>): string {
    return this.#texts.get(name) ?? text;
  }

  /** Files of overridden operations, by the operation's name. */
  get overridden(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** Overrides an operation. @throws FileFault unless the document selects the API's required fields */
  override(file: string, text: string): void {
    const name = basename(file, extname(file));
    const operations: readonly Operation<unknown, never>[] = Object.values(OPERATIONS);
    const known = operations.find((each) => each.name === name);
    if (known === undefined) {
      const remedy = `Name it after one of: ${operations.map((each) => each.name).join(', ')}.`;
      throw new FileFault(file, undefined, `no operation is called ${name}`, remedy);
    }
    const document = parseDocument(file, text);
    const operation = getOnlyOperation(file, document);
    if (operation.operation !== known.kind)
      throw new FileFault(file, undefined, `it is a ${operation.operation}`, `${name} has to be a ${known.kind}.`);
    if (operation.name?.value !== name)
      throw new FileFault(file, undefined, 'its operation has another name', `Write "${known.kind} ${name}(…) { … }".`);
    const keys = operation.selectionSet.selections.map((field) =>
      field.kind === Kind.FIELD ? (field.alias ?? field.name).value : '…',
    );
    if (keys.length !== 1 || keys[0] !== known.field) {
      const remedy = `Request one field under the API's name, such as "${known.field}: otherName(…) { … }".`;
      throw new FileFault(file, undefined, `its answer is under ${keys.join(', ') || 'nothing'}`, remedy);
    }
    const missing = findMissingFields(known.answer, [operation.selectionSet], document);
    if (missing.length > 0) {
      const remedy =
        'Request them under the names of the API; use an alias for a field of the same type with another name.';
      throw new FileFault(file, undefined, `it does not select ${missing.join(', ')}`, remedy);
    }
    this.#texts.set(name, compact(print(document)));
    this.#files.set(name, file);
  }
}

/** Reads the `<Operation>.graphql` files of a folder. @throws FileFault for an unusable file */
export function readOperationTexts(folder: string | undefined): OperationTexts {
  const texts = new OperationTexts();
  if (folder === undefined) return texts;
  for (const name of withReadFault(folder, 'Give a folder of GraphQL operations', () => readdirSync(folder).sort())) {
    if (extname(name) !== '.graphql') continue;
    const file = join(folder, name);
    // The size limit bounds the recursion of GraphQL's parser. The API's documents have up to 2 KB.
    const read = (): string => readFileAtMost(file, MAX_BYTES, 'a GraphQL operation').toString('utf8');
    texts.override(file, withReadFault(file, 'Restore the file, or remove it', read));
  }
  return texts;
}

function parseDocument(file: string, text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (cause) {
    const remedy = 'Write one GraphQL operation, with its fragments.';
    throw new FileFault(file, undefined, errorMessage(cause), remedy, { cause });
  }
}

function getOnlyOperation(file: string, { definitions }: DocumentNode): OperationDefinitionNode {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operation === undefined || operations.length > 1)
    throw new FileFault(file, undefined, `it holds ${operations.length} operations`, 'Write exactly one.');
  return operation;
}

/** Returns required paths that the document does not select. Nullable fields are optional. */
function findMissingFields(
  required: Selection,
  sets: readonly SelectionSetNode[],
  document: DocumentNode,
): readonly string[] {
  const requested = sets.flatMap((set) => collectFields(set, document, []));
  return Object.entries(required).flatMap(([name, shape]) => {
    const found = requested.filter((field) => (field.alias ?? field.name).value === name);
    const wrap = typeof shape === 'string' ? shape : shape.wrap;
    if (found.length === 0) return wrap.endsWith('?') ? [] : [name];
    if (typeof shape === 'string') return [];
    const below = found.flatMap(({ selectionSet }) => selectionSet ?? []);
    return findMissingFields(shape.fields, below, document).map((path) => `${name}.${path}`);
  });
}

/** Returns the fields of a selection, including its fragments. @param within names of the enclosing fragments */
function collectFields(set: SelectionSetNode, document: DocumentNode, within: readonly string[]): readonly FieldNode[] {
  return set.selections.flatMap((each): readonly FieldNode[] => {
    if (each.kind === Kind.FIELD) return [each];
    if (each.kind === Kind.INLINE_FRAGMENT) return collectFields(each.selectionSet, document, within);
    const name = each.name.value;
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || within.includes(name)) return [];
    return collectFields(fragment.selectionSet, document, [...within, name]);
  });
}

/** Replaces the indentation of `print` by one space. Block strings stay unchanged. */
function compact(text: string): string {
  return text.includes('"""') ? text : text.replace(/\s*\n\s*/g, ' ');
}
