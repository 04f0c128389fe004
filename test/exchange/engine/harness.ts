/** An exchange for tests: opens accounts and markets, fills in defaults of commands, and returns their events. */

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import {
  type AccountNo,
  type MarketNo,
  marketId,
  type OrderNo,
  type Outcome,
  unchecked,
} from '../../../src/domain/index.ts';
import {
  type CreateMarket,
  Exchange,
  type ExchangeCommand,
  type ExchangeEvent,
  type ExchangeOptions,
  type OrderTerms,
} from '../../../src/exchange/index.ts';
import { EventRecorder } from '../../../src/exchange/journal/event-recorder.ts';
import { recordingBooks } from '../../../src/replay/index.ts';

export const SHARE = 1_000_000;
export const DOLLAR = 1_000_000;
export const START = 1_700_000_000_000;

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Members of an order as plain numbers and strings. */
export interface OrderOverrides
  extends Partial<Omit<OrderTerms, 'market' | 'price' | 'shares' | 'expiration' | 'replaces'>> {
  readonly market?: number;
  readonly price?: number;
  /** In whole shares. */
  readonly size?: number;
  readonly microShares?: number;
  readonly expiration?: number;
  readonly replaces?: number;
}

type Loose<T> = {
  readonly [Key in keyof T]?: T[Key] | number | string | boolean | undefined | readonly unknown[] | object;
};

/** The command with the given type, also where several types share one shape. */
type CommandOf<Type, Command = ExchangeCommand> = Command extends { readonly type: infer Own }
  ? Type extends Own
    ? Command
    : never
  : never;

export class Harness {
  readonly exchange: Exchange;
  time = START;
  #markets = 0;

  constructor(options: Partial<ExchangeOptions> = {}, exchange?: Exchange) {
    this.exchange = exchange ?? new Exchange({ sha256, books: recordingBooks, ...options });
  }

  get view() {
    return this.exchange.view;
  }

  /** Executes a command and returns its events. */
  apply(command: ExchangeCommand): readonly ExchangeEvent[] {
    const recorder = new EventRecorder();
    this.exchange.apply(command, recorder);
    return recorder.drain();
  }

  /** Executes a command whose members may be invalid; the default time is the harness's. */
  send<Type extends ExchangeCommand['type']>(
    type: Type,
    members: Loose<CommandOf<Type>> = {},
  ): readonly ExchangeEvent[] {
    const command: unknown = { time: this.time, account: 1, credential: 0, note: '', ...members, type };
    if (!isCommand(command)) throw new Error('not a command');
    return this.apply(command);
  }

  /** Opens an account with a deposit in dollars. */
  account(dollars = 1000): AccountNo {
    return this.#openAccount(dollars, { unlimited: false });
  }

  /** Opens an account whose balance can be negative, with a deposit in dollars. */
  unlimitedAccount(dollars = 0): AccountNo {
    return this.#openAccount(dollars, { unlimited: true });
  }

  #openAccount(dollars: number, { unlimited }: { readonly unlimited: boolean }): AccountNo {
    const account = this.view.accountCount + 1;
    this.send('openAccount', { address: `0x${String(account).padStart(40, '0')}`, unlimited });
    if (dollars > 0) this.send('transfer', { account, amount: dollars * DOLLAR });
    return unchecked.account(account);
  }

  /** Creates a market, which waits for its contract. */
  createMarket(members: Loose<CreateMarket> = {}): MarketNo {
    const number = this.#markets++;
    const id = marketId(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
    const base = { id, question: `Question ${number}?`, rules: 'r', description: undefined, categorySlug: 'c' };
    const rest = { topicSlugs: [], tickBps: undefined, feeRateBps: undefined, eventId: undefined };
    const resolutionDate = this.time + 30 * 86_400_000;
    const more = { minOrderShares: undefined, resolutionDate, initialOrder: undefined, restriction: undefined };
    this.send('createMarket', { ...base, ...rest, ...more, ...members });
    return unchecked.market(this.view.markets.length - 1);
  }

  /** Creates and opens a market. */
  market(members: Loose<CreateMarket> = {}): MarketNo {
    const market = this.createMarket(members);
    this.confirm(market);
    return market;
  }

  /** Confirms the market's pending chain request. */
  confirm(market: number): readonly ExchangeEvent[] {
    const record = this.view.market(market);
    const confirmation = {
      market,
      step: record?.chainStep ?? 'DEPLOY',
      attempt: record?.attempts ?? 1,
      transactionHash: '0x1',
    };
    return this.send('chainConfirmed', confirmation);
  }

  terms(overrides: OrderOverrides = {}): OrderTerms {
    const { market = 0, price = 5000, size = 10, microShares, expiration = 0, replaces = 0, ...rest } = overrides;
    return {
      outcome: 'YES',
      side: 'BUY',
      timeInForce: 'GTC',
      postOnly: false,
      timestampMs: unchecked.time(this.time),
      epoch: 0,
      maxFeeBps: 1000,
      selfTrade: 'CANCEL_TAKER',
      group: unchecked.group(0),
      restriction: undefined,
      hash: undefined,
      clientOrderId: undefined,
      ...rest,
      market: unchecked.market(market),
      price: unchecked.price(price),
      shares: unchecked.shares(microShares ?? size * SHARE),
      expiration: expiration === 0 ? 0 : unchecked.time(expiration),
      replaces: replaces === 0 ? 0 : replaces === -1 ? -1 : unchecked.order(replaces),
    };
  }

  place(account: number, overrides: OrderOverrides = {}, credential = 0): readonly ExchangeEvent[] {
    return this.apply({
      ...this.terms(overrides),
      type: 'place',
      time: unchecked.time(this.time),
      account: unchecked.account(account),
      credential: unchecked.credential(credential),
    });
  }

  /** Places an order and returns its number. @throws if it is refused */
  order(account: number, overrides: OrderOverrides = {}, credential = 0): OrderNo {
    const events = this.place(account, overrides, credential);
    for (const event of events) if (event.type === 'accepted') return event.order;
    throw new Error(`refused: ${JSON.stringify(events)}`);
  }

  buy(account: number, outcome: Outcome, price: number, size: number, overrides: OrderOverrides = {}): OrderNo {
    return this.order(account, { outcome, side: 'BUY', price, size, ...overrides });
  }

  sell(account: number, outcome: Outcome, price: number, size: number, overrides: OrderOverrides = {}): OrderNo {
    return this.order(account, { outcome, side: 'SELL', price, size, ...overrides });
  }

  hash(): string {
    return this.exchange.stateHash();
  }
}

/** A harness with two accounts and a market. */
export function twoAccounts({ dollars = 1000, ...market }: Loose<CreateMarket> & { readonly dollars?: number } = {}) {
  const harness = new Harness();
  const [a, b] = [harness.account(dollars), harness.account(dollars)];
  harness.market(market);
  return { harness, a, b };
}

/** Returns the order with the number of its group. */
export function inGroup(group: number, overrides: OrderOverrides = {}): OrderOverrides {
  return { ...overrides, group: unchecked.group(group) };
}

/** The members of a `replace` command that tests set. */
export interface ReplaceSet {
  readonly cancel?: readonly number[] | 'all';
  readonly place?: readonly OrderOverrides[];
  readonly ifNoFillSince?: number;
  readonly mustReplace?: boolean;
}

export function replace(
  harness: Harness,
  account: number,
  { cancel = [], place = [], ifNoFillSince, mustReplace = false }: ReplaceSet,
) {
  const terms = place.map((overrides) => harness.terms(overrides));
  return harness.send('replace', { account, market: 0, cancel, place: terms, ifNoFillSince, mustReplace });
}

/** Returns the texts of a refused replace, which must not change the exchange. */
export function replaceRefusal(harness: Harness, account: number, set: ReplaceSet) {
  return expectUnchanged(harness, () => eventTexts(replace(harness, account, set)));
}

/** Returns a short text for each event. */
export function eventTexts(events: readonly ExchangeEvent[]): readonly string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'accepted':
        return `accepted ${event.order}`;
      case 'traded':
        return `traded ${event.maker}<${event.taker} ${event.shares / SHARE}@${event.yesPrice} ${event.match}`;
      case 'reduced':
        return `reduced ${event.order} to ${event.remaining / SHARE}`;
      case 'closed':
        return `closed ${event.order} ${event.reason} ${event.unfilled / SHARE}`;
      case 'rareEvent':
        return event.event.type;
      case 'refused':
        return `refused ${event.entry} ${event.refusal.reason} ${event.refusal.field ?? ''}`.trimEnd();
      case 'duplicate':
        return `duplicate ${event.entry} ${event.order}`;
      default:
        return event satisfies never;
    }
  });
}

/** Returns the reason if the only event is a refusal. */
export function reasonOf(events: readonly ExchangeEvent[]): string | undefined {
  const [first] = events;
  return events.length === 1 && first?.type === 'refused' ? first.refusal.reason : undefined;
}

/** Runs `act` and expects that it does not change the exchange. */
export function expectUnchanged<T>(harness: Harness, act: () => T): T {
  const before = [harness.hash(), harness.view.seq];
  const result = act();
  expect([harness.hash(), harness.view.seq]).toEqual(before);
  return result;
}

function isCommand(command: unknown): command is ExchangeCommand {
  return typeof command === 'object' && command !== null;
}
