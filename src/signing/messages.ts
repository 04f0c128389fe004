/**
 * The four signed messages (docs/spec/venue.md#signed-messages) and their domains. `STRUCTS` defines all forms of them.
 */
import type { Outcome, Side, TimeInForce } from '../domain/index.ts';
import { address, bool, bytes32, choice, type Field, type FieldKind, text, uint, uuid } from './field-kinds.ts';
import type { Hex } from './hex.ts';

/** An unsigned integer: a safe integer, or a bigint of any size. Readers return a number if it is safe. */
type Uint = number | bigint;

/** A signed order. Its digest is its hash and permanent id. */
export type OrderMessage = {
  /** 256 random bits that cannot be guessed. */
  readonly salt: Uint;
  readonly maker: Hex;
  /** The account or its delegate. */
  readonly signer: Hex;
  /** UUID. */
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in the terms of `outcome`, basis points. Any 16 bits can be signed; the venue tests the price. */
  readonly priceBps: number;
  /** Micro-shares, 64 bits. */
  readonly shares: Uint;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Milliseconds since 1970, 0 for none. */
  readonly expiration: Uint;
  /** The signer's clock, milliseconds since 1970. */
  readonly timestampMs: Uint;
  readonly epoch: Uint;
  /** The highest fee rate accepted, basis points. */
  readonly maxFeeBps: number;
  /** Hash of the replaced order, or `NO_HASH`. */
  readonly replaces: Hex;
};

/** A login: the account signs the venue's challenge. */
export type LoginMessage = {
  readonly account: Hex;
  readonly statement: string;
  /** The venue's public base URL without trailing slash. */
  readonly audience: string;
  /** 32 bytes, single use. */
  readonly nonce: Hex;
  /** Milliseconds since 1970. */
  readonly issuedAt: Uint;
  /** Milliseconds since 1970. */
  readonly expiresAt: Uint;
};

export type WithdrawalMessage = {
  readonly account: Hex;
  /** UUID. */
  readonly walletId: string;
  readonly toAddress: Hex;
  readonly amountCents: Uint;
  readonly nonce: Uint;
  /** Milliseconds since 1970. */
  readonly deadline: Uint;
};

/** The account's permission for another address to sign its orders. */
export type DelegateMessage = {
  readonly account: Hex;
  readonly delegate: Hex;
  readonly nonce: Uint;
  /** Milliseconds since 1970. */
  readonly expiresAt: Uint;
};

/** `replaces` of an order that replaces none: 32 zero bytes. */
export const NO_HASH: Hex = `0x${'00'.repeat(32)}`;

/** The domain of orders, withdrawals and delegates. The client's configuration pins all four members. */
export interface ExchangeDomain extends LoginDomain {
  /** Address, lower case. */
  readonly verifyingContract: Hex;
}

export interface LoginDomain {
  readonly name: string;
  readonly version: string;
  /** A safe integer from 1. */
  readonly chainId: number;
}

/** The domain of the exchange on a chain (docs/spec/venue.md#signed-messages). */
export function exchangeDomain(chainId: number, verifyingContract: Hex): ExchangeDomain {
  return { name: 'Prediction Market Exchange', version: '1', chainId, verifyingContract };
}

/** The domain of logins on a chain (docs/spec/venue.md#login). */
export function loginDomain(chainId: number): LoginDomain {
  return { name: 'Prediction Market Login', version: '1', chainId };
}

/** The default statement of a login, at the venue and in clients. */
export const LOGIN_STATEMENT = 'Log in to the prediction market venue. This signature moves no money.';

export const LOCAL_CHAIN_ID = 31_337;

/** The local venue's contract: the last 20 bytes of keccak256("prediction-market-local-exchange"). */
export const LOCAL_CONTRACT: Hex = '0xe34adc99f1484ee9c9a5607edf2f1f6fae93f124';

/** A flat struct: its name, its fields in signed order, and the field with the signer's address. */
export interface Struct {
  readonly primaryType: string;
  readonly fields: readonly Field[];
  readonly signedBy: string;
}

/** The structs by message. The order of fields is part of the signature. */
export const STRUCTS = {
  order: struct('Order', 'signer', {
    salt: uint(256),
    maker: address,
    signer: address,
    marketId: uuid,
    outcome: choice('YES', 'NO'),
    side: choice('BUY', 'SELL'),
    priceBps: uint(16),
    shares: uint(64),
    timeInForce: choice('GTC', 'GTD', 'FOK', 'FAK'),
    postOnly: bool,
    expiration: uint(64),
    timestampMs: uint(64),
    epoch: uint(64),
    maxFeeBps: uint(16),
    replaces: bytes32,
  } satisfies KindsOf<OrderMessage>),
  login: struct('Login', 'account', {
    account: address,
    statement: text,
    audience: text,
    nonce: bytes32,
    issuedAt: uint(64),
    expiresAt: uint(64),
  } satisfies KindsOf<LoginMessage>),
  withdrawal: struct('Withdrawal', 'account', {
    account: address,
    walletId: uuid,
    toAddress: address,
    amountCents: uint(64),
    nonce: uint(256),
    deadline: uint(64),
  } satisfies KindsOf<WithdrawalMessage>),
  delegate: struct('Delegate', 'account', {
    account: address,
    delegate: address,
    nonce: uint(256),
    expiresAt: uint(64),
  } satisfies KindsOf<DelegateMessage>),
} as const;

type KindsOf<M> = Record<keyof M, FieldKind>;

export function struct(primaryType: string, signedBy: string, kinds: Readonly<Record<string, FieldKind>>): Struct {
  return { primaryType, signedBy, fields: Object.entries(kinds).map(([name, kind]) => ({ name, kind })) };
}
