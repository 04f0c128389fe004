/** A small table of a registry, held in memory. */
import type { Json } from '../markets/canonical-json.ts';
import type { Registry, RegistryTableName } from './registry.ts';

/** How the values of a table are written and read. */
export interface RegistryCodec<Value> {
  readonly encode: (value: Value) => Json;
  /** @throws Fault on what `encode` did not make */
  readonly decode: (json: Json) => Value;
}

/** Typed rows by key: read from memory, written to the registry. What is put is seen at once, and durable with the next commit. */
export class RegistryTable<Value> {
  readonly #registry: Registry;
  readonly #name: RegistryTableName;
  readonly #codec: RegistryCodec<Value>;
  readonly #rows = new Map<string, Value>();

  /** Loads the whole table. @throws what the codec throws */
  constructor(registry: Registry, name: RegistryTableName, codec: RegistryCodec<Value>) {
    this.#registry = registry;
    this.#name = name;
    this.#codec = codec;
    for (const { key, value } of registry.load(name)) this.#rows.set(key, codec.decode(value));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  /** In the order in which keys came in; after a start by key. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  put(key: string, value: Value): void {
    this.#rows.set(key, value);
    this.#registry.put({ table: this.#name, key, value: this.#codec.encode(value) });
  }

  /** Does nothing where there is none. */
  delete(key: string): void {
    if (this.#rows.delete(key)) this.#registry.put({ table: this.#name, key, value: undefined });
  }
}
