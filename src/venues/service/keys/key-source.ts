/** Source of a signing key. The key is secret: it is in no message, log or error. */

import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { Fault, FileFault } from '../../../domain/index.ts';
import { readFileAtMost } from '../../../runtime/index.ts';
import { type KeystoreCiphers, openKeystore, type Signer, type SigningKey } from '../../../signing/index.ts';

/** A private key's place. */
export type KeySource =
  /** Text that the caller has read; `from` names the source, such as an environment variable. */
  | { readonly type: 'text'; readonly text: string; readonly from: string }
  /** A file with the 64 hex digits and nothing else, which its owner alone may read. */
  | { readonly type: 'file'; readonly path: string }
  /** An Ethereum keystore file, version 3. */
  | { readonly type: 'keystore'; readonly path: string; readonly password: string };

/** A keystore has about 500 bytes. */
const LARGEST = 65_536;
/** Bits of a file's mode that let others than its owner in. */
const OTHERS = 0o077;

/**
 * Opens a key; a keystore takes about a second.
 * @throws FileFault on files that cannot be read or that others may read; Fault `PRIVATE_KEY`, `KEYSTORE`,
 *   `KEYSTORE_PASSWORD`: none of them with anything of the key
 */
export function openKey(source: KeySource, signer: Signer): SigningKey {
  switch (source.type) {
    case 'text':
      return keyOf(source.text, source.from, signer);
    case 'file':
      return keyOf(readSecret(source.path), source.path, signer);
    case 'keystore':
      return inFile(source.path, () => openKeystore(readText(source.path), source.password, signer, keystoreCiphers));
  }
}

/**
 * A secret from a file of its own (key, password, API key), without the white space around it.
 * @throws FileFault when it cannot be read, is empty, or others may read it
 */
export function readSecret(path: string): string {
  const mode = inFile(path, () => statSync(path).mode, 'cannot be read');
  if ((mode & OTHERS) !== 0) {
    throw new FileFault(path, undefined, 'others than its owner may read this secret', `Run: chmod 600 ${path}`);
  }
  const text = readText(path).trim();
  if (text === '') throw new FileFault(path, undefined, 'is empty', 'Write the secret into it');
  return text;
}

function keyOf(text: string, from: string, signer: Signer): SigningKey {
  const trimmed = text.trim();
  try {
    return signer.key(trimmed.startsWith('0x') ? trimmed : `0x${trimmed}`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${from}: ${error.message}`);
  }
}

function readText(path: string): string {
  return inFile(path, () => readFileAtMost(path, LARGEST, 'a secret').toString('utf8'), 'cannot be read');
}

/** A fault inside of the file names the file; a fault of the disk never shows its contents. */
function inFile<Result>(path: string, work: () => Result, problem?: string): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileFault) throw error;
    if (error instanceof Fault) throw new Fault(error.code, `${path}: ${error.message}`);
    if (problem === undefined) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new FileFault(
      path,
      undefined,
      isMissing ? 'there is no such file' : problem,
      'Name a file that this user may read',
      { cause: error },
    );
  }
}

const KEY_BYTES = 32;

/** For `openKeystore`. */
const keystoreCiphers: KeystoreCiphers = {
  // A bound, not what is taken: OpenSSL counts more than the 128 * n * r of the standard.
  scrypt: (password, salt, { n, r, p }) =>
    scryptSync(password, salt, KEY_BYTES, { N: n, r, p, maxmem: 256 * r * (n + p) + 1_048_576 }),
  pbkdf2: (password, salt, iterations) => pbkdf2Sync(password, salt, iterations, KEY_BYTES, 'sha256'),
  aes128Ctr(key, iv, data) {
    const cipher = createDecipheriv('aes-128-ctr', key, iv);
    return Uint8Array.from(Buffer.concat([cipher.update(data), cipher.final()]));
  },
};
