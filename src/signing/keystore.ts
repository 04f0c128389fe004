/**
 * Opens Ethereum keystore files, version 3 (the "Web3 Secret Storage" of geth, ethers and others), without I/O. No
 * message contains any part of the key, the password or the derived bytes.
 */
import { Fault, isRecord } from '../domain/index.ts';
import { hexBytes, lowerAddress, toHex } from './hex.ts';
import type { Signer, SigningKey } from './signer.ts';

export interface KeystoreCiphers {
  scrypt(password: Uint8Array, salt: Uint8Array, cost: ScryptCost): Uint8Array;
  /** Uses HMAC-SHA-256. */
  pbkdf2(password: Uint8Array, salt: Uint8Array, iterations: number): Uint8Array;
  /** AES-128 in counter mode, which encrypts and decrypts by the same operation. */
  aes128Ctr(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array;
}

/** Cost parameters of scrypt (RFC 7914), which needs `128 * n * r` bytes of memory. `n` is a power of two. */
interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

const MAX_MEMORY_BYTES = 1_073_741_824;
/** Limit of the bytes that scrypt processes, which takes about ten seconds. */
const MAX_PROCESSED_BYTES = 4 * MAX_MEMORY_BYTES;
const MAX_ITERATIONS = 10_000_000;
const KEY_BYTES = 32;
const utf8 = new TextEncoder();

/**
 * Opens a keystore, which usually takes up to a second.
 * @throws Fault `KEYSTORE` for an invalid or too costly keystore; `KEYSTORE_PASSWORD` for a wrong password
 */
export function openKeystore(text: string, password: string, signer: Signer, ciphers: KeystoreCiphers): SigningKey {
  const file = parseFile(text);
  if (Number(getMemberIgnoringCase(file, 'version')) !== 3) throw invalidField('version', '3');
  const crypto = getMemberIgnoringCase(file, 'crypto');
  if (!isRecord(crypto)) throw invalidField('crypto', 'an object');
  if (getMemberIgnoringCase(crypto, 'cipher') !== 'aes-128-ctr') throw invalidField('crypto.cipher', 'aes-128-ctr');
  const iv = readBytesAt(crypto, 'cipherparams', 'iv', 16);
  const ciphertext = readBytes('crypto.ciphertext', getMemberIgnoringCase(crypto, 'ciphertext'), KEY_BYTES);
  const mac = readBytes('crypto.mac', getMemberIgnoringCase(crypto, 'mac'), 32);
  const derive = readDerivation(crypto, ciphers);
  const statedAddress = readAddress(getMemberIgnoringCase(file, 'address'));

  // Try the password as typed, like geth, then in Unicode normal form, like ethers.
  for (const form of new Set([password, password.normalize('NFKC')])) {
    const derived = derive(utf8.encode(form));
    const macInput = new Uint8Array(16 + ciphertext.length);
    macInput.set(derived.subarray(16, 32));
    macInput.set(ciphertext, 16);
    if (toHex(signer.keccak256(macInput)) !== toHex(mac)) continue;
    const secret = ciphers.aes128Ctr(derived.subarray(0, 16), iv, ciphertext);
    const key = signer.key(secret);
    secret.fill(0);
    if (statedAddress !== undefined && statedAddress !== key.address)
      throw invalidField('address', `${key.address}, the address of its key`);
    return key;
  }
  const owner = statedAddress === undefined ? '' : ` of ${statedAddress}`;
  const remedy = 'use the password that it was created with';
  throw new Fault('KEYSTORE_PASSWORD', `the password does not open the keystore${owner}: ${remedy}`);
}

function parseFile(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The parser's message would quote the file.
  }
  throw new Fault('KEYSTORE', 'this is not a keystore file: expected a JSON object of version 3');
}

function readDerivation(crypto: Readonly<Record<string, unknown>>, ciphers: KeystoreCiphers) {
  const kdf = getMemberIgnoringCase(crypto, 'kdf');
  const salt = readBytesAt(crypto, 'kdfparams', 'salt');
  const params = getMemberIgnoringCase(crypto, 'kdfparams');
  const readCount = (name: string, max: number): number => {
    const value = getMemberIgnoringCase(params, name);
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw invalidField(`crypto.kdfparams.${name}`, `a whole number from 1 to ${max}`);
  };
  if (readCount('dklen', 1_024) < KEY_BYTES) throw invalidField('crypto.kdfparams.dklen', 'at least 32');
  if (kdf === 'pbkdf2') {
    if (getMemberIgnoringCase(params, 'prf') !== 'hmac-sha256')
      throw invalidField('crypto.kdfparams.prf', 'hmac-sha256');
    const iterations = readCount('c', MAX_ITERATIONS);
    return (password: Uint8Array) => ciphers.pbkdf2(password, salt, iterations);
  }
  if (kdf !== 'scrypt') throw invalidField('crypto.kdf', 'scrypt or pbkdf2');
  const cost = { n: readCount('n', 16_777_216), r: readCount('r', 1_024), p: readCount('p', 64) };
  if (128 * cost.n * cost.r > MAX_MEMORY_BYTES)
    throw invalidField('crypto.kdfparams', 'scrypt parameters that need at most 1 GiB of memory');
  if (128 * cost.n * cost.r * cost.p > MAX_PROCESSED_BYTES)
    throw invalidField('crypto.kdfparams.p', 'scrypt parameters that process at most 4 GiB');
  if (cost.n < 2 || (cost.n & (cost.n - 1)) !== 0) throw invalidField('crypto.kdfparams.n', 'a power of two');
  // RFC 7914, 2. OpenSSL refuses larger values.
  if (Math.log2(cost.n) >= 16 * cost.r)
    throw invalidField('crypto.kdfparams.n', 'less than 2^(16 r), as scrypt is defined');
  return (password: Uint8Array) => ciphers.scrypt(password, salt, cost);
}

/** Ignores case, because programs write both `Crypto` and `crypto`. */
function getMemberIgnoringCase(object: unknown, name: string): unknown {
  if (!isRecord(object)) return undefined;
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

function readBytesAt(crypto: unknown, group: string, name: string, count?: number): Uint8Array {
  return readBytes(`crypto.${group}.${name}`, getMemberIgnoringCase(getMemberIgnoringCase(crypto, group), name), count);
}

function readBytes(field: string, value: unknown, count?: number): Uint8Array {
  const bytes = typeof value === 'string' ? hexBytes(value.startsWith('0x') ? value : `0x${value}`) : undefined;
  if (bytes !== undefined && (count === undefined || bytes.length === count)) return bytes;
  throw invalidField(field, count === undefined ? 'hex digits' : `${2 * count} hex digits`);
}

/** Returns undefined for a file without address, because some tools omit the address for privacy. */
function readAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const address = lowerAddress(value.startsWith('0x') ? value : `0x${value}`);
  if (address === undefined) throw invalidField('address', '40 hex digits');
  return address;
}

function invalidField(field: string, expected: string): Fault {
  return new Fault('KEYSTORE', `keystore, ${field}: expected ${expected}. Create the file again with geth or ethers`);
}
