/** Random events, commands and messages of an account for property tests. */
import fc from 'fast-check';
import {
  type Conversion,
  type EpochMs,
  type InputEvent,
  type OrderCommand,
  type OrderFilled,
  unchecked,
} from '../../src/domain/index.ts';
import type { AccountState } from '../../src/state/index.ts';
import { about, applyMessages, filled, type PlaceTerms, place, setup, shares, usd } from './world.ts';

export const MARKETS = [setup(0, { feeRateBps: 150 }), setup(1)];

const KINDS = [
  'place',
  'place', // the most frequent, so that other actions have orders
  'place',
  'accepted',
  'accepted',
  'filled',
  'filled',
  'cancel',
  'reduce',
  'replace',
  'cancelAll',
  'rejected',
  'uncertain',
  'reduced',
  'closed',
  'cancelRejected',
  'replaced',
  'external',
  'split',
  'merge',
  'converted',
  'conversionRejected',
  'cash',
  'paid',
  'holding',
  'limits',
  'venue',
  'provisional',
  'provisional',
  'settled',
  'reversed',
] as const;

/** A random action with its order, amount and market. */
export interface Action {
  readonly kind: (typeof KINDS)[number] | 'book' | 'resolution' | 'claim';
  readonly order: number;
  readonly amount: number;
  readonly market: number;
}

const numbers = {
  order: fc.integer({ min: 1, max: 20 }),
  amount: fc.integer({ min: 0, max: 15 }),
  market: fc.integer({ min: 0, max: 1 }),
};

/** Actions that a journal stores. */
export const journalled: fc.Arbitrary<Action> = fc.record({ kind: fc.constantFrom(...KINDS), ...numbers });

/** All actions, including market data. */
export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: journalled },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('book' as const), ...numbers }) },
  fc.record({ kind: fc.constantFrom('resolution' as const, 'claim' as const), ...numbers }),
);

/** Applies the same actions to several states. */
export class ActionRunner {
  readonly #terms = new Map<number, PlaceTerms>();
  /** Provisional fills, including settled and reversed ones. */
  readonly #provisional: OrderFilled[] = [];
  #next: number;
  #time = 1_000;

  /** @param next number of the next order */
  constructor(next = 1) {
    this.#next = next;
  }

  /** @returns the event or command, undefined for market data */
  apply(
    { kind, order, amount, market }: Action,
    states: readonly AccountState[],
  ): InputEvent | OrderCommand | undefined {
    this.#time += 1;
    const time = this.#time;
    if (kind === 'book') {
      const rows = `@${market} bid ${10 * (100 + amount)} ${amount} | @${market} ask ${10 * (300 - order)} ${order % 4}`;
      for (const state of states) applyMessages(state, `${time} | ${rows}`);
    } else if (kind === 'resolution') {
      const end = amount === 0 ? 'CANCELLED' : amount < 8 ? 0 : 10_000;
      if (amount > 3) return undefined;
      for (const state of states) {
        if (state.market(unchecked.market(market)).position.settlement === undefined)
          applyMessages(state, `${time} | @${market} resolution ${end}`);
      }
    } else {
      const [first] = states;
      if (first === undefined) return undefined;
      const change = this.#eventOf(kind, order, amount, market, first) ?? this.#commandOf(kind, order, amount, market);
      for (const state of states) {
        if ('time' in change) state.apply(change);
        else state.applyCommand(change, state.now);
      }
      return change;
    }
    return undefined;
  }

  #commandOf(kind: Action['kind'], number: number, amount: number, at: number): OrderCommand {
    const order = unchecked.order(number);
    const market = unchecked.market(at);
    switch (kind) {
      case 'place':
        return this.#fresh(amount, at);
      case 'cancel':
        return { type: 'cancel', order, market };
      case 'reduce':
        return { type: 'reduce', order, market, by: shares(1) };
      case 'replace':
        return {
          type: 'replace',
          market,
          cancels: [{ order, remaining: shares(amount) }],
          places: [this.#fresh(amount, at)],
        };
      case 'split':
      case 'merge':
      case 'claim':
        return { type: kind, ...this.#conversion(amount, at) };
      default:
        return { type: 'cancelAll' };
    }
  }

  #eventOf(
    kind: Action['kind'],
    order: number,
    amount: number,
    at: number,
    state: AccountState,
  ): InputEvent | undefined {
    const head = about(order, this.#time, at);
    const { time, venueTime, market } = head;
    switch (kind) {
      case 'accepted':
        return { type: 'orderAccepted', ...head };
      case 'rejected':
        return { type: 'orderRejected', ...head, reason: 'CONFLICT' };
      case 'uncertain':
        return { type: 'orderUncertain', ...head };
      case 'filled':
        return { ...filled({ ...this.#terms.get(order), order, size: 1 + amount, left: amount }), time, venueTime };
      case 'provisional': {
        const terms = { ...this.#terms.get(order), order, size: 1 + amount, left: amount };
        const fill = { ...filled(terms), time, venueTime, trade: `trade ${time}`, provisional: true } as const;
        this.#provisional.push(fill);
        return fill;
      }
      case 'settled':
      case 'reversed':
        return this.#decided(kind, order, time);
      case 'external':
        return { ...filled({ order: 1, side: amount % 3 === 0 ? 'SELL' : 'BUY', market: at }), ...about(0, time, at) };
      case 'reduced':
        return { type: 'orderReduced', ...head, remaining: shares(amount) };
      case 'closed':
        return { type: 'orderClosed', ...head, reason: 'USER' };
      case 'replaced':
        return {
          type: 'ordersReplaced',
          time,
          venueTime,
          market,
          closed: [head.order],
          accepted: [unchecked.order(order + 1)],
        };
      case 'cancelRejected':
        return { type: 'cancelRejected', ...head, reason: 'NOT_FOUND' };
      case 'converted': {
        const conversion = amount % 2 === 0 ? 'split' : 'merge';
        const paid = usd(conversion === 'split' ? -amount : amount);
        const received = { time, venueTime, ...this.#conversion(amount, at), fee: usd(0) };
        const { owed, settlement } = state.market(market).position;
        if (settlement !== undefined)
          return { type: 'converted', ...received, conversion: 'claim', shares: shares(0), paid: owed };
        return { type: 'converted', ...received, conversion, paid };
      }
      case 'conversionRejected': {
        const { bot } = this.#conversion(amount, at);
        return { type: 'conversionRejected', time, venueTime, market, bot, conversion: 'split', reason: 'CONFLICT' };
      }
      case 'cash':
        return { type: 'cashAdjusted', time, venueTime, amount: usd(amount - 7) };
      case 'paid': {
        const cause = amount % 2 === 0 ? 'rebate' : 'reward';
        return { type: 'makerPaid', time, venueTime, market, cause, day: time, amount: usd(amount) };
      }
      case 'holding':
        return {
          type: 'holdingAdjusted',
          time,
          venueTime,
          market,
          yes: shares(amount),
          no: shares(order),
          yesCost: usd(amount * 0.3),
          noCost: usd(order * 0.9),
        };
      case 'limits':
        return {
          type: 'limitsChanged',
          time,
          venueTime,
          market,
          limits: { ...setup().limits, feeRateBps: 10 * amount },
        };
      case 'venue':
        return { type: 'venueChanged', time, venueTime, mode: 'POST_ONLY', link: amount % 2 === 0 ? 'UP' : 'DOWN' };
      default:
        return undefined;
    }
  }

  /** An event of a provisional fill or of an unknown one. */
  #decided(kind: 'settled' | 'reversed', place: number, time: EpochMs): InputEvent {
    const known = this.#provisional[place % (this.#provisional.length + 1)];
    const {
      trade = 'unknown',
      order,
      market,
      outcome,
      side,
      price,
      shares: size,
      fee,
    } = known ?? filled({ order: place });
    const about = { time, venueTime: time, order, market, trade };
    return kind === 'settled'
      ? { type: 'fillSettled', ...about }
      : { type: 'fillReversed', ...about, outcome, side, price, shares: size, fee, liquidity: 'maker' };
  }

  #conversion(amount: number, at: number): Omit<Conversion, 'type'> {
    return { bot: unchecked.instance(amount % 2), market: unchecked.market(at), shares: shares(amount) };
  }

  #fresh(amount: number, market: number): ReturnType<typeof place> {
    const terms: PlaceTerms = {
      order: this.#next,
      outcome: amount % 2 === 0 ? 'YES' : 'NO',
      side: amount % 3 === 0 ? 'SELL' : 'BUY',
      price: 1_000 + 10 * amount,
      size: 1 + amount,
      postOnly: amount % 5 !== 0,
      bot: amount % 3,
      timeInForce: amount === 7 ? 'FAK' : 'GTC',
      market,
    };
    this.#next += 1;
    this.#terms.set(terms.order, terms);
    const order = place(terms);
    return amount % 4 === 1 ? { ...order, tag: `level ${amount}` } : order;
  }
}
