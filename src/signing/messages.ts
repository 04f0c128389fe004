/** The four signed messages (docs/spec/venue.md#signed-messages) and their EIP-712 domains. */
import {
  address,
  bool,
  bytes32,
  choice,
  type Field,
  type FieldKind,
  type Message,
  text,
  uint,
  uuid,
} from './field-kinds.ts';
import type { Hex } from './hex.ts';

/** The field `replaces` of an order that replaces no other order: 32 zero bytes. */
export const NO_HASH: Hex = `0x${'00'.repeat(32)}`;

/** The domain of orders, withdrawals and delegates. A client reads all four members from its own configuration. */
export interface ExchangeDomain extends LoginDomain {
  /** Lower-case address. */
  readonly verifyingContract: Hex;
}

export interface LoginDomain {
  readonly name: string;
  readonly version: string;
  /** A safe integer from 1. */
  readonly chainId: number;
}

export function exchangeDomain(chainId: number, verifyingContract: Hex): ExchangeDomain {
  return { name: 'Prediction Market Exchange', version: '1', chainId, verifyingContract };
}

export function loginDomain(chainId: number): LoginDomain {
  return { name: 'Prediction Market Login', version: '1', chainId };
}

/** The default statement of logins. The venue and its clients must use the same statement. */
export const LOGIN_STATEMENT = 'Log in to the prediction market venue. This signature moves no money.';

export const LOCAL_CHAIN_ID = 31_337;

/** The local venue's contract: the last 20 bytes of keccak256("prediction-market-local-exchange"). */
export const LOCAL_CONTRACT: Hex = '0xe34adc99f1484ee9c9a5607edf2f1f6fae93f124';

/** A struct without nested structs. */
export interface Struct<M extends Message = Message> {
  readonly primaryType: string;
  /** Fields in signed order. */
  readonly fields: readonly Field[];
  /** The field with the signer's address. */
  readonly signedBy: string;
  /** Carries the type `M` for the compiler. Never set. */
  readonly __message?: M;
}

type Kinds = Readonly<Record<string, FieldKind>>;
type MessageOfKinds<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name] extends FieldKind<infer Value> ? Value : never;
};

export type MessageOfStruct<S> = S extends Struct<infer M> ? M : never;

/**
 * The structs of the messages. The signature covers the order of the fields. Prices and rates are basis points, shares
 * micro-shares, times milliseconds since 1970.
 */
export const STRUCTS = {
  /** A signed order. The digest is the order's hash and permanent id. */
  order: struct('Order', 'signer', {
    /** 256 bits that nobody can guess. */
    salt: uint(256),
    maker: address,
    /** The account or its delegate. */
    signer: address,
    marketId: uuid,
    outcome: choice('YES', 'NO'),
    side: choice('BUY', 'SELL'),
    /** Limit price of `outcome`. Any 16-bit value can be signed, because the venue checks the price. */
    priceBps: uint(16),
    shares: uint(64),
    timeInForce: choice('GTC', 'GTD', 'FOK', 'FAK'),
    postOnly: bool,
    /** 0 for none. */
    expiration: uint(64),
    /** The signer's clock. */
    timestampMs: uint(64),
    epoch: uint(64),
    maxFeeBps: uint(16),
    /** Hash of the replaced order, or `NO_HASH`. */
    replaces: bytes32,
  }),
  /** The account signs the venue's login challenge. */
  login: struct('Login', 'account', {
    account: address,
    statement: text,
    /** The venue's public base URL without trailing slash. */
    audience: text,
    /** Valid for one login. */
    nonce: bytes32,
    issuedAt: uint(64),
    expiresAt: uint(64),
  }),
  withdrawal: struct('Withdrawal', 'account', {
    account: address,
    walletId: uuid,
    toAddress: address,
    amountCents: uint(64),
    nonce: uint(256),
    deadline: uint(64),
  }),
  /** The account's permission for another address to sign its orders. */
  delegate: struct('Delegate', 'account', {
    account: address,
    delegate: address,
    nonce: uint(256),
    expiresAt: uint(64),
  }),
} as const;

export type OrderMessage = MessageOfStruct<typeof STRUCTS.order>;
export type LoginMessage = MessageOfStruct<typeof STRUCTS.login>;
export type WithdrawalMessage = MessageOfStruct<typeof STRUCTS.withdrawal>;
export type DelegateMessage = MessageOfStruct<typeof STRUCTS.delegate>;

export function struct<const K extends Kinds>(
  primaryType: string,
  signedBy: keyof K & string,
  kinds: K,
): Struct<MessageOfKinds<K>> {
  return { primaryType, signedBy, fields: Object.entries(kinds).map(([name, kind]) => ({ name, kind })) };
}
