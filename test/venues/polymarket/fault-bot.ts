import { wallClock } from '../../../src/clock/index.ts';
import {
  microShares,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  SHARE,
  unchecked,
} from '../../../src/domain/index.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import {
  adapter,
  type BotOptions,
  type BotParts,
  openTestMarket,
  type PolymarketHarness,
  recorder,
  type TestMarket,
} from './harness.ts';

const MARKET = unchecked.market(0);
let botCount = 0;

export interface FaultBot extends BotParts {
  readonly testMarket: TestMarket;
  readonly session: VenueSession;
  readonly events: { readonly type: string }[];
  readonly no: number;
  send(...commands: readonly OrderCommand[]): void;
  buy(order: number, price: number, shares: number, more?: Partial<PlaceOrder>): PlaceOrder;
  types(): readonly string[];
  /** Another trader buys or sells YES against the bot. */
  trade(side: 'buy' | 'sell', price: number, shares: number): Promise<void>;
}

/** Starts a bot in a market of its own, or in that of an earlier bot. It closes after the test. */
export async function startFaultBot(
  harness: PolymarketHarness,
  options: Partial<BotOptions> = {},
  before?: FaultBot,
): Promise<FaultBot> {
  botCount += 1;
  const testMarket = before?.testMarket ?? (await openTestMarket(harness, `Fault ${botCount}?`));
  const no = before?.no ?? 300 + botCount;
  const parts = await adapter(harness, { no, testMarket, ...options });
  const record = recorder(parts.records);
  const events: { readonly type: string }[] = [];
  const session = await parts.venue.connect({
    rows: () => {},
    event(event, position) {
      parts.state.apply(event);
      record(event, position);
      events.push(event);
    },
  });
  afterThisTest.add(() => session.close());
  const other = await harness.venue.openTrader(2_000 + botCount);
  return {
    ...parts,
    testMarket,
    session,
    events,
    no,
    send(...commands) {
      for (const command of commands) parts.state.applyCommand(command, wallClock().now());
      session.send(commands);
    },
    buy: (order, price, shares, more = {}) => ({
      type: 'place',
      order: unchecked.order(order),
      bot: unchecked.instance(0),
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
