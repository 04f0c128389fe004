import { afterAll, describe, expect, it } from 'vitest';
import { Bot, type BotOptions, IGNORE_CONNECTION_AND_BOOK_LOSS } from './bot.ts';
import { Harness, Trader } from './harness.ts';
import { differences, expectAgreement } from './holdings.ts';
import { quotes } from './quoting.ts';

const harness = await Harness.open({ config: {} });
const other = await harness.trader();
afterAll(() => harness.close());

const fixture = (options: Partial<BotOptions> = {}) =>
  Bot.startAlone(harness, { intercept: IGNORE_CONNECTION_AND_BOOK_LOSS, ...options });

describe('the own-order stream', () => {
  it('delivers an event once when it arrives twice', async () => {
    const { bot, id } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"kind":"FILLED"', fault: 'twice' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length > 0, 'the fill');
    await expectAgreement(harness, bot, 1);
    expect(bot.received('orderFilled')).toHaveLength(1);
  });

  it('misses nothing when an event is lost', async () => {
    const { bot, id } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"kind":"ACCEPTED"', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.proxy.applied.length === 1, 'the drop');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length > 0, 'the fill');
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderAccepted', 'orderFilled']);
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
    await expectAgreement(harness, bot, 1);
    expect(bot.orderEventTypes).toEqual(['orderAccepted', 'orderFilled']);
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
    await expectAgreement(harness, bot, 1);
    expect(bot.proxy.applied).toEqual(['up rewrite']);
    expect(bot.orderEventTypes.slice(3).sort()).toEqual(['orderClosed', 'orderFilled', 'orderFilled', 'orderFilled']);
    expect(bot.received('orderFilled').map(({ order }) => order)).toContain(0);
    // The stream delivers newer events again.
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 2 });
    await bot.until(() => bot.received('orderFilled').length === 4, 'one more');
    await expectAgreement(harness, bot, 1);
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
      await bot.until(() => bot.isSettled && bot.state.openOrderCount === 1, 'an answer');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await expectAgreement(harness, bot, 1);
  });

  it('leaves the link down until the own-order stream runs on a socket of the new session', async () => {
    const { bot, id } = await fixture({ intercept: undefined });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    const links = (): readonly string[] => bot.received('venueChanged').map(({ link }) => link);
    const before = links().length;
    let logins = 0;
    bot.proxy.onMessage = (direction, text) => {
      if (direction === 'up' && text.includes('createSession')) logins += 1;
    };
    bot.proxy.refusesSockets = true;
    const trader = await Trader.of(harness, bot.key);
    await trader.queryAs(bot.token, 'mutation { revokeSession { revoked } }');
    await bot.until(() => logins === 3, 'three logins');
    expect(links().slice(before)).toEqual(['DOWN']);
    bot.proxy.refusesSockets = false;
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    await bot.until(() => links().at(-1) === 'UP', 'the link');
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
    await expectAgreement(harness, bot, 0);
    await bot.until(() => bot.received('cancelRejected').length === 1, 'the refusal');
    expect(bot.orderEventTypes).toEqual(['orderAccepted', 'orderFilled', 'cancelRejected']);
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
    expect(bot.orderEventTypes.slice(0, 4)).toEqual([
      'orderAccepted',
      'orderFilled',
      'cancelRejected',
      'orderRejected',
    ]);
  });
});
