import { expect, it } from 'vitest';
import { StrategyTotals } from '../../../src/analytics/index.ts';
import { ResultCollector } from '../../../src/backtest/collect/result-collector.ts';
import { replaySession } from '../../../src/backtest/session/session-replay.ts';
import { seededRandom } from '../../../src/clock/index.ts';
import { epochMs, type InputEvent, unchecked } from '../../../src/domain/index.ts';
import { type RecoveredBot, type Step, StrategyAssignments } from '../../../src/runtime/index.ts';
import { about, account, applyMessages, filled, place, usd } from '../../state/world.ts';

function openSession(fill = filled({ order: 1 })) {
  const state = account();
  applyMessages(state, '1000 | bid 5000 100 | ask 5200 100');
  state.applyCommand(place({ order: 1 }), epochMs(1_500));
  const events: InputEvent[] = [{ type: 'orderAccepted', ...about(1) }, fill];
  return { state, events };
}

it('measures a drawdown before the first own fill when the session starts with holdings', () => {
  const { state, events } = openSession();
  for (const event of events) state.apply(event);
  const capital = state.ledger.equity;
  let equity: number = capital;
  const collector = new ResultCollector({ start: 2_000, capital, state, markets: 1, equity: () => equity });
  equity = capital - 1_000_000;
  collector.onMark(unchecked.market(0), { now: epochMs(3_000) }, 9_000);
  equity = capital;
  expect(collector.finish(4_000, seededRandom(1)).maxDrawdownMicros).toBe(1_000_000);
});

it('excludes a reversed fill from the totals by strategy of a session', () => {
  const fill = { ...filled({ order: 1 }), trade: 't', provisional: true as const };
  const { state, events } = openSession(fill);
  const { outcome, side, price, shares, liquidity } = fill;
  events.push({
    type: 'fillReversed',
    ...about(1, 3_000),
    trade: 't',
    outcome,
    side,
    price,
    shares,
    liquidity,
    fee: usd(0),
  });
  const instance = unchecked.instance(0);
  const recovered = {
    state,
    assignments: new StrategyAssignments([
      { bot: instance, strategy: 'maker', params: '{}', changed: {}, markets: [unchecked.market(0)] },
    ]),
    rows: 0,
  } as unknown as RecoveredBot;
  const steps = [startedEvent(), ...events].map((event, index) => ({
    seq: unchecked.seq(index + 1),
    time: 'time' in event ? event.time : epochMs(1_600),
    row: 0,
    event,
    commands: [],
    refused: [],
  })) as unknown as readonly Step[];
  const totals = new StrategyTotals();
  const begin = () =>
    new ResultCollector({
      start: 0,
      capital: state.ledger.equity,
      state,
      markets: 1,
      equity: () => state.ledger.equity,
    });
  replaySession({ recovered, feed: { fill: () => 0, close() {} }, steps, totals, begin });
  const [row] = totals.results(['maker'], () => ({ mark: undefined, settlement: undefined }));
  expect(row).toMatchObject({ fills: 0, makerFills: 0, shares: 0, pnlMicros: 0 });
});

function startedEvent(): InputEvent {
  return { type: 'started', time: epochMs(1_600) } as InputEvent;
}
