import { type EpochMs, epochMs, Fault } from '../domain/index.ts';
import type { Json, Registry } from '../exchange/index.ts';
import type { VenueNotice } from './streams/index.ts';

const KEY = 'venue.notice';

/** What the operator says to everybody. It is there again after a start. */
export class NoticeBoard {
  /** Is called when it has changed and is durable. */
  onChange: () => void = () => {};
  readonly #registry: Registry;
  #notice: VenueNotice | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#notice = decoded(registry.find('setting', KEY));
  }

  /** Undefined for nothing. */
  get notice(): VenueNotice | undefined {
    return this.#notice;
  }

  /** Resolves when it is durable and told. @param message undefined for none, likewise the time */
  async put(message: string | undefined, nextRestartAt: EpochMs | undefined): Promise<void> {
    const isNone = message === undefined && nextRestartAt === undefined;
    const value = { message: message ?? null, nextRestartAt: nextRestartAt ?? null };
    this.#registry.put({ table: 'setting', key: KEY, value: isNone ? undefined : value });
    await new Promise<void>((resolve, reject) => {
      this.#registry.sync((fault) => (fault === undefined ? resolve() : reject(fault)));
    });
    this.#notice = isNone ? undefined : { message, nextRestartAt };
    this.onChange();
  }
}

function decoded(json: Json | undefined): VenueNotice | undefined {
  if (json === undefined) return undefined;
  if (typeof json === 'object' && json !== null && 'message' in json && 'nextRestartAt' in json) {
    const { message, nextRestartAt } = json;
    const at = typeof nextRestartAt === 'number' ? epochMs(nextRestartAt) : undefined;
    return { message: typeof message === 'string' ? message : undefined, nextRestartAt: at };
  }
  throw new Fault('REGISTRY', 'the notice to everybody cannot be read. Put back a good copy of the database');
}
