/** The exchange that replays a tape: the tape's markets, one account for all its traders, and the bot's account. */
import { createHash } from 'node:crypto';
import {
  type AccountNo,
  type EpochMs,
  type MarketLimits,
  type MarketNo,
  type MicroShares,
  type MicroUsd,
  marketId,
  type PriceGrid,
  sameGrid,
  unchecked,
} from '../../domain/index.ts';
import {
  type BookOptions,
  DEFAULT_CONFIG,
  Exchange,
  type ExchangeCommand,
  type ExchangeConfig,
  type ExchangeSink,
} from '../../exchange/index.ts';
import { OutsideFlow, type Replay, ReplayBook } from '../../replay/index.ts';
import { SimMarket } from './sim-market.ts';

export interface ReplayedMarket {
  readonly grid: PriceGrid;
  /** Default: the run's limit. */
  readonly minOrderShares?: MicroShares;
}

export interface ReplayedExchangeSetup {
  /** In the order of their numbers. */
  readonly markets: readonly ReplayedMarket[];
  readonly replay: Replay;
  /** The bot's cash at the start. */
  readonly capital: MicroUsd;
  readonly limits: MarketLimits;
  /** Taker fee rate, bps. */
  readonly feeRateBps: number;
}

export interface ReplayedExchange {
  readonly exchange: Exchange;
  /** The bot's account. */
  readonly account: AccountNo;
  /** Markets by number. A change of tick replaces a market. */
  readonly markets: readonly SimMarket[];
  readonly slots: BookOptions['slots'];
  /**
   * Opens the market with the next number. A known market that is not final restarts if its grid changed: open, without
   * orders and with an empty book.
   */
  addMarket(market: MarketNo, added: ReplayedMarket, sink: ExchangeSink & { readonly now: EpochMs }): void;
}

const START_TIME = unchecked.time(0);
/** Later than any row. */
const NEVER = unchecked.time(253_402_300_799_999);

/** Creates the exchange. Its markets are open and without trades. */
export function createReplayedExchange(setup: ReplayedExchangeSetup): ReplayedExchange {
  const { markets, replay, capital, limits, feeRateBps } = setup;
  const grids: PriceGrid[] = [];
  const simMarkets: SimMarket[] = [];
  const exchange = new Exchange({
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    config: toExchangeConfig(limits, feeRateBps),
    books: (options) => {
      const { number, sink, tape } = options;
      const grid = grids[number];
      if (grid === undefined) throw new RangeError(`Invariant: market ${number} is not on the tape`);
      const book = new ReplayBook(options, grid, replay);
      const flow = new OutsideFlow(book, replay, sink, tape);
      simMarkets[number] = new SimMarket(unchecked.market(number), book, flow);
      return book;
    },
    // Room for 63 open orders, which few strategies exceed. The exchange makes room for more.
    capacity: { orders: 63, holdings: Math.max(1, 2 * markets.length), markets: Math.max(1, markets.length) },
  });
  const tapeAccount = openAccount(exchange, 'outside', { unlimited: true });
  const account = openAccount(exchange, 'own', { unlimited: false });
  exchange.tape.account = tapeAccount;
  if (capital > 0) send(exchange, { type: 'transfer', time: START_TIME, account, amount: capital });
  const openMarket = (number: number, added: ReplayedMarket): void => {
    grids[number] = added.grid;
    createMarket(exchange, account, number, added);
  };
  for (const [number, market] of markets.entries()) openMarket(number, market);
  return {
    exchange,
    account,
    slots: exchange.tape.slots,
    markets: simMarkets,
    addMarket(market, added, sink) {
      const { grid } = added;
      const before = simMarkets[market];
      if (before === undefined) openMarket(market, added);
      else if (!sameGrid(before.grid, grid)) {
        grids[market] = grid;
        exchange.tape.begin(sink.now, sink);
        exchange.tape.setState(market, { status: 'OPEN', halted: false });
        exchange.tape.end();
        exchange.apply({ type: 'changeTick', time: sink.now, market, note: '', tickBps: toTickBps(grid) }, sink);
        const after = simMarkets[market];
        if (after === undefined || after === before)
          throw new RangeError(`Invariant: market ${market} has no new book after its change of prices`);
        after.continueFrom(before);
      }
    },
  };
}

/** Charges the bot's account what it owes, up to its available cash. Returns the rest. */
export function chargeAvailable({ exchange, account }: ReplayedExchange, owed: MicroUsd): MicroUsd {
  if (owed === 0) return owed;
  const paid = unchecked.usd(Math.min(owed, exchange.view.account(account)?.available ?? 0));
  if (paid !== 0) exchange.tape.charge(account, paid);
  return unchecked.usd(owed - paid);
}

/** Makes the exchange's configuration with the venue's limits. Batches are practically unlimited. */
function toExchangeConfig(
  { minOrderShares, minBet, maxBet, maxExposure }: MarketLimits,
  feeRateBps: number,
): ExchangeConfig {
  return {
    ...DEFAULT_CONFIG,
    minOrderShares,
    minBet,
    maxBetPerMarket: maxBet,
    maxExposurePerMarket: maxExposure,
    feeRateBps,
    maxBatchOrders: 100_000,
    maxBatchCancels: 100_000,
  };
}

function openAccount(exchange: Exchange, address: string, options: { readonly unlimited: boolean }): AccountNo {
  send(exchange, { type: 'openAccount', time: START_TIME, address, ...options });
  return unchecked.account(exchange.view.accountOf(address));
}

function createMarket(exchange: Exchange, creator: AccountNo, number: number, added: ReplayedMarket): void {
  const market = unchecked.market(number);
  send(exchange, {
    type: 'createMarket',
    time: START_TIME,
    account: creator,
    credential: unchecked.credential(0),
    id: marketId(`00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`),
    question: `recorded market ${number}`,
    rules: 'as recorded',
    description: undefined,
    categorySlug: 'recorded',
    topicSlugs: [],
    resolutionDate: NEVER,
    tickBps: toTickBps(added.grid),
    feeRateBps: undefined,
    minOrderShares: added.minOrderShares,
    eventId: undefined,
    initialOrder: undefined,
    restriction: undefined,
  });
  const confirmation = { note: '', step: 'DEPLOY', attempt: 1, transactionHash: '' } as const;
  send(exchange, { type: 'chainConfirmed', time: START_TIME, market, ...confirmation });
  // From here on, only the tape changes the status, so the exchange has no deadlines for the status.
  exchange.tape.begin(START_TIME, THROWING_SINK);
  exchange.tape.setState(market, { status: 'OPEN', halted: false });
  exchange.tape.end();
}

function send(exchange: Exchange, command: ExchangeCommand): void {
  exchange.apply(command, THROWING_SINK);
}

/** Returns the tick of a grid, bps. Returns 1 for a price list, whose prices `ReplayBook.hasPrice` checks. */
function toTickBps(grid: PriceGrid): number {
  return grid.type === 'tick' ? grid.tickBps : 1;
}

const THROWING_SINK: ExchangeSink = {
  accepted: () => {},
  traded: () => {},
  reduced: () => {},
  closed: () => {},
  rareEvent: () => {},
  refused: (_entry, { reason, field }) => {
    throw new RangeError(`Invariant: the exchange of a replay could not be set up: ${reason} (${field ?? 'no field'})`);
  },
  duplicate: () => {},
};
