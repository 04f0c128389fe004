/** Runs before the fast tests: bundles the program that they start as a process, unless no file is newer than the last bundle. */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAll } from '../packaging/bundle.ts';
import { BUILT_FOLDER } from './program.ts';

const ROOT = join(import.meta.dirname, '..');
const INPUTS = ['bin', 'packaging', 'src', 'strategies', 'package-lock.json', 'test/build-program.ts'];
const LINKED = ['config', 'docs', 'ops', 'packaging', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
/** Sources of the dashboard's page, which the program builds when it is shown for the first time. */
const PAGE_SOURCES = ['web', 'generated'];
const STAMP = join(BUILT_FOLDER, 'stamp');

export async function setup(): Promise<void> {
  // Taken first: a file that changes meanwhile is newer.
  const now = new Date();
  if (newest() < (statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0)) return;
  rmSync(BUILT_FOLDER, { recursive: true, force: true });
  await bundleAll(BUILT_FOLDER);
  cpSync(join(ROOT, 'bin'), join(BUILT_FOLDER, 'bin'), { recursive: true });
  for (const path of LINKED) symlinkSync(join(ROOT, path), join(BUILT_FOLDER, path));
  mkdirSync(join(BUILT_FOLDER, 'dist/dashboard'));
  for (const name of PAGE_SOURCES) {
    symlinkSync(join(ROOT, 'src/dashboard', name), join(BUILT_FOLDER, 'dist/dashboard', name));
  }
  writeFileSync(STAMP, '');
  utimesSync(STAMP, now, now);
}

/** When an input last changed, epoch ms. Folders count too: a folder changes when a file in it is deleted. */
function newest(): number {
  const paths = INPUTS.flatMap((path) => {
    const isFolder = statSync(join(ROOT, path)).isDirectory();
    return [
      path,
      ...(isFolder
        ? readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
        : []),
    ];
  });
  return Math.max(...paths.map((path) => statSync(join(ROOT, path)).mtimeMs));
}
