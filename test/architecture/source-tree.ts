/** The checked code: every `.ts` and `.tsx` file under `src/` and `strategies/`, with its imports and faults. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** Imported file, relative to the root; undefined for packages. */
  readonly target: string | undefined;
  /** The import is loaded with the file: it is neither for types only nor an `import()`. */
  readonly isEager: boolean;
}

export interface Source {
  /** Path relative to the root, with slashes: `src/venues/sim/fees.ts`. */
  readonly path: string;
  /** `venues/sim` for this path, the file name for files in `src/` itself, undefined outside of `src/`. */
  readonly folder: string | undefined;
  readonly imports: readonly Import[];
  readonly faults: readonly Fault[];
}

/** A file with its syntax tree, which is released after the checks, because all trees together need half a gigabyte. */
export type ParsedSource = Omit<Source, 'faults'> & { readonly ast: ts.SourceFile };

/** Finds the faults of one file. */
export type FileCheck = (source: ParsedSource) => readonly Fault[];

/** A violation of a rule. */
export interface Fault {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly detail: string;
}

export function readTree(root: string, check: FileCheck): readonly Source[] {
  return listSources(root, ['src', 'strategies']).map((path) => read(root, path, check));
}

/** Returns the sorted paths of all `.ts` and `.tsx` files in these folders, relative to the root. */
export function listSources(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
        .filter((path) => /\.tsx?$/.test(path) && !path.includes('/dist/')),
    )
    .sort();
}

export function lineOf(ast: ts.SourceFile, node: ts.Node): number {
  return ast.getLineAndCharacterOfPosition(node.getStart(ast)).line + 1;
}

/** Returns the folder of a path in `src/`; each venue is a folder. */
export function folderOf(path: string): string | undefined {
  const [top, first = '', second = ''] = path.split('/');
  if (top !== 'src') return undefined;
  return first === 'venues' ? `${first}/${second}` : first;
}

function read(root: string, path: string, check: FileCheck): Source {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const ast = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), options, true);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const named = specifierOf(node);
    if (named !== undefined && ts.isStringLiteralLike(named)) {
      const specifier = named.text;
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
      imports.push({ line: lineOf(ast, node), specifier, target, isEager: isEager(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ast);
  const source = { path, folder: folderOf(path), imports };
  return { ...source, faults: check({ ...source, ast }) };
}

function isEager(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
  return ts.isExportDeclaration(node) && !node.isTypeOnly;
}

/** Returns the specifier of an import or export declaration, an `import()`, also in types, or the file of a worker. */
function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'Worker') return undefined;
  const file = node.arguments?.[0];
  return file !== undefined && ts.isNewExpression(file) ? file.arguments?.[0] : file;
}
