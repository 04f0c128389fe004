/** `place` and `cancel` return the same results in the same order, and reach the same state, as `apply`. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cancel } from '../../../src/exchange/command.ts';
import { ExchangeStopped } from '../../../src/exchange/engine/exchange.ts';
import type { ExchangeCommand, ExchangeEvent, Place } from '../../../src/exchange/index.ts';
import { EventRecorder } from '../../../src/exchange/journal/event-recorder.ts';
import { IGNORED_EVENTS } from '../../../src/exchange/sink.ts';
import { type Harness, reasonOf } from './harness.ts';
import { exchangeForViolations, VIOLATIONS, type Violation } from './violations.ts';

/** Executes a command with `place` or `cancel` instead of `apply`. */
function sendDirectly({ exchange }: Harness, command: Place | Cancel): readonly ExchangeEvent[] {
  const recorder = new EventRecorder();
  if (command.type === 'place') exchange.place(command, recorder);
  else exchange.cancel(command, recorder);
  return recorder.drain();
}

/** Invalid values that an untyped host can send. */
const junk = fc.constantFrom<unknown>(
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 0.5, 2 ** 53, 2 ** 31, 2 ** 32 + 1, 1e300],
  ...['', 'x', '5000', '__proto__', null, undefined, true, [], {}],
);
const TIMES = [0, 0, 0, 0, 0, 0, 1, 500, -1, -5000, Number.NaN, 0.5, 2 ** 53, null, '1', undefined];

interface OrderMove {
  readonly violations: readonly Violation[];
  /** Replaced members: the member's index, modulo their number, and the new value. */
  readonly replacements: readonly (readonly [number, unknown])[];
  /** ms after the harness's time, or an invalid time. */
  readonly later: unknown;
}
interface CancelMove {
  readonly account: unknown;
  readonly orders: unknown;
  readonly later: unknown;
}

const replacement = fc.tuple(fc.nat(30), junk);
const orders: fc.Arbitrary<OrderMove> = fc.record({
  violations: fc.oneof(fc.constant([]), fc.subarray([...VIOLATIONS], { maxLength: 3 })),
  replacements: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(replacement, { minLength: 1, maxLength: 1 }),
  ),
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

/** Builds the command of a move. The last violation wins where two set the same member. */
function commandOf(harness: Harness, move: OrderMove | CancelMove): Place | Cancel {
  const time = typeof move.later === 'number' ? harness.time + move.later : move.later;
  if ('orders' in move)
    return untyped({ type: 'cancel', time, account: move.account, credential: 0, orders: move.orders });
  const { violations } = move;
  const requests = Object.assign({}, ...violations.map(({ account = 1, credential = 0 }) => ({ account, credential })));
  const overrides = Object.assign({ size: 2 }, ...violations.map((violation) => violation.overrides ?? {}));
  const order = { account: 1, credential: 0, ...requests, ...harness.terms(overrides), type: 'place', time };
  const members = Object.keys(order).filter((name) => name !== 'type' && name !== 'time');
  const replacements = move.replacements.map(([at, value]) => [members[at % members.length], value] as const);
  return untyped({ ...order, ...Object.fromEntries(replacements) });
}

function untyped(command: object): Place | Cancel {
  return command as Place | Cancel;
}

describe('the fast paths for orders and cancels', () => {
  it('refuse in the same order with the same texts as `apply` and reach the same state', () => {
    const reasons = new Set<string>();
    let changes = 0;
    fc.assert(
      fc.property(moves, (list) => {
        const [full, direct] = [exchangeForViolations(), exchangeForViolations()];
        for (const move of list) {
          if (typeof move === 'string') {
            for (const harness of [full, direct]) harness.send('setMode', { mode: move });
            continue;
          }
          const command = commandOf(full, move);
          const events = full.apply(command);
          expect(sendDirectly(direct, command)).toEqual(events);
          expect([direct.hash(), direct.view.seq, direct.view.now]).toEqual([
            full.hash(),
            full.view.seq,
            full.view.now,
          ]);
          const reason = reasonOf(events);
          if (reason !== undefined) reasons.add(reason);
          if (events.some((event) => 'seq' in event)) changes += 1;
        }
      }),
      { numRuns: 60 },
    );
    // The moves cover nearly all reasons, and accepted commands.
    expect(reasons.size).toBeGreaterThan(18);
    expect(changes).toBeGreaterThan(60);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1_800_000_000_000.5, '1', null])(
    'refuse %s as a time and change nothing',
    (time) => {
      const harness = exchangeForViolations();
      const before = [harness.hash(), harness.view.seq, harness.view.now];
      const refused = [{ type: 'refused', entry: -1, refusal: { reason: 'INVALID_ORDER', field: 'time' } }];
      const place = untyped({ ...harness.terms(), type: 'place', time, account: 1, credential: 0 });
      const cancel = untyped({ type: 'cancel', time, account: 1, credential: 0, orders: [1] });
      for (const command of [place, cancel]) {
        expect(harness.apply(command)).toEqual(refused);
        expect(sendDirectly(harness, command)).toEqual(refused);
      }
      expect([harness.hash(), harness.view.seq, harness.view.now]).toEqual(before);
    },
  );

  it('process due deadlines first, each at its own time, as `apply` does', () => {
    const [full, direct] = [exchangeForViolations(), exchangeForViolations()];
    for (const harness of [full, direct]) {
      harness.send('heartbeat', { credential: 7, timeout: 1000 });
      harness.order(1, { size: 2, timeInForce: 'GTD', expiration: harness.time + 999, price: 4000 });
      harness.order(1, { size: 2, price: 4100 }, 7);
      harness.time += 1000;
    }
    for (const command of [
      untyped({ type: 'cancel', time: full.time, account: 1, credential: 7, orders: [99] }),
      untyped({ ...full.terms(), type: 'place', time: full.time + 1, account: 1, credential: 7 }),
    ]) {
      expect(sendDirectly(direct, command)).toEqual(full.apply(command));
      expect([direct.hash(), direct.view.now]).toEqual([full.hash(), full.view.now]);
    }
    // The time is that of the lapsed heartbeat, because the later refusals do not advance it.
    expect(direct.view.now).toBe(direct.time);
    expect(direct.view.openOrders(1)).toEqual([]);
  });

  it('stop each other when an invariant breaks', () => {
    const sink = {
      ...IGNORED_EVENTS,
      accepted(): void {
        throw new RangeError('Invariant: broken by a test');
      },
    };
    const harness = exchangeForViolations();
    const command = untyped({ ...harness.terms(), type: 'place', time: harness.time, account: 1, credential: 0 });
    if (command.type !== 'place') throw new Error('no order');
    expect(() => harness.exchange.place(command, sink)).toThrow(ExchangeStopped);
    const cancel = untyped({ type: 'cancel', time: harness.time, account: 1, credential: 0, orders: [1] });
    const tick = { type: 'tick', time: harness.time } as ExchangeCommand;
    for (const again of [
      () => sendDirectly(harness, cancel),
      () => sendDirectly(harness, command),
      () => harness.apply(tick),
    ]) {
      expect(again).toThrow(ExchangeStopped);
    }
  });
});
