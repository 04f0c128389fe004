import { describe, expect, it } from 'vitest';
import {
  type BotNo,
  counted,
  durationMs,
  epochMs,
  type Link,
  type MarketAdded,
  type OperatorCommand,
  StrategyFault,
  type VenueMode,
} from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { type StrategyAssignment, StrategyAssignments } from '../../src/runtime/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { filled, setup, shares, usd } from '../state/world.ts';
import { Bench, bids, botOf, commandTexts, MARKET } from './fakes.ts';
import { around, commandLines, LiveBench, quoter } from './live-bench.ts';

function sendCommand(bench: LiveBench, command: OperatorCommand, reason?: string): readonly string[] {
  const why = reason === undefined ? {} : { reason };
  return commandLines(bench.step({ type: 'operatorCommanded', time: epochMs(bench.now), command, ...why }).commands);
}

/** Holdings of a market as the venue reports them. */
function held(bench: LiveBench, market: number, yes: number, no = 0): void {
  const time = epochMs(bench.now);
  const cost = { yesCost: usd(yes / 2), noCost: usd(no / 2) };
  const received = { time, venueTime: time, market: counted.market(market) };
  bench.step({ type: 'holdingAdjusted', ...received, yes: shares(yes), no: shares(no), ...cost });
}

describe('an operator’s command', () => {
  it('`pause` cancels all orders and refuses everything until `resume`', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(sendCommand(bench, 'pause', 'lunch')).toEqual(['cancel all']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'lunch']);
    bench.answer();
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(bench.steps.at(-1)?.refused.map(({ code }) => code)).toEqual(['PAUSED', 'PAUSED']);
    expect(sendCommand(bench, 'resume')).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
  });

  it('reports the refusal of `pause` and `kill` once for each different quote set', () => {
    const bench = new LiveBench(1);
    const codes = () => bench.steps.flatMap(({ refused }) => refused.map(({ code }) => code));
    sendCommand(bench, 'pause');
    for (const price of [5_000, 5_000, 5_000]) bench.submit(0, price);
    expect(codes()).toEqual(['PAUSED', 'PAUSED']);
    bench.submit(0, 5_010);
    expect(codes()).toHaveLength(4);
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(6);
    sendCommand(bench, 'kill');
    for (const price of [5_000, 5_000]) bench.submit(0, price);
    expect(codes().slice(6)).toEqual(['KILLED', 'KILLED']);
    sendCommand(bench, 'resume');
    expect(bench.submit(0, 5_000)).toHaveLength(2);
    sendCommand(bench, 'pause');
    bench.submit(0, 5_000);
    expect(codes().slice(8)).toEqual(['PAUSED', 'PAUSED']);
  });

  it('`cancelAll` cancels all orders once', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(sendCommand(bench, 'cancelAll')).toEqual(['cancel all']);
    bench.answer();
    expect([bench.risk.mode, bench.submit(0, 5_000).length]).toEqual(['ACTIVE', 2]);
  });

  it('`kill` cancels the orders of all bots', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(sendCommand(bench, 'kill', 'SIGNAL')).toEqual(['cancel all of everyone']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['KILLED', 'SIGNAL']);
  });

  it('`cancelAll` does not end flattening, any other command does', () => {
    const bench = new LiveBench(2);
    held(bench, 0, 50);
    sendCommand(bench, 'flatten');
    sendCommand(bench, 'cancelAll');
    bench.step({ type: 'orderClosed', ...head(bench, 1), reason: 'FAK_REMAINDER' });
    expect(commandLines(bench.feed('bid 4010 100').commands)).toEqual(['place 2 in 0']);
    sendCommand(bench, 'pause');
    bench.step({ type: 'orderClosed', ...head(bench, 2), reason: 'FAK_REMAINDER' });
    expect(bench.feed('bid 4020 100').commands).toEqual([]);
    expect(bench.risk.mode).toBe('PAUSED');
  });
});

describe('flatten', () => {
  it('merges pairs, sells the rest within the collar, and pauses when nothing is left', () => {
    const bench = new LiveBench(2);
    held(bench, 0, 50, 20);
    held(bench, 1, 0, 30);
    bench.submit(0, 5_000);
    bench.answer();
    // Nothing is sold while own orders may still fill.
    expect(sendCommand(bench, 'flatten', 'over')).toEqual(['cancel all', 'place 3 in 1']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['REDUCING', 'flatten: over']);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['merge in 0']);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['place 4 in 0']);
    const sold = { size: 30, left: 0, side: 'SELL' } as const;
    const time = epochMs(bench.now);
    bench.step({ ...filled({ ...sold, order: 4, price: 4_000 }), time });
    expect(bench.risk.mode).toBe('REDUCING');
    bench.feed('@1 bid 4000 50');
    bench.step({ ...filled({ ...sold, order: 5, outcome: 'NO', price: 4_000, market: 1 }), time });
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten: over']);
    expect(bench.state.markets.map(({ position }) => position.net)).toEqual([0, 0]);
  });

  it('sells at the worst price of the collar, and not when no bid is within it', () => {
    const bench = new LiveBench(2, {}, undefined, { price_collar_bps: 500 });
    held(bench, 0, 50);
    held(bench, 1, 0, 30);
    sendCommand(bench, 'flatten');
    expect(bench.sent).toEqual([{ type: 'cancelAll' }]);
    bench.feed('@0 bid 4800 10 | @0 ask 5200 10');
    bench.feed('@1 bid 4900 10 | @1 ask 5040 10');
    expect(bench.sent.slice(1)).toMatchObject([
      { outcome: 'YES', side: 'SELL', price: 4_500, shares: shares(50), timeInForce: 'FAK' },
      { outcome: 'NO', side: 'SELL', price: 4_530, shares: shares(30), timeInForce: 'FAK' },
    ]);
  });

  it('sells again after each answer while there are buyers, one take at a time', () => {
    const bench = new LiveBench(1);
    held(bench, 0, 50);
    expect(sendCommand(bench, 'flatten')).toEqual(['cancel all', 'place 1 in 0']);
    expect(bench.feed('bid 4010 3').commands).toEqual([]);
    const fill = filled({ order: 1, side: 'SELL', price: 4_000, size: 20, left: 30 });
    bench.step({ ...fill, time: epochMs(bench.now) });
    bench.step({ type: 'orderClosed', ...head(bench, 1), reason: 'FAK_REMAINDER' });
    expect(commandLines(bench.sent)).toEqual(['cancel all', 'place 1 in 0']);
    bench.feed('bid 4000 7');
    expect(commandLines(bench.sent)).toEqual(['cancel all', 'place 1 in 0', 'place 2 in 0']);
    const rest = filled({ order: 2, side: 'SELL', price: 4_000, size: 30, left: 0 });
    bench.step({ ...rest, time: epochMs(bench.now) });
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten']);
    expect(commandLines(bench.sent).slice(3)).toEqual(['cancel all']);
  });

  it('sells a position larger than `max_order` in orders of at most that size', () => {
    const bench = new LiveBench(1, {}, undefined, { max_order: 300 });
    held(bench, 0, 800);
    const time = epochMs(bench.now);
    sendCommand(bench, 'flatten');
    for (const [order, size] of [300, 300, 200].entries()) {
      expect(bench.sent.at(-1)).toMatchObject({ type: 'place', side: 'SELL', shares: shares(size) });
      bench.step({ ...filled({ order: order + 1, side: 'SELL', price: 4_000, size, left: 0 }), time });
    }
    expect(bench.steps.flatMap(({ refused }) => refused)).toEqual([]);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten']);
  });

  it('ends at once when nothing is held', () => {
    const bench = new LiveBench(1);
    expect([sendCommand(bench, 'flatten'), bench.risk.mode]).toEqual([['cancel all', 'cancel all'], 'PAUSED']);
  });

  it('continues after a restart', () => {
    const before = new LiveBench(1);
    held(before, 0, 50);
    sendCommand(before, 'flatten');
    const taken = filled({ order: 1, side: 'SELL', price: 4_000, size: 20, left: 0 });
    before.step({ ...taken, time: epochMs(before.now) });
    const risk = createRiskGate(riskLimits(riskSchema.parse({})), before.risk.snapshot());
    const planner = createPlanner({ firstOrder: counted.order(9) });
    const again = new LiveBench(1, { risk, planner, state: AccountState.restore(before.state.snapshot()) });
    expect(again.state.openOrders).toBe(1);
    again.step({ type: 'orderClosed', ...head(again, 2), reason: 'USER' });
    expect(commandLines(again.sent)).toEqual(['place 9 in 0']);
  });
});

describe('flatten while a strategy keeps quoting', () => {
  /** Quotes at each book and at each timer. */
  const stubborn = (market = 0) => {
    const quotes = () => [around(market, 5_000)];
    return botOf({ onBook: quotes, onTimer: quotes }, { number: market, markets: [market] });
  };
  const tick = (bench: LiveBench) =>
    commandLines(
      bench.step({ type: 'timerFired', time: epochMs(bench.now), bot: counted.bot(0), timer: 'x' }).commands,
    );

  it('closes the position; intents of the strategy are neither executed nor refused', () => {
    const bench = new LiveBench(1, {}, [stubborn()]);
    held(bench, 0, 50);
    bench.feed('bid 4000 99');
    expect(bench.standing(0)).toEqual(['10 @ 4900', '10 @ 5100']);
    bench.answer();
    const before = bench.steps.length;
    expect(sendCommand(bench, 'flatten')).toEqual(['cancel all']);
    expect([tick(bench), commandLines(bench.feed('bid 4000 98').commands)]).toEqual([[], []]);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['place 3 in 0']);
    const sold = filled({ order: 3, side: 'SELL', price: 4_000, size: 50, left: 0 });
    bench.step({ ...sold, time: epochMs(bench.now) });
    expect([bench.risk.mode, bench.state.markets[0]?.position.net]).toEqual(['PAUSED', 0]);
    expect(bench.steps.slice(before).flatMap(({ refused }) => refused)).toEqual([]);
    bench.answer();
    expect(tick(bench)).toEqual([]);
    expect(sendCommand(bench, 'resume')).toEqual(['place 4 in 0', 'place 5 in 0']);
  });

  it('also works after a restart, and `reduce` lets the strategy’s intents execute again', () => {
    const risk = createRiskGate(riskLimits(riskSchema.parse({ max_position: 'none', max_book_age_ms: 'none' })));
    risk.setMode('REDUCING', 'flatten: over');
    const before = new LiveBench(1);
    held(before, 0, 50);
    const state = () => AccountState.restore(before.state.snapshot());
    const bench = new LiveBench(1, { risk, state: state() }, [stubborn()]);
    expect(commandLines(bench.sent)).toEqual(['place 1 in 0']);
    expect(tick(bench)).toEqual([]);
    expect(commandLines(bench.feed('bid 4000 99').commands)).toEqual([]);
    bench.answer();
    expect(sendCommand(bench, 'reduce', 'flatten no more')).toEqual(['cancel all']);
    expect(tick(bench)).toEqual(['place 2 in 0']);
    // A reason with the same prefix does not start flattening.
    const again = new LiveBench(1, { risk, state: state() }, [stubborn()]);
    expect(again.sent).toEqual([]);
    expect(tick(again)).toEqual(['place 1 in 0']);
  });

  it('works while paused, and is paused again when nothing is left', () => {
    const bench = new LiveBench(1, {}, [stubborn()]);
    held(bench, 0, 50);
    sendCommand(bench, 'pause');
    bench.answer();
    expect(sendCommand(bench, 'flatten')).toEqual(['cancel all', 'place 1 in 0']);
    expect(tick(bench)).toEqual([]);
    bench.step({
      ...filled({ order: 1, side: 'SELL', price: 4_000, size: 50, left: 0 }),
      time: epochMs(bench.now),
    });
    expect(bench.risk.mode).toBe('PAUSED');
    sendCommand(bench, 'kill');
    sendCommand(bench, 'flatten');
    expect(bench.risk.mode).toBe('KILLED');
  });
});

describe('reduce while a strategy quotes both sides', () => {
  it('reports REDUCE_ONLY once while quotes are refused for it, whatever the quotes are', () => {
    const bench = new LiveBench(1);
    held(bench, 0, 50);
    const codes = () => bench.steps.flatMap(({ refused }) => refused.map(({ code }) => code));
    sendCommand(bench, 'reduce');
    for (const mid of [5_000, 5_010, 5_020, 5_000]) bench.submit(0, mid);
    expect(codes()).toEqual(['REDUCE_ONLY']);
    expect(bench.standing(0)).toEqual(['10 @ 5100']);
    bench.submit(0, 0);
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(2);
    sendCommand(bench, 'reduce');
    bench.submit(0, 5_000);
    expect(codes()).toHaveLength(3);
  });
});

describe('an unusable venue', () => {
  const changeVenue = (bench: LiveBench, mode: VenueMode, link: Link = 'UP') => {
    const time = epochMs(bench.now);
    return commandLines(bench.step({ type: 'venueChanged', time, venueTime: time, mode, link }).commands);
  };

  it('has its quotes cancelled once, and they return with the next quote set', () => {
    const bench = new LiveBench(1);
    bench.submit(0, 5_000);
    expect(changeVenue(bench, 'POST_ONLY')).toEqual([]);
    expect(changeVenue(bench, 'CANCEL_ONLY')).toEqual(['cancel all']);
    expect(changeVenue(bench, 'HALTED')).toEqual([]);
    bench.answer();
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(changeVenue(bench, 'NORMAL')).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
    bench.answer();
    expect(changeVenue(bench, 'NORMAL', 'DOWN')).toEqual(['cancel all']);
  });

  it('has all orders in a market cancelled when the market halts or its book is unreliable', () => {
    const bench = new LiveBench(2);
    bench.submit(0, 5_000);
    bench.submit(1, 5_000);
    bench.answer();
    const orders = bench.state.markets[0]?.orders.map(({ order }) => `cancel ${order}`);
    expect(orders).toHaveLength(2);
    expect(commandLines(bench.feed('@0 status HALTED').commands)).toEqual(orders);
    expect(commandLines(bench.feed('@0 bid 4000 90').commands)).toEqual([]);
    bench.answer();
    expect([bench.standing(0), bench.standing(1).length]).toEqual([[], 2]);
    expect(commandLines(bench.feed('@0 status OPEN').commands)).toEqual([]);
    expect(bench.submit(0, 5_000)).toHaveLength(2);
  });

  it('makes risk recompute a market after a fill of an unknown order', () => {
    const bench = new Bench([botOf({})], [setup(0), setup(1)]).start();
    bench.step({ ...filled({ order: 1, market: 1 }), order: counted.order(0) });
    const { time, venueTime, market } = head(bench, 1);
    const nothing = { yes: shares(1), no: shares(0), yesCost: usd(1), noCost: usd(0) };
    bench.step({ type: 'holdingAdjusted', time, venueTime, market, ...nothing });
    expect(bench.risk.strange).toEqual([1, 0]);
  });
});

describe('a bot with isolated failures', () => {
  it('has its orders cancelled and no more calls, and the others continue', () => {
    const calls: string[] = [];
    const failing = botOf({
      onBook: () => {
        calls.push('failing');
        throw new Error('no');
      },
      onSignal: ({ value }) => (value === 0 ? undefined : [around(0, value)]),
      onTimer: () => void calls.push('timer'),
    });
    const fine = botOf({ onBook: () => void calls.push('fine') }, { number: 1, markets: [0, 1] });
    const bench = new LiveBench(2, { isolateFailures: true }, [failing, fine]);
    bench.submit(0, 5_000);
    const out = bench.feed('bid 4010 3');
    expect(commandLines(out.commands)).toEqual(['cancel 1', 'cancel 2']);
    expect([out.fault, out.retired?.length, out.retired?.[0]]).toEqual([undefined, 1, expect.any(StrategyFault)]);
    expect(String(out.retired?.[0])).toContain('strategy "bot-0" failed in onBook');
    bench.feed('bid 4020 3');
    bench.step({ type: 'timerFired', time: epochMs(9_000), bot: counted.bot(0), timer: 'x' });
    bench.answer();
    expect(calls).toEqual(['failing', 'fine', 'fine']);
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(bench.risk.mode).toBe('ACTIVE');
  });

  it('may fail by an invalid return value in any handler', () => {
    const wrong = botOf({ onSignal: () => [{ ...bids(4_000), market: counted.market(1) }] });
    const bench = new LiveBench(2, { isolateFailures: true }, [wrong]);
    const out = bench.step({ type: 'signalReceived', time: epochMs(1_000), name: 'x', value: 1 });
    expect(String(out.retired?.[0])).toContain('market "market-1" is not one that');
  });

  it('ends the run without isolation', () => {
    const bench = new LiveBench(1, {}, [
      botOf({
        onSignal: () => {
          throw new Error('no');
        },
      }),
    ]);
    const out = bench.step({ type: 'signalReceived', time: epochMs(1_000), name: 'x', value: 1 });
    expect([out.retired, out.fault, bench.risk.mode]).toEqual([undefined, expect.any(StrategyFault), 'KILLED']);
  });
});

describe('the list of markets', () => {
  const OPEN = { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) } as const;
  const added = (market: number, bots: readonly number[], time = 2_000): MarketAdded => {
    const { info, limits } = setup(market);
    const named = bots.map((bot) => ({ bot: counted.bot(bot), strategy: 'quoter', params: '{"mid":1}' }));
    return { type: 'marketAdded', time: epochMs(time), info, limits, state: OPEN, bots: named };
  };
  /** Quotes around `mid` at the start and at each signal. */
  const makeBot = (entry: StrategyAssignment) => {
    const [market = counted.market(0)] = entry.markets;
    const mid = Number(Object.values(entry.changed)[0] ?? 5_000);
    const handlers = { onStart: () => [around(market, mid)], onBook: quoter(market).handlers.onBook };
    return botOf({ ...quoter(market).handlers, onStart: handlers.onStart }, { number: entry.bot, markets: [market] });
  };
  const roster = () =>
    new StrategyAssignments([
      { bot: counted.bot(0), strategy: 'quoter', params: '{}', changed: {}, markets: [MARKET] },
    ]);

  it('starts the bots of an added market at once', () => {
    const bench = new LiveBench(1, { makeBot, assignments: roster() });
    bench.step(added(1, [1]));
    expect(bench.core.bots.map(({ markets }) => markets)).toEqual([[0], [1]]);
    expect(bench.submit(1, 5_000)).toEqual([]);
    bench.feed('@1 bid 4000 100 | @1 ask 6000 100');
    expect(bench.submit(1, 5_000)).toEqual(['place 1 in 1', 'place 2 in 1']);
    expect(bench.submit(0, 5_000)).toEqual(['place 3 in 0', 'place 4 in 0']);
  });

  it('cancels the orders of a removed market, calls no handler for it, and adds it again under its number', () => {
    const bench = new LiveBench(2, { makeBot, assignments: roster() });
    for (const market of [0, 1]) bench.submit(market, 5_000);
    bench.answer();
    const out = bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    expect(commandLines(out.commands)).toEqual(['cancel 1', 'cancel 2']);
    bench.answer();
    expect(bench.standing(1)).toHaveLength(2);
    bench.feed('@0 bid 4100 100');
    const back = bench.step(added(0, [0], 3_000));
    expect(commandLines(back.commands)).toEqual(['place 5 in 0', 'place 6 in 0']);
    expect(bench.state.markets.length).toBe(2);
  });

  it('cancels the one order that an operator cancels, once, and lets its strategy place another', () => {
    const bench = new LiveBench(1, { makeBot, assignments: roster() });
    expect(bench.submit(0, 5_000)).toEqual(['place 1 in 0', 'place 2 in 0']);
    bench.answer();
    const cancel = (order: number) =>
      commandLines(
        bench.step({ type: 'cancelCommanded', time: epochMs(bench.now), market: MARKET, order: counted.order(order) })
          .commands,
      );
    expect(cancel(2)).toEqual(['cancel 2']);
    expect(cancel(2)).toEqual([]);
    bench.answer();
    expect([cancel(2), cancel(9)]).toEqual([[], []]);
    expect(bench.standing(0)).toHaveLength(1);
    expect(bench.submit(0, 5_000)).toEqual(['place 3 in 0']);
  });

  it('ignores intents for a removed market, for example after a timer', () => {
    const quoting = (number: number, markets: readonly number[]) =>
      botOf(
        { onTimer: () => markets.map((market) => around(market, 5_000)) },
        { number, markets, timers: [{ name: 'refresh', everyMs: 1_000 }] },
      );
    const bench = new LiveBench(3, {}, [quoting(0, [0]), quoting(1, [1, 2])]);
    const tick = (bot: number) =>
      commandLines(
        bench.step({ type: 'timerFired', time: epochMs(bench.now), bot: counted.bot(bot), timer: 'refresh' }).commands,
      );
    expect([tick(0).length, tick(1).length]).toEqual([2, 4]);
    bench.answer();
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: counted.market(1) });
    bench.answer();
    expect([tick(0), tick(1)]).toEqual([[], []]);
    expect([0, 1, 2].map((market) => bench.standing(market).length)).toEqual([0, 0, 2]);
    expect(bench.core.bots.map(({ timers }) => timers.length)).toEqual([0, 1]);
    expect(bench.steps.at(-1)?.refused).toEqual([]);
    bench.step(added(0, []));
    expect([bench.core.bots[0]?.timers.length, tick(0).length]).toEqual([1, 2]);
  });

  it('cancels an order in a removed market again after a refused replace left it open', () => {
    const bench = new LiveBench(1, { makeBot, assignments: roster() });
    bench.submit(0, 5_000);
    bench.answer();
    bench.submit(0, 5_100);
    const moved = bench.sent.splice(0);
    expect(commandLines(moved)).toEqual(['replace 2 by 2 in 0']);
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    const refusedBy = (reason: 'POST_ONLY_WOULD_CROSS' | 'ALREADY_FINAL', order: number) =>
      commandLines(bench.step({ type: 'cancelRejected', ...head(bench, order), reason }).commands);
    expect(refusedBy('POST_ONLY_WOULD_CROSS', 1)).toEqual(['cancel 1']);
    expect(refusedBy('ALREADY_FINAL', 2)).toEqual([]);
    // Repeats end when the venue keeps refusing.
    expect(refusedBy('POST_ONLY_WOULD_CROSS', 1)).toEqual([]);
  });

  it('recreates a bot with a changed parameter and keeps its orders', () => {
    const bench = new LiveBench(1, { makeBot, assignments: roster() });
    bench.submit(0, 5_000);
    bench.answer();
    const time = epochMs(2_000);
    const set = { type: 'parameterSet', time, bot: counted.bot(0) as BotNo, name: 'mid', value: '5100' } as const;
    expect(commandLines(bench.step(set).commands)).toEqual(['replace 2 by 2 in 0']);
    expect(bench.standing(0)).toEqual(['10 @ 5000', '10 @ 5200']);
  });

  it('only stores changes before the start or when bots cannot be created', () => {
    const own = roster();
    const bench = new LiveBench(1, { assignments: own });
    bench.step({ type: 'parameterSet', time: epochMs(2_000), bot: counted.bot(0), name: 'mid', value: '5' });
    expect(own.entries[0]?.changed).toEqual({ mid: '5' });
    expect(commandTexts(bench.sent)).toEqual([]);
  });

  it('ignores a market with a wrong number', () => {
    const bench = new LiveBench(1);
    bench.step(added(5, []));
    expect([bench.state.markets.length, bench.state.unexplained]).toEqual([1, 1]);
  });
});

function head(bench: { readonly state: LiveBench['state'] }, order: number) {
  const time = epochMs(Math.max(1_000, bench.state.now));
  return { time, venueTime: time, order: counted.order(order), market: MARKET };
}
