/**
 * `npm run docs:out-of-sample [-- <strategy>…]`: fits each shipped strategy to one half of seeded markets, tests it on the
 * other half and on the recorded match, and writes a page of what `halfspread optimize` says about it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';
import { z } from 'zod';
import { openStudy, optimize } from '../../src/app/optimize.ts';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { strategyFolders } from '../../src/cli/paths.ts';
import { readConfiguration, withKey } from '../../src/config/configuration.ts';
import { recipeSchema, toRecipe } from '../../src/config/recipe-schema.ts';
import { epochMs, formatTime, formatUsd, microUsd } from '../../src/domain/index.ts';
import { generateTape } from '../../src/history/index.ts';
import { computeStudyResult, type StudyData } from '../../src/research/index.ts';
import type { StudyTape } from '../../src/research/study/study-tapes.ts';
import {
  FIRST_SEED,
  type Finding,
  MARKETS,
  NAMES,
  overviewOf,
  pageOf,
  type RegimeResult,
  ROWS,
  type StrategyName,
  studyYaml,
  verdictOf,
} from './out-of-sample-page.ts';

const REGIMES = ['calm', 'illiquid', 'informed', 'jumpy', 'resolution', 'trending'];
const FIRST_START = Date.parse('2026-01-01T00:00:00Z');
const DAY = 86_400_000;

const ROOT = join(import.meta.dirname, '../..');
/** Configurations with the names of their strategies, but for this one. */
const CONFIG_NAMES: Partial<Record<StrategyName, string>> = { ladder: 'demo' };
const objectSchema = z.record(z.string(), z.unknown());

/** The pages of some strategies by path, and with all of them the table of all. */
async function outOfSamplePages(names: readonly StrategyName[]): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-out-of-sample-'));
  try {
    const regimes = generateTapes(join(folder, 'tapes'));
    const pages = new Map<string, string>();
    const findings: Finding[] = [];
    for (const name of names) {
      const finding = await find(name, folder, regimes);
      findings.push(finding);
      pages.set(`docs/strategies/out-of-sample/${name}.md`, pageOf(finding));
      process.stderr.write(`${name}: ${verdictOf(finding)}\n`);
    }
    if (names.length === NAMES.length) pages.set('docs/strategies/out-of-sample.md', overviewOf(findings));
    return pages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One tape a market, each two days after the one before. @returns the regime of each market by its slug */
function generateTapes(folder: string): ReadonlyMap<string, string> {
  mkdirSync(folder);
  const regimes = new Map<string, string>();
  for (let at = 0; at < MARKETS * REGIMES.length; at += 1) {
    const regime = REGIMES[at % REGIMES.length] ?? '';
    const seed = FIRST_SEED + at;
    const start = formatTime(epochMs(FIRST_START + 2 * at * DAY));
    const { value } = readConfiguration(`${regime}.yaml`, join(ROOT, 'config/benchmark'), [
      `events=${ROWS}`,
      `seed=${seed}`,
      `start=${start}`,
    ]);
    generateTape(toRecipe(recipeSchema.parse(value)), join(folder, `${regime}-${seed}.tape`));
    regimes.set(`synthetic-${seed}-0`, regime);
  }
  return regimes;
}

async function find(name: StrategyName, folder: string, regimes: ReadonlyMap<string, string>): Promise<Finding> {
  const shipped = readConfiguration(`${CONFIG_NAMES[name] ?? name}.yaml`, join(ROOT, 'config'), ['report_dir=null']);
  const { signals: _recorded, from: _inPlay, ...base } = objectSchema.parse(shipped.value);
  writeFileSync(join(folder, 'backtest.yaml'), stringify({ ...base, tapes: ['tapes'] }));
  writeFileSync(join(folder, 'study.yaml'), studyYaml(name));
  const ended = await optimize(await openStudy(readConfiguration('study.yaml', folder), folder), {
    strategyFolders: strategyFolders(ROOT),
    version: 'reference',
    workers: undefined,
    existing: 'replace',
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const result = computeStudyResult(ended);
  if (result.best === null) throw new Error(`${name}: every trial failed: ${Object.keys(result.problems).join(', ')}`);
  const fitted = Object.entries(result.best.params).reduce<unknown>(
    (all, [key, value]) => withKey(all, key, value),
    shipped.value,
  );
  const onRecorded = async (queue: object): Promise<string> => {
    const spec = parseRunSpec({ ...objectSchema.parse(fitted), queue });
    const { result: run } = await runBacktest(spec, {
      baseDir: dirname(shipped.path),
      strategyFolders: strategyFolders(ROOT),
      version: 'reference',
      machine: { peakRssMb: () => 0 },
    });
    return formatUsd(microUsd(run.pnl.totalMicros));
  };
  return {
    name,
    result,
    regimes: REGIMES.map((regime) => regimeResult(regime, `${result.best?.number}`, ended, regimes)),
    recorded: {
      'risk-averse': await onRecorded({ model: 'risk-averse' }),
      power: await onRecorded({ model: 'power', n: 2 }),
    },
  };
}

function regimeResult(
  regime: string,
  trial: string,
  { runs, training, tests }: StudyData,
  regimes: ReadonlyMap<string, string>,
): RegimeResult {
  const mean = (tapes: readonly StudyTape[]): number => {
    const own = tapes.filter(({ markets: [market] }) => regimes.get(market?.slug ?? '') === regime);
    const found = runs.metrics(trial, own);
    if (own.length === 0 || typeof found !== 'object') throw new Error(`${regime}: trial ${trial} has not run`);
    return found.reduce((sum, { pnl }) => sum + pnl, 0) / own.length / 1_000_000;
  };
  return { regime, before: mean(training), test: mean(tests.flatMap(({ test }) => test)) };
}

if (import.meta.main) {
  const unknown = process.argv.slice(2).find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`there is no strategy ${unknown}: use ${NAMES.join(', ')}`);
  const names = NAMES.filter((name) => process.argv.length === 2 || process.argv.includes(name));
  for (const [path, text] of await outOfSamplePages(names)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}
