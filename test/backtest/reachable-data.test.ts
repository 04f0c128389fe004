/** Strategies cannot read the future (docs/spec/models.md#time-and-look-ahead). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec } from '../../src/backtest/index.ts';
import { openTapes } from '../../src/backtest/open-tapes.ts';
import { createComponents } from '../../src/backtest/run-components.ts';
import { epochMs } from '../../src/domain/index.ts';
import { loadStrategies } from '../../src/runtime/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import type { Message } from '../tape/rows.ts';
import { collectSteps, headOf, message, options, row } from './scenario.ts';

const START = 1_772_366_400_000;
const FORK = 20_000;
/** Delay of market data and of answers to orders. Both futures look equal until `START + FORK + RECEIVE_MS`. */
const RECEIVE_MS = 300;

const COMMON = [
  message(START, row.open(), row.bid(4_000, 100), row.ask(6_000, 100)),
  ...Array.from({ length: 30 }, (_, index) => {
    const time = START + 500 * (index + 1);
    return index % 3 === 0
      ? message(time, row.print('SELL', 4_000, 3))
      : message(time, row.bid(4_000 + 100 * (index % 5), 100 + index));
  }),
];
/** Two futures of one market: an early YES, or a late NO with a halt and much volume. */
const ENDS: Readonly<Record<string, readonly Message[]>> = {
  yes: [message(START + FORK, row.resolved(10_000))],
  no: [
    message(START + FORK, row.print('BUY', 6_000, 50_000), row.halt()),
    message(START + 900_000, row.open()),
    message(START + 3_600_000, row.resolved(0)),
  ],
};

/** Steps and log lines of the peeking strategy in one of the futures. */
async function peek(end: 'yes' | 'no', scheduledResolution?: number) {
  const folder = scratchFolder();
  const base = headOf('a');
  const markets = base.markets.map((market) => ({
    ...market,
    ...(scheduledResolution !== undefined && { scheduledResolution: epochMs(scheduledResolution) }),
  }));
  const head = { ...base, markets };
  writeTape(join(folder, 'a.tape'), [...COMMON, ...(ENDS[end] ?? [])], head);
  const spec = parseRunSpec({
    strategy: 'peeker',
    tapes: ['a.tape'],
    latency: { model: 'constant', feed_ms: RECEIVE_MS, response_ms: RECEIVE_MS },
    report_dir: null,
  });
  const runOptions = options(folder);
  const strategies = await loadStrategies(spec, { folders: runOptions.strategyFolders, baseDir: folder });
  const lines: { readonly time: number; readonly text: string }[] = [];
  const { run, venue, store } = createComponents(spec, strategies, openTapes(spec, folder), {
    onLog: (line, time) => lines.push({ time, text: JSON.stringify(line) }),
  });
  const steps = collectSteps(store);
  await run.start();
  while (!venue.hasTapeEnded) venue.pump();
  run.stop();
  venue.pump();
  await run.close();
  return { steps, lines };
}

describe('a strategy that acts on all data that it can reach', () => {
  it('does the same in both futures of a market until it receives their first difference', async () => {
    const [yes, no] = await Promise.all([peek('yes'), peek('no')]);
    const before = ({ time }: { readonly time: number }) => time < START + FORK + RECEIVE_MS;
    expect(yes.steps.filter(before)).toEqual(no.steps.filter(before));
    expect(yes.lines.filter(before)).toEqual(no.lines.filter(before));
    const prices = yes.steps.flatMap(({ commands }) =>
      commands.flatMap((command) => (command.type === 'place' ? [command.price] : [])),
    );
    // The bid price is a hash of all reachable values, so different prices prove that the strategy read them.
    expect(new Set(prices).size).toBeGreaterThan(1);
    expect(yes.steps.filter(before).length).toBeGreaterThan(30);
  });

  it('finds no future time, and no outcome before it receives the resolution', async () => {
    const { lines, steps } = await peek('no');
    expect(lines.filter(({ text }) => text.includes('later '))).toEqual([]);
    const resolvedAt = START + 3_600_000 + RECEIVE_MS;
    expect(lines.filter(({ time, text }) => text.includes('outcome ') && time < resolvedAt)).toEqual([]);
    expect(steps.some(({ time }) => time >= START + FORK + RECEIVE_MS)).toBe(true);
  });

  it('finds the scheduled resolution and acts on it', async () => {
    const [early, late] = await Promise.all([peek('no', START + 60_000), peek('no', START + 86_400_000)]);
    expect(early.lines.some(({ text }) => text.includes('later') && text.includes('scheduledResolution'))).toBe(true);
    expect(early.steps).not.toEqual(late.steps);
  });
});
