/**
 * Loaded into a bot or a venue by test/hops.ts (`node --import`): records which files of the project one event passes.
 *
 * When a file is loaded, every function of `src/` and `strategies/` gets a call at its start. A recording begins when
 * bytes that match `HOPS_START` arrive and ends when `HOPS_MIN_BYTES` bytes or more are written to a socket.
 *
 * - `entered`: files with a called function, each with its functions in the order of their first calls.
 * - `path`: files that were on the stack at a hand-off or at the final write. A hand-off is a call from one part of the
 *   project (a folder of `src/`; of `src/venues/`, each venue) into another, `domain` and `clock` apart, or work that
 *   is left for a later turn (async_hooks: timers, immediates, ticks, promises).
 *
 * Each recording is one line of JSON in the file `HOPS_OUT`.
 */
import { createHook } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** One event, from arrival to final write. Files are relative to the project, in the order in which they appeared. */
export interface Recording {
  readonly path: readonly string[];
  /** Function names by file. One without a name has the place of its start, as `:42`. */
  readonly entered: Readonly<Record<string, readonly string[]>>;
}

const ROOT = `${pathToFileURL(join(import.meta.dirname, '..')).href}/`;
const ENTER = '__enterFunction';
const LEAF_PARTS: ReadonlySet<string> = new Set(['domain', 'clock']);
const start = new RegExp(process.env['HOPS_START'] ?? '$^');
const minBytes = Number(process.env['HOPS_MIN_BYTES'] ?? 1);
const out = process.env['HOPS_OUT'] ?? '';
let recording: { readonly path: Set<string>; readonly entered: Map<string, Set<string>> } | undefined;

/** `src/…` or `strategies/…`; undefined for anything else. */
function projectFile(url: string): string | undefined {
  const file = url.startsWith(ROOT) ? url.slice(ROOT.length) : '';
  return /^(src|strategies)\//.test(file) ? file : undefined;
}

/** `risk` of `src/risk/gate.ts`, `venues/sim` of `src/venues/sim/venue.ts`. */
function partOf(file: string): string {
  return /^(?:src\/)?(venues\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file;
}

/** Files of the project on the stack, innermost first. */
function stackFiles(): readonly string[] {
  const files: string[] = [];
  for (const [, url = ''] of (new Error().stack ?? '').matchAll(/(file:\/\/[^\s():]+):\d+:\d+/g)) {
    const file = projectFile(url);
    if (file !== undefined) files.push(file);
  }
  return files;
}

function addPath(files: readonly string[]): void {
  for (const file of files.toReversed()) recording?.path.add(file);
}

Object.assign(globalThis, {
  [ENTER](file: string, name: string): void {
    if (recording === undefined) return;
    const names = recording.entered.get(file) ?? new Set();
    recording.entered.set(file, names.add(name));
    const files = stackFiles();
    const caller = files[1];
    if (caller === undefined || LEAF_PARTS.has(partOf(file)) || partOf(caller) === partOf(file)) return;
    // A called file is on the path only if it hands off in turn; otherwise it is a helper.
    addPath(files.slice(1));
  },
});

/** Name of a function, class of a constructor, such as `OrderSigner`, or variable that holds an arrow function. */
function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  const named = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node;
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text ?? ''}`;
  if ('name' in named && named.name !== undefined) return Reflect.get(Object(named.name), 'text') ?? '';
  return `:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}

/** Puts `__enterFunction(file, name)` at the start of every function. */
function instrument(file: string): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const { factory } = context;
    const call = (node: ts.SignatureDeclaration): ts.Statement =>
      factory.createExpressionStatement(
        factory.createCallExpression(factory.createIdentifier(ENTER), undefined, [
          factory.createStringLiteral(file),
          factory.createStringLiteral(nameOf(node, source)),
        ]),
      );
    const visit = (node: ts.Node): ts.Node => {
      const visited = ts.visitEachChild(node, visit, context);
      if (ts.isArrowFunction(node) && ts.isArrowFunction(visited) && !ts.isBlock(visited.body)) {
        const body = factory.createBlock([call(node), factory.createReturnStatement(visited.body)]);
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = visited;
        return factory.updateArrowFunction(
          visited,
          modifiers,
          typeParameters,
          parameters,
          type,
          equalsGreaterThanToken,
          body,
        );
      }
      if (ts.isBlock(visited) && ts.isFunctionLike(node.parent)) {
        return factory.updateBlock(visited, [call(node.parent), ...visited.statements]);
      }
      return visited;
    };
    return ts.visitEachChild(source, visit, context);
  };
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = projectFile(url);
    if (file === undefined || !file.endsWith('.ts')) return loaded;
    const compilerOptions = {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    };
    const { outputText } = ts.transpileModule(String(loaded.source), {
      fileName: file,
      compilerOptions,
      transformers: { before: [instrument(file)] },
    });
    return { format: 'module', source: outputText, shortCircuit: true };
  },
});

function finish(): void {
  addPath(stackFiles());
  handOffs.disable();
  if (recording === undefined) return;
  const { path, entered } = recording;
  recording = undefined;
  const functions = Object.fromEntries([...entered].map(([file, names]) => [file, [...names]]));
  const recorded: Recording = { path: [...path], entered: functions };
  appendFileSync(out, `${JSON.stringify(recorded)}\n`);
}

Error.stackTraceLimit = 200;
const handOffs = createHook({ init: () => addPath(stackFiles()) });

// Receives the bytes of sockets, and of HTTP bodies, which Node's parser passes around the socket.
const push = Readable.prototype.push;
Readable.prototype.push = function arrived(chunk: unknown, ...more) {
  if (Buffer.isBuffer(chunk) && start.test(chunk.toString('latin1'))) {
    recording = { path: new Set(), entered: new Map() };
    handOffs.enable();
  }
  return push.call(this, chunk, ...more);
};

/** `_writeGeneric` of Node's sockets receives every write, single or batched. */
const internals: { _writeGeneric: (isMany: boolean, data: unknown, ...more: unknown[]) => unknown } = Object(
  Socket.prototype,
);
const write = internals._writeGeneric;
internals._writeGeneric = function written(isMany, data, ...more) {
  if (recording !== undefined && bytesOf(data) >= minBytes) finish();
  return write.call(this, isMany, data, ...more);
};

function bytesOf(data: unknown): number {
  if (typeof data === 'string') return Buffer.byteLength(data);
  if (data instanceof Uint8Array) return data.byteLength;
  if (!Array.isArray(data)) return 0;
  return data.reduce((sum: number, piece: { readonly chunk?: unknown }) => sum + bytesOf(piece.chunk ?? piece), 0);
}
