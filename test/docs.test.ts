import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { runnableCommands } from '../docs/generator/cli-reference.ts';
import { pages } from '../docs/generator/pages.ts';
import { REJECT_REASONS, RISK_CODES } from '../src/domain/index.ts';
import { anchors } from './docs/anchors.ts';
import { parseCommandLine, silentProgram } from './silent-program.ts';
import { typeErrors } from './type-check.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = [
  '',
  'docs',
  'docs/api',
  'docs/decisions',
  'docs/spec',
  'strategies/event-regime',
  'strategies/grid',
  'strategies/ladder',
  'strategies/glft',
  'strategies/logit-avellaneda-stoikov',
  'strategies/lmsr',
  'strategies/signal',
  'strategies/avellaneda-stoikov',
  'config/tapes',
  'bench/notes',
];
const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Each TypeScript block of these pages is a complete strategy. */
const STRATEGY_PAGES: readonly string[] = ['README.md', 'docs/strategies.md'];

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = PAGES.flatMap((page) =>
  [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  })),
);

describe('code in the documentation', () => {
  const code = BLOCKS.filter(({ language }) => language === 'ts');

  it('is on the expected pages', () => {
    const api = ['queries', 'mutations', 'subscriptions'].map((kind) => `docs/api/${kind}.md`);
    expect(new Set(code.map(({ page }) => page))).toEqual(
      new Set([
        ...STRATEGY_PAGES,
        'docs/journal.md',
        'docs/storage.md',
        'docs/embedding.md',
        'docs/importing.md',
        'docs/api.md',
        ...api,
      ]),
    );
  });

  it('compiles, each block as a separate file', () => {
    const files = code.map(({ page, text }, index) => [join(dirname(page), `block-${index}.ts`), text] as const);
    expect(typeErrors(Object.fromEntries(files))).toEqual([]);
  });

  const strategies = code.filter(({ page }) => STRATEGY_PAGES.includes(page));
  it.each(strategies.map((block) => [block.page, block]))('defines a strategy in %s', async (_page, { text }) => {
    const { default: strategy } = await import(`data:text/javascript,${encodeURIComponent(await runnable(text))}`);
    const named = z.object({ name: z.string(), summary: z.string() });
    const definition = z.union([named.extend({ create: z.unknown() }), named.extend({ wrap: z.unknown() })]);
    expect(definition.safeParse(strategy).success).toBe(true);
  });
});

describe('commands in the documentation', () => {
  const lines = BLOCKS.filter(({ language }) => language === 'sh' || language === '').flatMap(({ page, text }) =>
    text
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '')
      .map((line) => [page, line] as const),
  );
  const ours = lines.filter(([, line]) => line.startsWith('npx halfspread '));
  const scripts = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json'))).scripts;

  it.each(ours)('use existing commands and options in %s: %s', async (_page, line) => {
    await expect(parseLine(line)).resolves.toBeUndefined();
  });

  const files = ours.flatMap(([page, line]) =>
    words(line)
      .filter((argument) => /^(config|test)\/.*\.\w+$/.test(argument))
      .map((file) => [page, file] as const),
  );
  it.each(files)('name an existing file in %s: %s', (_page, file) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it('are rejected with an unknown command, an unknown option or a missing argument', async () => {
    await expect(parseLine('npx halfspread backtset config/demo.yaml')).rejects.toThrow(/unknown command/);
    await expect(parseLine('npx halfspread backtest config/demo.yaml --sede 1')).rejects.toThrow(/unknown option/);
    await expect(parseLine('npx halfspread backtest')).rejects.toThrow(/missing required argument/);
  });

  it('use existing commands and options in the examples of --help', async () => {
    for (const { command, name } of runnableCommands(silentProgram())) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      const shown = [...help.matchAll(/^ {2}(npx halfspread .*)$/gm)].map(([, line = '']) => line);
      expect(shown.length, name).toBeGreaterThan(0);
      for (const line of shown) await parseLine(line.replace(/ > .*$/, ''));
    }
  });

  it.each(lines.flatMap(([page, line]) => [...line.matchAll(/npm run (\S+)/g)].map(([, name]) => [page, name ?? ''])))(
    'run an existing script in %s: npm run %s',
    (_page, name) => {
      expect(Object.keys(scripts)).toContain(name);
    },
  );
});

describe('links in the documentation', () => {
  const links = PAGES.flatMap((page) =>
    [
      ...read(page)
        .replace(/^```[\s\S]*?^```$/gm, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].map(([, link = '']) => [page, link] as const),
  ).filter(([, link]) => !/^https?:/.test(link));

  it.each(links)('lead to an existing page and heading from %s: %s', (page, link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    expect(existsSync(join(ROOT, target)), target).toBe(true);
    if (anchor !== undefined) expect(anchors(read(target))).toContain(anchor);
  });
});

describe('generated pages', () => {
  it('equal the output of `npm run docs`, apart from the measured tables (measured.slow.test.ts)', async () => {
    for (const { path, text } of await pages(ROOT, { isMeasured: false })) {
      expect(read(path), `${path} is out of date: npm run docs`).toBe(text);
    }
  });
});

describe('the page about risk', () => {
  it('explains each refusal', () => {
    for (const code of RISK_CODES) expect(read('docs/risk.md')).toContain(`\`${code}\``);
  });
});

describe('the page about backtesting', () => {
  it('explains each reason for which the simulated venue rejects what execution sends', () => {
    const folders = ['src/venues/sim', 'src/exchange/engine'].map((folder) => join(ROOT, folder));
    const code = folders.flatMap((folder) =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    );
    // Execution sends no FOK, no GTD and no post-only takers. Nothing in a simulation is signed, grouped or restricted.
    const unsent = new Set(['FOK_NOT_FILLABLE', 'EXPIRED_PARAMS', 'INVALID_ORDER', 'FEE_ABOVE_MAX', 'STALE_TIMESTAMP']);
    const unsigned = new Set([
      'SIGNER_NOT_ALLOWED',
      'GEO_BLOCKED',
      'EMAIL_NOT_VERIFIED',
      'HEARTBEAT_LAPSED',
      'GROUP_TRIPPED',
    ]);
    const reasons = REJECT_REASONS.filter(
      (reason) => !unsent.has(reason) && !unsigned.has(reason) && code.some((text) => text.includes(`'${reason}'`)),
    );
    expect(reasons.length).toBeGreaterThan(10);
    for (const reason of reasons) expect(read('docs/backtesting.md')).toContain(`\`${reason}\``);
  });

  it('describes each field that counts orders', () => {
    for (const field of ['orders', 'orderReasons']) expect(read('docs/backtesting.md')).toContain(`| \`${field}\` |`);
  });
});

describe('shipped configurations', () => {
  it('run in the container with Node 24, including the demo', () => {
    const compose = z
      .object({ services: z.object({ demo: z.object({ build: z.string(), command: z.array(z.string()) }) }) })
      .parse(parse(read('docker-compose.yml')));
    expect(compose.services.demo).toEqual({ build: '.', command: ['demo'] });
    expect([...read('Dockerfile').matchAll(/^FROM (\S+?:\d+)/gm)].map(([, base]) => base)).toEqual([
      'node:24',
      'node:24',
    ]);
  });
});

const parseLine = (line: string) => parseCommandLine(words(line).slice(2));

/** Splits a simple command line; double quotes group words. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Strips types and replaces the import of `halfspread` by its address. */
async function runnable(text: string): Promise<string> {
  const { stripTypeScriptTypes } = await import('node:module');
  return stripTypeScriptTypes(text).replaceAll("'halfspread'", JSON.stringify(import.meta.resolve('halfspread')));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
