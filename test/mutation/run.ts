/**
 * Mutation testing: `npm run mutation` for all slices, `npm run mutation -- book ledger` for some; with `--again` only
 * those mutants that have changed since the last report, or of whose tests one has (by its own text: a helper that
 * changed is not seen); with `--every=4` a sample: the mutants that lie within one of each fourth of the lines. Reports
 * as reports/mutation/<slice>.html and .json; exit code 1 when a slice lets more than 15 % of its mutants live.
 */
import { Stryker } from '@stryker-mutator/core';
import { sampleOf } from './sample.ts';
import { SLICES, type Slice } from './slices.ts';

const LEAST_KILLED = 85;

const AGAIN = '--again';
const again = process.argv.includes(AGAIN);
const every = Number(process.argv.find((word) => word.startsWith('--every='))?.slice('--every='.length) ?? 1);
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => SLICES[name] === undefined);
if (unknown.length > 0) {
  console.error(`No such slice: ${unknown.join(', ')}. There are: ${Object.keys(SLICES).join(', ')}.`);
  process.exit(2);
}
if (!(Number.isInteger(every) && every > 0)) {
  console.error('--every= takes a whole number from 1: one of so many lines.');
  process.exit(2);
}

const scores: string[] = [];
let isBelow = false;
for (const [name, slice] of Object.entries(SLICES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { killed, valid } = await mutate(name, slice);
  const score = (100 * killed) / Math.max(1, valid);
  isBelow ||= score < LEAST_KILLED;
  scores.push(`${name.padEnd(24)} ${score.toFixed(1).padStart(5)} %  ${killed} of ${valid}`);
}
console.log(scores.join('\n'));
if (isBelow) {
  console.error(`At least ${LEAST_KILLED} % must be killed. Survivors are listed in reports/mutation.`);
  process.exitCode = 1;
}

/** Mutants of one slice that its tests noticed, and all that compile and are reached or not. */
async function mutate(name: string, slice: Slice): Promise<{ readonly killed: number; readonly valid: number }> {
  Object.assign(process.env, { MUTATION_TESTS: slice.tests.join(' ') });
  const report = `reports/mutation/${name}.json`;
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: every === 1 ? [...slice.mutate] : sampleOf(slice.mutate, every),
    concurrency: 1,
    incremental: again,
    incrementalFile: report,
    timeoutMS: 20_000,
    ignorePatterns: ['bench', 'docs', 'reports', 'coverage', 'dist'],
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    jsonReporter: { fileName: report },
    tempDirName: `.stryker-tmp/${name}`,
  }).runMutationTest();
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const lived = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').length;
  return { killed, valid: killed + lived };
}
