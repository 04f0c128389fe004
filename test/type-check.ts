/** Compiles texts as if they were files of the project, with the project's own settings. */
import { join, relative } from 'node:path';
import { API, type Diagnostic } from 'typescript-7/unstable/sync';

const ROOT = join(import.meta.dirname, '..');
/** Stands beside the project's own, in no file. */
const SETTINGS = join(ROOT, 'tsconfig.texts.json');

/** What the compiler says against these texts: `docs/a.ts:3 …`, one line a finding. @param files path in the project to text */
export function typeErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(ROOT, path), text]));
  const names = [...texts.keys()];
  const settings = JSON.stringify({ extends: './tsconfig.json', include: [], files: names });
  const readFile = (name: string) => (name === SETTINGS ? settings : texts.get(name));
  // Undefined: as on the disk.
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
      [...program.getSyntacticDiagnostics(name), ...program.getSemanticDiagnostics(name)].map((found) =>
        shown(found, texts.get(name) ?? ''),
      ),
    );
  } finally {
    api.close();
  }
}

function shown(found: Diagnostic, text: string): string {
  const line = text.slice(0, found.pos).split('\n').length;
  return `${relative(ROOT, found.fileName ?? ROOT)}:${line} ${wholeText(found)}`;
}

function wholeText({ text, messageChain = [] }: Diagnostic): string {
  return [text, ...messageChain.map(wholeText)].join(' ');
}
