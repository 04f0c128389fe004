/** Opens an account at its first login and credits its play money once. */
import { Fault, unchecked } from '../../domain/index.ts';
import type { ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import { readCents } from '../../protocol/index.ts';
import type { AccessDeps } from './ports.ts';
import type { AccessSettings } from './settings.ts';

export interface AccountsDeps extends Pick<AccessDeps, 'clock' | 'queue' | 'archive'> {
  readonly settings: Pick<AccessSettings, 'creditCents'>;
}

export class Accounts {
  readonly #deps: AccountsDeps;
  readonly #opening = new Map<string, Promise<void>>();

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /**
   * Opens the account of an address, and credits an account without ledger entries. After a crash between the two steps,
   * the next login completes the credit. Simultaneous logins of one address share one opening.
   * @throws Fault when the venue accepts no more accounts
   */
  open(address: string): Promise<void> {
    const running = this.#opening.get(address);
    if (running !== undefined) return running;
    const opening = this.#open(address).finally(() => this.#opening.delete(address));
    this.#opening.set(address, opening);
    return opening;
  }

  async #open(address: string): Promise<void> {
    const { clock, queue, archive, settings } = this.#deps;
    const { creditCents } = settings;
    await this.#run(() => {
      if (queue.view.accountOf(address) !== 0) return undefined;
      return { type: 'openAccount', time: clock.now(), address, unlimited: false };
    });
    if (creditCents === 0) return;
    const account = queue.view.accountOf(address);
    const isFresh = await queue.read(() => archive.account(account)?.entries === 0);
    if (!isFresh) return;
    const amount = readCents('creditCents', creditCents);
    await this.#run(() => ({ type: 'transfer', time: clock.now(), account: unchecked.account(account), amount }));
  }

  async #run(command: () => ExchangeCommand | undefined): Promise<void> {
    const answer = (events: readonly ExchangeEvent[]): void =>
      assertAccepted(events, 'ACCOUNT_REFUSED', 'an account could not be opened');
    await this.#deps.queue.run({ command, answer });
  }
}

/** @throws Fault with the problem and the reason of the exchange if it refused the command */
export function assertAccepted(events: readonly ExchangeEvent[], code: string, problem: string): void {
  const refusal = events.find((event) => event.type === 'refused')?.refusal;
  if (refusal !== undefined) throw new Fault(code, `${problem}: ${refusal.reason} ${refusal.field ?? ''}`);
}
