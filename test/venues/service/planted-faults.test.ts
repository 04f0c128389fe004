/** Faults put into the client on purpose: if these tests of agreement did not fail on them, they would prove nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { VenueEvent } from '../../../src/domain/index.ts';
import { jsonText } from '../../../src/venues/service/transport/client-frame.ts';
import type { Transport } from '../../../src/venues/service/transport/index.ts';
import { keyOf } from '../../server/trader.ts';
import { FIRST, pairs, quotes } from './quoting.ts';
import { Bot, type BotOptions, DEAF_TO_LOSS, differences, SHARE, Stage, type Trader } from './stage.ts';

let stage: Stage;
let other: Trader;
let scenes = 0;
const bots: Bot[] = [];

beforeAll(async () => {
  stage = await Stage.open({ config: {} });
  other = await stage.trader();
});
afterAll(() => stage.close());
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});

async function scene(bend: BotOptions['bend']) {
  scenes += 1;
  const id = await stage.market(3_000 + scenes);
  const bot = await Bot.start(stage, {
    markets: [id],
    key: keyOf(stage.pen, 300 + scenes),
    bend: { ...DEAF_TO_LOSS, ...bend },
  });
  bots.push(bot);
  return { bot, id };
}

/** A transport with another `send`. */
function sending(transport: Transport, send: (text: string, pass: (text: string) => boolean) => boolean): Transport {
  return new Proxy(transport, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'send') return typeof value === 'function' ? value.bind(target) : value;
      const bent: Transport['send'] = (operation, variables, take, options) =>
        send(jsonText(variables), (text) => target.send(operation, text, take, options));
      return bent;
    },
  });
}

describe('the agreement check fails', () => {
  it('when a lost order is sent again with a new salt', async () => {
    const seen = new Set<string>();
    const { bot } = await scene({
      transport: (transport) =>
        sending(transport, (text, pass) => {
          const orderInput: { input?: { order?: Record<string, string> } } = JSON.parse(text);
          const order = orderInput.input?.order;
          if (order === undefined || !seen.has(text)) {
            seen.add(text);
            return pass(text);
          }
          const read = stage.pen.messages.order.read({ ...order, salt: '12345678901234567890' });
          if (!read.ok) throw new Error(read.message);
          const { wire, sign } = stage.pen.messages.order;
          const signed = {
            ...wire(read.message),
            signature: sign(read.message, keyOf(stage.pen, 300 + scenes)).signature,
          };
          return pass(JSON.stringify({ input: { order: signed } }));
        }),
    });
    bot.line.rule({ direction: 'up', match: 'placeOrder(', fault: 'late' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderUncertain').length === 1 && bot.transport.isOpen, 'uncertain');
    await bot.until(() => seen.size > 0, 'sent again');
    await new Promise((resolve) => setTimeout(resolve, 300));
    bot.line.release();
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    expect((await differences(stage, bot)).length).toBeGreaterThan(0);
  });

  it('when an event is delivered twice', async () => {
    const { bot, id } = await scene({
      tell: (event: VenueEvent, tell) => {
        tell(event);
        if (event.type === 'orderFilled') tell(event);
      },
    });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 2, 'the fill, twice');
    expect(bot.state.market(FIRST).position.yes).toBe(8 * SHARE);
    expect((await differences(stage, bot)).length).toBeGreaterThan(0);
  });

  it('when an event is not delivered', async () => {
    const { bot } = await scene({
      tell: (event: VenueEvent, tell) => {
        if (event.type !== 'orderClosed') tell(event);
      },
    });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.received('orderAccepted').length === 1, 'accepted');
    bot.submit(quotes());
    await bot.until(() => bot.service.openOrders === 0, 'gone at the venue');
    expect(await differences(stage, bot)).toHaveLength(1);
  });

  it('when a split whose answer was lost is sent again', async () => {
    const { bot } = await scene({
      transport: (transport) =>
        sending(transport, (text, pass) => {
          if (text.includes('"sets"')) pass(text);
          return pass(text);
        }),
    });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('converted').length === 1, 'split');
    expect((await differences(stage, bot)).length).toBeGreaterThan(0);
  });
});
