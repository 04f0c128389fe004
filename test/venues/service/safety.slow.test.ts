/** Rate limits, heartbeats and the HTTP fallback: an account stays safe when another part fails. */
import { afterAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../server/trader.ts';
import { Bot } from './bot.ts';
import { Harness, Trader } from './harness.ts';
import { accountAt, differences } from './holdings.ts';
import { quotes } from './quoting.ts';
import { until } from './real-venue.ts';

const harness = await Harness.open({
  config: {},
  access: {
    buckets: {
      read: { capacity: 5_000, perSecond: 5_000 },
      order: { capacity: 10, perSecond: 2 },
      cancel: { capacity: 20, perSecond: 20 },
    },
  },
});
afterAll(() => harness.close());

/** Quotes, refuses all sockets, and then submits no quotes. */
async function withdrawWithoutSockets(
  fault?: Parameters<Bot['proxy']['rule']>[0]['fault'],
  page?: Bot['proxy']['page'],
): Promise<Bot> {
  const { bot } = await Bot.startAlone(harness);
  if (page !== undefined) bot.proxy.page = page;
  bot.submit(quotes(['bid', 4_000, 10]));
  await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
  if (fault !== undefined) bot.proxy.rule({ direction: 'up', match: 'cancelOrders(', fault });
  bot.proxy.refusesSockets = true;
  bot.proxy.cutSockets();
  await bot.until(() => !bot.transport.isOpen, 'no socket');
  bot.submit(quotes());
  return bot;
}

async function waitForNoOpenOrders(bot: Bot): Promise<void> {
  await until(async () => (await accountAt(harness, bot.key)).open.size === 0, 'no open order at the venue');
}

describe('the connection over HTTP', () => {
  it.each([undefined, 'page', 'drop', 'passAndCut'] as const)(
    'withdraws quotes while no socket is available (fault: %s)',
    async (fault) => {
      const bot = await withdrawWithoutSockets(fault);
      await waitForNoOpenOrders(bot);
      bot.proxy.refusesSockets = false;
      await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'settled');
      expect(await differences(harness, bot)).toEqual([]);
      expect(bot.proxy.applied).toHaveLength(fault === undefined ? 0 : 1);
    },
  );

  it.each([
    [429, 'slow down'],
    [200, '{"data":null,"errors":[{"message":"invalid argument: of an old version","path":[]}]}'],
  ])('repeats a cancel until it is accepted, whatever the refusal (%d %s)', async (status, text) => {
    const { bot } = await Bot.startAlone(harness);
    bot.proxy.page = { status, text };
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'up', match: 'cancelOrders(', fault: 'page', times: 2 });
    bot.proxy.refusesSockets = true;
    bot.proxy.cutSockets();
    await bot.until(() => !bot.transport.isOpen, 'no socket');
    bot.send({ type: 'cancelAll' });
    await waitForNoOpenOrders(bot);
    bot.proxy.refusesSockets = false;
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'settled');
    expect(bot.received('cancelRejected')).toEqual([]);
  });

  it('withdraws the quotes and then ends the run when another server answers', async () => {
    const bot = await withdrawWithoutSockets('page', { status: 403, text: '<html>Your country is not served.</html>' });
    await expect(bot.until(() => false, 'a fault')).rejects.toMatchObject({ code: 'BLOCKED' });
    await waitForNoOpenOrders(bot);
  });
});

describe('rate limits', () => {
  it('are read at the start', async () => {
    const { bot } = await Bot.startAlone(harness);
    expect(bot.received('rateLimitUpdated')).toMatchObject([
      { bucket: 'order', capacity: 10, refillPerSecond: 2, retryAfterMs: 0 },
      { bucket: 'cancel', capacity: 20, refillPerSecond: 20, retryAfterMs: 0 },
    ]);
  });

  it('that are exhausted are reported with the time to wait, and orders are rejected', async () => {
    const { bot } = await Bot.startAlone(harness);
    const market = bot.state.markets[0]?.info.market;
    if (market === undefined) throw new Error('no market');
    const levels = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => ['bid', 4_000 - 10 * level, 1] as const);
    bot.submit(quotes(...levels));
    await bot.until(() => bot.received('orderAccepted').length === 8, 'accepted');
    bot.send(
      ...[101, 102, 103, 104].map((order) => {
        const [place] = bot.commands.filter((command) => command.type === 'place');
        if (place === undefined) throw new Error('no place');
        return { ...place, order: (place.order + order) as typeof place.order };
      }),
    );
    await bot.until(() => bot.received('rateLimitUpdated').length > 2, 'the limit');
    expect(bot.received('rateLimitUpdated').at(-1)).toMatchObject({ bucket: 'order', remaining: 0 });
    expect(bot.received('rateLimitUpdated').at(-1)?.retryAfterMs).toBeGreaterThan(0);
    expect(bot.received('orderRejected')).toMatchObject(Array(4).fill({ reason: 'RATE_LIMITED' }));
  });

  it('do not prevent the cancel of an order', async () => {
    const { bot } = await Bot.startAlone(harness);
    const trader = await Trader.of(harness, bot.key);
    bot.submit(quotes(['bid', 4_000, 1], ['bid', 3_990, 1], ['bid', 3_980, 1], ['bid', 3_970, 1], ['bid', 3_960, 1]));
    await bot.until(() => bot.received('orderAccepted').length === 5, 'accepted');
    // Empties the session's bucket: cancels of unknown orders cost the same.
    const ids = bot.records.rows.map(({ hash }) => hash.replace(/.$/, '0'));
    const token = bot.token;
    await trader.queryAs(
      token,
      `mutation { cancelOrders(ids: ${JSON.stringify([...ids, ...ids, ...ids, ...ids].slice(0, 18))}) { seq } }`,
    );
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'cancelled');
    expect(await differences(harness, bot)).toEqual([]);
  });
});

describe('the heartbeat', () => {
  it('keeps orders open while it is sent, and the venue cancels them when it stops', async () => {
    const { bot } = await Bot.startAlone(harness, { settings: { heartbeatMs: 1_000 } });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(bot.state.openOrderCount).toBe(1);
    bot.proxy.rule({ direction: 'up', match: 'heartbeat(', fault: 'drop', times: 99 });
    await bot.until(() => bot.received('orderClosed').length === 1, 'the lapse');
    expect(bot.received('orderClosed')).toMatchObject([{ reason: 'HEARTBEAT_LAPSED' }]);
    expect(await differences(harness, bot)).toEqual([]);
  });
});

describe('the first heartbeat', () => {
  it('is sent again when it is not answered, and the start continues', async () => {
    const id = await harness.market(1_990);
    const bot = await Bot.openForTest(harness, {
      markets: [id],
      key: keyOf(harness.tools, 899),
      settings: { heartbeatMs: 9_000 },
    });
    bot.proxy.rule({ direction: 'up', match: 'heartbeat(', fault: 'drop', times: 2 });
    await bot.run.start();
    expect(bot.proxy.applied).toEqual(['up drop', 'up drop']);
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
  });
});

describe('the heartbeat of a bot that stops', () => {
  it('is not disabled when an order may be open, so that the venue cancels the order', async () => {
    const { bot } = await Bot.startAlone(harness, { settings: { heartbeatMs: 1_000 } });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await bot.close();
    expect((await accountAt(harness, bot.key)).open.size).toBe(1);
    await waitForNoOpenOrders(bot);
  });
});

describe('a silent book', () => {
  it('has its quotes withdrawn at the maximum age although the socket is open, and is quoted again later', async () => {
    const handlers = { onBook: () => [quotes(['bid', 4_000, 10])] };
    const { bot, id } = await Bot.startAlone(harness, {
      handlers,
      books: { staleMs: 6_000 },
      risk: { max_book_age_ms: 6_000 },
    });
    const counterparty = await harness.trader();
    await counterparty.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 3_000, shares: 1 });
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'down', match: 'orderBookUpdated', fault: 'drop', times: Number.POSITIVE_INFINITY });
    await bot.until(() => bot.received('orderClosed').length === 1, 'withdrawn');
    expect([bot.transport.isOpen, (await accountAt(harness, bot.key)).open.size]).toEqual([true, 0]);
    bot.proxy.heal();
    await bot.until(() => bot.received('orderAccepted').length === 2, 'quotes again');
    expect(await differences(harness, bot)).toEqual([]);
  });
});

describe('a book whose frames are delayed', () => {
  it('has its quotes withdrawn when each new frame is too old', async () => {
    const handlers = { onBook: () => [quotes(['bid', 4_000, 10])] };
    const { bot, id } = await Bot.startAlone(harness, { handlers, books: { staleMs: 10_000 } });
    const counterparty = await harness.trader();
    const placeCounterOrder = (priceBps: number) =>
      counterparty.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps, shares: 1 });
    await placeCounterOrder(3_000);
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    const old = new Date(Date.now() - 20_000).toISOString();
    const to = (text: string): string => text.replace(/"at":"[^"]*"/g, `"at":"${old}"`);
    bot.proxy.rule({
      direction: 'down',
      match: '"orderBookUpdated":',
      fault: 'rewrite',
      to,
      times: Number.POSITIVE_INFINITY,
    });
    for (let price = 3_010; bot.received('orderClosed').length === 0; price += 10) {
      await placeCounterOrder(price);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await accountAt(harness, bot.key)).open.size).toBe(0);
    bot.proxy.heal();
    await placeCounterOrder(2_500);
    await bot.until(() => bot.received('orderAccepted').length === 2, 'quotes again');
    expect(await differences(harness, bot)).toEqual([]);
  });
});

describe('an order epoch that another client raised', () => {
  it('is read after the first refusal, and the next order is valid', async () => {
    const { bot } = await Bot.startAlone(harness);
    const trader = await Trader.of(harness, bot.key);
    await trader.query('mutation { cancelAllOrders { newEpoch } }');
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderRejected').length === 1, 'the refusal');
    expect(bot.received('orderRejected')).toMatchObject([{ reason: 'STALE_EPOCH' }]);
    await bot.until(() => bot.records.epoch === 1, 'the epoch');
    bot.submit(quotes(['bid', 4_010, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    expect(await differences(harness, bot)).toEqual([]);
  });
});
