/** Snapshots in memory. */
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import { Exchange, type StateReader, type StateWriter } from '../../../src/exchange/index.ts';
import { OPTIONS } from './bodies.ts';

class ListWriter implements StateWriter {
  readonly list: (number | string)[] = [];

  number(value: number): void {
    this.list.push(value);
  }

  text(value: string): void {
    this.list.push(value);
  }
}

class ListReader implements StateReader {
  readonly #list: readonly (number | string)[];
  #at = 0;

  constructor(list: readonly (number | string)[]) {
    this.#list = list;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#list.length;
  }

  number(): number {
    const value = this.#list[this.#at++];
    if (typeof value !== 'number') throw new Error(`no number at ${this.#at - 1}: ${value}`);
    return value;
  }

  text(): string {
    const value = this.#list[this.#at++];
    if (typeof value !== 'string') throw new Error(`no text at ${this.#at - 1}: ${value}`);
    return value;
  }
}

/** Returns a copy that is restored from the written identities. */
export function copyOfIdentities(identities: MemoryIdentities): MemoryIdentities {
  const writer = new ListWriter();
  identities.writeState(writer);
  return MemoryIdentities.restore(new ListReader(writer.list));
}

/** Returns a copy that is restored from the written state of an exchange. */
export function restored(exchange: Exchange, identities: MemoryIdentities): Exchange {
  const state = new ListWriter();
  exchange.writeState(state);
  const reader = new ListReader(state.list);
  const copy = Exchange.restore(reader, { ...OPTIONS, identities });
  if (!reader.isAtEnd) throw new Error('the state was not read to its end');
  return copy;
}
