import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { Archive, Registry, Transfer, TransferKind } from '../../exchange/index.ts';
import type { HexText } from '../../protocol/index.ts';
import type { SignedMessages } from '../../signing/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { Cursors } from '../paging/cursors.ts';
import type { CredentialNumbers, SecretHash } from './secrets.ts';
import type { AccessSettings } from './settings.ts';

export interface Mail {
  readonly to: string;
  readonly code: string;
  readonly expiresAt: EpochMs;
}

/** Sends confirmation codes for e-mail addresses. */
export interface MailSender {
  /** Resolves when the mail system has accepted the mail; rejects otherwise. */
  send(mail: Mail): Promise<void>;
}

export interface NewWallet {
  /** UUID. */
  readonly id: string;
  readonly chainId: number;
}

export interface Payout {
  /** UUID of the withdrawal. The chain pays once per id. */
  readonly id: string;
  readonly chainId: number;
  readonly toAddress: HexText;
  readonly amountCents: number;
}

/** A new status of a payout. CONFIRMED and FAILED are final. FAILED may come without BROADCAST. */
export type PayoutStatusChange =
  | { readonly status: 'BROADCAST' | 'CONFIRMED'; readonly transactionHash: HexText }
  | { readonly status: 'FAILED'; readonly reason: string };

/**
 * Provisions wallets and makes payouts. After a start the server repeats each unfinished request, and the chain reports
 * the request's status again. The chain executes each id once.
 */
export interface PayoutChain {
  /** Computes a wallet's address from id and chain, even before the wallet is ready. */
  computeWalletAddress(wallet: NewWallet): HexText;
  /** Calls `ready` asynchronously with the deposit address. */
  provision(wallet: NewWallet, ready: (depositAddress: HexText) => void): void;
  /** Pays, and reports each status asynchronously up to the final status. */
  pay(payout: Payout, report: (change: PayoutStatusChange) => void): void;
}

export interface AccessDeps {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly archive: Pick<Archive, 'account'>;
  readonly queue: CommandQueue;
  /** Kinds of transfers. A transfer without an entry is a deposit or a withdrawal, by the amount's sign. */
  readonly transferKinds: WeakMap<Transfer, TransferKind>;
  readonly messages: SignedMessages;
  readonly cursors: Cursors;
  readonly mailSender: MailSender;
  readonly chain: PayoutChain;
  readonly log: Log;
}

export interface AccessServiceDeps extends AccessDeps {
  readonly settings: AccessSettings;
  readonly hash: SecretHash;
  readonly numbers: CredentialNumbers;
}
