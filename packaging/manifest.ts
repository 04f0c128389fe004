/** The `package.json` that is published. The bundle holds all pure dependencies, so few are left. */

/** Native code, zod (its types are part of the public ones) and jsdom (reads its own files at run time). */
export const RUNTIME_DEPENDENCIES: readonly string[] = ['better-sqlite3', 'jsdom', 'secp256k1', 'zod'];
/** Without it signing falls back to JavaScript. */
const OPTIONAL = 'secp256k1';

export interface CheckoutManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export function manifestOf({ name, version, description, license, engines, dependencies }: CheckoutManifest) {
  const versionOf = (dependency: string) => [dependency, dependencies[dependency]] as const;
  const required = RUNTIME_DEPENDENCIES.filter((dependency) => dependency !== OPTIONAL);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { halfspread: 'bin/halfspread.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './embed': { types: './dist/embed.d.ts', default: './dist/embed.js' },
      './package.json': './package.json',
    },
    files: ['bin', 'config', 'dist', 'strategies', 'CHANGELOG.md'],
    dependencies: Object.fromEntries(required.map(versionOf)),
    optionalDependencies: Object.fromEntries([versionOf(OPTIONAL)]),
  };
}
