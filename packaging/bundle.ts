/**
 * Bundles the program and the strategies.
 *
 * One Rolldown run bundles all entries, so they share one copy of each module. All files are directly in `dist/`, so
 * that a thread is next to the chunk that starts it, and `package-files.ts` is one folder below the root, as in the
 * checkout.
 */
import { cpSync, globSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, rolldown } from 'rolldown';
import { hashFolder, SOURCE_HASH_FILE } from '../src/runtime/index.ts';
import { RUNTIME_DEPENDENCIES } from './manifest.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files that the program reads as texts when it writes a report. */
const PAGE_FILES = [
  'src/backtest/report/page-numbers.js',
  'src/backtest/report/page-fills.js',
  'src/backtest/report/page-script.js',
  'node_modules/uplot/dist/uPlot.iife.min.js',
  'node_modules/uplot/dist/uPlot.min.css',
];

const COMMON = {
  cwd: ROOT,
  platform: 'node',
  external: ['halfspread', ...RUNTIME_DEPENDENCIES].map((name) => new RegExp(`^${name}(/|$)`)),
  // Node also loads this build. A second build would refuse the first one's types.
  resolve: { alias: { graphql: join(ROOT, 'node_modules/graphql/index.js') } },
  // Bottleneck's Redis support, which is not used, calls `eval`.
  checks: { eval: false },
} satisfies InputOptions;

/** Writes `dist/` and `strategies/` of a folder. */
export async function bundleAll(out: string): Promise<void> {
  await bundleProgram(join(out, 'dist'));
  for (const path of PAGE_FILES) cpSync(join(ROOT, path), join(out, 'dist', basename(path)));
  for (const name of readdirSync(join(ROOT, 'strategies'))) await bundleStrategy(name, join(out, 'strategies', name));
}

async function bundleProgram(outdir: string): Promise<void> {
  const threads = globSync('src/**/*-{process,thread}.ts', { cwd: ROOT });
  const entryPoints = ['src/cli/main.ts', 'src/index.ts', 'src/embed.ts', ...threads];
  const names = new Set(entryPoints.map((path) => basename(path)));
  if (names.size !== entryPoints.length) throw new Error('two entries of the bundle have the same file name');
  const input = Object.fromEntries(entryPoints.map((path) => [basename(path, '.ts'), path]));
  const bundle = await rolldown({ ...COMMON, input });
  await bundle.write({ dir: outdir, entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' });
}

async function bundleStrategy(name: string, to: string): Promise<void> {
  const from = join(ROOT, 'strategies', name);
  const bundle = await rolldown({ ...COMMON, input: join(from, 'strategy.ts') });
  await bundle.write({ file: join(to, 'strategy.js') });
  writeFileSync(join(to, SOURCE_HASH_FILE), `${hashFolder(from)}\n`);
  cpSync(join(from, 'README.md'), join(to, 'README.md'));
}
