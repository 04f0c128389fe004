import type { EpochMs } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { syncRegistry } from '../registry-rows.ts';

/**
 * Digests of signed messages that may be used once. They are stored until they expire; durable ones only on the disk.
 */
export class UsedDigests {
  readonly #registry: Registry;
  /** Digests that are not durable yet. */
  readonly #fresh = new Set<string>();

  constructor(registry: Registry, now: EpochMs) {
    this.#registry = registry;
    for (const { key, value } of registry.load('usedDigest')) {
      if (typeof value === 'number' && value <= now) registry.put({ table: 'usedDigest', key, value: undefined });
    }
  }

  has(digest: string): boolean {
    return this.#fresh.has(digest) || this.#registry.find('usedDigest', digest) !== undefined;
  }

  /** Marks a digest as used; resolves when it and all earlier ones are durable. */
  async use(digest: string, expiresAt: EpochMs): Promise<void> {
    this.#fresh.add(digest);
    this.#registry.put({ table: 'usedDigest', key: digest, value: expiresAt });
    await syncRegistry(this.#registry);
    this.#fresh.delete(digest);
  }
}
