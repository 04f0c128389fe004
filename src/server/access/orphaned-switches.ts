/**
 * Dead-man's switches whose session was evicted, expired, or ended because a used refresh token was sent again. These
 * switches stay armed, so that they cancel the session's orders. After such a switch has fired, no client can disarm
 * the switch. This module then disarms the switch, so that the exchange deletes it.
 */
import { credentialNo, unchecked } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import { syncRegistry } from '../registry-rows.ts';
import type { AccessDeps } from './ports.ts';
import type { Session } from './sessions.ts';

export class OrphanedSwitches {
  readonly #deps: AccessDeps;
  readonly #credentialNumbers = new Set<number>();
  readonly #unwatch: () => void;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
    for (const { key } of deps.registry.load('orphanedSwitch')) this.#credentialNumbers.add(Number(key));
    this.#unwatch = deps.queue.watch({ onCommitted: (events) => this.#onCommitted(events) });
  }

  get size(): number {
    return this.#credentialNumbers.size;
  }

  /** Records the session's switch in the transaction that deletes the session's row. */
  onSessionEnded({ number }: Pick<Session, 'number'>): void {
    const { queue, registry } = this.#deps;
    const deadManSwitch = queue.view.credentialState(number);
    if (deadManSwitch === undefined) return;
    this.#credentialNumbers.add(number);
    registry.put({ table: 'orphanedSwitch', key: String(number), value: true });
    if (deadManSwitch.lapsed) this.#disarmIfFired(number);
  }

  /** Handles switches that fired while the server was stopped. Call this once, when the queue accepts commands. */
  resume(): void {
    for (const number of [...this.#credentialNumbers]) this.#disarmIfFired(number);
  }

  close(): void {
    this.#unwatch();
  }

  #onCommitted(events: readonly ExchangeEvent[]): void {
    if (this.#credentialNumbers.size === 0) return;
    for (const entry of events) {
      if (entry.type !== 'rareEvent') continue;
      const { event } = entry;
      if (event.type !== 'heartbeatLapsed' && event.type !== 'heartbeatDisarmed') continue;
      if (this.#credentialNumbers.has(event.credential)) this.#disarmIfFired(event.credential);
    }
  }

  #disarmIfFired(number: number): void {
    this.#tryDisarmIfFired(number).catch((err: unknown) => {
      const message = "a dead-man's switch without a session stays until the next start";
      this.#deps.log.warn({ err, credential: number }, message);
    });
  }

  async #tryDisarmIfFired(number: number): Promise<void> {
    const { queue, clock, registry } = this.#deps;
    const remove = (): void => {
      this.#credentialNumbers.delete(number);
      registry.put({ table: 'orphanedSwitch', key: String(number), value: undefined });
    };
    await queue.run({
      command: () => {
        const deadManSwitch = queue.view.credentialState(number);
        if (deadManSwitch === undefined) remove();
        if (deadManSwitch?.lapsed !== true) return undefined;
        const account = unchecked.account(deadManSwitch.account);
        return { type: 'disarmHeartbeat', time: clock.now(), account, credential: credentialNo(number) };
      },
      onApplied: remove,
      answer: () => undefined,
    });
    await syncRegistry(registry);
  }
}
