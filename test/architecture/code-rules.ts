/** Rules of code: where time, randomness, environment and `await` are allowed, and which TypeScript is not used. */
import ts from 'typescript';
import { layerOf } from './layers.ts';
import { type Fault, lineOf, type ParsedSource } from './source-tree.ts';

const MAX_LINES = 300;
/** The page of the dashboard is a separate program that runs in the browser. */
const IN_BROWSER = 'src/dashboard/web/';
/** The highest layer without I/O and `await`. */
const HIGHEST_PURE_LAYER = 3;
/** Loads WebAssembly and native modules. It is the only file of the pure layers that may use `await`. */
const LOADS_MODULES = 'src/signing/load-primitives.ts';
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'performance']);
const DRAWS = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'randomFillSync', 'randomFill']);
/** Folders that may use `process`: environment, signals, exit. */
const PROCESS: readonly string[] = ['app', 'cli'];
const MODULES: readonly [RegExp, string, readonly string[]][] = [
  [/^(node:)?(timers(\/promises)?|perf_hooks)$/, 'time', ['clock']],
  [/^pure-rand(\/|$)/, 'randomness', ['clock']],
  [/^(node:)?process$/, 'environment', PROCESS],
  [/^yaml$/, 'environment', ['config']],
];
/** Names of types whose members callers of a server's services must state. */
const STATED = /(Options|Deps)$/;
/** Files that may assert types: they make brands or decode bytes. */
const ASSERTS = /^src\/domain\/(units|ids|unchecked|intent)\.ts$|^src\/protocol\/codec\/|codec[^/]*\.ts$/;

/** Violations in one file. */
export function codeFaults(source: ParsedSource): readonly Fault[] {
  if (source.path.startsWith(IN_BROWSER)) return lengthFault(source);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    for (const rule of rulesBroken(node, source)) {
      faults.push({
        rule,
        path: source.path,
        line: lineOf(source.ast, node),
        detail: firstLine(node.getText(source.ast)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source.ast);
  return [...faults, ...moduleFaults(source), ...lengthFault(source)];
}

function lengthFault({ path, ast }: ParsedSource): readonly Fault[] {
  const lines = ast.getLineStarts().length - (ast.text.endsWith('\n') ? 1 : 0);
  if (lines <= MAX_LINES || path.includes('/generated/')) return [];
  return [{ rule: 'length', path, line: 1, detail: `${lines} lines, ${MAX_LINES} at most` }];
}

function moduleFaults({ path, folder, imports }: ParsedSource): readonly Fault[] {
  return imports.flatMap(({ line, specifier }) => {
    const rules = MODULES.filter(
      ([module, , folders]) => module.test(specifier) && !folders.includes(folder ?? ''),
    ).map(([, rule]) => rule);
    // Of the pure layers, only `clock/` may import Node: for secure randomness.
    const importsNode = specifier.startsWith('node:') && !(folder === 'clock' && specifier === 'node:crypto');
    if (importsNode && isPure(folder)) rules.push('io');
    return rules.map((rule) => ({ rule, path, line, detail: specifier }));
  });
}

function rulesBroken(node: ts.Node, source: ParsedSource): readonly string[] {
  const { folder, path } = source;
  const rules: string[] = [];
  const check = (rule: string, when: boolean): void => {
    if (when) rules.push(rule);
  };
  check('time', folder !== 'clock' && readsTime(node));
  check('randomness', folder !== 'clock' && draws(node));
  check('environment', !PROCESS.includes(folder ?? '') && isGlobal(node, 'process'));
  check('environment', folder !== 'clock' && (isGlobal(node, 'globalThis') || isGlobal(node, 'global')));
  check('console', folder !== 'cli' && isGlobal(node, 'console'));
  check('await', isPure(folder) && path !== LOADS_MODULES && isAsynchronous(node));
  check('enum', isRuntimeSyntax(node));
  check('any', node.kind === ts.SyntaxKind.AnyKeyword);
  check('as', isAssertion(node) && !ASSERTS.test(path));
  check('non-null', assertsPresence(node) && !isHot(source));
  check(
    'star',
    ts.isExportDeclaration(node) && (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)),
  );
  check('optional', folder === 'server' && isOptionalOption(node));
  check('power', isPower(node));
  check('approve', folder !== 'risk' && path !== 'src/domain/index.ts' && namesApproval(node));
  return rules;
}

function isPure(folder: string | undefined): boolean {
  return (layerOf(folder) ?? Number.POSITIVE_INFINITY) <= HIGHEST_PURE_LAYER;
}

/** A comment with HOT marks such a file, and names the bench. */
function isHot({ ast }: ParsedSource): boolean {
  return /^(\/\*\*| \*).*\bHOT:/m.test(ast.text);
}

function readsTime(node: ts.Node): boolean {
  if (ts.isIdentifier(node) && TIMERS.has(node.text) && isGlobal(node, node.text)) return true;
  if (isMember(node, 'Date', 'now') || isMember(node, 'AbortSignal', 'timeout') || isMember(node, 'Atomics', 'wait'))
    return true;
  const makes = ts.isNewExpression(node) && (node.arguments?.length ?? 0) === 0;
  return (makes || ts.isCallExpression(node)) && isGlobal(node.expression, 'Date');
}

function draws(node: ts.Node): boolean {
  return isMember(node, 'Math', 'random') || (ts.isIdentifier(node) && DRAWS.has(node.text));
}

function isAsynchronous(node: ts.Node): boolean {
  if (ts.isForOfStatement(node)) return node.awaitModifier !== undefined;
  return ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword;
}

/** TypeScript syntax that generates code: enums, namespaces, parameter properties. */
function isRuntimeSyntax(node: ts.Node): boolean {
  if (ts.isModuleDeclaration(node)) return ts.isIdentifier(node.name);
  return ts.isEnumDeclaration(node) || (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent));
}

/** An optional member hides an option that a caller forgot or misspelt in an object with a spread. */
function isOptionalOption(node: ts.Node): boolean {
  const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node);
  return (
    isMember &&
    node.questionToken !== undefined &&
    ts.isInterfaceDeclaration(node.parent) &&
    STATED.test(node.parent.name.text)
  );
}

function isAssertion(node: ts.Node): boolean {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && !ts.isConstTypeReference(node.type);
}

function assertsPresence(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)) return node.exclamationToken !== undefined;
  return ts.isNonNullExpression(node);
}

/** Floats raised to a power differ between Node versions in the last bit; bigint literals do not. */
function isPower(node: ts.Node): boolean {
  if (isMember(node, 'Math', 'pow')) return true;
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.AsteriskAsteriskToken && kind !== ts.SyntaxKind.AsteriskAsteriskEqualsToken) return false;
  return !ts.isBigIntLiteral(node.right);
}

function namesApproval(node: ts.Node): boolean {
  if (!ts.isImportSpecifier(node) && !ts.isExportSpecifier(node)) return false;
  return (node.propertyName ?? node.name).text === 'approve';
}

function isMember(node: ts.Node, object: string, name: string): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === name && node.expression.getText() === object;
}

/** Returns whether an identifier is the global of that name, not a member, key or declaration with the same name. */
function isGlobal(node: ts.Node, name: string): boolean {
  if (!ts.isIdentifier(node) || node.text !== name) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return !ts.isImportSpecifier(parent) && !('name' in parent && parent.name === node);
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 100) ?? '';
}
