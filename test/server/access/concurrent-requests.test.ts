/** Concurrent requests while a writer thread commits: commands, transactions and replies finish at different times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { logIn, openVenue, START, unwrap } from './harness.ts';
import { cashOf, signedWithdrawal } from './withdrawing.ts';

const CREDIT_MICRO_USD = 10_000_000_000;

it('concurrent logins, withdrawals and retries keep every balance exact, also after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'concurrent-'));
  const file = join(folder, 'venue.db');
  const venue = await openVenue({ file, thread: true });
  const accounts = Array.from({ length: 12 }, (_, at) => {
    const privateKey = `0x${String(at + 1).padStart(64, '0')}` as const;
    return { privateKey, address: venue.messages.signer.key(privateKey).address };
  });
  const logins = await Promise.all([...accounts, ...accounts].map((account) => logIn(venue, account)));
  expect(venue.queue.view.accountCount).toBe(accounts.length);

  const callers = logins.slice(0, accounts.length).map(({ caller }) => caller);
  const wallets = await Promise.all(
    callers.map((caller) => venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, caller)),
  );
  // Runs the clock until the chain has reported all wallets; nothing else is pending.
  while (venue.clock.nextTime() <= START + 500) venue.clock.runNext();

  const answers = await Promise.all(
    accounts.flatMap(({ privateKey: key }, at) => {
      const walletId = unwrap(wallets[at]?.data?.provisionWallet).wallet.id;
      const inputs = [1, 2, 3].map((nonce) =>
        signedWithdrawal(venue, { walletId, key, nonce, amountCents: 400_000, clientWithdrawalId: `w${nonce}` }),
      );
      return [...inputs, ...inputs].map((input) =>
        venue.request(ALL_OPERATIONS.executeWithdrawal, { input }, unwrap(callers[at])),
      );
    }),
  );
  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  const results = answers.map(({ data }) => unwrap(data?.executeWithdrawal));
  expect(results.filter(({ withdrawal, duplicate }) => withdrawal !== null && !duplicate)).toHaveLength(24);
  expect(results.filter(({ duplicate }) => duplicate)).toHaveLength(24);
  expect(results.filter(({ rejection }) => rejection?.reason === 'INSUFFICIENT_BALANCE')).toHaveLength(24);
  for (const { address } of accounts) expect(cashOf(venue, address)).toBe(CREDIT_MICRO_USD - 8_000_000_000);
  expect(venue.stops).toEqual([]);
  await venue.close();

  const again = await openVenue({ file, start: START + 1_000 });
  for (const { address } of accounts) {
    expect(cashOf(again, address)).toBe(CREDIT_MICRO_USD - 8_000_000_000);
    expect(again.access.withdrawals.ofAccount(address).length).toBe(2);
  }
  expect(again.access.sessions.size).toBe(24);
  await again.close();
  rmSync(folder, { recursive: true });
});
