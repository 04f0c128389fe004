import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/domain/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { TradingCore } from '../../src/runtime/index.ts';
import { eachMessage, messages } from '../state/messages.ts';
import { about, account, filled, usd } from '../state/world.ts';
import { Bench, bids, commandTexts, createInstance, FakePlanner, outbox, refusal } from './fakes.ts';

describe('loss limits', () => {
  it('are checked only when equity may have changed and when a UTC day begins', () => {
    const bench = new Bench([]).start();
    bench.feed('1001 | bid 5000 1 | ask 5200 1\n1002 | bid 4990 1');
    expect(bench.risk.equityChecks).toEqual([usd(1_000)]);
    bench.step(filled({ order: 1, price: 5_100, size: 100 }));
    bench.feed('1003 | bid 5010 1\n1004 | ask 5190 1\n1005 | bid 5010 0');
    expect(bench.risk.equityChecks).toEqual([usd(1_000), usd(999), usd(999.1), usd(999)]);
    bench.feed('86399999 | ask 5180 1');
    expect(bench.risk.equityChecks.length).toBe(4);
    bench.feed('86400000 | ask 5170 1\n86400001 | ask 5160 1');
    expect(bench.risk.equityChecks.length).toBe(5);
    bench.step({ type: 'signalReceived', time: epochMs(3 * 86_400_000), name: 's', value: 0 });
    expect(bench.risk.equityChecks.length).toBe(6);
  });

  it('cancel all orders on a breach before any handler is called, and refuse later intents', () => {
    const seen: string[] = [];
    let price = 4_100;
    const instance = createInstance({
      onStart: () => [bids(4_000)],
      onBook({ orders }) {
        seen.push(...orders.map(({ phase }) => phase));
        return [bids(price)];
      },
    });
    const bench = new Bench([instance]).start();
    bench.step(filled({ order: 1, price: 4_000, size: 4 }));
    bench.risk.breach = refusal('DRAWDOWN');
    const out = bench.feed('1001 | bid 1000 1');
    expect(seen).toEqual(['cancelling']);
    expect(commandTexts(out.commands)).toEqual(['cancelAll']);
    expect(out.steps[0]?.refused).toEqual([refusal('DRAWDOWN'), refusal('KILLED')]);
    price = 4_110;
    expect(bench.feed('1002 | bid 1010 1').steps[0]?.refused).toEqual([refusal('KILLED')]);
    // The same intent is refused again without a report.
    const repeated = bench.feed('1003 | bid 1020 1');
    expect([repeated.commands, repeated.steps.flatMap(({ refused }) => refused)]).toEqual([[], []]);
  });
});

describe('the command of an operator', () => {
  const sendCommand = (bench: Bench, command: 'kill' | 'reduce' | 'resume') =>
    bench.step({ type: 'operatorCommanded', time: epochMs(2_000), command });

  it('`kill` cancels all orders and drops deferred quotes', () => {
    const bench = new Bench([createInstance({ onStart: () => [bids(4_000)], onSignal: () => [bids(4_100)] })]).start();
    bench.planner.isDeferred = true;
    bench.step({ type: 'signalReceived', time: epochMs(1_500), name: 's', value: 1 });
    bench.planner.isDeferred = false;
    expect([commandTexts(sendCommand(bench, 'kill').commands), bench.risk.mode]).toEqual([['cancelAll'], 'KILLED']);
    sendCommand(bench, 'resume');
    expect(bench.step({ type: 'orderClosed', ...about(1), reason: 'USER' }).commands).toEqual([]);
  });

  it('`reduce` cancels open orders and sets the mode REDUCING', () => {
    const bench = new Bench([createInstance({ onStart: () => [bids(4_000)] })]).start();
    expect([commandTexts(sendCommand(bench, 'reduce').commands), bench.risk.mode]).toEqual([['cancelAll'], 'REDUCING']);
  });

  it('`resume` restarts the loss limits', () => {
    const state = account();
    const risk = createRiskGate(riskLimits(riskSchema.parse({ daily_loss_usd: 5 })));
    const core = new TradingCore({ state, instances: [], risk, planner: new FakePlanner() });
    const out = outbox();
    const rows = (text: string) => eachMessage(messages(text), (row) => core.market(row, out));
    core.step({ type: 'started', time: epochMs(1_000) }, out);
    rows('1001 | bid 5000 1 | ask 5200 1');
    core.step(filled({ order: 1, price: 5_000, size: 100 }), out);
    core.step({ type: 'operatorCommanded', time: epochMs(1_100), command: 'kill' }, out);
    core.step({ type: 'operatorCommanded', time: epochMs(1_200), command: 'resume' }, out);
    rows('1300 | bid 5000 0 | bid 4400 1');
    expect(risk.mode).toBe('KILLED');
  });

  it('`resume` calls `onBook` in markets with a book, as a venue does that is reachable again', () => {
    const requests: string[] = [];
    const onBook = (): undefined => void requests.push('book');
    const bench = new Bench([createInstance({ onBook })]).start();
    sendCommand(bench, 'resume');
    expect(requests).toEqual([]);
    bench.feed('1001 | bid 5000 1 | ask 5200 1');
    sendCommand(bench, 'reduce');
    expect(requests).toHaveLength(1);
    sendCommand(bench, 'resume');
    expect(requests).toHaveLength(2);
    const venue = (link: 'UP' | 'DOWN') => {
      const time = epochMs(3_000);
      bench.step({ type: 'venueChanged', time, venueTime: time, mode: 'NORMAL', link });
      return requests.length;
    };
    expect(['DOWN', 'DOWN', 'UP', 'UP'].map((link) => venue(link === 'UP' ? 'UP' : 'DOWN'))).toEqual([2, 2, 3, 3]);
  });

  it('`resume` sends no command', () => {
    const bench = new Bench([]).start();
    bench.risk.mode = 'KILLED';
    expect([sendCommand(bench, 'resume').commands, bench.risk.mode]).toEqual([[], 'ACTIVE']);
  });
});
