/** What is mutated together, and by which tests it has to be caught: a room's own ones, and the twin where rooms meet. */

/** A part of the sources and the tests that guard it. */
export interface Slice {
  readonly mutate: readonly string[];
  /** Patterns of test files, relative to the repository; those that are quick first. */
  readonly tests: readonly string[];
}

/** Of the engine's tests those that take half a second and more; all that know what they look for come before them. */
const SLOW = 'malformed|every-state|garbage|doors|plain-order|order-groups';
/** In a short form while mutants are tried; last, as they take seconds. */
const SEQUENCES = 'test/exchange/properties/*.test.ts';
const ENGINE_TESTS = [
  `test/exchange/engine/!(${SLOW}).test.ts`,
  'test/replay/recordings.test.ts',
  `test/exchange/engine/@(${SLOW}).test.ts`,
  'test/exchange/*.test.ts',
  SEQUENCES,
];

/** Of the engine, how orders come in and leave. */
const ORDERS = files('placement placing replacing staging fok-trial order-form explanation cancelling closing company');
/** Of the engine, what guards it and whatever is not an order. */
const GUARDS = files(
  'safety credentials order-groups deadlines identities identity-digest conversions operations caller',
);
/** Of the engine, how markets follow tapes: held by the tests of what is replayed, too. */
const RECORDINGS = files('recordings recordings-state tape');

/** The slices by name; together they are what docs/mutation-testing.md reports on. */
export const SLICES: Readonly<Record<string, Slice>> = {
  units: { mutate: ['src/domain/units.ts'], tests: ['test/domain/*.test.ts'] },
  book: { mutate: ['src/book/**/*.ts'], tests: ['test/book/*.test.ts'] },
  ledger: { mutate: ['src/ledger/**/*.ts'], tests: ['test/ledger/*.test.ts'] },
  // Without `differential`, which takes half a minute for a million commands.
  matching: { mutate: ['src/exchange/matching/**/*.ts'], tests: ['test/exchange/matching/[!d]*.test.ts'] },
  accounts: { mutate: ['src/exchange/accounts/**/*.ts'], tests: ['test/exchange/accounts/*.test.ts'] },
  // The engine in four: each takes long enough.
  orders: { mutate: ORDERS, tests: ENGINE_TESTS },
  guards: { mutate: GUARDS, tests: ENGINE_TESTS },
  engine: {
    mutate: [
      'src/exchange/engine/**/*.ts',
      'src/exchange/*.ts',
      ...[...ORDERS, ...GUARDS, ...RECORDINGS].map((file) => `!${file}`),
    ],
    tests: ENGINE_TESTS,
  },
  recordings: { mutate: RECORDINGS, tests: ['test/replay/*.test.ts', ...ENGINE_TESTS] },
  markets: { mutate: ['src/exchange/markets/**/*.ts'], tests: ['test/exchange/markets/*.test.ts'] },
  quotes: { mutate: ['src/exchange/quotes/**/*.ts'], tests: ['test/exchange/quotes/*.test.ts'] },
  journal: { mutate: ['src/exchange/journal/**/*.ts'], tests: ['test/exchange/journal/*.test.ts'] },
};

function files(names: string): readonly string[] {
  return names.split(' ').map((name) => `src/exchange/engine/${name}.ts`);
}
