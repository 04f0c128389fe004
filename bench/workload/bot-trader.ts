/** Requotes many markets as steps, without strategies, as a load for a bot's file. */
import {
  durationMs,
  LOT,
  marketId,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  unchecked,
} from '../../src/domain/index.ts';
import type { SignedRecord, Step } from '../../src/runtime/index.ts';
import type { AccountState, MarketSetup } from '../../src/state/index.ts';

export const MARKETS = 200;
const START = 1_700_000_000_000;

export function setups(): readonly MarketSetup[] {
  return Array.from({ length: MARKETS }, (_, number) => ({
    info: {
      market: unchecked.market(number),
      id: marketId(`00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`),
      slug: `market-${number}`,
      question: `Will market ${number} say yes?`,
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: undefined,
    },
    limits: {
      minOrderShares: unchecked.shares(LOT),
      minBet: unchecked.usd(1),
      maxBet: unchecked.usd(1_000_000_000),
      maxExposure: unchecked.usd(1_000_000_000),
      feeRateBps: 0,
      spreadBps: 100,
    },
    state: { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) },
  }));
}

export class BotTrader {
  readonly #account: AccountState;
  readonly #openOrders: (readonly PlaceOrder[])[] = [];
  seq = 1;
  nextOrder = 1;
  #turn = 0;

  constructor(account: AccountState) {
    this.#account = account;
  }

  /** Moves the two quotes of the next market, and applies the venue's acceptance. */
  requote(): { readonly decided: Step; readonly records: readonly SignedRecord[]; readonly answered: Step } {
    this.#turn += 1;
    const market = unchecked.market(this.#turn % MARKETS);
    const time = unchecked.time(START + 30 * this.#turn);
    const before = this.#openOrders[market] ?? [];
    const places = [this.#place(market, 'YES'), this.#place(market, 'NO')];
    const cancels = before.map(({ order, shares }) => ({ order, remaining: shares }));
    const command: OrderCommand = { type: 'replace', market, cancels, places };
    const closed = before.map(({ order }) => order);
    const accepted = places.map(({ order }) => order);
    const event = { type: 'ordersReplaced', time, venueTime: time, market, closed, accepted } as const;
    this.#openOrders[market] = places;
    this.#account.applyCommand(command, time);
    const decided = this.#step(undefined, [command], time);
    this.#account.apply(event);
    return { decided, records: places.map((place) => record(place, time)), answered: this.#step(event, [], time) };
  }

  #step(event: Step['event'], commands: readonly OrderCommand[], time: Step['time']): Step {
    this.seq += 1;
    return { seq: unchecked.seq(this.seq - 1), time, row: 20 * this.#turn, event, refused: [], commands };
  }

  #place(market: PlaceOrder['market'], outcome: PlaceOrder['outcome']): PlaceOrder {
    this.nextOrder += 1;
    return {
      type: 'place',
      order: unchecked.order(this.nextOrder - 1),
      bot: unchecked.instance(market),
      market,
      outcome,
      side: 'BUY',
      price: priceBps(4_000 + 10 * (this.#turn % 50)),
      shares: unchecked.shares(20 * 1_000_000),
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
    };
  }
}

function record(command: PlaceOrder, timestampMs: number): SignedRecord {
  const { order, market } = command;
  const hash = `0x${order.toString(16).padStart(64, '0')}`;
  const wire = JSON.stringify({ ...command, hash, signature: '0x'.padEnd(132, '7'), salt: '0x'.padEnd(66, '3') });
  return { order, market, marketId: 'market', hash, timestampMs, epoch: 1, wire, command };
}
