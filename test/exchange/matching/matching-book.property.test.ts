import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import {
  BOOK_RESULT,
  CLOSE,
  FORCE,
  isBidKind,
  ORDER_KINDS,
  OrderSlots,
  SELF_TRADE,
} from '../../../src/exchange/index.ts';
import { MATCH, ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { runs } from '../../runs.ts';
import { EventRows } from './event-log.ts';
import { LoggedBook } from './logged-book.ts';
import { NaiveBook } from './naive-book.ts';
import { matchOf } from './naive-rules.ts';

const TICK = 100;

interface Place {
  readonly type: 'place';
  readonly kind: number;
  readonly force: number;
  readonly price: number;
  readonly shares: number;
  /** 0 has no owner. */
  readonly holding: number;
  readonly selfTrade: number;
}
/** `age` counts back from the latest order. */
type Command = Place | { readonly type: 'cancel' | 'reduce'; readonly age: number; readonly shares: number };

const shares = fc.integer({ min: 1, max: 12 }).map((lots) => lots * LOT);
const place: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('place' as const),
  kind: fc.integer({ min: 0, max: 3 }),
  force: fc.integer({ min: 0, max: 3 }),
  price: fc
    .oneof({ weight: 4, arbitrary: fc.integer({ min: 48, max: 52 }) }, fc.integer({ min: 1, max: 99 }))
    .map((n) => n * TICK),
  shares,
  holding: fc.integer({ min: 0, max: 3 }),
  selfTrade: fc.integer({ min: 0, max: 2 }),
});
const change: fc.Arbitrary<Command> = fc.record({
  type: fc.constantFrom('cancel' as const, 'reduce' as const),
  age: fc.integer({ min: 0, max: 20 }),
  shares,
});
const commands = fc.array(fc.oneof({ weight: 3, arbitrary: place }, change), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

function apply(book: LoggedBook | NaiveBook, command: Command, at: number): number {
  if (command.type === 'place') {
    const { kind, force, price, shares, holding, selfTrade } = command;
    return book.place(at + 1, kind, force, price, shares, holding, selfTrade);
  }
  const order = at - command.age;
  return command.type === 'cancel' ? book.cancel(order) : book.reduceOrder(order, command.shares);
}

function newFast() {
  const book = new LoggedBook({ slots: new OrderSlots(1), tickBps: TICK });
  return { log: book.log, book };
}

describe('any sequence of commands', () => {
  it('gives the matching book and its naive implementation the same results, events, hashes and levels', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const twinLog = new EventRows();
        const twin = new NaiveBook(twinLog, TICK);
        for (const [at, command] of list.entries()) {
          const answer = apply(book, command, at);
          expect([answer, log.take(), book.stateHash()]).toEqual([
            apply(twin, command, at),
            twinLog.take(),
            twin.stateHash(),
          ]);
          for (const [price, orders] of twin.levels()) {
            const total = orders.reduce((sum, { remaining }) => sum + remaining, 0);
            expect([book.sharesAt(price), book.orderCountAt(price)]).toEqual([total, orders.length]);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('conserves shares, so each placed share is traded, cancelled, reduced or open', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const open = new Map<number, number>();
        const subtract = (order: number, by: number) => open.set(order, (open.get(order) ?? Number.NaN) - by);
        for (const [at, command] of list.entries()) {
          if (command.type === 'place') open.set(at + 1, command.shares);
          const answer = apply(book, command, at);
          if (answer !== 0 && command.type === 'place') open.delete(at + 1);
          for (const [event, first = 0, second = 0, , traded = 0] of log.rows.splice(0)) {
            if (event === 0) for (const order of [first, second]) subtract(order, traded);
            if (event === 2) open.set(first, second);
            if (event === 3) subtract(first, second);
          }
          for (const [order, remaining] of open) expect(book.remainingOf(order)).toBe(remaining);
        }
      }),
    );
  });

  it('never crosses the book, never trades through a limit, and pays the maker’s price', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const limits = new Map<number, { readonly isBid: boolean; readonly price: number }>();
        for (const [at, command] of list.entries()) {
          if (command.type === 'place') {
            const price = command.kind < 2 ? command.price : 10_000 - command.price;
            limits.set(at + 1, { isBid: isBidKind(command.kind), price });
          }
          apply(book, command, at);
          expect(book.bestBid).toBeLessThan(book.bestAsk);
          for (const [event, maker = 0, taker = 0, price = 0] of log.rows.splice(0)) {
            if (event !== 0) continue;
            const [resting, incoming] = [limits.get(maker), limits.get(taker)];
            expect(price).toBe(resting?.price);
            expect(resting?.isBid).toBe(!incoming?.isBid);
            const improvement = ((incoming?.price ?? Number.NaN) - price) * (incoming?.isBid ? 1 : -1);
            expect(improvement).toBeGreaterThanOrEqual(0);
          }
        }
      }),
    );
  });

  it('creates and destroys YES and NO in pairs, so both outcomes gain the minted less the merged shares', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const kinds = new Map<number, number>();
        const gained = { YES: 0, NO: 0 };
        let pairs = 0;
        for (const [at, command] of list.entries()) {
          if (command.type === 'place') kinds.set(at + 1, command.kind);
          apply(book, command, at);
          for (const [event, maker = 0, taker = 0, , traded = 0, match] of log.rows.splice(0)) {
            if (event !== 0) continue;
            const [resting, incoming] = [kinds.get(maker) ?? Number.NaN, kinds.get(taker) ?? Number.NaN];
            expect(match).toBe(matchOf(resting, incoming));
            if (match === MATCH.mint) pairs += traded;
            if (match === MATCH.merge) pairs -= traded;
            for (const kind of [resting, incoming]) {
              const terms = ORDER_KINDS[kind];
              if (terms !== undefined) gained[terms.outcome] += terms.side === 'BUY' ? traded : -traded;
            }
          }
          expect(gained).toEqual({ YES: pairs, NO: pairs });
        }
      }),
    );
  });

  it('fills orders of one price in order of arrival', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        for (const [at, command] of list.entries()) {
          apply(book, command, at);
          const fills = log.rows.splice(0).filter(([event]) => event === 0);
          for (const [place, [, maker = 0, , price = 0]] of fills.entries()) {
            const [, before = 0, , priceBefore = 0] = fills[place - 1] ?? [];
            if (priceBefore === price) expect(before).toBeLessThan(maker);
          }
        }
      }),
    );
  });

  it('fills a FOK completely on arrival, never rests a FAK, and never matches an incoming post-only order', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        for (const [at, command] of list.entries()) {
          const answer = apply(book, command, at);
          const rows = log.rows.splice(0);
          if (command.type !== 'place' || answer !== 0) continue;
          const traded = rows.reduce((sum, [event, , , , by = 0]) => (event === 0 ? sum + by : sum), 0);
          if (command.force === FORCE.fok) expect(traded).toBe(command.shares);
          if (command.force === FORCE.fak) expect(book.remainingOf(at + 1)).toBe(0);
          if (command.force === FORCE.postOnly) expect([traded, book.remainingOf(at + 1)]).toEqual([0, command.shares]);
          const isStopped = rows.some(
            ([event, order, , reason]) => event === 3 && order === at + 1 && reason === CLOSE.selfTrade,
          );
          if (command.force === FORCE.gtc) {
            expect(book.remainingOf(at + 1)).toBe(isStopped ? 0 : command.shares - traded);
          }
        }
      }),
    );
  });

  it('never matches an owner with himself, and closes only the orders that the self-trade mode names', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const owners = new Map<number, number>();
        for (const [at, command] of list.entries()) {
          if (command.type === 'place') owners.set(at + 1, command.holding);
          apply(book, command, at);
          for (const [event, first = 0, second = 0, reason] of log.rows.splice(0)) {
            if (event === 0 && owners.get(first) !== 0) expect(owners.get(first)).not.toBe(owners.get(second));
            if (event !== 3 || reason !== CLOSE.selfTrade || command.type !== 'place') continue;
            expect(owners.get(first)).toBe(command.holding);
            if (command.selfTrade === SELF_TRADE.cancelTaker) expect(first).toBe(at + 1);
            if (command.selfTrade === SELF_TRADE.cancelMaker) expect(first).not.toBe(at + 1);
          }
        }
      }),
    );
  });

  it('leaves before each order a queue of exactly the earlier orders at its price', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { book } = newFast();
        for (const [at, command] of list.entries()) {
          apply(book, command, at);
          for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) {
            let ahead = 0;
            for (let slot = book.firstAt(price); slot !== 0; slot = book.shared.behind(slot)) {
              expect(book.queueAhead(slot)).toBe(ahead);
              ahead += book.shared.remaining(slot);
            }
            expect(ahead).toBe(book.sharesAt(price));
          }
        }
      }),
    );
  });

  it('leaves a book that two orders can empty', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { book } = newFast();
        for (const [at, command] of list.entries()) apply(book, command, at);
        book.place(1000, ORDER_KIND.buyYes, FORCE.fak, 9900, MAX_ORDER_SHARES);
        book.place(1001, ORDER_KIND.sellYes, FORCE.fak, 100, MAX_ORDER_SHARES);
        expect([book.bestBid, book.bestAsk, book.shared.size]).toEqual([0, 10_000, 0]);
        expect(book.stateHash()).toBe(newFast().book.stateHash());
      }),
    );
  });

  it('can be validated without a change and then placed, with the results of the naive implementation', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { log, book } = newFast();
        const twinLog = new EventRows();
        const twin = new NaiveBook(twinLog, TICK);
        for (const [at, command] of list.entries()) {
          const before = book.stateHash();
          let answer: number;
          if (command.type === 'place') {
            const { kind, force, price, shares, holding, selfTrade } = command;
            answer = book.refusal(kind, force, price, shares, holding, selfTrade);
            expect([book.stateHash(), log.take()]).toEqual([before, '']);
            log.incoming = at + 1;
            if (answer === BOOK_RESULT.done) book.enter(at + 1, kind, force, price, shares, holding, selfTrade);
          } else answer = apply(book, command, at);
          const twinAnswer = apply(twin, command, at);
          expect([answer, log.take(), book.stateHash()]).toEqual([twinAnswer, twinLog.take(), twin.stateHash()]);
        }
      }),
    );
  });
});
