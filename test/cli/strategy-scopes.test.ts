/** A strategy on two markets decides the same in each mode, with one instance for all markets or one for each. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { replayRecording } from '../../src/app/replay.ts';
import { openTapes } from '../../src/backtest/open-tapes.ts';
import { createComponents } from '../../src/backtest/run-components.ts';
import { parseRunSpec } from '../../src/backtest/run-spec.ts';
import { readStepLog } from '../../src/history/index.ts';
import { loadStrategies, type Step } from '../../src/runtime/index.ts';
import type { MarketView } from '../../src/state/index.ts';
import { Harness } from '../venues/service/harness.ts';
import { ROOT } from './halfspread.ts';
import { LiveFixture, stopAndClose } from './live-fixture.ts';
import { until } from './trading.ts';

const FOLDERS = [join(ROOT, 'test/fixtures/strategies')];

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

/** The taking orders in order of decision, without times and order numbers. */
function takes(steps: readonly Step[], ids: readonly string[]): readonly string[] {
  return steps.flatMap(({ commands }) =>
    commands.flatMap((command) => {
      if (command.type !== 'place') return [];
      return `bot ${command.bot}: ${command.shares / 1e6} in ${ids[command.market]} at ${command.price}`;
    }),
  );
}

function recordingOf(fixture: LiveFixture): string {
  const folder = join(fixture.folder, 'recordings');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.steps'));
  return join(folder, name);
}

async function backtestTakes(strategy: string, tape: string) {
  const spec = parseRunSpec({ strategy, tapes: [tape], report_dir: null });
  const tapes = openTapes(spec, ROOT);
  const strategies = await loadStrategies(spec, { folders: FOLDERS, baseDir: ROOT });
  const { run, venue, store } = createComponents(spec, strategies, tapes);
  const steps: Step[] = [];
  const append = store.append.bind(store);
  store.append = (more) => {
    steps.push(...more);
    append(more);
  };
  await run.start();
  venue.pump();
  await run.close();
  tapes.feed.close();
  return takes(
    steps,
    tapes.markets.map(({ id }) => id),
  );
}

describe('a strategy on two markets', () => {
  it.each([
    ['lead-lag', 'one instance', 10],
    ['own-drift', 'an instance for each market', 20],
  ] as const)(
    'decides the same live, on paper, in a replay and in a backtest of the recorded session: %s with %s',
    async (strategy, _instances, at) => {
      const ids = [await harness.market(at), await harness.market(at + 1)];
      const other = await harness.trader();
      const bid = (market: number, outcome: 'YES' | 'NO', priceBps: number) =>
        other.place({ marketId: ids[market] ?? '', outcome, side: 'BUY', priceBps, shares: 50 });
      for (const market of [0, 1]) {
        await bid(market, 'YES', 4_000);
        await bid(market, 'NO', 4_000);
      }
      const sections = (mode: string) =>
        [
          `mode: ${mode}`,
          `strategy: ${ROOT}/test/fixtures/strategies/${strategy}`,
          `markets: { ids: ["${ids.join('", "')}"] }`,
          'record: recordings',
        ].join('\n');
      const fixtures = [new LiveFixture(harness, sections('live')), new LiveFixture(harness, sections('paper'))];
      const bots: OpenedLive[] = [];
      for (const fixture of fixtures) bots.push(await fixture.run());
      const books = ({ state }: OpenedLive, test: (market: MarketView) => boolean) =>
        state.markets.length === 2 && state.markets.every(test);
      for (const bot of bots) await until(() => books(bot, ({ mark }) => mark !== undefined), 'the bot has both books');
      for (const [step, market] of [0, 1, 0, 0, 1, 0].entries()) {
        const price = 4_100 + 100 * step;
        await bid(market, 'YES', price);
        const isSeen = ({ state }: OpenedLive) =>
          state.markets.some(({ info, book }) => info.id === ids[market] && book.bestBid() === price);
        for (const bot of bots) await until(() => isSeen(bot), `it sees the bid at ${price}`);
      }
      for (const bot of bots) await stopAndClose(bot);

      const [live = '', paper = ''] = fixtures.map(recordingOf);
      const decided = [live, paper].map((file) => takes([...readStepLog(file).steps()], ids));
      expect(decided[0]?.length).toBe(strategy === 'lead-lag' ? 4 : 6);
      expect(decided[1]).toEqual(decided[0]);
      expect(await backtestTakes(strategy, live.replace('.steps', '.tape'))).toEqual(decided[0]);
      for (const file of [live, paper]) {
        const { replayed } = await replayRecording(file, FOLDERS);
        expect(replayed).toMatchObject({ same: replayed.steps, difference: null });
      }
    },
    60_000,
  );
});
