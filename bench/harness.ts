/**
 * The shared parts of all benches: medians of several runs, alternating runs in one process, the table and the file.
 *
 * A run is a function that prepares its input, measures only its subject, and returns one number.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Repeated measurements of one value; `low` and `high` are the extremes. */
export interface Sample {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** One line of the table. `low` and `high` are absent for a value that was measured once. */
export interface BenchRow {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly low?: number;
  readonly high?: number;
}

/** The result of a bench. Later checks read keys of `ratios` and `values`, so keys never change their meaning. */
export interface BenchReport {
  readonly results: readonly BenchRow[];
  readonly ratios: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, number>>;
  /** Sentences under the table. */
  readonly notes?: readonly string[];
}

/** The default export of each `bench/<name>.ts`. */
export type Bench = () => BenchReport | Promise<BenchReport>;

/** Prepares, measures and returns one number. */
export type Run = () => number | Promise<number>;

/** Returns the median and extremes of a list. @throws RangeError for an empty list or a NaN */
export function summarise(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[0], sorted.at(-1)];
  const [lower, upper] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  const isComplete = low !== undefined && high !== undefined && lower !== undefined && upper !== undefined;
  if (!isComplete || values.some(Number.isNaN))
    throw new RangeError(`a sample needs at least one number and nothing else, got [${values.join(', ')}]`);
  return { median: (lower + upper) / 2, low, high };
}

/** Sorts values and returns the value at a part of them, such as 0.99; NaN for an empty list. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

/** Runs `run` once unmeasured (`warmUp: 0` for none) and then `runs` times, collecting garbage before each. */
export async function medianOf(runs: number, run: Run, options: { readonly warmUp?: number } = {}): Promise<Sample> {
  return (await sideBySide(runs, { run }, options)).run;
}

/**
 * Measures alternating runs in one process (A B, B A, A B …), so that their ratio is meaningful. Garbage is collected
 * before each turn, so that no run pays for another.
 */
export async function sideBySide<Name extends string>(
  rounds: number,
  runs: Readonly<Record<Name, Run>>,
  { warmUp = 1 }: { readonly warmUp?: number } = {},
): Promise<Record<Name, Sample>> {
  const turns = Object.entries<Run>(runs).map(([name, run]) => ({ name, run, values: [] as number[] }));
  for (let round = -warmUp; round < rounds; round++) {
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      collectGarbage();
      const value = await turn.run();
      if (round >= 0) turn.values.push(value);
    }
  }
  return mapValues(runs, (name) => summarise(turns.find((turn) => turn.name === name)?.values ?? []));
}

/** Returns the wall time of `work` in ms. */
export function elapsedMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Returns the line of a sample for the table. */
export function row(label: string, sample: Sample, unit: string): BenchRow {
  return { label, value: sample.median, unit, low: sample.low, high: sample.high };
}

/** Returns the peak memory of this process in MB of 10^6 bytes. It never falls, so measure in a child process. */
export function peakRssMb(): number {
  return process.resourceUsage().maxRSS / 1000;
}

/** Collects garbage now. */
export function collectGarbage(): void {
  if (gc === undefined) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc');
  }
  gc?.();
}

let gc: (() => void) | undefined;

/** Describes the machine in one line: processor, cores, memory, system and the load average of the last minute. */
export function describeMachine(): string {
  const processors = cpus();
  const [load = 0] = loadavg();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${processors[0]?.model.trim() ?? 'unknown processor'} x ${processors.length}`,
    `${memory} GiB`,
    `${process.platform} ${process.arch}`,
    `load ${load.toFixed(2)}`,
  ].join(', ');
}

/** Formats the report as a table. */
export function formatReport(name: string, machine: string, report: BenchReport): string {
  const cells = [
    ['', 'median', 'unit', 'low', 'high', 'spread'],
    ...report.results.map(({ label, value, unit, low, high }) => [
      label,
      formatNumber(value),
      unit,
      low === undefined ? '' : formatNumber(low),
      high === undefined ? '' : formatNumber(high),
      low === undefined || high === undefined || value === 0 ? '' : `${formatNumber((100 * (high - low)) / value)} %`,
    ]),
  ];
  const widths = cells[0]?.map((_, place) => Math.max(...cells.map((line) => line[place]?.length ?? 0))) ?? [];
  const pad = (text: string, place: number) =>
    place === 0 || place === 2 ? text.padEnd(widths[place] ?? 0) : text.padStart(widths[place] ?? 0);
  return [
    `${name}: ${machine}, Node ${process.version}`,
    '',
    ...cells.map((line) => line.map(pad).join('  ').trimEnd()),
    '',
    ...Object.entries(report.ratios).map(([key, value]) => `${key}: ${formatNumber(value)} times`),
    ...(report.notes ?? []).map((note) => `- ${note}`),
  ].join('\n');
}

/** Writes `<folder>/<name>.json` and returns its path. */
export function writeReport(folder: string, name: string, machine: string, report: BenchReport): string {
  const { ratios, values } = report;
  const results = report.results.map(({ label, value, unit }) => ({ label, value, unit }));
  const file = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  const content = { name, machine, node: process.version, results, ratios, values };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (name: string) => To,
): Record<Name, To> {
  const changed: { -readonly [Key in Name]?: To } = {};
  for (const name in record) changed[name] = change(name);
  if (!hasAllNames(changed, record)) throw new Error('Invariant: a run is missing');
  return changed;
}

function hasAllNames<Name extends string, To>(
  changed: { [Key in Name]?: To },
  record: Readonly<Record<Name, unknown>>,
): changed is Record<Name, To> {
  return Object.keys(record).every((name) => name in changed);
}
