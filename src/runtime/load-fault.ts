import { fileURLToPath } from 'node:url';
import { Fault, FileFault } from '../domain/index.ts';

/** Why a module could not be loaded, as a fault that names file and line where Node knows them. */
export function loadFault(file: string, cause: unknown): Fault {
  // A fault of our own (a schema that is wrong, say) already says all there is.
  if (cause instanceof Fault) return cause;
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const code = 'code' in error ? error.code : undefined;
  const place = placeOf(error, file);
  const at = (problem: string, remedy: string) => new FileFault(place.file, place.line, problem, remedy, { cause });
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return at(firstLine(error), 'Node only strips types: use no enum, namespace, decorator or parameter property');
  }
  if (error instanceof SyntaxError || code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') {
    return at(`syntax error: ${firstLine(error)}`, 'Mend the line; `npx tsc --noEmit` shows all of them');
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
    return at(
      firstLine(error),
      "Import `halfspread` and the strategy's own files, relative names with their ending .ts",
    );
  }
  return at(
    `it threw while it was loaded: ${error.name}: ${firstLine(error)}`,
    'Mend what runs at import; see the cause',
  );
}

/** The first place of a stack that is a file: the strategy's own, or a sibling that it imports. */
function placeOf(error: Error, file: string): { readonly file: string; readonly line: string | undefined } {
  const match = /(file:\/\/[^\s)]+?):(\d+)(?::\d+)?[\s)]/.exec(`${error.stack ?? ''}\n`);
  if (match === null) return { file, line: undefined };
  const path = fileURLToPath(match[1] ?? '');
  // A frame of our own or of Node's says nothing about the strategy.
  return path.startsWith(import.meta.dirname) ? { file, line: undefined } : { file: path, line: `line ${match[2]}` };
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').replace(/\.$/, '');
}
