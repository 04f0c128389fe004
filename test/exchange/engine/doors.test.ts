/** The doors of their own for orders and cancels, beside `apply`: the same answers, in the same order, to the same state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cancel,
  EventRecorder,
  type ExchangeCommand,
  type ExchangeEvent,
  ExchangeStopped,
  type Place,
} from '../../../src/exchange/index.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { type Harness, reasonOf } from './harness.ts';
import { VIOLATIONS, type Violation, violable } from './violations.ts';

/** What came of a command that is sent by its own door. */
function byDoor({ exchange }: Harness, command: Place | Cancel): readonly ExchangeEvent[] {
  const recorder = new EventRecorder();
  if (command.type === 'place') exchange.place(command, recorder);
  else exchange.cancel(command, recorder);
  return recorder.take();
}

/** What a host may have put in the place of anything. */
const junk = fc.constantFrom<unknown>(
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 0.5, 2 ** 53, 2 ** 31, 2 ** 32 + 1, 1e300],
  ...['', 'x', '5000', '__proto__', null, undefined, true, [], {}],
);
const TIMES = [0, 0, 0, 0, 0, 0, 1, 500, -1, -5000, Number.NaN, 0.5, 2 ** 53, null, '1', undefined];

interface OrderMove {
  /** Reasons to refuse it, a few at once. */
  readonly violations: readonly Violation[];
  /** Now and then a member that is none: which, counted through all, and what is in its place. */
  readonly slips: readonly (readonly [number, unknown])[];
  /** ms after the harness's time, or no time at all. */
  readonly later: unknown;
}
interface CancelMove {
  readonly account: unknown;
  readonly orders: unknown;
  readonly later: unknown;
}

const slip = fc.tuple(fc.nat(30), junk);
const orders: fc.Arbitrary<OrderMove> = fc.record({
  violations: fc.oneof(fc.constant([]), fc.subarray([...VIOLATIONS], { maxLength: 3 })),
  slips: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(slip, { minLength: 1, maxLength: 1 })),
  later: fc.constantFrom<unknown>(...TIMES),
});
const cancels: fc.Arbitrary<CancelMove> = fc.record({
  account: fc.constantFrom<unknown>(1, 2, 3, 0, 9, 0.5, null),
  orders: fc.oneof(fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), junk), { maxLength: 4 }), junk),
  later: fc.constantFrom<unknown>(...TIMES),
});
const moves = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: orders },
    { weight: 4, arbitrary: cancels },
    { weight: 1, arbitrary: fc.constantFrom('CANCEL_ONLY' as const, 'HALTED' as const) },
    { weight: 3, arbitrary: fc.constant('NORMAL' as const) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** The command of a move; the latter of two violations has its way where they want the same thing otherwise. */
function commandOf(harness: Harness, move: OrderMove | CancelMove): Place | Cancel {
  const time = typeof move.later === 'number' ? harness.time + move.later : move.later;
  if ('orders' in move)
    return loose({ type: 'cancel', time, account: move.account, credential: 0, orders: move.orders });
  const { violations } = move;
  const requests = Object.assign({}, ...violations.map(({ account = 1, credential = 0 }) => ({ account, credential })));
  const overrides = Object.assign({ size: 2 }, ...violations.map((violation) => violation.overrides ?? {}));
  const order = { account: 1, credential: 0, ...requests, ...harness.terms(overrides), type: 'place', time };
  const members = Object.keys(order).filter((name) => name !== 'type' && name !== 'time');
  const slips = move.slips.map(([at, value]) => [members[at % members.length], value] as const);
  return loose({ ...order, ...Object.fromEntries(slips) });
}

/** As a host without types sends it. */
function loose(command: object): Place | Cancel {
  return command as Place | Cancel;
}

describe('the fast paths for orders and cancels', () => {
  it('refuse in the same order with the same texts as `apply` and reach the same state', () => {
    const reasons = new Set<string>();
    let taken = 0;
    fc.assert(
      fc.property(moves, (list) => {
        const [long, short] = [violable(), violable()];
        for (const move of list) {
          if (typeof move === 'string') {
            for (const harness of [long, short]) harness.send('setMode', { mode: move });
            continue;
          }
          const command = commandOf(long, move);
          const received = long.apply(command);
          expect(byDoor(short, command)).toEqual(received);
          expect([short.hash(), short.view.seq, short.view.now]).toEqual([long.hash(), long.view.seq, long.view.now]);
          const reason = reasonOf(received);
          if (reason !== undefined) reasons.add(reason);
          if (received.some((event) => 'seq' in event)) taken += 1;
        }
      }),
      { numRuns: 60 },
    );
    // They met nearly everything that there is to be refused for, and not only that.
    expect(reasons.size).toBeGreaterThan(18);
    expect(taken).toBeGreaterThan(60);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1_800_000_000_000.5, '1', null])(
    'refuse %s as a time without a change',
    (time) => {
      const harness = violable();
      const before = [harness.hash(), harness.view.seq, harness.view.now];
      const refused = [{ type: 'refused', entry: -1, refusal: { reason: 'INVALID_ORDER', field: 'time' } }];
      const place = loose({ ...harness.terms(), type: 'place', time, account: 1, credential: 0 });
      const cancel = loose({ type: 'cancel', time, account: 1, credential: 0, orders: [1] });
      for (const command of [place, cancel]) {
        expect(harness.apply(command)).toEqual(refused);
        expect(byDoor(harness, command)).toEqual(refused);
      }
      expect([harness.hash(), harness.view.seq, harness.view.now]).toEqual(before);
    },
  );

  it('first process everything that is due, each at its own time, as `apply` does', () => {
    const [long, short] = [violable(), violable()];
    for (const harness of [long, short]) {
      harness.send('heartbeat', { credential: 7, timeout: 1000 });
      harness.order(1, { size: 2, timeInForce: 'GTD', expiration: harness.time + 999, price: 4000 });
      harness.order(1, { size: 2, price: 4100 }, 7);
      harness.time += 1000;
    }
    for (const command of [
      loose({ type: 'cancel', time: long.time, account: 1, credential: 7, orders: [99] }),
      loose({ ...long.terms(), type: 'place', time: long.time + 1, account: 1, credential: 7 }),
    ]) {
      expect(byDoor(short, command)).toEqual(long.apply(command));
      expect([short.hash(), short.view.now]).toEqual([long.hash(), long.view.now]);
    }
    // Of the lapse; the refusals after it moved nothing.
    expect(short.view.now).toBe(short.time);
    expect(short.view.openOrders(1)).toEqual([]);
  });

  it('stop each other when an invariant breaks', () => {
    const sink = {
      ...SILENT,
      accepted(): void {
        throw new RangeError('Invariant: broken by a test');
      },
    };
    const harness = violable();
    const command = loose({ ...harness.terms(), type: 'place', time: harness.time, account: 1, credential: 0 });
    if (command.type !== 'place') throw new Error('no order');
    expect(() => harness.exchange.place(command, sink)).toThrow(ExchangeStopped);
    const cancel = loose({ type: 'cancel', time: harness.time, account: 1, credential: 0, orders: [1] });
    const tick = { type: 'tick', time: harness.time } as ExchangeCommand;
    for (const again of [() => byDoor(harness, cancel), () => byDoor(harness, command), () => harness.apply(tick)]) {
      expect(again).toThrow(ExchangeStopped);
    }
  });
});
