/** Compiles texts as if they were files of the project, with the project's own settings. */
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');

/** Files on the disk, parsed once for all calls. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says against these texts: `docs/a.ts:3 …`, one line a finding. @param files path in the project to text */
export function typeErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const options = settings();
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(ROOT, path), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.directoryExists = (name) =>
    [...texts.keys()].some((path) => path.startsWith(`${name}/`)) || ts.sys.directoryExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, version, true);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, version, ...rest));
    return parsed.get(name);
  };
  const program = ts.createProgram({ rootNames: [...texts.keys()], options, host });
  return [...texts.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(shown);
  });
}

function shown({ file, start, messageText }: ts.Diagnostic): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return `${relative(ROOT, file?.fileName ?? ROOT)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}

function settings(): ts.CompilerOptions {
  const path = join(ROOT, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error !== undefined) throw new Error(shown(error));
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options;
}
