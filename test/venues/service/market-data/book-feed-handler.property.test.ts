import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VenueOrder } from '../../../../src/venues/base/venue-orders.ts';
import type { WireBook } from '../../../../src/venues/service/market-data/book-frame-codec.ts';
import { runs } from '../../../runs.ts';
import { bookFeedHarness } from './book-feed-harness.ts';
import { ownOrder } from './own-order.ts';
import { type Change, pictureOf, ScriptedBook } from './scripted-book.ts';

const { assert, array, constant, constantFrom, integer, nat, oneof, record, tuple } = fc;

const price = (side: 'bid' | 'ask', step: number): number => (side === 'bid' ? 4_990 - 10 * step : 5_010 + 10 * step);
const change = record({ side: constantFrom('bid' as const, 'ask' as const), step: nat(12), shares: nat(5) }).map(
  ({ side, step, shares }): Change => ({ side, price: price(side, step), shares }),
);
/** What becomes of a frame on its way. */
const fate = constantFrom('comes', 'comes', 'comes', 'comes', 'lost', 'twice', 'late', 'later', 'garbled');
const steps = array(tuple(array(change, { minLength: 1, maxLength: 3 }), fate), { minLength: 1, maxLength: 60 });

it('the book is always that of some sequence number after lost, doubled or swapped frames, and correct after a snapshot', () => {
  assert(
    fc.property(steps, nat(3), (moves, delay) => {
      const venue = new ScriptedBook();
      const { line, core, resyncs } = bookFeedHarness();
      let seen = 0;
      const holds = (): void => {
        expect(pictureOf(core.book(0))).toBe(venue.history.get(line.isSynced ? line.seq : seen) ?? 'no such book');
        if (line.isSynced) seen = line.seq;
      };
      core.onMessage = () => {
        expect(pictureOf(core.book(0))).toBe(venue.history.get(line.seq));
        seen = line.seq;
      };
      line.begun();
      line.book(venue.snapshot());
      let held: WireBook[] = [];
      let answerIn = -1;
      for (const [changes, fate] of moves) {
        const frame = venue.change(changes);
        const requests = resyncs.length;
        if (fate === 'late' || fate === 'later') held.push(frame);
        else if (fate === 'garbled') line.book({ ...frame, checksum: '0x00000000' });
        else if (fate !== 'lost') line.book(frame);
        if (fate === 'twice') line.book(frame);
        if (fate !== 'later' && fate !== 'late') {
          for (const old of held) line.book(old);
          held = [];
        }
        if (resyncs.length > requests && answerIn < 0) answerIn = delay;
        // A single request is answered once, however many frames do not fit meanwhile.
        expect(resyncs.length - requests).toBeLessThanOrEqual(answerIn < 0 ? 0 : 1);
        if (answerIn === 0) {
          held = [];
          line.begun();
          line.book(venue.snapshot());
        }
        answerIn -= answerIn < 0 ? 0 : 1;
        holds();
      }
      line.begun();
      line.book(venue.snapshot());
      expect(pictureOf(core.book(0))).toBe(venue.history.get(venue.seq));
      expect(line.isSynced).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

const OWN = 10_000;
/** What we, or others, do. */
const act = oneof(
  record({ type: constant('others' as const), change }),
  record({ type: constant('place' as const), step: nat(3), size: integer({ min: 1, max: 5 }) }),
  record({ type: constant('cancel' as const), which: nat(5) }),
  record({ type: constant('fill' as const), which: nat(5), size: integer({ min: 1, max: 5 }) }),
);
/** Whose news are taken next: of the book, or of our own stream. */
const order = array(constantFrom('book' as const, 'own' as const), { minLength: 200, maxLength: 200 });

it('the book equals that of the other traders after both streams, whichever was ahead', () => {
  assert(
    fc.property(array(act, { maxLength: 40 }), order, (acts, turns) => {
      const venue = new ScriptedBook();
      const { line, core } = bookFeedHarness();
      line.begun();
      line.book(venue.snapshot());
      const others = new Map<string, number>();
      const ours: { readonly hash: string; readonly at: number; readonly order: VenueOrder; remaining: number }[] = [];
      const [books, facts]: [WireBook[], (() => void)[]] = [[], []];
      const total = (side: string, at: number): number =>
        (others.get(`${side} ${at}`) ?? 0) +
        (side === 'bid' ? ours.filter((each) => each.at === at).reduce((sum, { remaining }) => sum + remaining, 0) : 0);
      let seq = venue.seq;
      const tell = (side: 'bid' | 'ask', at: number, hash?: string): void => {
        seq += 3;
        // Our own event's number may lie before the book's, never after it.
        const eventSeq = seq - 1;
        books.push(venue.change([{ side, price: at, shares: total(side, at) }], seq));
        if (hash === undefined) return;
        const mine = ours.find((each) => each.hash === hash);
        if (mine === undefined) return;
        const fact = { seq: eventSeq, remaining: mine.remaining * 1e6 };
        facts.push(() => {
          line.own.setRemaining(mine.order, fact);
          line.reveal();
        });
      };
      const turn = [...turns];
      const run = (all: boolean): void => {
        while (books.length + facts.length > 0 && (all || turn.length > 0)) {
          const next = turn.shift() ?? (books.length > 0 ? 'book' : 'own');
          const frame = next === 'book' ? books.shift() : undefined;
          if (frame !== undefined) line.book(frame);
          else facts.shift()?.();
          if (!all && next === 'own') return;
        }
      };
      for (const [number, move] of acts.entries()) {
        if (move.type === 'others') {
          const { side, price: at, shares } = move.change;
          if ((others.get(`${side} ${at}`) ?? 0) === shares) continue;
          others.set(`${side} ${at}`, shares);
          tell(side, at);
        } else if (move.type === 'place') {
          const [hash, at] = [`order ${number + OWN}`, price('bid', move.step)];
          const order = ownOrder({ hash, side: 'bid', price: at, shares: move.size * 1e6 });
          line.own.addPending(order);
          ours.push({ hash, at, order, remaining: move.size });
          tell('bid', at, hash);
        } else {
          const open = ours.filter(({ remaining }) => remaining > 0);
          const mine = open[move.which % Math.max(1, open.length)];
          if (mine === undefined) continue;
          if (move.type === 'cancel') line.own.markLeaving(mine.order);
          mine.remaining = move.type === 'cancel' ? 0 : Math.max(0, mine.remaining - move.size);
          tell('bid', mine.at, mine.hash);
        }
        run(false);
      }
      run(true);
      for (const side of ['bid', 'ask'] as const) {
        const shown = core
          .book(0)
          .depth(side, 100)
          .map(({ price: at, shares }) => `${at}:${shares / 1e6}`);
        const meant = [...others]
          .filter(([key, shares]) => key.startsWith(side) && shares > 0)
          .map(([key, shares]) => `${key.split(' ')[1]}:${shares}`);
        expect(shown.toSorted()).toEqual(meant.toSorted());
      }
      // Nothing is kept of what is over.
      expect([...line.own.levels].every(({ orders }) => orders.length > 0)).toBe(true);
    }),
    { numRuns: runs(400) },
  );
});

it('our own orders and cancels never appear in the book of the others, whichever stream is ahead', () => {
  assert(
    fc.property(
      array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      integer({ min: 1, max: 9 }),
      nat(2),
      (ahead, size, step) => {
        const venue = new ScriptedBook();
        const { line, core } = bookFeedHarness();
        venue.change([
          { side: 'bid', price: 4_990, shares: 3 },
          { side: 'ask', price: 5_010, shares: 3 },
        ]);
        line.begun();
        line.book(venue.snapshot());
        const before = pictureOf(core.book(0));
        core.onMessage = () => expect(pictureOf(core.book(0))).toBe(before);
        const at = price('bid', step);
        const theirs = venue.sharesAt('bid', at);
        const us = ownOrder({ side: 'bid', price: at, shares: size * 1e6 });
        const received = (remaining: number, isBookFirst: boolean): void => {
          const frame = venue.change([{ side: 'bid', price: at, shares: theirs + remaining }]);
          const fact = (): void => {
            line.own.setRemaining(us, { seq: venue.seq, remaining: remaining * 1e6 });
            line.reveal();
          };
          if (isBookFirst) line.book(frame);
          fact();
          if (!isBookFirst) line.book(frame);
        };
        line.own.addPending(us);
        received(size, ahead[0] ?? false);
        line.own.markLeaving(us);
        received(0, ahead[1] ?? false);
        expect(line.own.isEmpty).toBe(true);
      },
    ),
  );
});
