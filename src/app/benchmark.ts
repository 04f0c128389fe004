/** Runs the shipped strategies on a recorded tape, and on tapes made from the recipes in `config/benchmark/`. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { baselineSpecs, parseRunSpec, type RunSpec } from '../backtest/index.ts';
import { nextEventLoopTurn } from '../clock/index.ts';
import { readConfiguration } from '../config/configuration.ts';
import { recipeSchema, toRecipe } from '../config/recipe-schema.ts';
import { Fault } from '../domain/index.ts';
import { generateTape } from '../history/index.ts';
import { PACKAGE_ROOT, STRATEGIES_FOLDER, version } from '../package-files.ts';
import {
  type BenchmarkRegime,
  type BenchmarkRow,
  type BenchmarkStrategy,
  runBenchmark,
  TrialPool,
} from '../research/index.ts';
import { parseStrict } from '../strategy/index.ts';

const CONFIG_FOLDER = join(PACKAGE_ROOT, 'config');
const REGIMES_FOLDER = join(CONFIG_FOLDER, 'benchmark');
const RECORDED_TAPE = join(CONFIG_FOLDER, 'tapes/betfair-1.200806927.tape');
const RECORDED_FROM = '2022-07-11T11:00:20Z';
/** Configuration names by strategy, where the two names differ. */
const CONFIG_NAMES: ReadonlyMap<string, string> = new Map([['ladder', 'demo']]);
const SEEDS = [1, 2, 3, 4];

export interface BenchmarkChoice {
  /** Names of strategies; undefined for all. */
  readonly strategies: readonly string[] | undefined;
  /** Names of regimes, or `recorded`; undefined for all. */
  readonly regimes: readonly string[] | undefined;
  /** Rows of each synthetic tape; undefined for the number in its recipe. */
  readonly rows: number | undefined;
  readonly workers: number | undefined;
  readonly signal: AbortSignal;
  readonly onRun: (done: number, total: number) => void;
}

export function benchmarkNames(): { readonly strategies: readonly string[]; readonly regimes: readonly string[] } {
  const strategies = readdirSync(STRATEGIES_FOLDER).filter((name) => name !== 'baseline');
  const regimes = readdirSync(REGIMES_FOLDER).flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []);
  return { strategies: strategies.toSorted(), regimes: ['recorded', ...regimes.toSorted()] };
}

/** Generates the tapes, runs all strategies on them, and removes the tapes. @throws as `runBenchmark`; FileFault */
export async function benchmark(choice: BenchmarkChoice): Promise<readonly BenchmarkRow[]> {
  const { signal, onRun } = choice;
  const names = benchmarkNames();
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-benchmark-'));
  const pool = new TrialPool(choice.workers ?? availableParallelism());
  try {
    await pool.ready();
    const regimes: BenchmarkRegime[] = [];
    for (const name of choice.regimes ?? names.regimes) regimes.push(await createRegime(name, folder, choice));
    const strategies = (choice.strategies ?? names.strategies).map(loadStrategy);
    const context = { strategyFolders: [STRATEGIES_FOLDER], version: version(), pool, signal, onRun };
    return await runBenchmark({ ...context, regimes, strategies: [...strategies, ...loadBaselines()] });
  } finally {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Fault ABORTED when `signal` has fired */
async function createRegime(
  name: string,
  folder: string,
  { rows, signal }: Pick<BenchmarkChoice, 'rows' | 'signal'>,
): Promise<BenchmarkRegime> {
  if (name === 'recorded') return { name, tapes: [RECORDED_TAPE] };
  const recipe = toRecipe(parseStrict(recipeSchema, readConfiguration(`${name}.yaml`, REGIMES_FOLDER).value, ''));
  mkdirSync(join(folder, name));
  const tapes: string[] = [];
  for (const seed of SEEDS) {
    // The signal can fire only between two turns of the event loop.
    await nextEventLoopTurn();
    if (signal.aborted) throw new Fault('ABORTED', 'the benchmark was stopped while it generated its tapes');
    const path = join(folder, name, `${seed}.tape`);
    generateTape({ ...recipe, seed, events: rows ?? recipe.events }, path);
    tapes.push(path);
  }
  return { name, tapes };
}

/** Loads a strategy with its shipped configuration, whose `signals` apply to the recorded tape only. */
function loadStrategy(name: string): BenchmarkStrategy {
  const configuration = readConfiguration(`${CONFIG_NAMES.get(name) ?? name}.yaml`, CONFIG_FOLDER);
  const { signals, ...base } = parseRunSpec(configuration.value);
  const spec = (tape: string, queue: RunSpec['queue']): RunSpec => ({
    ...withTape(base, tape, queue),
    ...(tape === RECORDED_TAPE && signals !== undefined && { signals }),
  });
  return { name, spec, baseDir: dirname(configuration.path) };
}

function loadBaselines(): readonly BenchmarkStrategy[] {
  const { value, path } = readConfiguration('demo.yaml', CONFIG_FOLDER);
  return baselineSpecs(parseRunSpec(value)).map(({ name, spec }) => ({
    name,
    spec: (tape, queue) => withTape(spec, tape, queue),
    baseDir: dirname(path),
  }));
}

function withTape(base: RunSpec, tape: string, queue: RunSpec['queue']): RunSpec {
  return { ...base, tapes: [tape], from: tape === RECORDED_TAPE ? RECORDED_FROM : undefined, queue };
}
