/** A lifecycle with a fake engine that only records its requests. */

import { createHash } from 'node:crypto';
import { accountNo } from '../../../src/domain/ids.ts';
import {
  type AccountNo,
  credentialNo,
  durationMs,
  type EpochMs,
  epochMs,
  groupNo,
  type MarketNo,
  marketId,
  marketNo,
  microShares,
  orderNo,
  priceBps,
  SHARE,
  type VenueMode,
} from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG, type ExchangeConfig } from '../../../src/exchange/config.ts';
import type { CreateMarket, MarketCommand } from '../../../src/exchange/market-command.ts';
import type { MarketEvent } from '../../../src/exchange/market-event.ts';
import type { Effects } from '../../../src/exchange/markets/effects.ts';
import { Lifecycle } from '../../../src/exchange/markets/lifecycle.ts';
import type { LastQuotes, MarketRecord } from '../../../src/exchange/markets/market-record.ts';
import { Markets } from '../../../src/exchange/markets/markets.ts';
import { MatchingBook } from '../../../src/exchange/matching/matching-book.ts';
import { OrderSlots } from '../../../src/exchange/matching/order-slots.ts';
import type { OrderTerms } from '../../../src/exchange/order-terms.ts';
import type { Refusal } from '../../../src/exchange/refusal.ts';
import type { StateReader } from '../../../src/exchange/state-writer.ts';

export const START = Date.parse('2026-11-20T12:00:00Z');
export const CREATOR = accountNo(1);

/** Short time limits, all different. */
export const WAITS = {
  chainTimeout: durationMs(100),
  quorumTimeout: durationMs(1000),
  disputeWindow: durationMs(200),
  safetyPeriod: durationMs(500),
} as const;

export class Harness implements Effects {
  now: EpochMs;
  maxMarkets = 1000;
  config: ExchangeConfig = { ...DEFAULT_CONFIG, ...WAITS };
  mode: VenueMode = 'NORMAL';
  /** The result of an initial order. */
  initialRefusal: Refusal | undefined;
  readonly holders = new Set<AccountNo>();
  /** All requests to the engine, in order, with events. */
  readonly calls: string[] = [];
  readonly events: MarketEvent[] = [];
  /** All deadlines that were ever requested. */
  readonly scheduled: number[] = [];
  readonly markets = new Markets();
  readonly lifecycle: Lifecycle;
  readonly #deadlines: { readonly market: MarketNo; readonly time: EpochMs }[] = [];

  constructor(now: number = START) {
    this.now = epochMs(now);
    this.lifecycle = new Lifecycle({ markets: this.markets, effects: this, sha256 });
  }

  /** Returns a copy that is restored from a snapshot of the markets. */
  copy(): Harness {
    const copy = new Harness(this.now);
    copy.config = this.config;
    for (const holder of this.holders) copy.holders.add(holder);
    copy.markets.restore(readerOf(stateOf(this.markets)), bookOf);
    for (const [no, market] of copy.markets.list.entries()) {
      market.lastTrade = this.market(no).lastTrade;
      if (market.deadline !== undefined) copy.schedule(market.number, market.deadline);
    }
    return copy;
  }

  /** Advances the time to that of a command, then sends it. */
  send(command: MarketCommand): ReturnType<Lifecycle['apply']> {
    this.pass(command.time);
    return this.lifecycle.apply(command);
  }

  /** Processes the deadlines up to a time, each at its own time. */
  pass(to: number): void {
    for (;;) {
      const due = this.#deadlines.reduce<number>((first, { time }) => Math.min(first, time), Number.POSITIVE_INFINITY);
      if (due > to) break;
      const [deadline] = this.#deadlines.splice(
        this.#deadlines.findIndex(({ time }) => time === due),
        1,
      );
      if (deadline === undefined) break;
      this.now = deadline.time;
      this.lifecycle.onDeadline(deadline.market, deadline.time);
    }
    this.now = epochMs(Math.max(to, this.now));
  }

  market(no = 0): MarketRecord {
    const market = this.markets.get(no);
    if (market === undefined) throw new Error(`no market ${no} on the harness`);
    return market;
  }

  /** The requests since the last call, without the events' details. */
  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  emit(event: MarketEvent): void {
    this.events.push(event);
    this.calls.push(event.type);
  }

  schedule(market: MarketNo, time: EpochMs): void {
    if (time <= this.now) throw new Error('a deadline that is due immediately must not be scheduled');
    this.scheduled.push(time);
    this.#deadlines.push({ market, time });
  }

  newBook(market: MarketNo, tickBps: number): MatchingBook {
    this.calls.push(`newBook ${tickBps}`);
    return bookOf(market, tickBps);
  }

  bookChanged(): void {
    this.calls.push('bookChanged');
  }

  quotes(): LastQuotes {
    this.calls.push('quotes');
    return { reference: 5000, yes: 6000, no: 6000 };
  }

  cancelOrders(_market: MarketRecord, reason: string): void {
    this.calls.push(`cancel ${reason}`);
  }

  settle(_market: MarketRecord, yesPayoutBps: number): void {
    this.calls.push(`settle ${yesPayoutBps}`);
  }

  refund(): void {
    this.calls.push('refund');
  }

  holdsShares(account: AccountNo): boolean {
    return this.holders.has(account);
  }

  initialOrderRefusal(): Refusal | undefined {
    return this.initialRefusal;
  }

  reserveInitialOrder(): ReturnType<Effects['reserveInitialOrder']> {
    this.calls.push('reserve');
    return orderNo(7);
  }

  showInitialOrder(): void {
    this.calls.push('enter');
  }
}

/** Returns the command that creates a plain market, with the given differences. */
export function creation(time: number, differs: Partial<CreateMarket> = {}): CreateMarket {
  return {
    type: 'createMarket',
    time: epochMs(time),
    account: CREATOR,
    credential: credentialNo(0),
    id: marketId('3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b'),
    question: 'Will it rain?',
    rules: 'By the gauge.',
    description: undefined,
    categorySlug: 'weather',
    topicSlugs: ['rain'],
    resolutionDate: epochMs(START + 10_000),
    tickBps: undefined,
    minOrderShares: undefined,
    feeRateBps: undefined,
    eventId: undefined,
    initialOrder: undefined,
    restriction: undefined,
    ...differs,
  };
}

/** A plain initial order. */
export const INITIAL: OrderTerms = {
  market: marketNo(0),
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(5000),
  shares: microShares(10 * SHARE),
  timeInForce: 'GTC',
  postOnly: false,
  expiration: 0,
  timestampMs: epochMs(START),
  epoch: 0,
  maxFeeBps: 0,
  replaces: 0,
  selfTrade: 'CANCEL_TAKER',
  group: groupNo(0),
  restriction: undefined,
  hash: '0x01',
  clientOrderId: undefined,
};

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Returns the written state of markets as a list. */
export function stateOf(markets: Markets): readonly (number | string)[] {
  const values: (number | string)[] = [];
  const write = (value: number | string): void => void values.push(value);
  markets.writeState({ number: write, text: write });
  return values;
}

/** Returns a reader of such a list. It throws when the next value has the wrong type. */
export function readerOf(values: readonly (number | string)[]): StateReader & { readonly left: number } {
  let place = 0;
  const next = (): number | string | undefined => values[place++];
  return {
    get left() {
      return values.length - place;
    },
    number() {
      const value = next();
      if (typeof value !== 'number') throw new Error(`${value} at ${place - 1} is no number`);
      return value;
    },
    text() {
      const value = next();
      if (typeof value !== 'string') throw new Error(`${value} at ${place - 1} is no text`);
      return value;
    },
  };
}

/** Returns one book for all markets of a tick, because nothing trades on this harness. */
function bookOf(_market: MarketNo, tickBps: number): MatchingBook {
  const known = BOOKS.get(tickBps);
  if (known !== undefined) return known;
  const book = new MatchingBook({ slots: new OrderSlots(), sink: NO_SINK, number: 0, tickBps });
  BOOKS.set(tickBps, book);
  return book;
}

const BOOKS = new Map<number, MatchingBook>();
const NO_SINK = {
  filled: () => false,
  paused: () => 0,
  rested: () => {},
  reduced: () => {},
  closed: () => {},
  ended: () => {},
};
