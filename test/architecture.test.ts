/**
 * The house keeps its own rules: floors, doors, cycles, length of files, words that may stand only in certain places.
 *
 * `fixtures/architecture/` is a small house with one fault of each kind planted (`// fault: <rule>` at the end of its
 * line), beside what looks like one and is none: it proves that the rules can fail, and do not fail for nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cycleFaults, importFaults, loadedWith } from './architecture/floors.ts';
import { type Fault, readTree, type Source } from './architecture/source-tree.ts';
import { wordFaults } from './architecture/words.ts';

const HOUSE = fileURLToPath(new URL('..', import.meta.url));
const PLANTED = fileURLToPath(new URL('./fixtures/architecture', import.meta.url));

/** Rules by name, with what each one demands. */
const RULES: readonly (readonly [rule: string, demand: string])[] = [
  ['floor', 'imports lead to a lower floor or stay in the folder'],
  ['door', 'outsiders import a folder through its index.ts'],
  ['cycle', 'no cycle, also not of types'],
  ['length', 'at most 300 lines a file, generated ones excepted'],
  ['strategy', 'a strategy imports halfspread and its siblings'],
  ['self', 'src never imports halfspread by name'],
  ['time', 'only clock/ reads time'],
  ['randomness', 'only clock/ draws random numbers'],
  ['environment', 'only app/ and cli/ use the process, only config/ reads YAML'],
  ['console', 'only cli/ writes to the console'],
  ['io', 'floors 0 to 3 import nothing of Node'],
  ['await', 'floors 0 to 3 wait for nothing'],
  ['enum', 'no enum, namespace or parameter property'],
  ['any', 'no any'],
  ['as', 'types are asserted where brands are given and bytes decoded only'],
  ['non-null', '! stands in HOT files only'],
  ['star', 'doors name what they show'],
  ['power', 'no Math.pow and no ** on floats'],
  ['approve', 'only risk/ approves intents'],
];

function faultsIn(tree: readonly Source[]): readonly Fault[] {
  return [...importFaults(tree), ...cycleFaults(tree), ...tree.flatMap((source) => source.faults)];
}

function place({ path, line, rule }: Pick<Fault, 'path' | 'line' | 'rule'>): string {
  return `${path}:${line} ${rule}`;
}

/** What the planted tree says about itself. */
function plantedFaults(tree: readonly Source[]): readonly string[] {
  return tree.flatMap(({ path }) =>
    readFileSync(join(PLANTED, path), 'utf8')
      .split('\n')
      .flatMap((text, at) => {
        const rules = /\/\/ fault: (.+)$/.exec(text)?.[1]?.split(', ') ?? [];
        return rules.map((rule) => place({ path, line: at + 1, rule }));
      }),
  );
}

describe('the source tree', () => {
  const tree = readTree(HOUSE, wordFaults);
  const faults = faultsIn(tree);

  it('is read completely', () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['src/index.ts', 'src/domain/units.ts', 'src/book/ladder.ts']));
    expect(tree.flatMap(({ imports }) => imports).length).toBeGreaterThan(tree.length);
  });

  it.each(RULES)('keeps the rule "%s": %s', (rule) => {
    const broken = faults.filter((fault) => fault.rule === rule);
    expect(broken.map((fault) => `${fault.path}:${fault.line} ${fault.detail}`)).toEqual([]);
  });

  it('loads for --help no module that only a command needs', () => {
    const folders = new Set([...loadedWith(tree, 'src/cli/main.ts')].map((path) => path.split('/')[1]));
    expect([...folders].sort()).toEqual(['cli', 'clock', 'config', 'domain', 'network', 'package-files.ts']);
    expect(loadedWith(tree, 'src/cli/main.ts').size).toBeLessThan(60);
    expect(loadedWith(tree, 'src/cli/actions/run.ts')).toContain('src/runtime/index.ts');
  });

  it('has no exceptions except the listed ones', () => {
    expect(faults.filter((fault) => !RULES.some(([rule]) => rule === fault.rule))).toEqual([]);
  });
});

describe('the source tree with planted violations', () => {
  const tree = readTree(PLANTED, wordFaults);

  it('has every planted violation reported, and nothing else', () => {
    expect(faultsIn(tree).map(place).sort()).toEqual([...plantedFaults(tree)].sort());
  });

  it('has a planted violation for every rule', () => {
    const planted = new Set(plantedFaults(tree).map((fault) => fault.split(' ')[1]));
    expect([...planted].sort()).toEqual(RULES.map(([rule]) => rule).sort());
  });
});
