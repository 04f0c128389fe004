import { type EpochMs, epochMs, Fault } from '../domain/index.ts';
import type { Json, Registry } from '../exchange/index.ts';
import { syncRegistry } from './registry-rows.ts';

const KEY = 'venue.notice';

/** A message of the operator to all clients. */
export interface Announcement {
  readonly message?: string | undefined;
  readonly nextRestartAt?: EpochMs | undefined;
}

/** Keeps the current announcement, also across restarts. */
export class VenueAnnouncement {
  /** Called when the announcement has changed and is durable. */
  onChange: () => void = () => {};
  readonly #registry: Registry;
  #current: Announcement | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#current = decoded(registry.find('setting', KEY));
  }

  get current(): Announcement | undefined {
    return this.#current;
  }

  /** Resolves when it is durable and published. @param message undefined for none, as for the time */
  async put(message: string | undefined, nextRestartAt: EpochMs | undefined): Promise<void> {
    const isNone = message === undefined && nextRestartAt === undefined;
    const value = { message: message ?? null, nextRestartAt: nextRestartAt ?? null };
    this.#registry.put({ table: 'setting', key: KEY, value: isNone ? undefined : value });
    await syncRegistry(this.#registry);
    this.#current = isNone ? undefined : { message, nextRestartAt };
    this.onChange();
  }
}

function decoded(json: Json | undefined): Announcement | undefined {
  if (json === undefined) return undefined;
  if (typeof json === 'object' && json !== null && 'message' in json && 'nextRestartAt' in json) {
    const { message, nextRestartAt } = json;
    const at = typeof nextRestartAt === 'number' ? epochMs(nextRestartAt) : undefined;
    return { message: typeof message === 'string' ? message : undefined, nextRestartAt: at };
  }
  throw new Fault('REGISTRY', 'the announcement cannot be read. Put back a good copy of the database');
}
