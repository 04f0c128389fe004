/** Opens an account at its first login and credits its play money once. */
import type { Clock } from '../../clock/index.ts';
import { counted, Fault } from '../../domain/index.ts';
import type { Archive, ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import { readCents } from '../../protocol/index.ts';
import type { CommandQueue } from '../command-queue.ts';

export interface AccountsDeps {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly archive: Pick<Archive, 'account'>;
  readonly creditCents: number;
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
    const { clock, queue, archive, creditCents } = this.#deps;
    await this.#run(() => {
      if (queue.view.accountOf(address) !== 0) return undefined;
      return { type: 'openAccount', time: clock.now(), address, unlimited: false };
    });
    if (creditCents === 0) return;
    const account = queue.view.accountOf(address);
    const isFresh = await queue.read(() => archive.account(account)?.entries === 0);
    if (!isFresh) return;
    const amount = readCents('creditCents', creditCents);
    await this.#run(() => ({ type: 'transfer', time: clock.now(), account: counted.account(account), amount }));
  }

  async #run(command: () => ExchangeCommand | undefined): Promise<void> {
    const answer = (events: readonly ExchangeEvent[]): void => {
      for (const event of events) {
        if (event.type !== 'refused') continue;
        const { reason, field = '' } = event.refusal;
        throw new Fault('ACCOUNT_REFUSED', `an account could not be opened: ${reason} ${field}`);
      }
    };
    await this.#deps.queue.run({ command, answer });
  }
}
