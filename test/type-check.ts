/** Compiles texts as files of the project, with the project's settings. */
import { join, relative } from 'node:path';
import { API, type Diagnostic } from 'typescript-7/unstable/sync';

const ROOT = join(import.meta.dirname, '..');
/** A virtual settings file beside the project's own. */
const SETTINGS = join(ROOT, 'tsconfig.texts.json');

/** Returns one line for each error, `docs/a.ts:3 …`. @param files maps paths in the project to texts */
export function typeErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(ROOT, path), text]));
  const names = [...texts.keys()];
  const settings = JSON.stringify({ extends: './tsconfig.json', include: [], files: names });
  const readFile = (name: string) => (name === SETTINGS ? settings : texts.get(name));
  // `undefined` falls back to the disk.
  const api = new API({
    fs: {
      readFile,
      fileExists: (name) => (readFile(name) === undefined ? undefined : true),
      directoryExists: (name) => (names.some((path) => path.startsWith(`${name}/`)) ? true : undefined),
    },
  });
  try {
    const program = api.updateSnapshot({ openProjects: [SETTINGS] }).getProject(SETTINGS)?.program;
    if (program === undefined) throw new Error('the compiler did not read the settings');
    return names.flatMap((name) =>
      [...program.getSyntacticDiagnostics(name), ...program.getSemanticDiagnostics(name)].map((diagnostic) =>
        formatDiagnostic(diagnostic, texts.get(name) ?? ''),
      ),
    );
  } finally {
    api.close();
  }
}

function formatDiagnostic(diagnostic: Diagnostic, text: string): string {
  const line = text.slice(0, diagnostic.pos).split('\n').length;
  return `${relative(ROOT, diagnostic.fileName ?? ROOT)}:${line} ${messageOf(diagnostic)}`;
}

function messageOf({ text, messageChain = [] }: Diagnostic): string {
  return [text, ...messageChain.map(messageOf)].join(' ');
}
