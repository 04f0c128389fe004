/**
 * Mutation testing: `npm run mutation` for all slices, `npm run mutation -- book ledger` for some; with `--again` only
 * those mutants that have changed since the last report, or of whose tests one has (by its own text: a helper that
 * changed is not seen); with `--every=4` a sample: the mutants that lie within one of each fourth of the lines. Reports
 * as reports/mutation/<slice>.html and .json, and <slice>-imported of what only an import runs; exit code 1 when a slice lets
 * more than 15 % of its mutants live. `--workers=2` for two at a time.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { Stryker } from '@stryker-mutator/core';
import { sampleOf } from './sample.ts';
import { SLICES, type Slice } from './slices.ts';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const MIN_KILLED = 85;

const AGAIN = '--again';
const again = process.argv.includes(AGAIN);
const every = numberAfter('--every=');
const workers = numberAfter('--workers=');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => SLICES[name] === undefined);
if (unknown.length > 0) {
  console.error(`No such slice: ${unknown.join(', ')}. There are: ${Object.keys(SLICES).join(', ')}.`);
  process.exit(2);
}
if (![every, workers].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('--every= (one of so many lines) and --workers= (at a time) take whole numbers from 1.');
  process.exit(2);
}

const scores: string[] = [];
let isBelow = false;
for (const [name, slice] of Object.entries(SLICES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { killed, valid } = await mutate(name, slice);
  const score = (100 * killed) / Math.max(1, valid);
  isBelow ||= score < MIN_KILLED;
  scores.push(`${name.padEnd(24)} ${score.toFixed(1).padStart(5)} %  ${killed} of ${valid}`);
}
console.log(scores.join('\n'));
if (isBelow) {
  console.error(`At least ${MIN_KILLED} % must be killed. Survivors are listed in reports/mutation.`);
  process.exitCode = 1;
}

/** Mutants of one slice that its tests noticed, and all that compile and are reached or not. */
async function mutate(name: string, slice: Slice): Promise<{ readonly killed: number; readonly valid: number }> {
  Object.assign(process.env, { MUTATION_TESTS: slice.tests.join(' ') });
  const lines = every === 1 ? [...slice.mutate] : sampleOf(slice.mutate, every);
  const first = await tried(name, lines, true);
  // Tables and the like: every test is a test of them, one after the other, so they are tried by themselves.
  const imported = new Set(first.filter(isImported).map(placeOf));
  const ranges = [...new Set([...imported].map(rangeOf))];
  const second = ranges.length === 0 ? [] : await tried(`${name}-imported`, ranges, false);
  const found = second.filter((mutant) => imported.has(placeOf(mutant)));
  const results = [...first.filter((mutant) => !isImported(mutant)), ...found];
  const missed = imported.size - new Set(found.map(placeOf)).size;
  if (missed > 0)
    console.error(`${missed} mutants of ${name} that only an import runs were not tried: they count as alive.`);
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const lived = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').length;
  return { killed, valid: killed + lived + missed };
}

/** @param ignoreStatic whether those are left out that only an import runs */
function tried(name: string, patterns: string[], ignoreStatic: boolean): Promise<readonly MutantResult[]> {
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

/** What a mutant is, in any run. */
function placeOf({ fileName, location: { start, end }, replacement }: MutantResult): string {
  return [fileName, start.line, start.column, end.line, end.column, replacement].join('\n');
}

/** The piece of source of such a place, as Stryker understands it: it prints columns from 1 and takes them from 0. */
function rangeOf(place: string): string {
  const [file = '', line, column, endLine, endColumn] = place.split('\n');
  return `${relative(process.cwd(), file)}:${line}:${Number(column) - 1}-${endLine}:${Number(endColumn) - 1}`;
}

function numberAfter(option: string): number {
  return Number(process.argv.find((word) => word.startsWith(option))?.slice(option.length) ?? 1);
}
