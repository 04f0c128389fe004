/** Checks that `differences` detects faults that are injected into the client. */
import { afterAll, describe, expect, it } from 'vitest';
import type { VenueEvent } from '../../../src/domain/index.ts';
import { jsonText } from '../../../src/venues/service/transport/client-frame.ts';
import type { Transport } from '../../../src/venues/service/transport/index.ts';
import { keyOf } from '../../server/trader.ts';
import { Bot, type BotOptions, IGNORE_CONNECTION_AND_BOOK_LOSS } from './bot.ts';
import { Harness, SHARE } from './harness.ts';
import { differences } from './holdings.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

let fixtures = 0;

const harness = await Harness.open({ config: {} });
const other = await harness.trader();
afterAll(() => harness.close());

async function fixture(intercept: BotOptions['intercept']) {
  fixtures += 1;
  const id = await harness.market(3_000 + fixtures);
  const bot = await Bot.startForTest(harness, {
    markets: [id],
    key: keyOf(harness.tools, 300 + fixtures),
    intercept: { ...IGNORE_CONNECTION_AND_BOOK_LOSS, ...intercept },
  });
  return { bot, id };
}

/** Wraps a transport with another `send`. */
function withSend(transport: Transport, send: (text: string, pass: (text: string) => boolean) => boolean): Transport {
  return new Proxy(transport, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'send') return typeof value === 'function' ? value.bind(target) : value;
      const wrapped: Transport['send'] = (operation, variables, onAnswer, options) =>
        send(jsonText(variables), (text) => target.send(operation, text, onAnswer, options));
      return wrapped;
    },
  });
}

describe('differences are found', () => {
  it('when a lost order is sent again with a new salt', async () => {
    const sentTexts = new Set<string>();
    const { bot } = await fixture({
      transport: (transport) =>
        withSend(transport, (text, pass) => {
          const orderInput: { input?: { order?: Record<string, string> } } = JSON.parse(text);
          const order = orderInput.input?.order;
          if (order === undefined || !sentTexts.has(text)) {
            sentTexts.add(text);
            return pass(text);
          }
          const read = harness.tools.messages.order.read({ ...order, salt: '12345678901234567890' });
          if (!read.ok) throw new Error(read.message);
          const { wire, sign } = harness.tools.messages.order;
          const signed = {
            ...wire(read.message),
            signature: sign(read.message, keyOf(harness.tools, 300 + fixtures)).signature,
          };
          return pass(JSON.stringify({ input: { order: signed } }));
        }),
    });
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'late' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderUncertain').length === 1 && bot.transport.isOpen, 'uncertain');
    await bot.until(() => sentTexts.size > 0, 'sent again');
    await new Promise((resolve) => setTimeout(resolve, 300));
    bot.proxy.release();
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    expect((await differences(harness, bot)).length).toBeGreaterThan(0);
  });

  it('when an event is delivered twice', async () => {
    const { bot, id } = await fixture({
      event: (event: VenueEvent, deliver) => {
        deliver(event);
        if (event.type === 'orderFilled') deliver(event);
      },
    });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 2, 'the fill, twice');
    expect(bot.state.market(FIRST).position.yes).toBe(8 * SHARE);
    expect((await differences(harness, bot)).length).toBeGreaterThan(0);
  });

  it('when an event is not delivered', async () => {
    const { bot } = await fixture({
      event: (event: VenueEvent, deliver) => {
        if (event.type !== 'orderClosed') deliver(event);
      },
    });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.submit(quotes());
    await bot.until(() => bot.service.openOrderCount === 0, 'no open order at the venue');
    expect(await differences(harness, bot)).toHaveLength(1);
  });

  it('when a split is sent twice', async () => {
    const { bot } = await fixture({
      transport: (transport) =>
        withSend(transport, (text, pass) => {
          if (text.includes('"sets"')) pass(text);
          return pass(text);
        }),
    });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('converted').length === 1, 'split');
    expect((await differences(harness, bot)).length).toBeGreaterThan(0);
  });
});
