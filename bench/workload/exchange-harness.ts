/** Creates exchanges with funded accounts and open markets, and reusable commands. */
import { createHash } from 'node:crypto';
import { DOLLAR, type EpochMs, marketId, unchecked } from '../../src/domain/index.ts';
import type { Cancel } from '../../src/exchange/command.ts';
import type { ExchangeCapacity } from '../../src/exchange/engine/exchange-state.ts';
import {
  DEFAULT_CONFIG,
  Exchange,
  type ExchangeCommand,
  type ExchangeSink,
  type OrderTerms,
  type Place,
} from '../../src/exchange/index.ts';

/** Time of all commands. */
const START = unchecked.time(1_700_000_000_000);

/** The size of an exchange. */
export interface HarnessShape {
  readonly accounts: number;
  readonly markets: number;
  readonly tickBps: number;
  /** Bps of p(1 - p). */
  readonly feeRateBps: number;
  /** Dollars per account. */
  readonly dollars: number;
  readonly capacity?: ExchangeCapacity;
}

/** Receives every event and stores a part of it, so that V8 cannot remove the work. */
export class CountingSink implements ExchangeSink {
  fills = 0;
  /** Micro-shares. */
  volume = 0;
  ends = 0;
  orders = 0;
  refusals = 0;

  accepted(): void {
    this.orders++;
  }
  traded(_seq: number, _market: number, _maker: number, _taker: number, _yesPrice: number, shares: number): void {
    this.fills++;
    this.volume += shares;
  }
  reduced(): void {}
  closed(): void {
    this.ends++;
  }
  rareEvent(): void {}
  refused(): void {
    this.refusals++;
  }
  duplicate(): void {}
}

/** Opens an exchange with open markets and funded accounts. */
export function newExchange(shape: HarnessShape): Exchange {
  const { accounts, markets, tickBps, feeRateBps, dollars, capacity = {} } = shape;
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  // Without a minimum, because the flow has orders of one share at any price.
  const config = { ...DEFAULT_CONFIG, tickBps, feeRateBps, minBet: unchecked.usd(0) };
  const exchange = new Exchange({ sha256, config, capacity: { accounts, holdings: accounts, ...capacity } });
  for (let number = 1; number <= accounts; number++) {
    const account = unchecked.account(number);
    apply(exchange, { type: 'openAccount', time: START, address: `0x${number.toString(16)}`, unlimited: false });
    apply(exchange, { type: 'transfer', time: START, account, amount: unchecked.usd(dollars * DOLLAR) });
  }
  for (let number = 0; number < markets; number++) openMarket(exchange, number);
  return exchange;
}

/** Splits an account's dollars into pairs. */
export function split(exchange: Exchange, account: number, market: number, pairs: number): void {
  apply(exchange, {
    type: 'split',
    time: START,
    account: unchecked.account(account),
    credential: unchecked.credential(0),
    market: unchecked.market(market),
    shares: unchecked.shares(pairs * DOLLAR),
  });
}

/** Returns the command that creates a market. */
export function createMarket(number: number, time: EpochMs): ExchangeCommand {
  return {
    type: 'createMarket',
    time,
    account: unchecked.account(1),
    credential: unchecked.credential(0),
    id: marketId(`00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`),
    question: `Market ${number}?`,
    rules: 'As they are.',
    description: undefined,
    categorySlug: 'bench',
    topicSlugs: [],
    resolutionDate: unchecked.time(time + 1e9),
    tickBps: undefined,
    feeRateBps: undefined,
    minOrderShares: undefined,
    eventId: undefined,
    initialOrder: undefined,
    restriction: undefined,
  };
}

function openMarket(exchange: Exchange, number: number): void {
  const market = unchecked.market(number);
  apply(exchange, createMarket(number, START));
  const answer = { time: START, market, note: '', step: 'DEPLOY', attempt: 1, transactionHash: '0x00' } as const;
  apply(exchange, { type: 'chainConfirmed', ...answer });
}

function apply(exchange: Exchange, command: ExchangeCommand): void {
  const sink = new CountingSink();
  exchange.apply(command, sink);
  if (sink.refusals > 0) throw new Error(`Invariant: the harness refused ${command.type}`);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Returns a place command that is rewritten for each row. */
export function reusedPlace(): Writable<Place> {
  const terms: OrderTerms = {
    market: unchecked.market(0),
    outcome: 'YES',
    side: 'BUY',
    price: unchecked.price(5000),
    shares: unchecked.shares(0),
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: START,
    epoch: 0,
    maxFeeBps: 1000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: unchecked.group(0),
    restriction: undefined,
    hash: undefined,
    clientOrderId: undefined,
  };
  return { type: 'place', time: START, account: unchecked.account(1), credential: unchecked.credential(0), ...terms };
}

/** Returns a cancel command that is rewritten for each row. */
export function reusedCancel(): Writable<Cancel> & { readonly orders: [number] } {
  const orders: [Cancel['orders'][number]] = [unchecked.order(1)];
  return { type: 'cancel', time: START, account: unchecked.account(1), credential: unchecked.credential(0), orders };
}
