/** Strategies are loaded in a child process, as vitest has its own module loader. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputFault } from '../../src/domain/index.ts';
import { loadStrategy, strategyLine } from '../../src/runtime/index.ts';
import { listStrategies } from '../../src/runtime/loader.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/strategies');
const ROOT = join(import.meta.dirname, '../..');
const folders = [FIXTURES];

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'strategies-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Result of the child for a name: the strategy and its hash, or the fault. */
interface LoadResult {
  readonly name?: string;
  readonly sha256?: string;
  /** True if the strategy uses this copy of halfspread for its schema and faults. */
  readonly own?: boolean;
  readonly fault?: string;
  readonly message?: string;
}

function loadInNode(names: readonly string[]): readonly LoadResult[] {
  const script = `
    const { loadStrategy } = await import(${JSON.stringify(join(ROOT, 'src/runtime/index.ts'))});
    const { InputFault, z } = await import(${JSON.stringify(join(ROOT, 'src/index.ts'))});
    const results = [];
    for (const name of ${JSON.stringify(names)}) {
      try {
        const { strategy, sha256 } = await loadStrategy(name, { folders: [${JSON.stringify(FIXTURES)}], baseDir: '.' });
        let own = strategy.params instanceof z.ZodType;
        try {
          strategy.create({ width: -1 });
        } catch (fault) {
          own &&= fault instanceof InputFault;
        }
        results.push({ name: strategy.name, sha256, own });
      } catch (fault) {
        results.push({ fault: fault.name, message: fault.message });
      }
    }
    console.log(JSON.stringify(results));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 120_000,
    encoding: 'utf8',
    cwd: scratch,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const received: readonly LoadResult[] = JSON.parse(out);
  return received;
}

describe('a plain Node process', () => {
  it('reports for each faulty strategy the problem, its position and a remedy', () => {
    const faults = {
      'syntax-error': /strategy\.ts, line 6: syntax error: Expected ',', got .*Correct the line/,
      enum: /strategy\.ts, line 3: .*enum is not supported.*use no enum, namespace/,
      'no-default': /strategy\.ts: there is no default export\. It must be `export default defineStrategy/,
      'wrong-shape': /strategy\.ts, params: an object is not a zod schema/,
      'other-name':
        /strategy\.ts, name: the strategy is named "another-name" but its folder is "other-name"\. Name the/,
      'missing-import': /strategy\.ts: Cannot find module '.*quarter\.ts'.*Relative names end in \.ts/,
      throws: /strategy\.ts, line 4: it threw while it was loaded: RangeError: the table is empty\. /,
    };
    const received = loadInNode(Object.keys(faults));
    for (const [at, [name, message]] of Object.entries(faults).entries()) {
      expect(received[at]).toEqual({ fault: 'FileFault', message: expect.stringMatching(message) });
      expect(received[at]?.message).toContain(join(FIXTURES, name));
    }
  });

  it('gives a strategy in another folder this copy of halfspread, even next to another copy', () => {
    const otherFolder = join(scratch, 'apart');
    cpSync(join(FIXTURES, 'good'), join(otherFolder, 'good'), { recursive: true });
    const other = join(otherFolder, 'node_modules/halfspread');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'package.json'), '{ "name": "halfspread", "type": "module", "exports": "./index.js" }');
    writeFileSync(join(other, 'index.js'), 'export const z = {}; export const defineStrategy = () => ({});');
    const [byName, byPath] = loadInNode(['good', join(otherFolder, 'good')]);
    expect(byName).toMatchObject({ name: 'good', own: true });
    expect(byPath).toEqual(byName);
  });
});

describe('a strategy in a folder of CommonJS modules', () => {
  it.each(['ts', 'js'])('is refused with the path of the package.json (strategy.%s)', (ending) => {
    const project = mkdtempSync(join(scratch, 'commonjs-'));
    const folder = join(project, 'strategies/my-maker');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, `strategy.${ending}`), "import { z } from 'halfspread';\nexport default z;\n");
    const [received] = loadInNode([folder]);
    expect(received?.message).toContain(
      `Node took it for a CommonJS module. Write "type": "module" into ${join(project, 'package.json')}`,
    );
  });
});

describe('a strategy', () => {
  it('is found by name, by folder and by file', async () => {
    const file = join(FIXTURES, 'good/strategy.ts');
    const loaded = await loadStrategy('good', { folders: [scratch, FIXTURES], baseDir: '/' });
    expect([loaded.strategy.name, loaded.file]).toEqual(['good', file]);
    for (const path of ['./good', 'good/strategy.ts', file, `${FIXTURES}/good/`]) {
      expect((await loadStrategy(path, { folders: [], baseDir: FIXTURES })).file).toBe(file);
    }
  });

  it('is searched in each folder in order', async () => {
    const [first, second] = [join(scratch, 'first'), join(scratch, 'second')];
    for (const folder of [first, second]) {
      mkdirSync(folder, { recursive: true });
      symlinkSync(join(FIXTURES, 'good'), join(folder, 'good'));
    }
    expect((await loadStrategy('good', { folders: [second, first], baseDir: '/' })).file).toContain(second);
  });

  it('that does not exist is reported with the closest name and all known ones', async () => {
    const problem = loadStrategy('god', { folders, baseDir: '/' });
    await expect(problem).rejects.toThrow(InputFault);
    await expect(problem).rejects.toThrow(
      'strategy: expected the name of a strategy (did you mean "good"? known: enum, follow-signal, good, lead-lag',
    );
    const none = loadStrategy('ladder', { folders: [join(scratch, 'none')], baseDir: '/' });
    await expect(none).rejects.toThrow(/expected the name of a strategy \(no strategy in .*none\), got "ladder"$/);
  });

  it.each([
    ['./nowhere', /nowhere: there is no such file/],
    ['not-a-strategy/', /not-a-strategy: the folder has no strategy\.ts/],
    ['ladder.ts', /ladder\.ts: there is no such file/],
  ])('cannot be loaded from the path %s', async (path, message) => {
    await expect(loadStrategy(path, { folders, baseDir: FIXTURES })).rejects.toThrow(message);
  });
});

describe('the line of a strategy', () => {
  it('is the first line of a stack outside of the program and of packages', () => {
    const frames = [
      `at instantiateStrategy (file://${ROOT}/src/runtime/strategy-instance.ts:70:5)`,
      'at parse (file:///bots/node_modules/zod/index.js:1:2)',
      'at create (file:///bots/strategies/my-maker/strategy.ts:12:34)',
    ];
    const error = Object.assign(new Error('bang'), { stack: ['Error: bang', ...frames].join('\n    ') });
    expect(strategyLine(error)).toBe('/bots/strategies/my-maker/strategy.ts:12');
    expect(strategyLine(Object.assign(new Error('bang'), { stack: 'Error: bang' }))).toBeUndefined();
  });
});

describe('the hash of a strategy', () => {
  /** Hashes a changed copy of a strategy. */
  async function hashAfter(change: (folder: string) => void): Promise<string> {
    const folder = join(mkdtempSync(join(scratch, 'copy-')), 'good');
    cpSync(join(FIXTURES, 'good'), folder, { recursive: true });
    change(folder);
    const { hashFolder } = await import('../../src/runtime/folder-hash.ts');
    return hashFolder(folder);
  }

  it('covers every source in its folder, by name and content', async () => {
    const same = await hashAfter(() => undefined);
    expect((await loadStrategy('good', { folders, baseDir: '/' })).sha256).toBe(same);
    const others = await Promise.all([
      hashAfter((folder) => writeFileSync(join(folder, 'sub/half.ts'), 'export const halfOf = (v: number) => v;')),
      hashAfter((folder) => writeFileSync(join(folder, 'more.ts'), '')),
      hashAfter((folder) => writeFileSync(join(folder, 'sub/more.ts'), '')),
      hashAfter((folder) => writeFileSync(join(folder, 'table.json'), '[]')),
    ]);
    expect(new Set([same, ...others]).size).toBe(5);
  });

  it('names a source that cannot be read', async () => {
    const broken = hashAfter((folder) => symlinkSync('nowhere', join(folder, 'broken.ts')));
    await expect(broken).rejects.toThrow(
      /good\/broken\.ts: a source of the strategy cannot be read .*Restore the file/,
    );
  });

  it('omits files that the strategy does not run', async () => {
    const same = await hashAfter(() => undefined);
    const changed = await hashAfter((folder) => {
      writeFileSync(join(folder, 'strategy.test.ts'), 'changed');
      writeFileSync(join(folder, 'README.md'), 'changed');
      for (const inner of ['node_modules', '.git']) {
        mkdirSync(join(folder, inner));
        writeFileSync(join(folder, inner, 'index.ts'), '');
      }
    });
    expect(changed).toBe(same);
  });
});

describe('listStrategies', () => {
  it('lists strategies sorted, without other folders', () => {
    const names = [
      'enum',
      'follow-signal',
      'good',
      'lead-lag',
      'missing-import',
      'no-default',
      'other-name',
      'own-drift',
      'syntax-error',
      'throws',
      'wrong-shape',
    ];
    expect(listStrategies([...folders, join(scratch, 'none'), ...folders])).toEqual(names);
  });
});
