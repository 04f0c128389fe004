/**
 * EIP-712 hashing of structs and domains.
 *
 * digest = keccak(0x1901 || hashStruct(EIP712Domain, domain) || hashStruct(primaryType, message))
 * hashStruct(T, v) = keccak(keccak(encodeType(T)) || word of each field)
 */
import { InputFault } from '../domain/index.ts';
import { address, bytes32, text } from './byte-kinds.ts';
import type { Field, FieldValue } from './field-kind.ts';
import { uint } from './number-kinds.ts';
import type { Keccak256 } from './primitives.ts';

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

export type TypedStructs = Readonly<Record<string, readonly TypedField[]>>;

/** Argument of `eth_signTypedData_v4`. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  /** With or without `EIP712Domain`; without it, it follows from the domain's members. */
  readonly types: TypedStructs;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Length in bytes. */
const WORD = 32;
/** The possible members of a domain, in order (EIP-712, "Definition of domainSeparator"). */
const DOMAIN: readonly Field[] = [
  { name: 'name', kind: text },
  { name: 'version', kind: text },
  { name: 'chainId', kind: uint(256) },
  { name: 'verifyingContract', kind: address },
  { name: 'salt', kind: bytes32 },
];
const utf8 = new TextEncoder();

/** The `EIP712Domain` struct of a domain, which has only its present members. */
export function domainFields(domain: object): readonly TypedField[] {
  return fieldsOf(domain).map(({ name, kind }) => ({ name, type: kind.type }));
}

/** The hash of a domain. @throws InputFault naming the member whose value is not of its type */
export function domainSeparator(keccak256: Keccak256, domain: object): Uint8Array {
  const fields = fieldsOf(domain);
  const bytes = new Uint8Array(WORD * (1 + fields.length));
  const sink = { bytes, view: new DataView(bytes.buffer), keccak256 };
  bytes.set(hashType(keccak256, { EIP712Domain: domainFields(domain) }, 'EIP712Domain'));
  for (const [at, { name, kind }] of fields.entries()) {
    const value: unknown = Reflect.get(domain, name);
    if (!isFieldValue(value) || !kind.write(value, sink, WORD * (at + 1)))
      throw new InputFault(`EIP712Domain.${name}`, value, `a value of type ${kind.type}`);
  }
  return keccak256(bytes);
}

/** Keccak of a struct's type: `Name(type member,…)` and the structs it names, sorted. */
export function hashType(keccak256: Keccak256, types: TypedStructs, name: string): Uint8Array {
  const others = [...referencedTypes(types, name, new Set())].filter((each) => each !== name).toSorted();
  const said = [name, ...others].map(
    (each) => `${each}(${types[each]?.map((field) => `${field.type} ${field.name}`).join(',')})`,
  );
  return keccak256(utf8.encode(said.join('')));
}

/** The structs that a type contains, including itself. */
function referencedTypes(types: TypedStructs, type: string, found: Set<string>): Set<string> {
  const name = type.replace(/\[.*$/, '');
  const fields = Object.hasOwn(types, name) ? types[name] : undefined;
  if (fields === undefined || found.has(name)) return found;
  found.add(name);
  for (const field of fields) referencedTypes(types, field.type, found);
  return found;
}

function fieldsOf(domain: object): readonly Field[] {
  return DOMAIN.filter(({ name }) => name in domain);
}

function isFieldValue(value: unknown): value is FieldValue {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
