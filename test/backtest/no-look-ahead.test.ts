import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec } from '../../src/backtest/index.ts';
import { openTapes } from '../../src/backtest/open-tapes.ts';
import { createComponents } from '../../src/backtest/run-components.ts';
import { loadStrategies, type Step } from '../../src/runtime/index.ts';
import { collectSteps } from './scenario.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CUT = '2022-07-11T11:41:07.250Z';
const LEG = { median: 60, p99: 600 };

/** Runs a strategy on the recorded match up to `to`. @returns its steps and the time of its stop */
async function stepsUntil(to: string, strategy: string, params: object, queue: string) {
  const spec = parseRunSpec({
    strategy,
    params,
    tapes: ['config/tapes/betfair-1.200806927.tape'],
    from: '2022-07-11T11:00:20Z',
    to,
    queue: { model: queue },
    latency: { model: 'sampled', feed_ms: LEG, entry_ms: LEG, response_ms: LEG },
  });
  const tapes = openTapes(spec, ROOT);
  const strategies = await loadStrategies(spec, { folders: [join(ROOT, 'strategies')], baseDir: ROOT });
  const { run, venue, store, clock } = createComponents(spec, strategies, tapes);
  const steps = collectSteps(store);
  await run.start();
  venue.pump();
  const stopped = clock.now();
  run.stop();
  venue.pump();
  await run.close();
  return { steps, stopped };
}

describe('the actions of a bot before a time', () => {
  it.each([
    ['ladder', { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 }, 'risk-averse'],
    [
      'avellaneda-stoikov',
      { order_amount: 20, max_position: 300, gamma: 0.05, kappa: 'measured', horizon: 3600 },
      'power',
    ],
  ] as const)('do not depend on later rows of the tape: %s', async (strategy, params, queue) => {
    const long = await stepsUntil('2022-07-11T12:10:00Z', strategy, params, queue);
    const short = await stepsUntil(CUT, strategy, params, queue);
    const end = Math.min(Date.parse(CUT), short.stopped);
    const before = ({ time }: Step) => time < end;
    expect(short.steps.filter(before)).toEqual(long.steps.filter(before));
    expect(short.steps.filter(before).length).toBeGreaterThan(500);
    expect(long.steps.length).toBeGreaterThan(short.steps.length);
  });
});
