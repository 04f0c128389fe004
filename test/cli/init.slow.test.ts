import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { DEV_DEPENDENCIES, projectFiles } from '../../src/cli/actions/init-template.ts';
import { programPath } from '../program.ts';
import { halfspread, newFolder, ROOT } from './halfspread.ts';

const MANIFEST = 'package.json';

describe('halfspread init', () => {
  it('creates every file of a project in a new folder and lists the next commands', async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await halfspread(['init', 'my bots'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const project = join(folder, 'my bots');
    for (const path of [...Object.keys(projectFiles()), MANIFEST, '.gitignore']) {
      expect(existsSync(join(project, path))).toBe(true);
      expect(stdout).toContain(`created my bots/${path}\n`);
    }
    expect(stdout).toMatch(/next:\n {2}cd my bots\n {2}npm install\n/);
    expect(manifest(project)).toMatchObject({ name: 'my-bots', type: 'module', private: true });
  });

  it('keeps the contents of a package.json and a .gitignore and adds what is missing', async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, MANIFEST),
      '{ "name": "mine", "type": "commonjs", "custom": [1], "scripts": { "test": "mine" }, "dependencies": { "halfspread": "file:x.tgz" } }',
    );
    writeFileSync(join(folder, '.gitignore'), 'node_modules/\nmine');
    const { stdout } = await halfspread(['init'], folder);
    expect(stdout).toContain('extended package.json\n');
    expect(stdout).toContain('extended .gitignore\n');
    expect(manifest(folder)).toMatchObject({
      name: 'mine',
      type: 'commonjs',
      custom: [1],
      scripts: { test: 'mine', types: 'tsc' },
      dependencies: { halfspread: 'file:x.tgz' },
      devDependencies: DEV_DEPENDENCIES,
    });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^node_modules\/\nmine\nreports\/\n/);
    const config = await halfspread(['config', 'check', 'config/bot.yaml'], folder);
    expect(config.stderr).not.toContain('CommonJS');
  });

  it('names each existing file and writes nothing when files of the project exist', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/bot.yaml'), 'mine');
    writeFileSync(join(folder, 'tsconfig.json'), 'mine');
    const { code, stdout, stderr } = await halfspread(['init'], folder);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^error: tsconfig\.json, config\/bot\.yaml: already exists\. .*npx halfspread init <folder>\n$/,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['config', 'tsconfig.json']);
  });

  it.each([
    ['invalid JSON', '{ "name": '],
    ['a list', '[]'],
    ['scripts that are not strings', '{ "scripts": { "test": 1 } }'],
  ])('refuses a package.json with %s and leaves it unchanged', async (_, text) => {
    const folder = newFolder();
    writeFileSync(join(folder, MANIFEST), text);
    const { code, stderr } = await halfspread(['init'], folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: package\.json: not a valid package\.json/);
    expect(readFileSync(join(folder, MANIFEST), 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual([MANIFEST]);
  });

  it('removes the files that it wrote when a later file cannot be written', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, MANIFEST), '{}');
    writeFileSync(join(folder, 'strategies'), 'a file where a folder has to be');
    const { code, stderr } = await halfspread(['init'], folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/the project cannot be written: .*nothing was changed\n$/);
    expect(readFileSync(join(folder, MANIFEST), 'utf8')).toBe('{}');
    expect(readdirSync(folder).toSorted()).toEqual([MANIFEST, 'strategies']);
  });

  it('restores a file that it could write only in part', () => {
    const folder = newFolder();
    const text = JSON.stringify({ description: '.'.repeat(4_000) });
    writeFileSync(join(folder, MANIFEST), text);
    const limit = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, programPath(), 'init'];
    const { status, stderr } = spawnSync('bash', limit, { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(/EFBIG.*nothing was changed\n$/) });
    expect(readFileSync(join(folder, MANIFEST), 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual([MANIFEST]);
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder that is not writable', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o500);
    const { code, stderr } = await halfspread(['init'], folder);
    expect({ code, mode: statSync(folder).mode & 0o777 }).toEqual({ code: 3, mode: 0o500 });
    expect(stderr).toContain('Check the disk and the permissions');
  });

  it('installs the versions that the checkout is tested with', () => {
    expect(manifest(ROOT).devDependencies).toMatchObject(DEV_DEPENDENCIES);
  });
});

function manifest(folder: string) {
  return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
}
