/** Account views from short descriptions, for tests of risk and execution. */
import { BOOK_SIDE, Ladder } from '../../src/book/index.ts';
import {
  costAt,
  durationMs,
  type EpochMs,
  epochMs,
  type InstanceNo,
  instanceNo,
  type MarketLimits,
  type MarketNo,
  type MarketStatus,
  type MicroShares,
  marketId,
  marketNo,
  orderNo,
  type PriceGrid,
  parseShares,
  parseUsd,
  priceBps,
  type Quote,
  SHARE,
  unchecked,
  yesPrice,
  yesSign,
} from '../../src/domain/index.ts';
import type {
  AccountView,
  MarketView,
  OpenOrder,
  OrderPhase,
  PositionView,
  VenueState,
} from '../../src/state/index.ts';

/** 2026-11-20T12:00:00Z. */
export const NOON = epochMs(Date.UTC(2026, 10, 20, 12));

export const NO_LIMITS: MarketLimits = {
  minOrderShares: shares(1),
  minBet: parseUsd('minBet', '0.10'),
  maxBet: parseUsd('maxBet', 100_000),
  maxExposure: parseUsd('maxExposure', 1_000_000),
  feeRateBps: 0,
  spreadBps: 2000,
};

export interface FakeMarket {
  readonly number?: number;
  readonly eventId?: string;
  readonly exclusive?: true;
  readonly grid?: PriceGrid;
  readonly bid?: number | undefined;
  readonly ask?: number | undefined;
  /** Double mid; by default that of bid and ask. */
  readonly mark?: number | undefined;
  readonly bookTime?: EpochMs | undefined;
  /** Pairs that are being merged into cash. Default 0. */
  readonly merging?: number;
  /** Bought YES shares that the venue may still reverse. Default 0. */
  readonly unsettledYes?: number;
  readonly status?: MarketStatus;
  readonly halted?: boolean;
  readonly placeDelayMs?: number;
  readonly limits?: Partial<MarketLimits>;
  /** Default: the fee of `limits`. */
  readonly acceptedFeeBps?: number;
  readonly yes?: number;
  readonly no?: number;
  /** Dollars; payments are negative. */
  readonly netCash?: number;
  readonly fees?: number;
  /** One order a line: `#7 BUY YES 100 @ 5800`, then optionally phase, `age 500`, `bot 1`, `taker`. */
  readonly orders?: readonly string[];
}

export interface FakeAccount {
  readonly now?: EpochMs;
  /** Dollars. */
  readonly cash?: number;
  /** Dollars; by default cash less the reserves of BUY orders. */
  readonly available?: number;
  readonly exitEquity?: number;
  /** Dollars from adjustments. Default 0. */
  readonly contributed?: number;
  /** Defaults: NORMAL and UP. */
  readonly venue?: VenueState;
  readonly markets?: readonly FakeMarket[];
}

export function shares(value: number): MicroShares {
  return parseShares('shares', value);
}

export function usd(value: number) {
  return parseUsd('usd', value);
}

/** Returns an account with the given markets, or with one market from the same members. */
export function fakeAccount(account: FakeAccount & FakeMarket = {}): AccountView {
  const now = account.now ?? NOON;
  const markets = (account.markets ?? [account]).map((market, index) => fakeMarket({ number: index, ...market }, now));
  const cash = usd(account.cash ?? 1_000_000);
  const held = markets.flatMap((market) => market.orders).reduce((sum, order) => sum + reserveOf(order), 0);
  return {
    now,
    cash,
    available: account.available === undefined ? unchecked.usd(cash - held) : usd(account.available),
    exitEquity: usd(account.exitEquity ?? account.cash ?? 1_000_000),
    contributed: usd(account.contributed ?? 0),
    venue: account.venue ?? { mode: 'NORMAL', link: 'UP' },
    markets,
    market(number: MarketNo) {
      const market = markets[number];
      if (market === undefined) throw new RangeError(`no market ${number}`);
      return market;
    },
  };
}

function fakeMarket(market: FakeMarket, now: EpochMs = NOON): MarketView {
  const grid = market.grid ?? { type: 'tick', tickBps: 10 };
  const book = new Ladder(grid.type === 'tick' ? grid.tickBps : 1);
  if (market.bid !== undefined) book.set(BOOK_SIDE.bid, market.bid, 1_000 * SHARE);
  if (market.ask !== undefined) book.set(BOOK_SIDE.ask, market.ask, 1_000 * SHARE);
  const number = marketNo(market.number ?? 0);
  const status = market.status ?? 'OPEN';
  return {
    info: {
      market: number,
      id: marketId(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`),
      slug: `market-${number}`,
      question: 'Will it?',
      grid,
      scheduledResolution: undefined,
      eventId: market.eventId,
      exclusive: market.exclusive,
    },
    state: {
      status,
      acceptingOrders: status === 'OPEN' && market.halted !== true,
      placeDelay: durationMs(market.placeDelayMs ?? 0),
    },
    limits: { ...NO_LIMITS, ...market.limits },
    acceptedFeeBps: market.acceptedFeeBps ?? market.limits?.feeRateBps ?? 0,
    book,
    bookTime: 'bookTime' in market ? market.bookTime : now,
    mark: 'mark' in market ? (market.mark === undefined ? undefined : unchecked.mid(market.mark)) : book.doubleMid(),
    position: fakePosition(market),
    sellable: (outcome) => {
      const { yes = 0, no = 0, merging = 0, unsettledYes = 0 } = market;
      return shares(Math.max(0, outcome === 'YES' ? yes - merging - unsettledYes : no - merging));
    },
    prices: undefined,
    orders: (market.orders ?? []).map((text) => fakeOrder(text, number, now)),
  };
}

function fakePosition({ yes = 0, no = 0, netCash = 0, fees = 0 }: FakeMarket): PositionView {
  return {
    yes: shares(yes),
    no: shares(no),
    net: shares(yes) - shares(no),
    shares: yes - no,
    yesCost: usd(0),
    noCost: usd(0),
    realized: usd(0),
    netCash: usd(netCash),
    fees: usd(fees),
  };
}

const ORDER =
  /^#(\d+) (BUY|SELL) (YES|NO) ([\d.]+) @ (\d+)(?: (new|live|reducing|cancelling))?(?: age (\d+))?(?: bot (\d+))?( taker)?$/;

/** @throws Error when the text is not an order */
function fakeOrder(text: string, market: MarketNo, now: EpochMs): OpenOrder {
  const match = ORDER.exec(text);
  if (match === null) throw new Error(`not an order: ${text}`);
  const [, number, sideText, outcomeText, size, priceText, phaseText, age, bot, taker] = match;
  const side = sideText === 'BUY' ? 'BUY' : 'SELL';
  const outcome = outcomeText === 'YES' ? 'YES' : 'NO';
  const price = priceBps(Number(priceText));
  return {
    order: orderNo(Number(number)),
    bot: instanceOf(bot),
    market,
    outcome,
    side,
    price,
    sign: yesSign(outcome, side),
    yesPrice: yesPrice(outcome, price),
    remaining: shares(Number(size)),
    phase: phaseOf(phaseText),
    since: epochMs(now - Number(age ?? 60_000)),
    rests: taker === undefined,
  };
}

function instanceOf(text: string | undefined): InstanceNo {
  return instanceNo(Number(text ?? 0));
}

function phaseOf(text: string | undefined): OrderPhase {
  return text === 'new' || text === 'reducing' || text === 'cancelling' ? text : 'live';
}

function reserveOf(order: OpenOrder): number {
  return order.side === 'BUY' ? costAt(order.remaining, order.price) : 0;
}

/** `bid 100 @ 5800`. */
export function parseQuote(text: string): Quote {
  const [, side, size, price] = /^(bid|ask) ([\d.]+) @ (\d+)$/.exec(text) ?? [];
  if (side === undefined) throw new Error(`not a quote: ${text}`);
  return { side: side === 'bid' ? 'bid' : 'ask', price: priceBps(Number(price)), shares: shares(Number(size)) };
}
