import type { StateWriter } from '../../../src/exchange/state-writer.ts';
import type { NaiveClearing } from './naive-clearing.ts';

/** Writes the twin's state in the canonical order of `writeClearing`. */
export function writeNaive(twin: NaiveClearing, writer: StateWriter): void {
  const write = (...values: readonly (bigint | number)[]) => {
    for (const value of values) writer.number(Number(value));
  };
  write(twin.accounts.length);
  for (const { address, unlimited, available, reserved } of twin.accounts) {
    writer.text(address);
    write(unlimited, available, reserved, 0);
  }
  write(twin.outside, twin.fees);
  const markets = [...twin.markets].filter(([, { supply, ending }]) => supply !== 0n || ending !== -1n);
  write(markets.length);
  for (const [market, { collateral, supply, ending }] of markets.sort(([a], [b]) => a - b)) {
    write(market, collateral, supply, ending);
  }
  const used = [...twin.holdings.values()].filter(({ numbers }) => numbers.some((value) => value !== 0n));
  write(used.length);
  for (const holding of used.sort((a, b) => a.account - b.account || a.market - b.market)) {
    write(holding.account, holding.market, ...holding.numbers);
  }
}

/** A state writer that keeps the values in a list. */
export class StateList implements StateWriter {
  readonly values: (number | string)[] = [];

  number(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
    this.values.push(value);
  }

  text(value: string): void {
    this.values.push(value);
  }

  /** Returns a reader from the start; `replaced` maps indexes to other values. */
  reader(replaced: ReadonlyMap<number, number | string> = new Map()) {
    let at = -1;
    const next = () => replaced.get(++at) ?? this.values[at];
    return {
      number: () => {
        const value = next();
        if (typeof value !== 'number') throw new TypeError(`expected a number at ${at}, found ${value}`);
        return value;
      },
      text: () => {
        const value = next();
        if (typeof value !== 'string') throw new TypeError(`expected a string at ${at}, found ${value}`);
        return value;
      },
    };
  }
}
