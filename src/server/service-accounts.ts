/** The venue's own accounts. Nobody can log in to these accounts, because their addresses have no keys. */
import { type AccountNo, Fault, unchecked } from '../domain/index.ts';
import type { CommandQueue } from './command-queue.ts';

export const SERVICE_ADDRESS = {
  /** Creates the operators' markets. */
  operator: '0x0000000000000000000000000000000000000001',
  /** The house market maker. */
  house: '0x0000000000000000000000000000000000000002',
  /** Holds the trades of replayed tapes. */
  tape: '0x0000000000000000000000000000000000000003',
} as const;

/** Returns a service account, opened without limits on first use. @throws Fault when the venue has too many accounts */
export async function openServiceAccount(queue: CommandQueue, role: keyof typeof SERVICE_ADDRESS): Promise<AccountNo> {
  const address = SERVICE_ADDRESS[role];
  return queue.run({
    command: () =>
      queue.view.accountOf(address) === 0
        ? { type: 'openAccount', time: queue.now, address, unlimited: true }
        : undefined,
    answer: () => {
      const account = queue.view.accountOf(address);
      const problem = `the account of the ${role} cannot be opened: the venue has too many accounts`;
      if (account === 0) throw new Fault('ACCOUNTS_FULL', problem);
      return unchecked.account(account);
    },
  });
}
