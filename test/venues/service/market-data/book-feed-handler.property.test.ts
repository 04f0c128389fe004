import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VenueOrder } from '../../../../src/venues/base/venue-orders.ts';
import type { WireBook } from '../../../../src/venues/service/market-data/book-frame-codec.ts';
import { runs } from '../../../runs.ts';
import { bookFeedHarness } from './book-feed-harness.ts';
import { ownOrder } from './own-order.ts';
import { type Change, levelsText, ScriptedBook } from './scripted-book.ts';

const { assert, array, constant, constantFrom, integer, nat, oneof, record, tuple } = fc;

const price = (side: 'bid' | 'ask', step: number): number => (side === 'bid' ? 4_990 - 10 * step : 5_010 + 10 * step);
const change = record({ side: constantFrom('bid' as const, 'ask' as const), step: nat(12), shares: nat(5) }).map(
  ({ side, step, shares }): Change => ({ side, price: price(side, step), shares }),
);
/** The delivery of a frame. */
const delivery = constantFrom('ok', 'ok', 'ok', 'ok', 'lost', 'twice', 'late', 'late', 'corrupt');
const steps = array(tuple(array(change, { minLength: 1, maxLength: 3 }), delivery), { minLength: 1, maxLength: 60 });

it('the book always equals the venue’s book at some sequence number, whatever frames are lost, doubled or swapped', () => {
  assert(
    fc.property(steps, nat(3), (moves, delay) => {
      const venue = new ScriptedBook();
      const { handler, core, resyncs } = bookFeedHarness();
      let lastSeq = 0;
      const expectKnownBook = (): void => {
        expect(levelsText(core.book(0))).toBe(
          venue.history.get(handler.isSynced ? handler.seq : lastSeq) ?? 'no such book',
        );
        if (handler.isSynced) lastSeq = handler.seq;
      };
      core.onMessage = () => {
        expect(levelsText(core.book(0))).toBe(venue.history.get(handler.seq));
        lastSeq = handler.seq;
      };
      handler.onBegin();
      handler.onBookEvent(venue.snapshot());
      let delayed: WireBook[] = [];
      let answerIn = -1;
      for (const [changes, delivery] of moves) {
        const frame = venue.change(changes);
        const requests = resyncs.length;
        if (delivery === 'late') delayed.push(frame);
        else if (delivery === 'corrupt') handler.onBookEvent({ ...frame, checksum: '0x00000000' });
        else if (delivery !== 'lost') handler.onBookEvent(frame);
        if (delivery === 'twice') handler.onBookEvent(frame);
        if (delivery !== 'late') {
          for (const old of delayed) handler.onBookEvent(old);
          delayed = [];
        }
        if (resyncs.length > requests && answerIn < 0) answerIn = delay;
        // While a snapshot request is unanswered, no other one is sent.
        expect(resyncs.length - requests).toBeLessThanOrEqual(answerIn < 0 ? 0 : 1);
        if (answerIn === 0) {
          delayed = [];
          handler.onBegin();
          handler.onBookEvent(venue.snapshot());
        }
        answerIn -= answerIn < 0 ? 0 : 1;
        expectKnownBook();
      }
      handler.onBegin();
      handler.onBookEvent(venue.snapshot());
      expect(levelsText(core.book(0))).toBe(venue.history.get(venue.seq));
      expect(handler.isSynced).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

const OWN = 10_000;
/** An action of us or of others. */
const action = oneof(
  record({ type: constant('others' as const), change }),
  record({ type: constant('place' as const), step: nat(3), size: integer({ min: 1, max: 5 }) }),
  record({ type: constant('cancel' as const), index: nat(5) }),
  record({ type: constant('fill' as const), index: nat(5), size: integer({ min: 1, max: 5 }) }),
);
/** The stream that delivers next: the book or our own orders. */
const delivered = array(constantFrom('book' as const, 'own' as const), { minLength: 200, maxLength: 200 });

it('the book equals that of the other traders after both streams, in any order of delivery', () => {
  assert(
    fc.property(array(action, { maxLength: 40 }), delivered, (actions, turns) => {
      const venue = new ScriptedBook();
      const { handler, core } = bookFeedHarness();
      handler.onBegin();
      handler.onBookEvent(venue.snapshot());
      const others = new Map<string, number>();
      const ours: { readonly hash: string; readonly at: number; readonly order: VenueOrder; remaining: number }[] = [];
      const [books, facts]: [WireBook[], (() => void)[]] = [[], []];
      const total = (side: string, at: number): number =>
        (others.get(`${side} ${at}`) ?? 0) +
        (side === 'bid' ? ours.filter((each) => each.at === at).reduce((sum, { remaining }) => sum + remaining, 0) : 0);
      let seq = venue.seq;
      const emit = (side: 'bid' | 'ask', at: number, hash?: string): void => {
        seq += 3;
        // The number of our own event is never above that of the book.
        const eventSeq = seq - 1;
        books.push(venue.change([{ side, price: at, shares: total(side, at) }], seq));
        if (hash === undefined) return;
        const mine = ours.find((each) => each.hash === hash);
        if (mine === undefined) return;
        const fact = { seq: eventSeq, remaining: mine.remaining * 1e6 };
        facts.push(() => {
          handler.ownLevels.setRemaining(mine.order, fact);
          handler.publishWithoutOwnOrders();
        });
      };
      const remainingTurns = [...turns];
      const deliver = (until: 'next own fact' | 'empty'): void => {
        while (books.length + facts.length > 0 && (until === 'empty' || remainingTurns.length > 0)) {
          const next = remainingTurns.shift() ?? (books.length > 0 ? 'book' : 'own');
          const frame = next === 'book' ? books.shift() : undefined;
          if (frame !== undefined) handler.onBookEvent(frame);
          else facts.shift()?.();
          if (until === 'next own fact' && next === 'own') return;
        }
      };
      for (const [number, move] of actions.entries()) {
        if (move.type === 'others') {
          const { side, price: at, shares } = move.change;
          if ((others.get(`${side} ${at}`) ?? 0) === shares) continue;
          others.set(`${side} ${at}`, shares);
          emit(side, at);
        } else if (move.type === 'place') {
          const [hash, at] = [`order ${number + OWN}`, price('bid', move.step)];
          const order = ownOrder({ hash, side: 'bid', price: at, shares: move.size * 1e6 });
          handler.ownLevels.addPending(order);
          ours.push({ hash, at, order, remaining: move.size });
          emit('bid', at, hash);
        } else {
          const open = ours.filter(({ remaining }) => remaining > 0);
          const mine = open[move.index % Math.max(1, open.length)];
          if (mine === undefined) continue;
          if (move.type === 'cancel') handler.ownLevels.markLeaving(mine.order);
          mine.remaining = move.type === 'cancel' ? 0 : Math.max(0, mine.remaining - move.size);
          emit('bid', mine.at, mine.hash);
        }
        deliver('next own fact');
      }
      deliver('empty');
      for (const side of ['bid', 'ask'] as const) {
        const shown = core
          .book(0)
          .depth(side, 100)
          .map(({ price: at, shares }) => `${at}:${shares / 1e6}`);
        const expected = [...others]
          .filter(([key, shares]) => key.startsWith(side) && shares > 0)
          .map(([key, shares]) => `${key.split(' ')[1]}:${shares}`);
        expect(shown.toSorted()).toEqual(expected.toSorted());
      }
      // Levels without orders are removed.
      expect(ours.every(({ at }) => handler.ownLevels.at(0, at)?.orders.length !== 0)).toBe(true);
      if (ours.every(({ remaining }) => remaining === 0)) expect(handler.ownLevels.isEmpty).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

it('our own orders and cancels never change the book of the others, whichever stream is ahead', () => {
  assert(
    fc.property(
      array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      integer({ min: 1, max: 9 }),
      nat(2),
      (ahead, size, step) => {
        const venue = new ScriptedBook();
        const { handler, core } = bookFeedHarness();
        venue.change([
          { side: 'bid', price: 4_990, shares: 3 },
          { side: 'ask', price: 5_010, shares: 3 },
        ]);
        handler.onBegin();
        handler.onBookEvent(venue.snapshot());
        const before = levelsText(core.book(0));
        core.onMessage = () => expect(levelsText(core.book(0))).toBe(before);
        const at = price('bid', step);
        const theirs = venue.sharesAt('bid', at);
        const us = ownOrder({ side: 'bid', price: at, shares: size * 1e6 });
        const received = (remaining: number, isBookFirst: boolean): void => {
          const frame = venue.change([{ side: 'bid', price: at, shares: theirs + remaining }]);
          const fact = (): void => {
            handler.ownLevels.setRemaining(us, { seq: venue.seq, remaining: remaining * 1e6 });
            handler.publishWithoutOwnOrders();
          };
          if (isBookFirst) handler.onBookEvent(frame);
          fact();
          if (!isBookFirst) handler.onBookEvent(frame);
        };
        handler.ownLevels.addPending(us);
        received(size, ahead[0] ?? false);
        handler.ownLevels.markLeaving(us);
        received(0, ahead[1] ?? false);
        expect(handler.ownLevels.isEmpty).toBe(true);
      },
    ),
  );
});
