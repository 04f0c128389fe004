/** Accounts of the venue itself. These addresses have no keys, so no login as one of them is possible. */
import { type AccountNo, counted, Fault } from '../domain/index.ts';
import type { CommandQueue } from './command-queue.ts';

/** Addresses by what they are for. */
export const SERVICE_ADDRESS = {
  /** Creates the operators' markets. */
  operator: '0x0000000000000000000000000000000000000001',
  /** Quotes as the house. */
  house: '0x0000000000000000000000000000000000000002',
  /** All traders on replayed tapes. */
  tape: '0x0000000000000000000000000000000000000003',
} as const;

/** The account without limits of an address, opened when it is needed for the first time. @throws Fault when it cannot be */
export async function serviceAccount(queue: CommandQueue, who: keyof typeof SERVICE_ADDRESS): Promise<AccountNo> {
  const address = SERVICE_ADDRESS[who];
  return queue.run({
    command: () =>
      queue.view.accountOf(address) === 0
        ? { type: 'openAccount', time: queue.now, address, unlimited: true }
        : undefined,
    answer: () => {
      const account = queue.view.accountOf(address);
      if (account === 0)
        throw new Fault('ACCOUNTS_FULL', `the account of the ${who} cannot be opened: the venue takes no more`);
      return counted.account(account);
    },
  });
}
