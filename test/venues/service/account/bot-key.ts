/** An API key for a bot, made once by the account itself: with it the bot trades and signs, and holds no funds. */
import { Fault } from '../../../../src/domain/index.ts';
import { type ApiScope, OPERATIONS } from '../../../../src/protocol/index.ts';
import type { DelegateMessage, Hex, SignedMessage, SigningKey } from '../../../../src/signing/index.ts';
import { problemOf, type Transport } from '../../../../src/venues/service/transport/index.ts';

export interface BotKeyOptions {
  readonly label: string;
  /** Default READ and TRADE. */
  readonly scopes?: readonly ApiScope[];
  /** Address that may sign orders while the key lives; undefined for none. */
  readonly delegate?: Hex;
  /** 256 random bits, single use; with a delegate. */
  readonly nonce: bigint;
  /** When the delegate's permission ends, ms since 1970. */
  readonly expiresAt: number;
  /** Addresses from which the key counts; none for any. */
  readonly ipAllowList?: readonly string[];
}

const DEFAULT_SCOPES: readonly ApiScope[] = ['READ', 'TRADE'];

/**
 * Makes the key with the session whose credentials are set. @param account the account's own key
 * @returns the secret, which the venue shows this once
 * @throws Fault `API_KEY` when the venue refuses
 */
export async function createBotKey(
  transport: Transport,
  account: SigningKey,
  delegates: SignedMessage<DelegateMessage>,
  options: BotKeyOptions,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { label, scopes = DEFAULT_SCOPES, delegate, nonce, expiresAt, ipAllowList = [] } = options;
  const grant = delegate === undefined ? {} : { delegate: granted(account, delegates, { delegate, nonce, expiresAt }) };
  const input = { label, scopes, ipAllowList, ...grant };
  const answer = await transport.mutate(OPERATIONS.createApiKey, { input }, { via: 'http' });
  if (answer.type !== 'data') throw new Fault('API_KEY', `the venue makes no API key: ${problemOf(answer)}`);
  const made = answer.data.createApiKey;
  if (made === null) {
    throw new Fault('API_KEY', `the venue makes no API key: ${answer.errors.map(({ message }) => message).join('; ')}`);
  }
  return { id: made.apiKey.id, secret: made.secret };
}

function granted(
  account: SigningKey,
  delegates: SignedMessage<DelegateMessage>,
  { delegate, nonce, expiresAt }: { readonly delegate: Hex; readonly nonce: bigint; readonly expiresAt: number },
) {
  const { signature } = delegates.sign({ account: account.address, delegate, nonce, expiresAt }, account);
  return { address: delegate, nonce: String(nonce), expiresAt: String(expiresAt), signature };
}
