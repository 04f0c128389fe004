/** Many at once, while a thread writes: turns, transactions and answers lie apart in time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/protocol/index.ts';
import { logIn, openVenue, present, START } from './harness.ts';
import { cashOf, signedWithdrawal } from './withdrawing.ts';

const CREDIT = 10_000_000_000;

it('concurrent logins, withdrawals and retries keep every balance exact, also after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crowd-'));
  const file = join(folder, 'venue.db');
  const venue = await openVenue({ file, thread: true });
  const people = Array.from({ length: 12 }, (_, at) => {
    const privateKey = `0x${String(at + 1).padStart(64, '0')}` as const;
    return { privateKey, address: venue.messages.signer.key(privateKey).address };
  });
  const logins = await Promise.all([...people, ...people].map((who) => logIn(venue, who)));
  expect(venue.queue.view.accountCount).toBe(people.length);

  const askers = logins.slice(0, people.length).map(({ caller }) => caller);
  const wallets = await Promise.all(
    askers.map((caller) => venue.ask(OPERATIONS.provisionWallet, { chainId: 31_337 }, caller)),
  );
  // The chain's answers are due at one moment; nothing else is waiting then.
  while (venue.clock.nextTime() <= START + 500) venue.clock.runNext();

  const answers = await Promise.all(
    people.flatMap(({ privateKey: key }, at) => {
      const walletId = present(wallets[at]?.data?.provisionWallet).wallet.id;
      const inputs = [1, 2, 3].map((nonce) =>
        signedWithdrawal(venue, { walletId, key, nonce, amountCents: 400_000, clientWithdrawalId: `w${nonce}` }),
      );
      return [...inputs, ...inputs].map((input) =>
        venue.ask(OPERATIONS.executeWithdrawal, { input }, present(askers[at])),
      );
    }),
  );
  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  const results = answers.map(({ data }) => present(data?.executeWithdrawal));
  expect(results.filter(({ withdrawal, duplicate }) => withdrawal !== null && !duplicate)).toHaveLength(24);
  expect(results.filter(({ duplicate }) => duplicate)).toHaveLength(24);
  expect(results.filter(({ rejection }) => rejection?.reason === 'INSUFFICIENT_BALANCE')).toHaveLength(24);
  for (const { address } of people) expect(cashOf(venue, address)).toBe(CREDIT - 8_000_000_000);
  expect(venue.stops).toEqual([]);
  await venue.close();

  const again = await openVenue({ file, start: START + 1_000 });
  for (const { address } of people) {
    expect(cashOf(again, address)).toBe(CREDIT - 8_000_000_000);
    expect(again.access.withdrawals.ofAccount(address).length).toBe(2);
  }
  expect(again.access.sessions.size).toBe(24);
  await again.close();
  rmSync(folder, { recursive: true });
});
