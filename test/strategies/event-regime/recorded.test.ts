import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseRunSpec, runForResult } from '../../../src/backtest/index.ts';
import { openTapes, specFor } from '../../../src/backtest/open-tapes.ts';
import { createComponents } from '../../../src/backtest/run-components.ts';
import { type LoadedPlan, loadPlans } from '../../../src/runtime/index.ts';
import eventRegime from '../../../strategies/event-regime/strategy.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LADDER = { bid_spread: 60, ask_spread: 60, order_amount: 20, order_levels: 3, max_position: 300 };
const OFF = {
  jump_ticks: 0,
  jump_sigmas: 0,
  sweep_multiple: 0,
  sweep_levels: 0,
  max_vol_multiplier: 1,
  taper_window: 0,
  reduce_only_window: 0,
  halt_window: 0,
};

/** Half an hour of the recorded match. */
function specOf(strategy: string, params: object) {
  return parseRunSpec({
    strategy,
    params,
    tapes: ['config/tapes/betfair-1.200806927.tape'],
    from: '2022-07-11T12:00:00Z',
    to: '2022-07-11T12:30:00Z',
    report_dir: null,
  });
}

function run(params: object) {
  const places = { baseDir: ROOT, strategyFolders: [join(ROOT, 'strategies')] };
  const spec = specOf('event-regime', { strategy: 'ladder', params: LADDER, ...params });
  return runForResult(spec, { ...places, version: 'test', machine: { peakRssMb: () => 1 } });
}

/** The hash of all steps of the ladder on its own, or with `wrap` around its handlers. */
async function hashOf(wrap: (plan: LoadedPlan) => LoadedPlan): Promise<string> {
  const spec = specOf('ladder', LADDER);
  const plans = await loadPlans(spec, { folders: [join(ROOT, 'strategies')], baseDir: ROOT });
  const tapes = openTapes(spec, ROOT);
  try {
    const {
      run: bot,
      venue,
      store,
    } = createComponents(specFor(spec, tapes), plans.map(wrap), tapes, { detailed: false });
    await bot.start();
    let isStopped = false;
    while (venue.pump(100_000)) {
      if (venue.tapeEnded && !isStopped) bot.stop();
      isStopped ||= venue.tapeEnded;
    }
    await bot.close();
    return store.eventLogHash();
  } finally {
    tapes.feed.close();
  }
}

/** The same plan, with the wrapper around the handlers of its strategy. */
function wrappedIn(params: object) {
  return (plan: LoadedPlan): LoadedPlan => {
    const { strategy } = plan;
    const create: typeof strategy.create = (own, context) =>
      eventRegime.wrap(strategy.create(own, context), eventRegime.params.parse(params), context);
    return { ...plan, strategy: { ...strategy, create } };
  };
}

it('event-regime with everything off gives the event log of the wrapped strategy', async () => {
  const bare = await hashOf((plan) => plan);
  expect(await hashOf(wrappedIn(OFF))).toBe(bare);
  expect(await hashOf(wrappedIn({ ...OFF, jump_ticks: 5 }))).not.toBe(bare);
});

it('event-regime wraps a strategy that its parameters name, on the recorded match', async () => {
  const off = await run(OFF);
  expect(off.strategy).toBe('event-regime-ladder');
  expect(off.fills.count).toBeGreaterThan(5);
  expect((await run(OFF)).eventLogHash).toBe(off.eventLogHash);
  const pulled = await run({});
  expect(pulled.stateHash).not.toBe(off.stateHash);
  expect(pulled.fills.count).toBeGreaterThan(0);
});

it('event-regime ends without a quote before the time of resolution', async () => {
  const halted = await run({ ...OFF, halt_window: 3_600, resolution_time: '2022-07-11T13:00:00Z' });
  expect(halted.orders.placed).toBe(0);
  const reducing = await run({ ...OFF, reduce_only_window: 3_600, resolution_time: '2022-07-11T13:00:00Z' });
  expect(reducing.orders.placed).toBe(0);
});
