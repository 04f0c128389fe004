/** Lost, doubled and late requests and answers: the bot always reaches the venue's state. */
import { afterAll, describe, expect, it } from 'vitest';
import { Bot, type BotOptions, IGNORE_CONNECTION_AND_BOOK_LOSS } from './bot.ts';
import { Harness, SHARE } from './harness.ts';
import { differences, expectAgreement } from './holdings.ts';
import { pairs, quotes, take } from './quoting.ts';

const harness = await Harness.open({ config: {} });
const other = await harness.trader();
afterAll(() => harness.close());

const fixture = (options: Partial<BotOptions> = {}) =>
  Bot.startAlone(harness, { intercept: IGNORE_CONNECTION_AND_BOOK_LOSS, ...options });

describe('a new order that is answered by an unknown error', () => {
  it('is queried at the venue, because it may have been placed', async () => {
    const { bot } = await fixture();
    const to = (text: string): string => {
      const { id } = JSON.parse(text);
      const errors = [{ message: 'Unexpected error.', path: ['placeOrder'] }];
      return JSON.stringify({ id, type: 'next', payload: { data: { placeOrder: null }, errors } });
    };
    bot.proxy.rule({ direction: 'down', match: '"data":{"placeOrder"', fault: 'rewrite', to });
    bot.proxy.rule({ direction: 'down', match: '"kind":"ACCEPTED"', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderUncertain', 'orderAccepted']);
    expect(bot.proxy.applied).toHaveLength(2);
  });
});

describe('a new order in flight when a run ends', () => {
  it('may be open, and is reported as unresolved', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.proxy.applied.length === 1, 'sent');
    expect(await bot.service.verifyNoneOpen(50)).toBe(1);
    // After the timeout it is sent again.
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(harness, bot, 1);
    expect(await bot.service.verifyNoneOpen(50)).toBe(1);
  });
});

describe('a new order whose answer is lost', () => {
  it('is open once when the venue received it', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'passAndCut' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderUncertain', 'orderAccepted']);
  });

  it('is sent again with the same bytes when the venue did not receive it', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'cut' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderUncertain', 'orderAccepted']);
    expect(bot.records.rows).toHaveLength(1);
  });

  it('is open once when the first request arrives after the second', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'late' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.release();
    await expectAgreement(harness, bot, 1);
  });

  it('is resolved independently of other orders in its request', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrders(', fault: 'cut' });
    bot.submit(quotes(['bid', 4_000, 10], ['bid', 3_900, 20], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 3, 'all accepted');
    await expectAgreement(harness, bot, 3);
    expect(bot.received('orderUncertain')).toHaveLength(3);
  });

  it('is accepted through the stream when only the answer was dropped', async () => {
    const { bot } = await fixture({ timeoutMs: 300 });
    bot.proxy.rule({ direction: 'down', match: '"placeOrder":', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(harness, bot, 1);
    expect(bot.received('orderAccepted')).toHaveLength(1);
  });

  it('is cancelled when it appears and is not sent again when the strategy withdrew it', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'late' });
    bot.proxy.refusesSockets = true;
    bot.proxy.rule({ direction: 'up', match: 'query Order(', fault: 'cut', times: 3 });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderUncertain').length === 1, 'uncertain');
    bot.submit(quotes());
    bot.proxy.release();
    bot.proxy.refusesSockets = false;
    await expectAgreement(harness, bot, 0);
    expect(bot.received('orderClosed')).toHaveLength(1);
  });

  it('is never sent again when it is a taker order', async () => {
    const { bot, id } = await fixture();
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_000, shares: 10 });
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'passAndCut' });
    bot.submit(take('SELL', 5_000, 4));
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    await expectAgreement(harness, bot, 0);
    expect(bot.proxy.applied).toEqual(['up passAndCut']);
    expect(
      bot.state.market(bot.received('orderFilled')[0]?.market ?? bot.state.markets[0]!.info.market).position.no,
    ).toBe(4 * SHARE);
  });
});

describe('a cancel whose answer is lost', () => {
  it.each(['cut', 'passAndCut'] as const)('is sent again until it is answered (%s)', async (fault) => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 2, 'both accepted');
    bot.proxy.rule({ direction: 'up', match: 'cancelOrders(', fault });
    bot.submit(quotes());
    await expectAgreement(harness, bot, 0);
    expect(bot.received('orderClosed')).toHaveLength(2);
    expect(bot.received('cancelRejected')).toHaveLength(0);
  });

  it('is sent again when only its answer was dropped, and no refusal is reported', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'down', match: '"cancelOrders":', fault: 'drop' });
    bot.submit(quotes());
    await expectAgreement(harness, bot, 0);
    expect(bot.received('cancelRejected')).toHaveLength(0);
  });

  it('of the whole account is sent again, and the epoch rises', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 2, 'both accepted');
    bot.proxy.rule({ direction: 'up', match: 'cancelAllOrders', fault: 'cut' });
    bot.send({ type: 'cancelAll', isAccountWide: true });
    await expectAgreement(harness, bot, 0);
    await bot.until(() => bot.records.epoch === 1, 'the new epoch');
  });
});

describe('a replace whose answer is lost', () => {
  it('is reported as one step when the venue carried it out', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'up', match: 'replaceOrders(', fault: 'passAndCut' });
    bot.submit(quotes(['bid', 4_100, 10]));
    await bot.until(() => bot.received('ordersReplaced').length === 1, 'replaced');
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderAccepted', 'orderUncertain', 'ordersReplaced']);
  });

  it('leaves at most one order when the venue did not carry it out, however late it arrives', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'up', match: 'replaceOrders(', fault: 'late' });
    bot.submit(quotes(['bid', 4_100, 10]));
    await bot.until(() => bot.received('orderRejected').length === 1, 'the new order rejected');
    bot.proxy.release();
    await bot.until(() => bot.isSettled, 'settled');
    expect(await differences(harness, bot)).toEqual([]);
    expect(bot.received('orderClosed')).toMatchObject([{ reason: 'USER' }]);
    expect(bot.received('orderRejected')).toMatchObject([{ reason: 'NOT_FOUND' }]);
  });
});

describe('a lost replace that the venue can no longer execute', () => {
  it('leaves the unfilled order open, and the bot can cancel it', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['bid', 3_900, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 2, 'accepted');
    bot.proxy.rule({ direction: 'up', match: 'replaceOrders(', fault: 'drop' });
    bot.submit(quotes(['bid', 4_100, 10], ['bid', 3_950, 10]));
    await bot.until(() => bot.proxy.applied.length === 1, 'the loss');
    // One of the two orders fills completely before the answer times out.
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 10 });
    await bot.until(() => bot.received('orderRejected').length === 2, 'both new orders rejected');
    expect(bot.received('cancelRejected')).toMatchObject([{ order: 2, reason: 'CONFLICT' }]);
    bot.submit(quotes());
    await expectAgreement(harness, bot, 0);
  });
});

describe('a reduce whose answer is lost', () => {
  it.each(['cut', 'passAndCut'] as const)('reduces the order once (%s)', async (fault) => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 100]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'up', match: 'reduceOrder(', fault });
    bot.submit(quotes(['bid', 4_000, 60]));
    await bot.until(() => bot.received('orderReduced').length === 1, 'reduced');
    await expectAgreement(harness, bot, 1);
    expect(bot.received('orderReduced')).toMatchObject([{ remaining: 60 * SHARE }]);
  });
});

describe('a conversion whose answer is lost', () => {
  it.each(['cut', 'passAndCut'] as const)('happens at most once (%s)', async (fault) => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'splitPosition(', fault });
    bot.submit(pairs('split', 5));
    const resultCount = (): number => bot.received('converted').length + bot.received('conversionRejected').length;
    await bot.until(() => resultCount() === 1, 'the result');
    await expectAgreement(harness, bot, 0);
    expect(bot.received('converted')).toHaveLength(fault === 'cut' ? 0 : 1);
  });

  it('is found in the ledger when its answer was dropped', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"splitPosition":', fault: 'drop' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('converted').length === 1, 'the result');
    await expectAgreement(harness, bot, 0);
  });

  it('is found by an audit when it arrives after its rejection', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'splitPosition(', fault: 'late' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('conversionRejected').length === 1, 'rejected');
    bot.proxy.release();
    for (let left = 200; left > 0 && bot.received('holdingAdjusted').length === 0; left -= 1) await bot.service.audit();
    await expectAgreement(harness, bot, 0);
    expect(bot.received('holdingAdjusted')).toMatchObject([{ yes: 5 * SHARE, no: 5 * SHARE }]);
  });
});

it('a split and a merge whose answers arrive are both reported', async () => {
  const { bot } = await fixture();
  bot.submit(pairs('split', 5));
  await bot.until(() => bot.received('converted').length === 1, 'split');
  bot.submit(pairs('merge', 3));
  await bot.until(() => bot.received('converted').length === 2, 'merged');
  await expectAgreement(harness, bot, 0);
  expect(bot.received('converted').map(({ paid }) => paid)).toEqual([-5 * SHARE, 3 * SHARE]);
});
