/** Signs withdrawals for tests. */
import type { ExecuteWithdrawalInput } from '../../../src/protocol/generated/schema-types.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { ALICE, BOB, type Caller, MINUTE, unwrap, type Venue } from './harness.ts';

/** The fields of a signed withdrawal and the private key that signs it. */
export interface Signed {
  readonly walletId: string;
  readonly key: string;
  readonly toAddress: `0x${string}`;
  readonly amountCents: number;
  readonly nonce: number;
  readonly deadline: number;
  readonly clientWithdrawalId: string;
}

/** The signed input of a withdrawal. Default: $10 to Bob with a deadline in one minute. */
export function signedWithdrawal(
  { messages, clock }: Venue,
  fields: Pick<Signed, 'walletId' | 'key'> & Partial<Signed>,
): ExecuteWithdrawalInput {
  const { walletId, key, toAddress = unwrap(BOB).address, amountCents = 1_000, nonce = 7 } = fields;
  const { deadline = clock.now() + MINUTE, clientWithdrawalId = 'w1' } = fields;
  const signing = messages.signer.key(key);
  const message = { account: signing.address, walletId, toAddress, amountCents, nonce, deadline };
  const { signature } = messages.withdrawal.sign(message, signing);
  return {
    walletId,
    toAddress,
    amountCents,
    signature,
    clientWithdrawalId,
    nonce: String(nonce),
    deadline: String(deadline),
  };
}

/** Sends a signed withdrawal. @returns the payload @throws Error on GraphQL errors */
export async function executeWithdrawal(venue: Venue, caller: Caller, input: ExecuteWithdrawalInput) {
  const { data, errors } = await venue.request(ALL_OPERATIONS.executeWithdrawal, { input }, caller);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return unwrap(data?.executeWithdrawal);
}

/** Provisions a wallet and waits until it is ACTIVE. @returns its id */
export async function walletFor(venue: Venue, caller: Caller): Promise<string> {
  const { data } = await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, caller);
  await venue.pass(500);
  return unwrap(data?.provisionWallet).wallet.id;
}

/** The available balance of an account, micro-USD. Default: Alice's. */
export function cashOf({ queue: { view } }: Venue, address: string = unwrap(ALICE).address): number {
  return view.account(view.accountOf(address))?.available ?? 0;
}

/** Calls the function after each commit, before the venue reports the commit. */
export function afterEachTransaction({ store: { journal, registry } }: Venue, onCommit: () => void): void {
  const append = journal.append.bind(journal);
  journal.append = (batch, done) =>
    append(batch, (fault) => {
      onCommit();
      done(fault);
    });
  const sync = registry.sync.bind(registry);
  registry.sync = (done) =>
    sync((fault) => {
      onCommit();
      done(fault);
    });
}

export function sumOfLedger({ store: { archive } }: Venue): number {
  const { rows } = archive.ledger(1, {}, { maxRows: 1_000, direction: 'forward', from: undefined });
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}
