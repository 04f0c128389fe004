/**
 * Checks the rules of `src/`: layers, index files, cycles, length of files and comment lines, and code for some folders
 * only.
 *
 * `fixtures/architecture/` is a small source tree with one violation of each rule (`// fault: <rule>` at the end of its
 * line), and with code that is similar but allowed. It proves that each rule finds exactly the violations.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeFaults } from './architecture/code-rules.ts';
import { commentFaults } from './architecture/comment-lines.ts';
import { cycleFaults, importFaults, loadedWith } from './architecture/layers.ts';
import { type Fault, listSources, readTree, type Source } from './architecture/source-tree.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const PLANTED = fileURLToPath(new URL('./fixtures/architecture', import.meta.url));

/** Name and requirement of each rule. */
const RULES: readonly (readonly [rule: string, requirement: string])[] = [
  ['layer', 'imports go to a lower layer or stay in the folder'],
  ['index', 'other folders import a folder through its index.ts'],
  ['cycle', 'imports have no cycle, not even of types'],
  ['length', 'a file has at most 300 lines, unless it is generated'],
  ['comment', 'a comment line of src, test and bench has at most 120 characters'],
  ['strategy', 'a strategy imports only halfspread and files of its own folder'],
  ['self', 'src never imports halfspread by name'],
  ['time', 'only clock/ reads time'],
  ['randomness', 'only clock/ draws random numbers'],
  ['environment', 'only app/ and cli/ use the process, only config/ reads YAML'],
  ['console', 'only cli/ writes to the console'],
  ['io', 'layers 0 to 3 import no module of Node'],
  ['await', 'layers 0 to 3 have no asynchronous code'],
  ['enum', 'no enum, namespace or parameter property'],
  ['any', 'no any'],
  ['as', 'types are asserted only where brands are made or bytes are decoded'],
  ['non-null', 'only HOT files contain non-null assertions (!)'],
  ['star', 'index files list what they export'],
  ['optional', 'services of the server have no optional options'],
  ['power', 'no Math.pow and no ** on floats'],
  ['approve', 'only risk/ approves intents'],
];

function faultsIn(root: string, tree: readonly Source[]): readonly Fault[] {
  const ownFaults = tree.flatMap((source) => source.faults);
  return [...importFaults(tree), ...cycleFaults(tree), ...ownFaults, ...commentFaults(root)];
}

function locationOf({ path, line, rule }: Pick<Fault, 'path' | 'line' | 'rule'>): string {
  return `${path}:${line} ${rule}`;
}

/** The violations that comments in the planted tree declare. */
function plantedFaults(): readonly string[] {
  return listSources(PLANTED, ['src', 'strategies', 'test', 'bench']).flatMap((path) =>
    readFileSync(join(PLANTED, path), 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const rules = /\/\/ fault: (.+)$/.exec(text)?.[1]?.split(', ') ?? [];
        return rules.map((rule) => locationOf({ path, line: index + 1, rule }));
      }),
  );
}

describe('the source tree', () => {
  const tree = readTree(PROJECT, codeFaults);
  const faults = faultsIn(PROJECT, tree);

  it('is read completely', () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['src/index.ts', 'src/domain/units.ts', 'src/book/ladder.ts']));
    expect(tree.flatMap(({ imports }) => imports).length).toBeGreaterThan(tree.length);
  });

  it.each(RULES)('keeps the rule "%s": %s', (rule) => {
    const broken = faults.filter((fault) => fault.rule === rule);
    expect(broken.map((fault) => `${fault.path}:${fault.line} ${fault.detail}`)).toEqual([]);
  });

  it('loads no module for --help that only a command needs', () => {
    const folders = new Set([...loadedWith(tree, 'src/cli/main.ts')].map((path) => path.split('/')[1]));
    expect([...folders].sort()).toEqual(['cli', 'clock', 'config', 'domain', 'network', 'package-files.ts']);
    expect(loadedWith(tree, 'src/cli/main.ts').size).toBeLessThan(60);
    expect(loadedWith(tree, 'src/cli/actions/run.ts')).toContain('src/runtime/index.ts');
  });

  it('has no violations of rules that are not listed', () => {
    expect(faults.filter((fault) => !RULES.some(([rule]) => rule === fault.rule))).toEqual([]);
  });
});

describe('the source tree with planted violations', () => {
  const tree = readTree(PLANTED, codeFaults);

  it('reports each planted violation and no other', () => {
    expect(faultsIn(PLANTED, tree).map(locationOf).sort()).toEqual([...plantedFaults()].sort());
  });

  it('has a planted violation for every rule', () => {
    const planted = new Set(plantedFaults().map((fault) => fault.split(' ')[1]));
    expect([...planted].sort()).toEqual(RULES.map(([rule]) => rule).sort());
  });
});
