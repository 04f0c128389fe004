/** What access stands on. */
import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { Archive, ExchangeCommand, ExchangeEvent, ExchangeView, Registry } from '../../exchange/index.ts';
import type { HexText } from '../../protocol/index.ts';
import type { SignedMessages } from '../../signing/index.ts';
import type { Log, OperationContext } from '../graphql/index.ts';
import type { Cursors } from '../paging/index.ts';

/** What is read of the exchange here. */
export type AccountsView = Pick<ExchangeView, 'account' | 'accountOf' | 'mode' | 'switchOf'>;

/** Something to be asked of the exchange; `desk/` says what each of the three may do. */
export interface DeskTask<Result> {
  /** The command, made in its turn with all that was asked before it in the view; undefined for none. */
  command(): ExchangeCommand | undefined;
  /** It changed the exchange and is not durable yet: what is put into the registry now is in the same transaction. */
  applied?(): void;
  /** All of it is durable. @param events what it told */
  answer(events: readonly ExchangeEvent[]): Result;
}

/** The door to the exchange. */
export interface AccessDesk {
  readonly view: AccountsView;
  /** Does a task in its turn. */
  run<Result>(task: DeskTask<Result>): Result | Promise<Result>;
  /** Tells what happens, when it is durable. @returns what ends that */
  watch(watcher: { told(events: readonly ExchangeEvent[]): void }): () => void;
  /** Looks at the exchange when it stands where the disk does. */
  read<Result>(look: () => Result): Result | Promise<Result>;
}

/** A code on its way to somebody's mailbox. */
export interface Mail {
  readonly to: string;
  readonly code: string;
  readonly expiresAt: EpochMs;
}

/** Sends mail. */
export interface Outbox {
  /** Told when it is handed over; rejects when it is not. */
  send(mail: Mail): Promise<void>;
}

/** A wallet that a chain is to make ready. */
export interface NewWallet {
  /** UUID. */
  readonly id: string;
  readonly chainId: number;
}

/** Money that is to go out. */
export interface Payout {
  /** UUID of the withdrawal: a chain pays once for each. */
  readonly id: string;
  readonly chainId: number;
  readonly toAddress: HexText;
  readonly amountCents: number;
}

/** How a payout goes on. CONFIRMED and FAILED are final; FAILED may come at once. */
export type PayoutNews =
  | { readonly status: 'BROADCAST' | 'CONFIRMED'; readonly transactionHash: HexText }
  | { readonly status: 'FAILED'; readonly reason: string };

/**
 * Where wallets are and payouts go. After a start it is asked again for everything that was not finished, and tells how each
 * stands, if it has told it before or not: nothing is done twice for one id.
 */
export interface PayoutChain {
  /** A wallet's address, fixed by its id before it is ready. */
  addressOf(wallet: NewWallet): HexText;
  /** Calls back with the deposit address when the wallet is ready; never before it returns. */
  provision(wallet: NewWallet, ready: (depositAddress: HexText) => void): void;
  /** Pays, and tells news until one is final; never before it returns. */
  pay(payout: Payout, tell: (news: PayoutNews) => void): void;
}

/** The ports of access. */
export interface AccessPorts {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly archive: Pick<Archive, 'account'>;
  readonly desk: AccessDesk;
  readonly messages: SignedMessages;
  readonly cursors: Cursors;
  readonly outbox: Outbox;
  readonly chain: PayoutChain;
  readonly log: Log;
  /** Whether a request came through a trusted proxy, so that its headers may be believed. Default: none did. */
  readonly isProxied?: (context: OperationContext) => boolean;
}
