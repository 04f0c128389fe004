/** `npm run build` writes the published files to `package/`, ready for `npm pack ./package`. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { bundleAll } from './bundle.ts';
import { manifestOf } from './manifest.ts';
import { BUILT_PAGE, buildWeb } from './web.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'package');
const COPIED = ['bin', 'config', 'ops', 'LICENSE', 'README.md', 'CHANGELOG.md'];

rmSync(OUT, { recursive: true, force: true });
await buildWeb();
await bundleAll(OUT);
writeDeclarations();
for (const path of COPIED) cpSync(join(ROOT, path), join(OUT, path), { recursive: true });
cpSync(BUILT_PAGE, join(OUT, 'dist/web'), { recursive: true });
const manifest = manifestOf(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);

/** Writes a file for each entry, without the types of bundled packages, which a user's compiler does not need. */
function writeDeclarations(): void {
  const names = ['index', 'embed'];
  const entries = names.map((name) => ({
    filePath: join(ROOT, 'src', `${name}.ts`),
    libraries: { importedLibraries: ['zod'] },
    // Export a type only under its name in the entry, because types of strategies and of the domain have equal names.
    output: { noBanner: true, exportReferencedTypes: false },
  }));
  const bundles = generateDtsBundle(entries, { preferredConfigPath: join(ROOT, 'packaging/tsconfig.json') });
  for (const [index, text] of bundles.entries()) writeFileSync(join(OUT, 'dist', `${names[index]}.d.ts`), text);
}
