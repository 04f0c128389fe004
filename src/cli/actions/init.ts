/** `halfspread init`: creates a project for strategies, with either all files or none. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { readLiveFile } from '../../config/live-file.ts';
import { Fault, FileFault, InputFault, thrownText } from '../../domain/index.ts';
import { version } from '../../package-files.ts';
import { action, flag } from '../command.ts';
import type { Terminal } from '../output/terminal.ts';
import {
  type BotAnswers,
  DEFAULT_BOT,
  DEV_DEPENDENCIES,
  IGNORED,
  nextCommands,
  projectFiles,
  SCRIPTS,
} from './init-template.ts';

const textsSchema = z.record(z.string(), z.string());
const manifestSchema = z.looseObject({
  name: z.string().optional(),
  type: z.string().optional(),
  scripts: textsSchema.default({}),
  dependencies: textsSchema.default({}),
  devDependencies: textsSchema.default({}),
});

interface Change {
  readonly path: string;
  readonly text: string;
  /** Previous content of the file; undefined for a new file. */
  readonly before: string | undefined;
}

/**
 * Creates the files of a project and prints their paths.
 * @throws FileFault for existing files, an invalid package.json or a folder that cannot be written
 */
export const init = action({ yes: flag, ask: flag }, async ({ terminal }, [dir = '.'], { yes, ask }) => {
  const isTerminal = terminal.out.isTty && process.stdin.isTTY;
  if (ask && (yes || !isTerminal)) {
    const expected = yes ? 'no --yes together with it' : 'a terminal: without one, omit --ask and edit config/bot.yaml';
    throw new InputFault('--ask', undefined, expected);
  }
  const preset: Project = { folder: resolve(terminal.cwd, dir), name: undefined, bot: DEFAULT_BOT };
  const project = isTerminal && !yes ? await promptForProject(preset, ask) : preset;
  const { folder } = project;
  const changes = planChanges(project);
  writeChanges(folder, changes);
  if (ask) readLiveFile('config/bot.yaml', folder);
  const displayedFolder = relative(terminal.cwd, folder);
  for (const { path, before } of changes)
    terminal.out.write(`${before === undefined ? 'created' : 'extended'} ${join(displayedFolder, path)}\n`);
  if (yes) installDependencies(folder, terminal);
  terminal.out.write(nextCommands({ displayedFolder, isInstalled: yes }, project.bot));
});

interface Project {
  readonly folder: string;
  /** Default: derived from the name of the folder. */
  readonly name?: string | undefined;
  readonly bot: BotAnswers;
}

async function promptForProject({ folder, bot }: Project, promptsForBot: boolean): Promise<Project> {
  const { promptForBot, promptForPlace } = await import('./init-questions.ts');
  const place = await promptForPlace(folder, packageName);
  // Throws for existing files before the user answers more questions.
  planChanges({ ...place, bot });
  return { ...place, bot: promptsForBot ? await promptForBot() : bot };
}

function planChanges({ folder, name, bot }: Project): readonly Change[] {
  const files = projectFiles(bot);
  const clashes = Object.keys(files).filter((path) => existsSync(join(folder, path)));
  if (clashes.length > 0) {
    const remedy = `init replaces nothing: move ${clashes.length === 1 ? 'it' : 'them'} away, or choose an empty folder: npx halfspread init <folder>`;
    throw new FileFault(clashes.join(', '), undefined, 'already exists', remedy);
  }
  const manifest = readIfExists(join(folder, 'package.json'));
  const ignored = readIfExists(join(folder, '.gitignore'));
  return [
    { path: 'package.json', text: manifestText(manifest, name ?? packageName(folder)), before: manifest },
    { path: '.gitignore', text: ignoreText(ignored ?? ''), before: ignored },
    ...Object.entries(files).map(([path, text]) => ({ path, text, before: undefined })),
  ].filter(({ text, before }) => text !== before);
}

function readIfExists(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  } catch (cause) {
    throw new FileFault(file, undefined, `cannot be read: ${thrownText(cause)}`, 'Check its permissions', { cause });
  }
}

/** Returns the text of package.json. Existing scripts and versions stay. */
function manifestText(text: string | undefined, name: string): string {
  const manifest =
    text === undefined ? manifestSchema.parse({ name, private: true, type: 'module' }) : parseManifest(text);
  const { scripts, dependencies, devDependencies } = manifest;
  const isDependency = 'halfspread' in dependencies || 'halfspread' in devDependencies;
  const extended = {
    ...manifest,
    scripts: { ...SCRIPTS, ...scripts },
    dependencies: isDependency ? dependencies : { ...dependencies, halfspread: `^${version()}` },
    devDependencies: { ...DEV_DEPENDENCIES, ...devDependencies },
  };
  return `${JSON.stringify(extended, undefined, 2)}\n`;
}

function parseManifest(text: string): z.output<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : thrownText(cause);
    const remedy = 'Correct the file, then run init again';
    throw new FileFault('package.json', undefined, `not a valid package.json (${problem})`, remedy, { cause });
  }
}

function ignoreText(text: string): string {
  const present = new Set(text.split(/\r?\n/));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`;
}

/** Returns a package name that npm accepts. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' || name === 'halfspread' ? 'my-bots' : name;
}

/** Writes all changes. After a failure it restores the previous state. */
function writeChanges(root: string, changes: readonly Change[]): void {
  const undo: (() => void)[] = [];
  try {
    for (const { path, text, before } of changes) {
      const file = join(root, path);
      makeFolders(dirname(file), undo);
      if (before === undefined) writeFileSync(file, '', { flag: 'wx' });
      undo.push(() => (before === undefined ? rmSync(file, { force: true }) : writeFileSync(file, before)));
      writeFileSync(file, text);
    }
  } catch (cause) {
    let state = 'nothing was changed';
    for (const step of undo.reverse()) {
      try {
        step();
      } catch {
        state = 'some files are changed or new';
      }
    }
    const problem = `the project cannot be written: ${thrownText(cause)}`;
    throw new FileFault(root, undefined, problem, `Check the disk and the permissions; ${state}`, { cause });
  }
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
}

function installDependencies(folder: string, terminal: Terminal): void {
  const { npm_execpath: npm } = process.env;
  const [command, args] = npm === undefined ? ['npm', ['install']] : [process.execPath, [npm, 'install']];
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  const reason = error === undefined ? `exit code ${status}` : error.message;
  terminal.err.write(`npm install failed (${reason})\n`);
  throw new Fault('INSTALL', 'The files are there; the dependencies are not. Run `npm install` in the folder');
}
