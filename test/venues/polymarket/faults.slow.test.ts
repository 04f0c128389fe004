/** Reactions of the adapter to the known faults of the venue (docs/spec/polymarket.md), on the embedded venue. */
import { afterAll, describe, expect, it } from 'vitest';
import { SHARE, unchecked } from '../../../src/domain/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { type FaultBot, startFaultBot } from './fault-bot.ts';
import { type BotOptions, openPolymarket } from './harness.ts';

const MARKET = unchecked.market(0);

const harness = await openPolymarket({ polymarket: { minedMs: 20, confirmedMs: 20, heartbeatMs: 10_000 } });
afterAll(() => harness.venue.close());

const startBot = (options?: Partial<BotOptions>, before?: FaultBot) => startFaultBot(harness, options, before);

const fault = (name: string, more: object): Promise<unknown> =>
  harness.venue.server.operate('polymarket-fault', { fault: name, ...more });

describe('an order', () => {
  it('is found by its hash and not signed again when its response was lost', async () => {
    const bot = await startBot({ timeoutMs: 500 });
    await fault('lose-answer', { times: 1 });
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.types()).toEqual(['orderAccepted']);
    await until(() => bot.venue.isQuiet);
    expect(bot.records.rows).toHaveLength(1);
    expect(await bot.venue.verifyNoneOpen(0)).toBe(1);
  });

  it('is resent with the same bytes when it never arrived', async () => {
    const bot = await startBot({ timeoutMs: 500 });
    const { rest } = bot;
    const send = rest.sendPrivate.bind(rest);
    const bodies: string[] = [];
    let isFirst = true;
    rest.sendPrivate = (request) => {
      if (request.path !== '/order' || request.method !== 'POST') return send(request);
      bodies.push(request.body ?? '');
      if (!isFirst) return send(request);
      isFirst = false;
      return Promise.resolve({ type: 'unknown', problem: 'cut', isSent: true });
    };
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.types()).toEqual(['orderUncertain', 'orderAccepted']);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bot.repeated).toContain('order: no answer');
  });

  it('is not resent when it cannot rest and its response was lost', async () => {
    const bot = await startBot({ timeoutMs: 500 });
    const { rest } = bot;
    const send = rest.sendPrivate.bind(rest);
    let sent = 0;
    rest.sendPrivate = (request) => {
      if (request.path !== '/order' || request.method !== 'POST') return send(request);
      sent += 1;
      return Promise.resolve({ type: 'unknown', problem: 'cut', isSent: true });
    };
    bot.send(bot.buy(1, 4_500, 10, { timeInForce: 'FAK', postOnly: false }));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.types()).toEqual(['orderUncertain', 'orderRejected']);
    expect(sent).toBe(1);
  }, 30_000);

  it('is looked up when its response names another order', async () => {
    const bot = await startBot();
    const { rest } = bot;
    const send = rest.sendPrivate.bind(rest);
    rest.sendPrivate = async (request) => {
      const outcome = await send(request);
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
  it('is reversed once when it fails, and its shares cannot be sold before it is confirmed', async () => {
    const bot = await startBot();
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

  it('is booked once and settled once when the venue retries it', async () => {
    const bot = await startBot();
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

  it('is booked once when the stream is doubled', async () => {
    const bot = await startBot();
    await fault('double', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('double', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await bot.trade('sell', 4_500, 10);
    await until(() => bot.types().includes('fillSettled'));
    expect(bot.types()).toEqual(['orderAccepted', 'orderFilled', 'fillSettled']);
    expect(bot.state.openOrderCount).toBe(0);
  });

  it('is found in the lists when the stream omits it', async () => {
    const bot = await startBot();
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

  it('cannot be missed on a silent channel, because the bot compares its account when a new order is not reported', async () => {
    const bot = await startBot();
    await fault('silence', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('silence', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await until(() => bot.venue.agreement === 'comparing');
    await until(() => bot.venue.agreement === 'agrees');
  });

  it('with two own orders is two fills', async () => {
    const bot = await startBot();
    bot.send(bot.buy(1, 4_500, 5), bot.buy(2, 4_500, 5));
    await until(() => bot.types().filter((type) => type === 'orderAccepted').length === 2);
    await bot.trade('sell', 4_500, 10);
    await until(() => bot.state.openOrderCount === 0);
    expect(bot.state.market(MARKET).position.yes).toBe(10 * SHARE);
  });
});

describe('the venue', () => {
  it('is HALTED while it restarts its engine, and receives cancels afterwards', async () => {
    const bot = await startBot();
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    await fault('restart', { for_ms: 500 });
    bot.send(bot.buy(2, 4_400, 10));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.modes).toContain('HALTED');
    bot.send({ type: 'cancel', order: unchecked.order(1), market: MARKET });
    await until(() => bot.types().includes('orderClosed'));
    await until(() => bot.modes.at(-1) === 'NORMAL');
    await until(() => bot.venue.agreement === 'agrees');
  });

  it('has the mode POST_ONLY while it accepts only post-only orders', async () => {
    const bot = await startBot();
    await fault('post-only', { for_ms: 500 });
    bot.send(bot.buy(1, 4_500, 10, { postOnly: false }));
    await until(() => bot.types().includes('orderRejected'));
    expect(bot.modes).toContain('POST_ONLY');
    await fault('post-only', { for_ms: 0 });
  });

  it('ends the run without a retry when it blocks the region', async () => {
    const bot = await startBot();
    await fault('region', { for_ms: 60_000 });
    afterThisTest.add(async () => void (await fault('region', { for_ms: 0 })));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.faults.length > 0);
    expect(bot.faults).toMatchObject([{ code: 'BLOCKED' }]);
  });

  it('receives cancels of open orders and new orders in the new domain when its order version changes', async () => {
    const bot = await startBot();
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

  it('receives the heartbeat that it names after it refused another one', async () => {
    const bot = await startBot();
    await fault('wrong-beat', { times: 1 });
    await until(() => bot.repeated.some((text) => text.startsWith('heartbeat')));
    bot.send(bot.buy(1, 4_500, 10));
    await until(() => bot.types().includes('orderAccepted'));
    expect(bot.faults).toEqual([]);
  }, 30_000);
});

describe('a restarted bot', () => {
  it('finds its orders through the journal, and fills that happened meanwhile', async () => {
    const first = await startBot();
    first.send(first.buy(1, 4_500, 10), first.buy(2, 4_400, 10));
    await until(() => first.types().filter((type) => type === 'orderAccepted').length === 2);
    await first.session.close();
    await first.trade('sell', 4_500, 4);
    const { records, state } = first;
    const second = await startBot({ records: records.afterCrash(), state, settings: { leftovers: 'adopt' } }, first);
    expect(second.types()).toContain('orderFilled');
    expect(second.state.market(MARKET).position.yes).toBe(4 * SHARE);
    expect(second.state.openOrderCount).toBe(2);
    second.send({ type: 'cancelAll', isAccountWide: true });
    await until(() => second.state.openOrderCount === 0);
    expect(await second.venue.verifyNoneOpen(5_000)).toBe(0);
  });

  it('cancels leftover orders by default', async () => {
    const first = await startBot();
    first.send(first.buy(1, 4_500, 10));
    await until(() => first.types().includes('orderAccepted'));
    await first.session.close();
    const { records, state } = first;
    const second = await startBot({ records: records.afterCrash(), state }, first);
    expect(second.types()).toEqual(['orderClosed']);
    expect(second.state.openOrderCount).toBe(0);
  });
});
