/**
 * Orders that commands to come are about, told before the first of them is carried out.
 *
 * HOT: among a million open orders each order is a way to memory. A command waits for its own; told of many at once the
 * processor goes all these ways together, and the commands find the orders at hand. Timed as part of bench/exchange.ts.
 *
 * Invariant: nothing is written but here, and what is here is read by nobody: whoever tells nothing, something else, or of
 * orders that never were, gets the same events and the same state.
 */
import type { ExchangeCommand } from '../command.ts';
import type { OrderSlots } from '../matching/order-slots.ts';

/** Among fewer open orders all rows stay in a processor's own caches. */
const MANY = 1 << 14;
const NOBODY: readonly unknown[] = [];

/** Has the rows of orders at hand before they are asked for. */
export class Foresight {
  declare private readonly slots: OrderSlots;
  /** What was read, as nothing reads what goes nowhere. */
  declare private seen: number;
  readonly #told: unknown[] = [];

  constructor({ slots }: { readonly slots: OrderSlots }) {
    this.slots = slots;
    this.seen = 0;
  }

  /** Whether so many orders are open that it pays to be told. Where it is false nothing is done. */
  get pays(): boolean {
    return this.slots.size >= MANY;
  }

  /**
   * Commands to come are about these orders. 32 to 128 at a time are best: fewer share less of the way, and many more are
   * pushed out again by one another.
   * @param orders their numbers; anything may be in it
   * @param count how many of them, from the first
   */
  expect(orders: readonly unknown[], count: number): void {
    if (this.pays) this.seen = this.slots.touch(orders, count);
  }

  /** The same, of the orders that commands name. Anything may stand where their orders should. */
  expectAll(commands: readonly ExchangeCommand[]): void {
    if (!this.pays) return;
    const told = this.#told;
    let count = 0;
    for (const command of commands) {
      if (command.type === 'reduce') told[count++] = command.order;
      else for (const order of listOf(command)) told[count++] = order;
    }
    this.seen = this.slots.touch(told, count);
  }
}

function listOf(command: ExchangeCommand): readonly unknown[] {
  const list: unknown =
    command.type === 'cancel' ? command.orders : command.type === 'replace' ? command.cancel : NOBODY;
  return Array.isArray(list) ? list : NOBODY;
}
