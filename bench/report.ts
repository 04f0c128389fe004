/**
 * Measures the time to write the HTML report of a large backtest, and to open it in Chromium. The run has more than
 * 100,000 fills and over a million changes of price and equity; the run itself is not timed.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BacktestRun, parseRunSpec, runBacktest, writeReport } from '../src/backtest/index.ts';
import { openChromium } from '../test/e2e/chromium.ts';
import { type Bench, row, summarise } from './harness.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 5;
const EVENTS = 10_000_000;
const FOLDER = resolve(import.meta.dirname, 'out', 'report');
const MIN_FILLS = 100_000;

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  const run = await largeRun();
  if (run.result.fills.count < MIN_FILLS) throw new Error(`the run has only ${run.result.fills.count} fills`);
  const writes: number[] = [];
  let path = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    path = await writeReport(run, FOLDER);
    writes.push((performance.now() - start) / 1_000);
  }
  const opened = summarise(await openSeconds(path));
  const written = summarise(writes);
  const points = run.detail.equity.totalPoints ?? 0;
  return {
    results: [
      row(`report of ${run.result.fills.count} fills, written`, written, 's'),
      row('opened in Chromium, with the first charts drawn', opened, 's'),
      { label: 'size of the file', value: statSync(path).size / 1e6, unit: 'MB' },
    ],
    ratios: {},
    values: { writeSeconds: written.median, openSeconds: opened.median },
    notes: [
      `equity changed ${points} times; the page has the lowest and the highest point of each group of neighbours`,
      'opened: from the request of the page until its first two charts are painted, in a new tab each time',
    ],
  };
};
export default bench;

async function largeRun(): Promise<BacktestRun> {
  const tape = syntheticTape(join(FOLDER, `synthetic-${EVENTS}.tape`), { events: EVENTS });
  const spec = parseRunSpec({ strategy: 'requoter', params: {}, tapes: [tape], report_dir: null });
  return await runBacktest(spec, {
    baseDir: FOLDER,
    strategyFolders: [resolve(import.meta.dirname, 'strategies')],
    version: '0.0.0',
    machine: { peakRssMb: () => 0 },
  });
}

async function openSeconds(path: string): Promise<readonly number[]> {
  const browser = await openChromium();
  try {
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 1_200 } });
      const start = performance.now();
      await page.goto(pathToFileURL(path).href);
      await page.locator('.chart canvas').nth(1).waitFor();
      await page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');
      seconds.push((performance.now() - start) / 1_000);
      await page.close();
    }
    return seconds;
  } finally {
    await browser.close();
  }
}
