/** Lost, doubled and late requests and answers: the bot always reaches the venue's state. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../server/trader.ts';
import {
  Bot,
  type BotOptions,
  differences,
  Harness,
  IGNORE_CONNECTION_AND_BOOK_LOSS,
  SHARE,
  Trader,
} from './harness.ts';
import { pairs, quotes, take } from './quoting.ts';

let harness: Harness;
let other: Trader;
let accounts = 0;
let markets = 0;
const bots: Bot[] = [];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  other = await harness.trader();
});
afterAll(() => harness.close());
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});

/** Starts a bot with its own account and market: tests share only the server. */
async function fixture(options: Partial<BotOptions> = {}): Promise<{ readonly bot: Bot; readonly id: string }> {
  markets += 1;
  accounts += 1;
  const id = await harness.market(markets);
  const intercept = IGNORE_CONNECTION_AND_BOOK_LOSS;
  const bot = await Bot.start(harness, {
    markets: [id],
    key: keyOf(harness.tools, 500 + accounts),
    intercept,
    ...options,
  });
  bots.push(bot);
  return { bot, id };
}

/** Waits until `open` orders are open and settled, and expects no differences. */
async function expectAgreement(bot: Bot, open: number): Promise<void> {
  await bot.until(() => bot.state.openOrders === open && bot.isSettled, `${open} open orders, all settled`);
  expect(await differences(harness, bot)).toEqual([]);
  expect(bot.faults).toEqual([]);
}

const orderEventTypes = (bot: Bot): readonly string[] =>
  bot.reported.map(({ type }) => type).filter((type) => type.startsWith('order') || type === 'cancelRejected');

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
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderUncertain', 'orderAccepted']);
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
    await expectAgreement(bot, 1);
    expect(await bot.service.verifyNoneOpen(50)).toBe(1);
  });
});

describe('a new order whose answer is lost', () => {
  it('is open once when the venue received it', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'passAndCut' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderUncertain', 'orderAccepted']);
  });

  it('is sent again with the same bytes when the venue did not receive it', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'cut' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderUncertain', 'orderAccepted']);
    expect(bot.records.rows).toHaveLength(1);
  });

  it('is open once when the first request arrives after the second', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'late' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.release();
    await expectAgreement(bot, 1);
  });

  it('is resolved independently of other orders in its request', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrders(', fault: 'cut' });
    bot.submit(quotes(['bid', 4_000, 10], ['bid', 3_900, 20], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 3, 'all accepted');
    await expectAgreement(bot, 3);
    expect(bot.received('orderUncertain')).toHaveLength(3);
  });

  it('is accepted through the stream when only the answer was dropped', async () => {
    const { bot } = await fixture({ timeoutMs: 300 });
    bot.proxy.rule({ direction: 'down', match: '"placeOrder":', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await expectAgreement(bot, 1);
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
    await expectAgreement(bot, 0);
    expect(bot.received('orderClosed')).toHaveLength(1);
  });

  it('is never sent again when it is a taker order', async () => {
    const { bot, id } = await fixture();
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_000, shares: 10 });
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'passAndCut' });
    bot.submit(take('SELL', 5_000, 4));
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    await expectAgreement(bot, 0);
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
    await expectAgreement(bot, 0);
    expect(bot.received('orderClosed')).toHaveLength(2);
    expect(bot.received('cancelRejected')).toHaveLength(0);
  });

  it('is sent again when only its answer was dropped, and no refusal is reported', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'down', match: '"cancelOrders":', fault: 'drop' });
    bot.submit(quotes());
    await expectAgreement(bot, 0);
    expect(bot.received('cancelRejected')).toHaveLength(0);
  });

  it('of the whole account is sent again, and the epoch rises', async () => {
    const { bot } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 2, 'both accepted');
    bot.proxy.rule({ direction: 'up', match: 'cancelAllOrders', fault: 'cut' });
    bot.send({ type: 'cancelAll', everyone: true });
    await expectAgreement(bot, 0);
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
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderAccepted', 'orderUncertain', 'ordersReplaced']);
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
    await expectAgreement(bot, 0);
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
    await expectAgreement(bot, 1);
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
    await expectAgreement(bot, 0);
    expect(bot.received('converted')).toHaveLength(fault === 'cut' ? 0 : 1);
  });

  it('is found in the ledger when its answer was dropped', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"splitPosition":', fault: 'drop' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('converted').length === 1, 'the result');
    await expectAgreement(bot, 0);
  });

  it('is found by an audit when it arrives after its rejection', async () => {
    const { bot } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'splitPosition(', fault: 'late' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('conversionRejected').length === 1, 'rejected');
    bot.proxy.release();
    for (let left = 200; left > 0 && bot.received('holdingAdjusted').length === 0; left -= 1) await bot.service.audit();
    await expectAgreement(bot, 0);
    expect(bot.received('holdingAdjusted')).toMatchObject([{ yes: 5 * SHARE, no: 5 * SHARE }]);
  });
});

it('a split and a merge whose answers arrive are both reported', async () => {
  const { bot } = await fixture();
  bot.submit(pairs('split', 5));
  await bot.until(() => bot.received('converted').length === 1, 'split');
  bot.submit(pairs('merge', 3));
  await bot.until(() => bot.received('converted').length === 2, 'merged');
  await expectAgreement(bot, 0);
  expect(bot.received('converted').map(({ paid }) => paid)).toEqual([-5 * SHARE, 3 * SHARE]);
});

describe('the own-order stream', () => {
  it('delivers an event once when it arrives twice', async () => {
    const { bot, id } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"kind":"FILLED"', fault: 'twice' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length > 0, 'the fill');
    await expectAgreement(bot, 1);
    expect(bot.received('orderFilled')).toHaveLength(1);
  });

  it('misses nothing when an event is lost', async () => {
    const { bot, id } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"kind":"ACCEPTED"', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.proxy.applied.length === 1, 'the drop');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length > 0, 'the fill');
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderAccepted', 'orderFilled']);
  });

  it('continues after its sockets were cut, with the events in between', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.refusesSockets = true;
    bot.proxy.cutSockets();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    bot.proxy.refusesSockets = false;
    await bot.until(() => bot.received('orderFilled').length > 0, 'the fill');
    await expectAgreement(bot, 1);
    expect(orderEventTypes(bot)).toEqual(['orderAccepted', 'orderFilled']);
  });
});

describe('a gap of the own-order stream without events at the venue', () => {
  it('is recovered from fills and orders, each once', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['bid', 3_900, 10], ['ask', 6_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 3, 'accepted');
    bot.proxy.refusesSockets = true;
    bot.proxy.cutSockets();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 6_000, shares: 10 });
    const trader = await Trader.of(harness, bot.key);
    await trader.query('mutation ($id: ID!) { cancelOrder(id: $id) { seq } }', {
      id: bot.records.rows.find(({ command }) => command.price === 3_900)?.hash,
    });
    await trader.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_100, shares: 5 });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 5 });
    bot.proxy.rule({
      direction: 'up',
      match: 'subscription OrderEvents',
      fault: 'rewrite',
      to: (text) => text.replace(/"afterSeq":"\d+"/, '"afterSeq":"999999999"'),
    });
    bot.proxy.refusesSockets = false;
    await bot.until(() => bot.received('orderFilled').length === 3, 'the fills');
    await expectAgreement(bot, 1);
    expect(bot.proxy.applied).toEqual(['up rewrite']);
    expect(orderEventTypes(bot).slice(3).sort()).toEqual(['orderClosed', 'orderFilled', 'orderFilled', 'orderFilled']);
    expect(bot.received('orderFilled').map(({ order }) => order)).toContain(0);
    // The stream delivers newer events again.
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 2 });
    await bot.until(() => bot.received('orderFilled').length === 4, 'one more');
    await expectAgreement(bot, 1);
  });
});

describe('a session that another client ended', () => {
  it('is followed by a new one, and no fill is missed', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    const trader = await Trader.of(harness, bot.key);
    await trader.queryAs(bot.token, 'mutation { revokeSession { revoked } }');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    // The venue refuses orders until the new session is open.
    for (let price = 4_100; bot.received('ordersReplaced').length === 0; price += 10) {
      bot.submit(quotes(['bid', price, 10]));
      await bot.until(() => bot.isSettled && bot.state.openOrders === 1, 'an answer');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await expectAgreement(bot, 1);
  });
});

describe('a fill that races with a cancel', () => {
  it('is delivered before the refusal of the cancel', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'down', match: '"kind":"FILLED"', fault: 'drop' });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 10 });
    await bot.until(() => bot.proxy.applied.length === 1, 'the dropped fill');
    bot.submit(quotes());
    await expectAgreement(bot, 0);
    await bot.until(() => bot.received('cancelRejected').length === 1, 'the refusal');
    expect(orderEventTypes(bot)).toEqual(['orderAccepted', 'orderFilled', 'cancelRejected']);
  });

  it('makes the venue refuse a replace that was sent before the bot saw the fill', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.proxy.rule({ direction: 'down', match: '"kind":"FILLED"', fault: 'drop' });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.proxy.applied.length === 1, 'the dropped fill');
    bot.submit(quotes(['bid', 4_100, 10]));
    await bot.until(() => bot.received('cancelRejected').length === 1, 'the refusal');
    await bot.until(
      () =>
        bot.isSettled &&
        bot.state.market(bot.state.markets[0]!.info.market).orders.every(({ phase }) => phase === 'live'),
      'settled',
    );
    expect(await differences(harness, bot)).toEqual([]);
    expect(orderEventTypes(bot).slice(0, 4)).toEqual([
      'orderAccepted',
      'orderFilled',
      'cancelRejected',
      'orderRejected',
    ]);
  });
});
