/** The `package.json` that is published. The bundle holds all pure dependencies, so few are left. */

/** Native code, zod (its types are part of the public ones), jsdom and piscina (which read their own files at run time). */
const REQUIRED: readonly string[] = ['better-sqlite3', 'jsdom', 'piscina', 'zod'];
/** Installed where it can be. Without it signing falls back to JavaScript. */
const OPTIONAL = 'secp256k1';
/** Native code of 70 MB, which only those install who need it: `npm install @duckdb/node-api`. */
const ADDED_BY_USERS = '@duckdb/node-api';
/** Packages that stay outside of the bundle. */
export const RUNTIME_DEPENDENCIES: readonly string[] = [...REQUIRED, OPTIONAL, ADDED_BY_USERS];

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
    files: ['bin', 'config', 'dist', 'ops', 'strategies', 'CHANGELOG.md'],
    dependencies: Object.fromEntries(REQUIRED.map(versionOf)),
    optionalDependencies: Object.fromEntries([versionOf(OPTIONAL)]),
    // Every version: its versions are prereleases, which no other range contains.
    peerDependencies: { [ADDED_BY_USERS]: '*' },
    peerDependenciesMeta: { [ADDED_BY_USERS]: { optional: true } },
  };
}
