/** Bundles the program for the tests when an input is newer than the last bundle. */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAll } from '../packaging/bundle.ts';
import { BUILT_FOLDER } from './program.ts';

const ROOT = join(import.meta.dirname, '..');
const INPUTS = ['bin', 'packaging', 'src', 'strategies', 'package-lock.json', 'test/build-program.ts'];
const LINKED = ['config', 'docs', 'ops', 'packaging', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
/** Sources of the dashboard's page, which the program builds when the page is first opened. */
const PAGE_SOURCES = ['web', 'generated'];
const STAMP = join(BUILT_FOLDER, 'stamp');

export async function setup(): Promise<void> {
  // The stamp gets the time before the build, so that a file that changes during the build causes the next one.
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

/** Returns the latest change of an input, epoch ms. Folders are included because they change when a file is deleted. */
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
