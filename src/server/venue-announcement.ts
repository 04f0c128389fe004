import { z } from 'zod';
import type { EpochMs } from '../domain/index.ts';
import type { Registry } from '../exchange/index.ts';
import { optional, registryCodec, storedTime, syncRegistry } from './registry-rows.ts';

const ANNOUNCEMENT_KEY = 'venue.notice';
const row = z.object({ message: optional(z.string()), nextRestartAt: optional(storedTime) });
const codec = registryCodec(row, 'the announcement');

/** The operators' message to all clients. */
export type Announcement = Readonly<z.output<typeof row>>;

/** The current announcement, stored across restarts. */
export class VenueAnnouncement {
  /** Called when the announcement has changed and is durable. */
  onChange: () => void = () => {};
  readonly #registry: Registry;
  #current: Announcement | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
    const value = registry.find('setting', ANNOUNCEMENT_KEY);
    this.#current = value === undefined ? undefined : codec.decode(value);
  }

  get current(): Announcement | undefined {
    return this.#current;
  }

  /** Replaces the announcement, or removes it if both values are undefined. Resolves when the change is durable. */
  async put(message: string | undefined, nextRestartAt: EpochMs | undefined): Promise<void> {
    const isNone = message === undefined && nextRestartAt === undefined;
    const next = isNone ? undefined : { message, nextRestartAt };
    this.#registry.put({ table: 'setting', key: ANNOUNCEMENT_KEY, value: next && codec.encode(next) });
    await syncRegistry(this.#registry);
    this.#current = next;
    this.onChange();
  }
}
