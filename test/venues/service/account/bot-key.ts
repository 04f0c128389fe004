/** Creates an API key with which a bot trades and signs for an account. */

import { Fault } from '../../../../src/domain/index.ts';
import type { ApiScope } from '../../../../src/protocol/index.ts';
import type { Hex, SignedMessage, SigningKey } from '../../../../src/signing/index.ts';
import type { DelegateMessage } from '../../../../src/signing/messages.ts';
import { describeProblem, type Transport } from '../../../../src/venues/service/transport/index.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';

export interface BotKeyOptions {
  readonly label: string;
  /** Default READ and TRADE. */
  readonly scopes?: readonly ApiScope[];
  /** Address that may sign orders while the key is valid; undefined for none. */
  readonly delegate?: Hex;
  /** Single-use nonce of the delegate's permission. */
  readonly nonce: bigint;
  /** When the delegate's permission ends, ms since 1970. */
  readonly expiresAt: number;
}

const DEFAULT_SCOPES: readonly ApiScope[] = ['READ', 'TRADE'];

/**
 * Creates the key with the session whose credentials the transport has. @param account the account's own key
 * @returns the secret, which the venue shows only once
 * @throws Fault `API_KEY` when the venue refuses
 */
export async function createBotKey(
  transport: Transport,
  account: SigningKey,
  delegates: SignedMessage<DelegateMessage>,
  options: BotKeyOptions,
): Promise<string> {
  const { label, scopes = DEFAULT_SCOPES, delegate, nonce, expiresAt } = options;
  const grant =
    delegate === undefined ? {} : { delegate: signPermission(account, delegates, { delegate, nonce, expiresAt }) };
  const input = { label, scopes, ipAllowList: [], ...grant };
  const answer = await transport.mutate(ALL_OPERATIONS.createApiKey, { input }, { via: 'http' });
  if (answer.type !== 'data') throw new Fault('API_KEY', `the venue created no API key: ${describeProblem(answer)}`);
  const created = answer.data.createApiKey;
  if (created === null) {
    throw new Fault(
      'API_KEY',
      `the venue created no API key: ${answer.errors.map(({ message }) => message).join('; ')}`,
    );
  }
  return created.secret;
}

function signPermission(
  account: SigningKey,
  delegates: SignedMessage<DelegateMessage>,
  { delegate, nonce, expiresAt }: { readonly delegate: Hex; readonly nonce: bigint; readonly expiresAt: number },
) {
  const { signature } = delegates.sign({ account: account.address, delegate, nonce, expiresAt }, account);
  return { address: delegate, nonce: String(nonce), expiresAt: String(expiresAt), signature };
}
