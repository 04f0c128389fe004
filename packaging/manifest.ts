/** The published `package.json`. The bundle contains the dependencies that it does not list. */

/** Native code, zod (public types use its types), and jsdom and piscina (which read their own files at run time). */
const REQUIRED: readonly string[] = ['better-sqlite3', 'jsdom', 'piscina', 'zod'];
/** Installed if the platform allows. Without it, signing falls back to JavaScript. */
const OPTIONAL = 'secp256k1';
/** Native code of 70 MB. Users who need it run `npm install @duckdb/node-api`. */
const ADDED_BY_USERS = '@duckdb/node-api';
/** Packages that are not bundled. */
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
    // Any version, because all versions are prereleases, which other ranges exclude.
    peerDependencies: { [ADDED_BY_USERS]: '*' },
    peerDependenciesMeta: { [ADDED_BY_USERS]: { optional: true } },
  };
}
