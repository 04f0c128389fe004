/** Parts of the source that are mutated together, and the tests that must detect the mutants of each. */
import { existsSync } from 'node:fs';

/** A part of the sources and its tests. */
export interface Slice {
  readonly mutate: readonly string[];
  /** Patterns of test files relative to the repository, fast tests first. */
  readonly tests: readonly string[];
}

/** Tests of the engine that take half a second or more. They run after the fast ones. */
const SLOW = 'malformed|every-state|garbage|direct-commands|fast-path-validator|order-groups';
/** Random sequences, which run last and in a short form because they take seconds. */
const SEQUENCES = 'test/exchange/properties/*.test.ts';
const ENGINE_TESTS = [
  `test/exchange/engine/!(${SLOW}).test.ts`,
  'test/replay/{follow,recorded}*.test.ts',
  `test/exchange/engine/@(${SLOW}).test.ts`,
  'test/exchange/*.test.ts',
  SEQUENCES,
];

/** Entry and closing of orders in the engine. */
const ORDERS = files(
  'order-validator order-entry replace-handler replace-transaction simulate-fok order-form explain-refusal cancel-handler exchange-state',
);
/** The engine's safety switches, groups, credentials and conversions. */
const GUARDS = files('safety credentials order-groups deadlines identities conversions rare-commands');
/** Markets that follow tapes. The tests of replay and of the simulated venue also cover it. */
const RECORDINGS = files('recordings tape-effects');

/** The slices by name, which docs/mutation-testing.md reports. */
export const SLICES: Readonly<Record<string, Slice>> = {
  units: { mutate: ['src/domain/units.ts'], tests: ['test/domain/*.test.ts'] },
  book: { mutate: ['src/book/**/*.ts'], tests: ['test/book/*.test.ts'] },
  ledger: { mutate: ['src/ledger/**/*.ts'], tests: ['test/ledger/*.test.ts'] },
  // Excludes `differential`, which takes half a minute for a million commands.
  matching: { mutate: ['src/exchange/matching/**/*.ts'], tests: ['test/exchange/matching/[!d]*.test.ts'] },
  accounts: { mutate: ['src/exchange/accounts/**/*.ts'], tests: ['test/exchange/accounts/*.test.ts'] },
  // The engine has four slices to limit the time of each.
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
  recordings: {
    mutate: RECORDINGS,
    tests: ['test/replay/*.test.ts', 'test/venues/sim/{fees,lifecycle,trade-settlement}.test.ts', ...ENGINE_TESTS],
  },
  markets: { mutate: ['src/exchange/markets/**/*.ts'], tests: ['test/exchange/markets/*.test.ts'] },
  quotes: { mutate: ['src/exchange/quotes/**/*.ts'], tests: ['test/exchange/quotes/*.test.ts'] },
  journal: { mutate: ['src/exchange/journal/**/*.ts'], tests: ['test/exchange/journal/*.test.ts'] },
};

/** @throws Error when a file does not exist, for example after a rename */
function files(names: string): readonly string[] {
  return names.split(' ').map((name) => {
    const file = `src/exchange/engine/${name}.ts`;
    if (!existsSync(file))
      throw new Error(`${file} does not exist: name the file that replaced it in test/mutation/slices.ts`);
    return file;
  });
}
