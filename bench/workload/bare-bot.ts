/**
 * The minimal bot: parses a frame, signs natively and writes an order, without book, checksum, strategy, risk or store.
 * It is a lower bound for comparisons, and unsafe for trading.
 */
import { WebSocket } from 'ws';
import { OPERATIONS } from '../../src/protocol/index.ts';
import { NO_HASH, type OrderMessage } from '../../src/signing/index.ts';
import { keyOf, login, type SigningTools } from '../../test/server/trader.ts';
import { MARK, type TickClock } from './tick-clock.ts';

export interface BareBotOptions {
  readonly url: string;
  readonly market: string;
  readonly tools: SigningTools;
  readonly account: number;
  readonly clock: TickClock;
}

const PROTOCOL = 'graphql-transport-ws';

export class BareBot {
  readonly #socket: WebSocket;
  /** Hash of the open order. */
  #openOrder: string | undefined;
  #salt = 0;
  #ids = 1;
  #refused = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async start({ url, market, tools, account, clock }: BareBotOptions): Promise<BareBot> {
    const key = keyOf(tools, account);
    const token = await login(url, tools, key);
    const options = { perMessageDeflate: false, skipUTF8Validation: true };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, PROTOCOL, options);
    const bot = new BareBot(socket);
    const { order: orders } = tools.messages;
    const head = `{"query":${JSON.stringify(OPERATIONS.replaceOrders.text)},"variables":`;
    const begun = new Promise<void>((resolve) => {
      socket.on('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } })),
      );
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString());
        if (message.type === 'connection_ack') {
          const payload = { query: OPERATIONS.orderBookUpdated.text, variables: { marketId: market, depth: 50 } };
          socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
          resolve();
        }
        const book = message.payload?.data?.orderBookUpdated;
        if (book === undefined) {
          bot.#onResponse(message);
          return;
        }
        const best = book.bids[0];
        // Ignore frames of own orders. Only the mover's prices are multiples of 500 bps.
        if (book.kind !== 'DELTA' || best === undefined || best.priceBps % 500 !== 0) return;
        clock.mark(MARK.parsed);
        bot.#salt += 1;
        const order: OrderMessage = {
          salt: Date.now() * 1_000 + bot.#salt,
          maker: key.address,
          signer: key.address,
          marketId: market,
          outcome: 'YES',
          side: 'BUY',
          priceBps: best.shares === 0 ? 3_990 : 4_490,
          shares: 1_000_000,
          timeInForce: 'GTC',
          postOnly: false,
          expiration: 0,
          timestampMs: Date.now(),
          epoch: 0,
          maxFeeBps: 1_000,
          replaces: NO_HASH,
        };
        const { hash, signature } = orders.sign(order, key);
        clock.mark(MARK.signed);
        bot.#ids += 1;
        const cancels = bot.#openOrder === undefined ? '' : `"${bot.#openOrder}"`;
        bot.#openOrder = hash;
        const text =
          `{"id":"${bot.#ids}","type":"subscribe","payload":${head}{"input":{"marketId":"${market}",` +
          `"cancelOrderIds":[${cancels}],"place":[{"order":{"maker":"${order.maker}","signer":"${order.signer}",` +
          `"marketId":"${market}","replaces":"${NO_HASH}","salt":"${order.salt}","outcome":"YES","side":"BUY",` +
          `"priceBps":${order.priceBps},"shares":"1000000","timeInForce":"GTC","postOnly":false,"expiration":"0",` +
          `"timestampMs":"${order.timestampMs}","epoch":"0","maxFeeBps":1000,"signature":"${signature}"}}]}}}}`;
        clock.mark(MARK.logged);
        socket.send(text);
      });
      socket.on('error', (error) => {
        throw error;
      });
    });
    await begun;
    return bot;
  }

  async close(): Promise<void> {
    this.#socket.close();
    if (this.#refused > 0) throw new Error(`the venue refused ${this.#refused} orders of the minimal bot`);
  }

  #onResponse(message: { type: string; payload?: { data?: { replaceOrders?: { committed: boolean } } } }): void {
    if (message.type === 'error') throw new Error(JSON.stringify(message));
    const answer = message.payload?.data?.replaceOrders;
    if (message.type === 'next' && answer?.committed !== true) {
      if (this.#refused === 0) console.error(JSON.stringify(message));
      this.#refused += 1;
    }
  }
}
