/** What the adapter does about each fault that the venue is known for (docs/spec/polymarket.md), on the embedded venue. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import {
  counted,
  microShares,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  SHARE,
} from '../../../src/domain/index.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import {
  adapter,
  type BotOptions,
  type BotParts,
  openPolymarket,
  openTestMarket,
  type PolymarketHarness,
  recorder,
  type TestMarket,
} from './harness.ts';

const MARKET = counted.market(0);
let harness: PolymarketHarness;
let fixtures = 0;

beforeAll(async () => {
  harness = await openPolymarket({ polymarket: { minedMs: 20, confirmedMs: 20, heartbeatMs: 10_000 } });
});
afterAll(() => harness.venue.close());

interface Bot extends BotParts {
  readonly testMarket: TestMarket;
  readonly session: VenueSession;
  readonly events: { readonly type: string }[];
  readonly no: number;
  send(...commands: readonly OrderCommand[]): void;
  buy(order: number, price: number, shares: number, more?: Partial<PlaceOrder>): PlaceOrder;
  types(): readonly string[];
  /** Somebody buys or sells YES against the bot. */
  trade(side: 'buy' | 'sell', price: number, shares: number): Promise<void>;
}

async function started(options: Partial<BotOptions> = {}, before?: Bot): Promise<Bot> {
  fixtures += 1;
  const testMarket = before?.testMarket ?? (await openTestMarket(harness, `Fault ${fixtures}?`));
  const no = before?.no ?? 300 + fixtures;
  const parts = await adapter(harness, { no, testMarket, ...options });
  const record = recorder(parts.records);
  const events: { readonly type: string }[] = [];
  const session = await parts.venue.connect({
    rows: () => {},
    event(event, position) {
      parts.state.fold(event);
      record(event, position);
      events.push(event);
    },
  });
  afterThisTest.add(() => session.close());
  const other = await harness.venue.openTrader(2_000 + fixtures);
  return {
    ...parts,
    testMarket,
    session,
    events,
    no,
    send(...commands) {
      for (const command of commands) parts.state.sent(command, wallClock().now());
      session.send(commands);
    },
    buy: (order, price, shares, more = {}) => ({
      type: 'place',
      order: counted.order(order),
      bot: counted.bot(0),
      market: MARKET,
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(price),
      shares: microShares(shares * SHARE),
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      ...more,
    }),
    types: () => events.map(({ type }) => type).filter((type) => /^(order|cancel|fill)/.test(type)),
    async trade(side, price, shares) {
      const outcome = side === 'buy' ? 'YES' : 'NO';
      const bet = { outcome, side: 'BUY', priceBps: side === 'buy' ? price : 10_000 - price, size: shares } as const;
      await other.place(bet, testMarket.id);
    },
  };
}

const fault = (name: string, more: object): Promise<unknown> =>
  harness.venue.server.operate('polymarket-fault', { fault: name, ...more });

describe('an order', () => {
  it('whose answer was lost is uncertain, found by its hash, and never signed anew', async () => {
    const bot = await started({ timeoutMs: 500 });
    await fault('lose-answer', { times: 1 });
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.types()).toEqual(['orderAccepted']);
    await until(() => bot.venue.isQuiet);
    expect(bot.records.rows).toHaveLength(1);
    expect(await bot.venue.verifyNoneOpen(0)).toBe(1);
  });

  it('that never arrived is sent again, the same bytes', async () => {
    const bot = await started({ timeoutMs: 500 });
    const { rest } = bot;
    const ask = rest.sendPrivate.bind(rest);
    const bodies: string[] = [];
    let isFirst = true;
    rest.sendPrivate = (request) => {
      if (request.path !== '/order' || request.method !== 'POST') return ask(request);
      bodies.push(request.body ?? '');
      if (!isFirst) return ask(request);
      isFirst = false;
      return Promise.resolve({ type: 'unknown', problem: 'cut', sent: true });
    };
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.types()).toEqual(['orderUncertain', 'orderAccepted']);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bot.repeated).toContain('order: no answer');
  });

  it('that is killed at once and whose answer was lost is only looked for', async () => {
    const bot = await started({ timeoutMs: 500 });
    const { rest } = bot;
    const ask = rest.sendPrivate.bind(rest);
    let sent = 0;
    rest.sendPrivate = (request) => {
      if (request.path !== '/order' || request.method !== 'POST') return ask(request);
      sent += 1;
      return Promise.resolve({ type: 'unknown', problem: 'cut', sent: true });
    };
    bot.send(bot.buy(1, 4_500, 10, { timeInForce: 'FAK', postOnly: false }));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.types()).toEqual(['orderUncertain', 'orderRejected']);
    expect(sent).toBe(1);
  }, 30_000);

  it('of an answer that is about another order is looked for', async () => {
    const bot = await started();
    const { rest } = bot;
    const ask = rest.sendPrivate.bind(rest);
    rest.sendPrivate = async (request) => {
      const outcome = await ask(request);
      if (request.path !== '/order' || outcome.type !== 'done') return outcome;
      return { type: 'done', json: { ...Object(outcome.json), orderID: `0x${'1'.repeat(64)}` } };
    };
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await until(() => bot.venue.isQuiet);
    expect(bot.types().filter((type) => type === 'orderAccepted')).toHaveLength(1);
  });
});

describe('a trade', () => {
  it('that fails after it matched is taken back once, and its shares cannot be sold before it is confirmed', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    const cash = bot.state.cash;
    await fault('fail', { times: 1 });
    await bot.trade('sell', 4_500, 4);
    await until(() => bot.types().includes('orderFilled'));
    expect(bot.state.market(MARKET).sellable('YES')).toBe(0);
    await until(() => bot.types().includes('fillReversed'));
    expect(bot.types()).toEqual(['orderAccepted', 'orderFilled', 'fillReversed']);
    expect(bot.state.cash).toBe(cash);
    expect(bot.state.market(MARKET).position.yes).toBe(0);
  });

  it('that is sent again is booked once and settled once', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await fault('retry', { times: 1 });
    await bot.trade('sell', 4_500, 4);
    await until(() => bot.types().includes('fillSettled'));
    expect(bot.types()).toEqual(['orderAccepted', 'orderFilled', 'fillSettled']);
    expect(bot.state.market(MARKET).sellable('YES')).toBe(4 * SHARE);
    await bot.venue.audit();
    expect(bot.venue.agreement).toBe('agrees');
  });

  it('of a doubled stream is booked once', async () => {
    const bot = await started();
    await fault('double', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('double', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await bot.trade('sell', 4_500, 10);
    await until(() => bot.types().includes('fillSettled'));
    expect(bot.types()).toEqual(['orderAccepted', 'orderFilled', 'fillSettled']);
    expect(bot.state.openOrders).toBe(0);
  });

  it('that the stream did not tell is found by the lists', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await fault('silence', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('silence', { for_ms: 0 })));
    await bot.trade('sell', 4_500, 10);
    await until(async () => {
      await bot.venue.audit().catch(() => undefined);
      return bot.types().includes('orderFilled');
    });
    expect(bot.state.market(MARKET).position.yes).toBe(10 * SHARE);
  });

  it('of a channel that is open and says nothing of a new order makes the bot connect anew', async () => {
    const bot = await started();
    await fault('silence', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('silence', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await until(() => bot.venue.agreement === 'comparing');
    await until(() => bot.venue.agreement === 'agrees');
  });

  it('of two own orders at once is two fills', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 5), bot.buy(2, 4_500, 5));
    await until(() => bot.types().filter((type) => type === 'orderAccepted').length === 2);
    await bot.trade('sell', 4_500, 10);
    await until(() => bot.state.openOrders === 0);
    expect(bot.state.market(MARKET).position.yes).toBe(10 * SHARE);
  });
});

describe('the venue', () => {
  it('that restarts its engine takes nothing for a while: the core hears of it, and cancels go out afterwards', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await fault('restart', { for_ms: 500 });
    bot.send(bot.buy(2, 4_400, 10));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.modes).toContain('HALTED');
    bot.send({ type: 'cancel', order: counted.order(1), market: MARKET });
    await until(() => bot.types().includes('orderClosed'));
    await until(() => bot.modes.at(-1) === 'NORMAL');
    await until(() => bot.venue.agreement === 'agrees');
  });

  it('that takes only post-only orders says so', async () => {
    const bot = await started();
    await fault('post-only', { for_ms: 500 });
    bot.send(bot.buy(1, 4_500, 10, { postOnly: false }));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.modes).toContain('POST_ONLY');
    await fault('post-only', { for_ms: 0 });
  });

  it('that closes the region ends the run, and nothing is tried again', async () => {
    const bot = await started();
    await fault('region', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('region', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.faults.length > 0);
    expect(bot.faults).toMatchObject([{ code: 'BLOCKED' }]);
  });

  it('that takes orders of another version has the standing ones cancelled, and later ones in the new domain', async () => {
    const bot = await started();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await harness.venue.server.operate('polymarket-order-version', { version: 3 });
    afterThisTest.add(
      async () => void (await harness.venue.server.operate('polymarket-order-version', { version: 2 })),
    );
    bot.send(bot.buy(2, 4_400, 10));
    await until(() => bot.types().includes('orderRejected'));
    await until(() => bot.types().includes('orderClosed'));
    bot.send(bot.buy(3, 4_300, 10));
    await until(() => bot.types().filter((type) => type === 'orderAccepted').length === 2);
    expect(bot.faults).toEqual([]);
  });

  it('that meets another heartbeat than it gave is answered with the one it names', async () => {
    const bot = await started();
    await fault('wrong-beat', { times: 1 });
    await until(() => bot.repeated.some((text) => text.startsWith('heartbeat')));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.faults).toEqual([]);
  }, 30_000);
});

describe('a bot that starts again', () => {
  it('finds its order by the journal, and fills that happened meanwhile', async () => {
    const first = await started();
    first.send(first.buy(1, 4_500, 10), first.buy(2, 4_400, 10));
    await until(() => first.types().filter((type) => type === 'orderAccepted').length === 2);
    await first.session.close();
    await first.trade('sell', 4_500, 4);
    const { records, state } = first;
    const second = await started({ records: records.afterCrash(), state, settings: { leftovers: 'adopt' } }, first);
    expect(second.types()).toContain('orderFilled');
    expect(second.state.market(MARKET).position.yes).toBe(4 * SHARE);
    expect(second.state.openOrders).toBe(2);
    second.send({ type: 'cancelAll', everyone: true });
    await until(() => second.state.openOrders === 0);
    expect(await second.venue.verifyNoneOpen(5_000)).toBe(0);
  });

  it('cancels what was left by default', async () => {
    const first = await started();
    first.send(first.buy(1, 4_500, 10));
    await until(() => first.types().includes('orderAccepted'));
    await first.session.close();
    const { records, state } = first;
    const second = await started({ records: records.afterCrash(), state }, first);
    expect(second.types()).toEqual(['orderClosed']);
    expect(second.state.openOrders).toBe(0);
  });
});
