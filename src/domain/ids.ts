/** Identifiers: small integers inside the program, UUIDs and hashes at its edge. */
import { InputFault } from './errors.ts';

declare const id: unique symbol;
type Id<T, Name extends string> = T & { readonly [id]: Name };

/** A market's UUID, 8-4-4-4-12 lower-case hex digits. */
export type MarketId = Id<string, 'MarketId'>;
/** A market's number in a run: 0, 1, 2 … in the order of the run's markets. */
export type MarketNo = Id<number, 'MarketNo'>;
/** An order's number in an account: 1, 2, 3 … in order of decisions. */
export type OrderNo = Id<number, 'OrderNo'>;
/** A strategy instance's number in an account: 0, 1, 2 … Fields call it `bot`. */
export type InstanceNo = Id<number, 'InstanceNo'>;
/** A stored step's number: 1, 2, 3 … */
export type Seq = Id<number, 'Seq'>;
/** An account's number at an exchange: 1, 2, 3 … in order of opening. */
export type AccountNo = Id<number, 'AccountNo'>;
/** A credential's (API key, session) number at an exchange: 1, 2, 3 … over all accounts; 0 means no credential. */
export type CredentialNo = Id<number, 'CredentialNo'>;
/** An order group's number at an exchange: 1, 2, 3 … over all accounts; 0 means no group. */
export type GroupNo = Id<number, 'GroupNo'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the id in lower case. @throws InputFault unless 8-4-4-4-12 hex digits */
export function marketId(text: string): MarketId {
  const lower = text.toLowerCase();
  if (!UUID.test(lower)) throw new InputFault('market ID', text, 'a UUID (8-4-4-4-12 hex digits)');
  return lower as MarketId;
}

export const marketNo = (value: number): MarketNo => ordinal('market number', value, 0) as MarketNo;
export const orderNo = (value: number): OrderNo => ordinal('order number', value, 1) as OrderNo;
export const instanceNo = (value: number): InstanceNo => ordinal('instance number', value, 0) as InstanceNo;
export const accountNo = (value: number): AccountNo => ordinal('account number', value, 1) as AccountNo;
export const credentialNo = (value: number): CredentialNo => ordinal('credential number', value, 0) as CredentialNo;
export const groupNo = (value: number): GroupNo => ordinal('group number', value, 0) as GroupNo;

function ordinal(what: string, value: number, min: number): number {
  if (!Number.isSafeInteger(value) || value < min) throw new InputFault(what, value, `an integer from ${min}`);
  return value;
}
