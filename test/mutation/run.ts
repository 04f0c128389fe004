/**
 * Mutation testing: `npm run mutation` for all slices, `npm run mutation -- book ledger` for some.
 *
 * - `--again` runs only mutants that changed, or whose tests changed, since the last report. Helpers do not count.
 * - `--every=4` runs a sample: the mutants on every fourth line.
 * - `--workers=2` runs two mutants at a time.
 *
 * Writes reports/mutation/<slice>.html and .json, and <slice>-imported for code that runs at import. The exit code is 1
 * when a slice detects less than 85 % of its mutants.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { Stryker } from '@stryker-mutator/core';
import { sampleOf } from './sample.ts';
import { SLICES, type Slice } from './slices.ts';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const MIN_KILLED_PERCENT = 85;

const again = process.argv.includes('--again');
const every = numberAfter('--every=');
const workers = numberAfter('--workers=');
const selected = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = selected.filter((name) => SLICES[name] === undefined);
if (unknown.length > 0) {
  console.error(`No such slice: ${unknown.join(', ')}. There are: ${Object.keys(SLICES).join(', ')}.`);
  process.exit(2);
}
if (![every, workers].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('--every= (one of so many lines) and --workers= (parallel mutants) must be whole numbers from 1.');
  process.exit(2);
}

const scores: string[] = [];
let isScoreTooLow = false;
for (const [name, slice] of Object.entries(SLICES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const { killed, valid } = await mutate(name, slice);
  const score = (100 * killed) / Math.max(1, valid);
  isScoreTooLow ||= score < MIN_KILLED_PERCENT;
  scores.push(`${name.padEnd(24)} ${score.toFixed(1).padStart(5)} %  ${killed} of ${valid}`);
}
console.log(scores.join('\n'));
if (isScoreTooLow) {
  console.error(`At least ${MIN_KILLED_PERCENT} % must be killed. Survivors are listed in reports/mutation.`);
  process.exitCode = 1;
}

/** Returns the number of detected mutants of a slice, and the number of valid mutants. */
async function mutate(name: string, slice: Slice): Promise<{ readonly killed: number; readonly valid: number }> {
  Object.assign(process.env, { MUTATION_TESTS: slice.tests.join(' ') });
  const lines = every === 1 ? [...slice.mutate] : sampleOf(slice.mutate, every);
  const first = await runMutants(name, lines, { ignoreStatic: true });
  // Mutants in static code, such as tables, concern every test, so they run separately.
  const imported = new Set(first.filter(isImported).map(placeOf));
  const ranges = [...new Set([...imported].map(rangeOf))];
  const second = ranges.length === 0 ? [] : await runMutants(`${name}-imported`, ranges, { ignoreStatic: false });
  const found = second.filter((mutant) => imported.has(placeOf(mutant)));
  const results = [...first.filter((mutant) => !isImported(mutant)), ...found];
  const missed = imported.size - new Set(found.map(placeOf)).size;
  if (missed > 0)
    console.error(`${missed} mutants of ${name} that only an import runs did not run, so they count as alive.`);
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const lived = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').length;
  return { killed, valid: killed + lived + missed };
}

/** @param ignoreStatic whether to omit mutants that only an import runs */
function runMutants(
  name: string,
  patterns: string[],
  { ignoreStatic }: { readonly ignoreStatic: boolean },
): Promise<readonly MutantResult[]> {
  const report = `reports/mutation/${name}.json`;
  return new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: patterns,
    ignoreStatic,
    concurrency: workers,
    incremental: again,
    incrementalFile: report,
    timeoutMS: 90_000,
    ignorePatterns: ['.stryker-tmp', '.program', 'package', 'bench', 'docs', 'reports', 'coverage', 'dist'],
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    jsonReporter: { fileName: report },
    tempDirName: `.stryker-tmp/${name}`,
  }).runMutationTest();
}

function isImported({ status, static: isStatic }: MutantResult): boolean {
  return status === 'Ignored' && isStatic === true;
}

/** Identifies a mutant across runs. */
function placeOf({ fileName, location: { start, end }, replacement }: MutantResult): string {
  return [fileName, start.line, start.column, end.line, end.column, replacement].join('\n');
}

/** Converts a place to a Stryker range: Stryker prints columns from 1 and reads them from 0. */
function rangeOf(place: string): string {
  const [file = '', line, column, endLine, endColumn] = place.split('\n');
  return `${relative(process.cwd(), file)}:${line}:${Number(column) - 1}-${endLine}:${Number(endColumn) - 1}`;
}

function numberAfter(option: string): number {
  return Number(process.argv.find((word) => word.startsWith(option))?.slice(option.length) ?? 1);
}
