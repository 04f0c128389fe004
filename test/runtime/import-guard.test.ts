/** Strategies are loaded in a child process, as vitest has its own module loader. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'imports-'));
});
afterAll(() => rmSync(base, { recursive: true }));

/** Writes a strategy with these lines before the usual ones. */
function strategy(name: string, lines: string, more: Readonly<Record<string, string>> = {}): void {
  const text = `${lines}
import { defineStrategy, z } from 'halfspread';
export default defineStrategy({ name: '${name}', summary: 'Test.', params: z.strictObject({}), create: () => ({}) });
`;
  for (const [file, content] of Object.entries({ [`strategies/${name}/strategy.ts`]: text, ...more })) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), content);
  }
}

/** Loads strategies in one process. @returns 'loaded' or the fault's message for each */
function load(
  ...requests: readonly (readonly [name: string, allowImports?: readonly string[] | 'all'])[]
): readonly string[] {
  const script = `
    const { loadStrategy } = await import(${JSON.stringify(join(ROOT, 'src/runtime/index.ts'))});
    const options = ${JSON.stringify({ folders: [join(base, 'strategies')], baseDir: join(base, 'config') })};
    const results = [];
    for (const [name, allowImports] of ${JSON.stringify(requests)}) {
      const loading = loadStrategy(name, { ...options, allowImports });
      results.push(await loading.then(() => 'loaded', (fault) => fault.name + ': ' + fault.message));
    }
    process.stdout.write(JSON.stringify(results));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: base,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const results: readonly string[] = JSON.parse(out);
  return results;
}

describe('the imports of a strategy', () => {
  it('may be halfspread, the same zod, types, and files and JSON of its own folder', () => {
    const check = `
import { z as own } from 'zod';
import { z as theirs } from 'halfspread';
import type { Stats } from 'node:fs';
import { half } from './inner/half.ts';
import table from './table.json' with { type: 'json' };
// import fs from 'node:fs'; is only a comment, as is import('node:fs')
const text = "import('node:fs')";
if (own !== theirs || half !== 2 || table.rows !== 3 || text === '') throw new Error('another module');
export type Size = Stats['size'];`;
    strategy('own-files', check, {
      'strategies/own-files/inner/half.ts': "export { two as half } from '../two.ts';\n",
      'strategies/own-files/two.ts': 'export const two = 2;\n',
      'strategies/own-files/table.json': '{ "rows": 3 }',
      'strategies/own-files/train.ts': "import 'node:fs';\n",
    });
    expect(load(['own-files'])).toEqual(['loaded']);
  });

  it('are refused with file, line, module and the key that allows them', () => {
    strategy('reads-disk', "// import 'node:fs';\nimport { readFileSync } from 'node:fs';\nreadFileSync;");
    expect(load(['reads-disk'])).toEqual([
      `FileFault: ${join(base, 'strategies/reads-disk/strategy.ts')}, line 2: it imports "node:fs", ` +
        'which is neither halfspread, zod nor a file of the strategy. ' +
        'Remove it, or allow it in the configuration: allow_imports: ["node:fs"]',
    ]);
  });

  it('are refused wherever they appear', () => {
    const cases: readonly (readonly [lines: string, message: RegExp])[] = [
      ["import './inner.ts';", /inner\.ts, line 1: it imports "yaml"/],
      ["import 'fs/promises';", /line 1: it imports "fs\/promises"/],
      ["import 'halfspread/embed';", /line 1: it imports "halfspread\/embed"/],
      ["export { parse } from\n  'yaml';", /line 1: it imports "yaml"/],
      ["export const later = () => import('node:fs');", /line 1: it imports "node:fs"/],
      ['\nexport const later = (name: string) => import(name);', /line 2: import\(\) has a computed name/],
      ["import '../../shared/fees.ts';", /outside the folder.*\["\.\.\/shared\/fees\.ts"\]/],
    ];
    for (const [at, [lines]] of cases.entries()) {
      strategy(`refused-${at}`, lines, { [`strategies/refused-${at}/inner.ts`]: "import 'yaml';\n" });
    }
    writeShared();
    const results = load(...cases.map((_, at) => [`refused-${at}`] as const));
    for (const [at, [, message]] of cases.entries()) expect(results[at]).toMatch(message);
  });

  it('may be modules that the configuration allows', () => {
    const fees = "import { fee } from '../../shared/fees.ts';\nfee;";
    const cases: readonly (readonly [lines: string, allowed: readonly string[] | 'all'])[] = [
      ["import 'fs/promises';", ['node:fs']],
      ["import 'node:fs';", ['fs']],
      ["export const later = () => import('node:fs');", ['node:fs']],
      [fees, ['../shared/fees.ts']],
      [fees, ['../shared']],
      ["import 'node:fs';", 'all'],
    ];
    for (const [at, [lines]] of cases.entries()) strategy(`allowed-${at}`, lines);
    writeShared();
    const results = load(...cases.map(([, allowed], at) => [`allowed-${at}`, allowed] as const));
    expect(results).toEqual(cases.map(() => 'loaded'));
  });

  it('are not allowed by an entry that is only a prefix of their name', () => {
    strategy('similar', "import 'node:fs/promises';\nimport '../../shared-two/a.ts';", { 'shared-two/a.ts': '' });
    const [byPath, byName] = load(['similar', ['node:fs', '../shared']], ['similar', ['node:f', '../shared-two']]);
    expect(byPath).toMatch(/"\.\.\/\.\.\/shared-two\/a\.ts"/);
    expect(byName).toMatch(/"node:fs\/promises"/);
  });
});

/** A file that strategies share. It imports `halfspread` itself. */
function writeShared(): void {
  mkdirSync(join(base, 'shared'), { recursive: true });
  writeFileSync(join(base, 'shared/fees.ts'), "import { SHARE } from 'halfspread';\nexport const fee = SHARE;\n");
}
