/**
 * A general EIP-712 hasher for nested structs, arrays and all atomic types. It is the reference for
 * `src/signing/struct-hasher.ts`, which hashes only the messages that we sign.
 *
 * digest = keccak(0x1901 || hashStruct(EIP712Domain, domain) || hashStruct(primaryType, message))
 * hashStruct(T, v) = keccak(keccak(encodeType(T)) || word of each field). The word of a struct or array is its hash.
 */
import { InputFault, isRecord } from '../../src/domain/index.ts';
import { hexBytes, isHex } from '../../src/signing/hex.ts';
import type { Keccak256 } from '../../src/signing/primitives.ts';
import { domainFields, encodeType, type TypedData, type TypedStructs } from '../../src/signing/struct-hasher.ts';

const utf8 = new TextEncoder();

/** Returns the digest to sign. @throws InputFault with the field whose value does not have its type */
export function hashTypedData(keccak256: Keccak256, data: TypedData): Uint8Array {
  const types = { EIP712Domain: domainFields(data.domain), ...data.types };
  const separator = hashStruct(keccak256, types, 'EIP712Domain', data.domain);
  return keccak256(
    concatenate([Uint8Array.of(0x19, 0x01), separator, hashStruct(keccak256, types, data.primaryType, data.message)]),
  );
}

/** Hash of one struct. @throws InputFault as `hashTypedData` */
function hashStruct(keccak256: Keccak256, types: TypedStructs, name: string, value: unknown): Uint8Array {
  return structHash({ keccak256, types }, name, value, name);
}

interface Hashing {
  readonly keccak256: Keccak256;
  readonly types: TypedStructs;
}

function structHash(hashing: Hashing, name: string, value: unknown, path: string): Uint8Array {
  const fields = Object.hasOwn(hashing.types, name) ? hashing.types[name] : undefined;
  if (fields === undefined) throw new InputFault(path, name, 'a type that `types` defines');
  if (!isRecord(value)) throw new InputFault(path, value, `an object of type ${name}`);
  const words = fields.map((field) => word(hashing, field.type, value[field.name], `${path}.${field.name}`));
  return hashing.keccak256(concatenate([hashing.keccak256(typeBytes(hashing.types, name)), ...words]));
}

/** Encodes a struct's type, followed by the structs that it contains in sorted order. */
function typeBytes(types: TypedStructs, name: string): Uint8Array {
  const others = [...collectTypes(types, name, new Set())].filter((type) => type !== name).toSorted();
  return utf8.encode(encodeType(Object.fromEntries([name, ...others].map((type) => [type, types[type] ?? []]))));
}

/** Adds the type itself and the structs that the type contains to `found`. */
function collectTypes(types: TypedStructs, type: string, found: Set<string>): Set<string> {
  const name = type.replace(/\[.*$/, '');
  const fields = Object.hasOwn(types, name) ? types[name] : undefined;
  if (fields === undefined || found.has(name)) return found;
  found.add(name);
  for (const field of fields) collectTypes(types, field.type, found);
  return found;
}

function word(hashing: Hashing, type: string, value: unknown, path: string): Uint8Array {
  const array = /^(.*)\[([0-9]*)\]$/.exec(type);
  if (array !== null) {
    const [, each = '', length = ''] = array;
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) {
      throw new InputFault(path, value, `a list of type ${type}`);
    }
    return hashing.keccak256(concatenate(value.map((item, at) => word(hashing, each, item, `${path}[${at}]`))));
  }
  if (Object.hasOwn(hashing.types, type)) return structHash(hashing, type, value, path);
  const atom = type === 'string' || type === 'bytes' ? hashDynamic(hashing, type, value) : atomicWord(type, value);
  if (atom === undefined) throw new InputFault(path, value, `a value of type ${type}`);
  return atom;
}

function hashDynamic({ keccak256 }: Hashing, type: string, value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string') return undefined;
  const bytes = type === 'string' ? utf8.encode(value) : hexBytes(value);
  return bytes === undefined ? undefined : keccak256(bytes);
}

/** The word of a type of fixed size; undefined for an unknown type or an invalid value. */
function atomicWord(type: string, value: unknown): Uint8Array | undefined {
  if (type === 'bool') return typeof value === 'boolean' ? integerWord(value ? 1n : 0n) : undefined;
  if (type === 'address') return isHex(value, 20) ? integerWord(BigInt(value)) : undefined;
  const [, kind = '', size = ''] = /^(bytes|uint|int)([1-9][0-9]{0,2})$/.exec(type) ?? [];
  const count = Number(size);
  if (kind === 'bytes') return count <= 32 && isHex(value, count) ? padRight(hexBytes(value)) : undefined;
  if (kind === '' || count % 8 !== 0 || count > 256) return undefined;
  const found = integer(value);
  const fits = found === (kind === 'int' ? BigInt.asIntN(count, found ?? 0n) : BigInt.asUintN(count, found ?? 0n));
  return found !== undefined && fits ? integerWord(found) : undefined;
}

/** Reads decimal or `0x` text, safe integers and bigints. */
function integer(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(-?[0-9]+|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : undefined;
}

/** Encodes an integer as two's complement in 32 bytes. */
function integerWord(value: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 32; at += 8) view.setBigUint64(at, BigInt.asUintN(64, value >> BigInt(192 - 8 * at)));
  return new Uint8Array(view.buffer);
}

/** Pads bytes with zeros on the right to a word. */
function padRight(bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const whole = new Uint8Array(32);
  whole.set(bytes);
  return whole;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
