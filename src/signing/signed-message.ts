/** Hashes, compares, signs and verifies the venue's messages in their EIP-712 domains. */
import { Fault, InputFault } from '../domain/index.ts';
import { type Compared, compareOffer } from './compare.ts';
import type { FieldKind, FieldValue, Message } from './field-kinds.ts';
import { areEqualBytes, type Hex, toHex } from './hex.ts';
import { type FieldRefused, type ReadResult, WireReader } from './message-codec.ts';
import { type ExchangeDomain, type LoginDomain, type MessageOfStruct, STRUCTS, type Struct } from './messages.ts';
import type { SignatureRefused, Signer, SigningKey } from './signer.ts';
import { domainFields, StructHasher, structTypes, type TypedData } from './struct-hasher.ts';

/** The signature is not by the signer that the message names, or belongs to another message. */
interface OtherSigner {
  readonly ok: false;
  readonly code: 'OTHER_SIGNER';
  readonly expected: string;
  /** The address recovered from the signature. A signature of another message or domain gives an unrelated address. */
  readonly recovered: Hex;
  readonly message: string;
}

/** A message with a valid signature, or the reason why message or signature is invalid. */
export type Verified<M> =
  | { readonly ok: true; readonly message: M; readonly hash: Hex }
  | FieldRefused
  | SignatureRefused
  | OtherSigner;

export interface Signed {
  /** The digest, which is an order's hash and id. */
  readonly hash: Hex;
  /** 65 bytes r, s, v. */
  readonly signature: Hex;
}

export interface SignedMessage<M extends Message> {
  /** Returns the digest to sign, 32 bytes. @throws InputFault that names a field that cannot be signed */
  digest(message: M): Uint8Array;
  /** Returns the argument of `eth_signTypedData_v4`; integers are decimal strings. @throws InputFault like `digest` */
  typedData(message: M): TypedData;
  /** Reads the venue's input form (`SignedOrder` for orders), and ignores unknown members. */
  read(wire: unknown): ReadResult<M>;
  /** Returns the venue's input form, without signature. @throws InputFault like `digest` */
  wire(message: M): Record<string, string | number | boolean>;
  /** Compares offered typed data with an intent. Returns the complete message to sign, or the first difference. */
  compare(offered: unknown, intent: Partial<M>): Compared<M>;
  /**
   * @param expected the fields' words, 32 bytes each, encoded independently of `message`. Default: no comparison
   * @throws InputFault like `digest`, or if the message names another signer; Fault `SIGNING` if `expected` differs
   */
  sign(message: M, key: SigningKey, expected?: Uint8Array): Signed;
  /** Reads the venue's input form, and checks that the message's signer has signed it. */
  verify(wire: unknown, signature: string): Verified<M>;
}

export type SignedMessages = {
  readonly [Name in keyof typeof STRUCTS]: SignedMessage<MessageOfStruct<(typeof STRUCTS)[Name]>>;
};

export interface SigningDomains {
  readonly exchange: ExchangeDomain;
  readonly login: LoginDomain;
}

const WORD_BYTES = 32;

/** @throws InputFault for an invalid domain */
export function signedMessages(signer: Signer, { exchange, login }: SigningDomains): SignedMessages {
  return {
    order: createSignedMessage(signer, STRUCTS.order, exchange),
    login: createSignedMessage(signer, STRUCTS.login, login),
    withdrawal: createSignedMessage(signer, STRUCTS.withdrawal, exchange),
    delegate: createSignedMessage(signer, STRUCTS.delegate, exchange),
  };
}

function createSignedMessage<M extends Message>(signer: Signer, struct: Struct<M>, domain: object): SignedMessage<M> {
  const hasher = new StructHasher(signer.keccak256, struct, domain);
  const { primaryType, fields, signedBy } = struct;
  const pinned = {
    domain: { ...domain },
    types: { EIP712Domain: domainFields(domain), ...structTypes(struct) },
    primaryType,
  };
  const convert = <V>(message: M, convertField: (kind: FieldKind, value: FieldValue) => V): Record<string, V> => {
    // Throws for a field that cannot be signed. The hash itself is not needed.
    hasher.structHash(message);
    return Object.fromEntries(fields.map(({ name, kind }) => [name, convertField(kind, message[name] ?? '')]));
  };
  const reader = new WireReader<M>(fields);
  return {
    digest: (message) => hasher.digest(message),
    typedData: (message) => ({ ...pinned, message: convert(message, (kind, value) => kind.toTyped(value)) }),
    read: (wire) => reader.read(wire),
    wire: (message) => convert(message, (kind, value) => kind.toWire(value)),
    compare: (offered, intent) => compareOffer(offered, pinned, fields, intent),
    sign(message, key, expected) {
      const address = message[signedBy];
      if (typeof address !== 'string' || address.toLowerCase() !== key.address)
        throw new InputFault(`${primaryType}.${signedBy}`, address, `the key's address, ${key.address}`);
      const digest = hasher.digest(message);
      if (expected !== undefined && !areEqualBytes(hasher.words, expected))
        throw createMismatchFault(struct, hasher.words, expected);
      return { hash: toHex(digest), signature: signer.sign(digest, key) };
    },
    verify(wire, signature) {
      const found = reader.read(wire);
      if (!found.ok) return found;
      const { message } = found;
      const digest = hasher.digest(message);
      const recovered = signer.recover(digest, signature);
      if (!recovered.ok) return recovered;
      if (recovered.address === message[signedBy]) return { ok: true, message, hash: toHex(digest) };
      return refuseOtherSigner(signedBy, String(message[signedBy]), recovered.address);
    },
  };
}

function createMismatchFault({ primaryType, fields }: Struct, packed: Uint8Array, expected: Uint8Array): Fault {
  const word = (words: Uint8Array, at: number): string => toHex(words.subarray(WORD_BYTES * at, WORD_BYTES * (at + 1)));
  const at = fields.findIndex((_, field) => word(packed, field) !== word(expected, field));
  const problem = `would be signed as ${word(packed, at)} instead of ${word(expected, at)}: nothing was signed`;
  return new Fault('SIGNING', `${primaryType}.${fields[at]?.name} ${problem}`);
}

function refuseOtherSigner(field: string, expected: string, recovered: Hex): OtherSigner {
  const message = `signature: ${field} is ${expected}, but the signature over this message gives ${recovered}`;
  return { ok: false, code: 'OTHER_SIGNER', expected, recovered, message };
}
