/** Withdrawals as tests sign them. */
import { type ExecuteWithdrawalInput, OPERATIONS } from '../../../src/protocol/index.ts';
import { ALICE, BOB, type Caller, MINUTE, present, type Venue } from './harness.ts';

/** What is signed, and by whom. */
export interface Signed {
  readonly walletId: string;
  readonly key: string;
  readonly toAddress: `0x${string}`;
  readonly amountCents: number;
  readonly nonce: number;
  readonly deadline: number;
  readonly clientWithdrawalId: string;
}

/** The input of a withdrawal to Bob, of $10 within a minute where nothing else is said. */
export function signedWithdrawal(
  { messages, clock }: Venue,
  of: Pick<Signed, 'walletId' | 'key'> & Partial<Signed>,
): ExecuteWithdrawalInput {
  const { walletId, key, toAddress = present(BOB).address, amountCents = 1_000, nonce = 7 } = of;
  const { deadline = clock.now() + MINUTE, clientWithdrawalId = 'w1' } = of;
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

/** A wallet that is ready. */
export async function walletFor(venue: Venue, caller: Caller): Promise<string> {
  const { data } = await venue.ask(OPERATIONS.provisionWallet, { chainId: 31_337 }, caller);
  await venue.pass(500);
  return present(data?.provisionWallet).wallet.id;
}

/** What Alice has available, micro-USD. */
export function cashOf({ queue: { view } }: Venue, address: string = present(ALICE).address): number {
  return view.account(view.accountOf(address))?.available ?? 0;
}
