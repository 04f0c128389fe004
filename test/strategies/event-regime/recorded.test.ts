import { expect, it } from 'vitest';
import { adaptSpec, openTapes } from '../../../src/backtest/open-tapes.ts';
import { createComponents } from '../../../src/backtest/run-components.ts';
import { type LoadedEntry, loadStrategies } from '../../../src/runtime/index.ts';
import eventRegime from '../../../strategies/event-regime/strategy.ts';
import { matchSpec, ROOT, runMatch, STRATEGIES } from '../recorded-match.ts';

const TO = '2022-07-11T12:30:00Z';
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

function run(params: object) {
  return runMatch({ strategy: 'event-regime', params: { strategy: 'ladder', params: LADDER, ...params }, to: TO });
}

/** Returns the event log hash of a ladder run, with the strategy that `wrap` returns. */
async function hashOf(wrap: (entry: LoadedEntry) => LoadedEntry): Promise<string> {
  const spec = matchSpec({ strategy: 'ladder', params: LADDER, to: TO });
  const strategies = await loadStrategies(spec, { folders: [STRATEGIES], baseDir: ROOT });
  const tapes = openTapes(spec, ROOT);
  try {
    const {
      run: bot,
      venue,
      store,
    } = createComponents(adaptSpec(spec, tapes), strategies.map(wrap), tapes, { shouldCollectDetails: false });
    await bot.start();
    let isStopped = false;
    while (venue.pump(100_000)) {
      if (venue.hasTapeEnded && !isStopped) bot.stop();
      isStopped ||= venue.hasTapeEnded;
    }
    await bot.close();
    return store.eventLogHash();
  } finally {
    tapes.feed.close();
  }
}

/** Returns a function that wraps the strategy of an entry in event-regime. */
function wrapWith(params: object) {
  return (entry: LoadedEntry): LoadedEntry => {
    const { strategy } = entry;
    const create: typeof strategy.create = (parsed, context) =>
      eventRegime.wrap(strategy.create(parsed, context), eventRegime.params.parse(params), context);
    return { ...entry, strategy: { ...strategy, create } };
  };
}

it('event-regime with everything off gives the event log of the wrapped strategy', async () => {
  const bare = await hashOf((entry) => entry);
  expect(await hashOf(wrapWith(OFF))).toBe(bare);
  expect(await hashOf(wrapWith({ ...OFF, jump_ticks: 5 }))).not.toBe(bare);
});

it('event-regime wraps the strategy of its parameters on the recorded match', async () => {
  const disabled = await run(OFF);
  expect(disabled.strategy).toBe('event-regime-ladder');
  expect(disabled.fills.count).toBeGreaterThan(5);
  expect((await run(OFF)).eventLogHash).toBe(disabled.eventLogHash);
  const pulled = await run({});
  expect(pulled.stateHash).not.toBe(disabled.stateHash);
  expect(pulled.fills.count).toBeGreaterThan(0);
});

it('event-regime without a position places no order in the halt window and in the reduce-only window', async () => {
  const halted = await run({ ...OFF, halt_window: 3_600, resolution_time: '2022-07-11T13:00:00Z' });
  expect(halted.orders.placed).toBe(0);
  const reducing = await run({ ...OFF, reduce_only_window: 3_600, resolution_time: '2022-07-11T13:00:00Z' });
  expect(reducing.orders.placed).toBe(0);
});
