/** What is mutated together, and by which tests it has to be caught: a slice's own ones, so that each room stands alone. */

/** A part of the sources and the folder of the tests that guard it. */
export interface Slice {
  readonly mutate: readonly string[];
  /** A folder of tests, relative to the repository. */
  readonly tests: string;
}

/** The slices by name; together they are what docs/mutation-testing.md reports on. */
export const SLICES: Readonly<Record<string, Slice>> = {
  units: { mutate: ['src/domain/units.ts'], tests: 'test/domain' },
  book: { mutate: ['src/book/**/*.ts'], tests: 'test/book' },
  ledger: { mutate: ['src/ledger/**/*.ts'], tests: 'test/ledger' },
};
