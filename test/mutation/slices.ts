/** What is mutated together, and by which tests it has to be caught: a room's own ones, and the twin where rooms meet. */

/** A part of the sources and the tests that guard it. */
export interface Slice {
  readonly mutate: readonly string[];
  /** Patterns of test files, relative to the repository. */
  readonly tests: readonly string[];
}

const SEQUENCES = 'test/exchange/properties/*.test.ts';

/** The slices by name; together they are what docs/mutation-testing.md reports on. */
export const SLICES: Readonly<Record<string, Slice>> = {
  units: { mutate: ['src/domain/units.ts'], tests: ['test/domain/*.test.ts'] },
  book: { mutate: ['src/book/**/*.ts'], tests: ['test/book/*.test.ts'] },
  ledger: { mutate: ['src/ledger/**/*.ts'], tests: ['test/ledger/*.test.ts'] },
  // Without `differential`, which takes half a minute for a million commands.
  matching: { mutate: ['src/exchange/matching/**/*.ts'], tests: ['test/exchange/matching/[!d]*.test.ts'] },
  accounts: { mutate: ['src/exchange/accounts/**/*.ts'], tests: ['test/exchange/accounts/*.test.ts'] },
  engine: {
    mutate: ['src/exchange/engine/**/*.ts', 'src/exchange/*.ts'],
    tests: ['test/exchange/engine/*.test.ts', 'test/exchange/*.test.ts', SEQUENCES],
  },
  markets: { mutate: ['src/exchange/markets/**/*.ts'], tests: ['test/exchange/markets/*.test.ts'] },
  quotes: { mutate: ['src/exchange/quotes/**/*.ts'], tests: ['test/exchange/quotes/*.test.ts'] },
  journal: { mutate: ['src/exchange/journal/**/*.ts'], tests: ['test/exchange/journal/*.test.ts'] },
};
