/**
 * `npm run build` writes `package/`: what is published, ready for `npm pack ./package`.
 *
 * One esbuild run bundles every entry, so they share one copy of each module. All of it lies flat in `dist/`: a thread is then
 * found beside the chunk that starts it, and `package-files.ts` one folder below the root, as in the checkout.
 */
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { type BuildOptions, build } from 'esbuild';
import { folderHash, SOURCE_HASH_FILE } from '../src/runtime/index.ts';
import { manifestOf, RUNTIME_DEPENDENCIES } from './manifest.ts';
import { BUILT_PAGE, buildWeb } from './web.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'package');
/** Read as texts when a report is written. */
const PAGE_FILES = [
  'src/backtest/report/page-numbers.js',
  'src/backtest/report/page-fills.js',
  'src/backtest/report/page-script.js',
  'node_modules/uplot/dist/uPlot.iife.min.js',
  'node_modules/uplot/dist/uPlot.min.css',
];
const COPIED = ['bin', 'config', 'ops', 'LICENSE', 'README.md', 'CHANGELOG.md'];

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  logLevel: 'warning',
  external: ['halfspread', ...RUNTIME_DEPENDENCIES],
} satisfies BuildOptions;

rmSync(OUT, { recursive: true, force: true });
await buildWeb();
await bundleProgram();
for (const name of readdirSync(join(ROOT, 'strategies'))) await bundleStrategy(name);
writeDeclarations();
for (const path of COPIED) cpSync(join(ROOT, path), join(OUT, path), { recursive: true });
for (const path of PAGE_FILES) cpSync(join(ROOT, path), join(OUT, 'dist', basename(path)));
cpSync(BUILT_PAGE, join(OUT, 'dist/web'), { recursive: true });
const manifest = manifestOf(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);

async function bundleProgram(): Promise<void> {
  const threads = globSync('src/**/*-{process,thread}.ts', { cwd: ROOT });
  const entryPoints = ['src/cli/main.ts', 'src/index.ts', 'src/embed.ts', ...threads];
  const names = new Set(entryPoints.map((path) => basename(path)));
  if (names.size !== entryPoints.length) throw new Error('two entries of the bundle have the same file name');
  await build({
    ...COMMON,
    entryPoints,
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    outdir: join(OUT, 'dist'),
    splitting: true,
    // CommonJS packages in the bundle call `require` for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    plugins: [
      {
        // As Node resolves it: `import` would take the package's other build, and two of them refuse each other's types.
        name: 'one-graphql',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^graphql$/ }, () => ({ path: join(ROOT, 'node_modules/graphql/index.js') }));
        },
      },
    ],
  });
}

async function bundleStrategy(name: string): Promise<void> {
  const from = join(ROOT, 'strategies', name);
  const to = join(OUT, 'strategies', name);
  await build({ ...COMMON, entryPoints: [join(from, 'strategy.ts')], outfile: join(to, 'strategy.js') });
  writeFileSync(join(to, SOURCE_HASH_FILE), `${folderHash(from)}\n`);
  cpSync(join(from, 'README.md'), join(to, 'README.md'));
}

/** One file for each entry, without the types of bundled packages: a user's compiler needs none of those. */
function writeDeclarations(): void {
  const names = ['index', 'embed'];
  const entries = names.map((name) => ({
    filePath: join(ROOT, 'src', `${name}.ts`),
    libraries: { importedLibraries: ['zod'] },
    // A type is exported under the name that the entry gives it only: a strategy's order events have the names of ours.
    output: { noBanner: true, exportReferencedTypes: false },
  }));
  const bundles = generateDtsBundle(entries, { preferredConfigPath: join(ROOT, 'packaging/tsconfig.json') });
  for (const [index, text] of bundles.entries()) writeFileSync(join(OUT, 'dist', `${names[index]}.d.ts`), text);
}
