/**
 * The documents that are sent: the contract's own, or an operator's from files, for a venue whose names differ.
 *
 * Answers are read by the names of the contract, so a document of another venue renames by aliases
 * (`orderBookUpdated: bookChanged(market: $marketId) { … }`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql';
import { FileFault } from '../../../domain/index.ts';
import { OPERATIONS, type Operation } from '../../../protocol/index.ts';

/** Text by operation; whoever is not in it has the contract's. */
export class OperationTexts {
  readonly #texts = new Map<string, string>();
  /** File by operation name. */
  readonly #files = new Map<string, string>();

  /** What is sent for an operation. */
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
    texts.override(file, readFileSync(file, 'utf8'));
  }
  return texts;
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

/** Strings of documents have no line breaks (block strings stay as they are): what `print` indents is one space. */
function compact(text: string): string {
  return text.includes('"""') ? text : text.replace(/\s*\n\s*/g, ' ');
}
