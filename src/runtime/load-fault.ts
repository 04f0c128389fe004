import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault, FileFault, toError } from '../domain/index.ts';
import { CODE_URL } from '../package-files.ts';

/** Returns a fault for a module that could not be loaded, with file and line if the stack contains them. */
export function loadFault(file: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const error = toError(cause);
  const code = 'code' in error ? error.code : undefined;
  const location = findUserLocation(error, file);
  const faultAt = (problem: string, remedy: string) =>
    new FileFault(location.file, location.line, problem, remedy, { cause });
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    return faultAt(firstLine(error), 'Node only strips types: use no enum, namespace, decorator or parameter property');
  }
  if (error instanceof SyntaxError && /outside a module|Unexpected token 'export'/.test(error.message)) {
    return faultAt('Node took it for a CommonJS module', `Write "type": "module" into ${findPackageFile(file)}`);
  }
  if (error instanceof SyntaxError || code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') {
    return faultAt(`syntax error: ${firstLine(error)}`, 'Correct the line; `npx tsc --noEmit` shows all errors');
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
    return faultAt(firstLine(error), "Import `halfspread` and the strategy's own files. Relative names end in .ts");
  }
  const problem = `it threw while it was loaded: ${error.name}: ${firstLine(error)}`;
  return faultAt(problem, 'Correct the code that runs at import; see the cause');
}

/** Returns the strategy's file and line in a stack, if any, such as `/bots/strategies/my-maker/strategy.ts:12`. */
export function strategyLine(error: Error): string | undefined {
  const { file, line } = findUserLocation(error, '');
  return line === undefined ? undefined : `${file}:${line.slice('line '.length)}`;
}

/** Returns the first location of a stack in a user's file: the strategy, or a file that the strategy imports. */
function findUserLocation({ stack = '' }: Error, file: string) {
  for (const [, url = '', line = ''] of `${stack}\n`.matchAll(/(file:\/\/[^\s)]+?):(\d+)(?::\d+)?[\s)]/g)) {
    if (!url.startsWith(CODE_URL) && !url.includes('/node_modules/'))
      return { file: fileURLToPath(url), line: `line ${line}` };
  }
  return { file, line: undefined };
}

/** Returns the nearest package.json above a file, which sets the module type. */
function findPackageFile(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return path;
  }
  return 'a package.json beside it';
}

function firstLine(error: Error): string {
  return (error.message.split('\n')[0] ?? '').replace(/\.$/, '');
}
