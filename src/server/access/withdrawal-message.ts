/** Prepares Withdrawal messages for signing, and reads signed Withdrawal messages. */
import type { EpochMs } from '../../domain/index.ts';
import {
  BYTE_LENGTHS,
  badArgument,
  type HexText,
  type RawExecuteWithdrawalInput,
  type RawWithdrawalIntent,
  readCents,
  readHex,
  readSafeUint,
  readUint,
  readUuid,
  unwrapRaw,
} from '../../protocol/index.ts';
import { type SignedMessages, toHex, type Verified, type WithdrawalMessage } from '../../signing/index.ts';
import type { Model } from '../presenters/models.ts';
import { randomHex } from './secrets.ts';

export interface WithdrawalRequest {
  readonly walletId: string;
  readonly toAddress: HexText;
  readonly amountCents: number;
  /** Epoch ms. */
  readonly deadline: number;
  readonly clientWithdrawalId: string;
  /** The verified message, or the problem with the signature. */
  readonly verified: Verified<WithdrawalMessage>;
}

const ZERO_ADDRESS = `0x${'00'.repeat(BYTE_LENGTHS.address)}`;
const MAX_ID_LENGTH = 64;

/** Returns the message that an account signs to withdraw. @throws WireFault for an invalid withdrawal */
export function prepareWithdrawal(
  { withdrawal }: SignedMessages,
  account: HexText,
  intent: RawWithdrawalIntent,
  expiresAt: EpochMs,
): Model<'SigningParams'> {
  const { amountCents } = intent;
  assertAmount('withdrawal.amountCents', amountCents);
  const message: WithdrawalMessage = {
    account,
    walletId: readUuid('wallet', intent.walletId),
    toAddress: readDestination('withdrawal.toAddress', intent.toAddress),
    amountCents,
    nonce: BigInt(`0x${randomHex(32)}`),
    deadline: expiresAt,
  };
  return {
    kind: 'WITHDRAWAL',
    typedData: withdrawal.typedData(message),
    digest: toHex(withdrawal.digest(message)),
    costCents: amountCents,
    worstCaseCents: amountCents,
    normalizedPriceBps: null,
    normalizedShares: null,
    expiresAt,
  };
}

/** @throws WireFault for invalid arguments */
export function readWithdrawal(
  { withdrawal }: SignedMessages,
  account: string,
  input: RawExecuteWithdrawalInput,
): WithdrawalRequest {
  const { amountCents, clientWithdrawalId } = input;
  assertAmount('amountCents', amountCents);
  if (clientWithdrawalId === '' || clientWithdrawalId.length > MAX_ID_LENGTH)
    throw badArgument('clientWithdrawalId', clientWithdrawalId, `1 to ${MAX_ID_LENGTH} characters`);
  const walletId = readUuid('wallet', input.walletId);
  const toAddress = readDestination('toAddress', input.toAddress);
  const nonce = readUint('nonce', input.nonce);
  const deadline = readSafeUint('deadline', input.deadline);
  const wire = { account, walletId, toAddress, amountCents, nonce, deadline };
  const verified = withdrawal.verify(wire, unwrapRaw(input.signature));
  return { walletId, toAddress, amountCents, deadline, clientWithdrawalId, verified };
}

function assertAmount(field: string, cents: number): void {
  if (readCents(field, cents) === 0) throw badArgument(field, cents, 'at least one cent');
}

/** @throws WireFault for an invalid address, or for the zero address, which has no key */
function readDestination(field: string, raw: RawWithdrawalIntent['toAddress']): HexText {
  const address = readHex(field, raw, BYTE_LENGTHS.address);
  if (address === ZERO_ADDRESS) throw badArgument(field, address, 'an address other than zero');
  return address;
}
