/**
 * Studies of a strategy that buys a random side of each market. The fair price is a martingale, so that no choice
 * earns, or it drifts upwards, so that YES earns.
 */

import { join } from 'node:path';
import { parseRunSpec, type RunSpec } from '../../../src/backtest/index.ts';
import { withKey } from '../../../src/config/configuration.ts';
import { recipeSchema, toRecipe } from '../../../src/config/recipe-schema.ts';
import { generateTape } from '../../../src/history/index.ts';
import { parseStudy, runStudy, type StudyData, TrialPool } from '../../../src/research/index.ts';
import { meanOf } from '../../../src/research/judge/mean-error.ts';
import { createSearch } from '../../../src/research/search/search.ts';
import type { Values } from '../../../src/research/search/space.ts';
import type { RunMetrics } from '../../../src/research/study/run-metrics.ts';
import { toDimensions } from '../../../src/research/study/study-spec.ts';
import { readStudyTapes } from '../../../src/research/study/study-tapes.ts';
import { computeMarketPnls } from '../../../src/research/study/trial-score.ts';
import trialOf from '../../../src/research/study/trial-thread.ts';
import { computeSignificance, type Significance } from '../../../src/research/study/verdict.ts';
import { scratchFolder } from '../../history/scratch.ts';

const MARKETS = 60;
const ROWS_PER_MARKET = 40;
const STARTS = ['2026-01-01T00:00:00Z', '2026-01-11T00:00:00Z'];
const STRATEGIES = join(import.meta.dirname, '../../fixtures/research');
const PLACES = { strategyFolders: [STRATEGIES], version: 'test' };

/** Makers quote the fair price without a spread: a purchase earns nothing on average. */
const MARTINGALE = {
  events: MARKETS * ROWS_PER_MARKET,
  markets: MARKETS,
  total_volatility: 0.5,
  error_bps: 0,
  half_spread_bps: 0,
  depth_bps: 20,
};

interface Fixture {
  readonly seed: number;
  /** Gain of the fair price over a tape, in log-odds. Default 0: no choice earns. */
  readonly drift?: number;
  /** Lowest probability with which a trial buys YES, 0..1. The highest is 1. Default 0. */
  readonly minYes?: number;
  readonly trials?: number;
}

export class EdgeStudy {
  readonly folder = scratchFolder();
  readonly #fixture: Fixture;
  readonly #tapes: readonly string[];
  #known: Readonly<Record<string, 'YES' | 'NO'>> = {};

  /** Generates two tapes of 60 markets: one for the search, and one for the test that begins ten days later. */
  constructor(fixture: Fixture) {
    const { seed, drift = 0 } = fixture;
    this.#fixture = fixture;
    this.#tapes = STARTS.map((start, index) => {
      const path = join(this.folder, `${index}.tape`);
      generateTape(toRecipe(recipeSchema.parse({ ...MARTINGALE, seed: 2 * seed + index, start, drift })), path);
      return path;
    });
  }

  /** Stores the better side of each market in the parameters, for the search but not for the test. */
  async storeWinners(): Promise<void> {
    const { markets } = await this.#figuresOf({ 'params.luck': 1, 'params.yes': 1 });
    this.#known = Object.fromEntries(markets.map(({ slug, pnl }) => [slug, pnl > 0 ? 'YES' : 'NO']));
  }

  /** Runs the trials on the first tape in this thread, which is faster than workers. Judges the best trial. */
  async significance(): Promise<Significance> {
    const spec = this.#spec();
    const search = createSearch({ method: 'random' }, toDimensions(spec), spec.seed);
    const tapes = readStudyTapes(this.#backtest({}, 1), this.folder, { together: false });
    const pnls = [];
    for (let number = 0; number < spec.trials; number += 1)
      pnls.push(computeMarketPnls(tapes, [await this.#figuresOf(search.suggest(number, []))]));
    const means = pnls.map((markets) => meanOf(markets.map(({ pnl }) => pnl)));
    return computeSignificance(pnls, means.indexOf(Math.max(...means)));
  }

  /** Runs the whole study, with its test on the second tape. */
  async run(): Promise<StudyData> {
    return runStudy({
      ...PLACES,
      spec: this.#spec(),
      backtest: (values) => this.#backtest(values, 2),
      baseDir: this.folder,
      file: join(this.folder, 'study.study'),
      openWorkers: () => new TrialPool(1),
      signal: new AbortController().signal,
    });
  }

  #spec(): ReturnType<typeof parseStudy> {
    const { seed, minYes = 0, trials = 20 } = this.#fixture;
    return parseStudy({
      backtest: 'none.yaml',
      parameters: {
        'params.luck': { low: 1, high: 1_000_000, whole: true },
        'params.yes': { low: minYes, high: 1 },
      },
      objectives: [{ maximise: 'pnl' }],
      search: { method: 'random' },
      test: { last: 0.5 },
      trials,
      seed,
      random_controls: 0,
    });
  }

  #backtest(values: Values, tapes: number): RunSpec {
    const base = {
      strategy: 'drawn',
      params: { luck: 0, yes: 1, known: this.#known },
      tapes: this.#tapes.slice(0, tapes),
      capital_usd: 100_000,
      report_dir: null,
    };
    return parseRunSpec(
      Object.entries(values).reduce<unknown>((spec, [key, value]) => withKey(spec, key, value), base),
    );
  }

  async #figuresOf(values: Values): Promise<RunMetrics> {
    const result = await trialOf({ ...PLACES, spec: this.#backtest(values, 1), baseDir: this.folder });
    if (!('figures' in result)) throw new Error(`a backtest failed: ${JSON.stringify(result)}`);
    return result.figures;
  }
}
