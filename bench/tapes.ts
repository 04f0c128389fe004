/**
 * Measures the gain of a second core for a backtest over one tape, for a backtest over two tapes, and for two runs at
 * once. Each run is a process. The bench uses `taskset`, so it runs on Linux only.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Bench, row, sideBySide } from './harness.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 5;
const EVENTS = 10_000_000;
const FOLDER = resolve(import.meta.dirname, 'out', 'tapes');
const PROGRAM = resolve(import.meta.dirname, '..', 'bin', 'halfspread.js');
const run = promisify(execFile);

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  const tapes = [1, 2].map((seed) => syntheticTape(join(FOLDER, `synthetic-${seed}.tape`), { seed, events: EVENTS }));
  const [first = '', second = ''] = tapes;
  const samples = await sideBySide(
    ROUNDS,
    {
      oneTapeOneCore: () => replay([first], 'one'),
      oneTape: () => replay([first]),
      twoTapesOneCore: () => replay(tapes, 'one'),
      twoTapes: () => replay(tapes),
      twoRuns: async () => {
        const rates = await Promise.all([replay([first]), replay([second])]);
        return rates.reduce((sum, rate) => sum + rate, 0);
      },
    },
    { warmUp: 0 },
  );
  const { oneTapeOneCore, oneTape, twoTapesOneCore, twoTapes, twoRuns } = samples;
  return {
    results: [
      row('one tape, one core', oneTapeOneCore, 'events/s'),
      row('one tape', oneTape, 'events/s'),
      row('two tapes in one run, one core', twoTapesOneCore, 'events/s'),
      row('two tapes in one run', twoTapes, 'events/s'),
      row('two runs at once, one tape each', twoRuns, 'events/s'),
    ],
    ratios: {
      oneTapeByOneCore: oneTape.median / oneTapeOneCore.median,
      twoTapesByOneCore: twoTapes.median / twoTapesOneCore.median,
      twoRunsByOneCore: twoRuns.median / oneTapeOneCore.median,
    },
    values: { eventsPerSecondTwoTapes: twoTapes.median, eventsPerSecondTwoRuns: twoRuns.median },
    notes: [
      `${EVENTS / 1e6}M events per tape, no orders, a handler at every message; a process for each run`,
      'not included: start of the process, loading of the strategy, the HTML report',
    ],
  };
};
export default bench;

/** @returns events per second */
async function replay(tapes: readonly string[], cores: 'all' | 'one' = 'all'): Promise<number> {
  const config = join(FOLDER, `run-${tapes.map((path) => path.replace(/\D/g, '')).join('-')}.yaml`);
  writeFileSync(config, configuration(tapes));
  const command = [process.execPath, PROGRAM, 'backtest', config, '--json', '--quiet'];
  const [program = '', ...words] = cores === 'one' ? ['taskset', '--cpu-list', '0', ...command] : command;
  const { stdout } = await run(program, words, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout).eventsPerSecond;
}

function configuration(tapes: readonly string[]): string {
  return `strategy: ${resolve(import.meta.dirname, 'strategies', 'watcher')}
tapes: ${JSON.stringify(tapes)}
capital_usd: 1000000
report_dir: null
`;
}
