/** Reads signing keys and other secrets. No message, log or error contains a secret. */
import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { Fault, FileFault, withReadFault } from '../../../domain/index.ts';
import { readFileAtMost } from '../../../runtime/index.ts';
import { type KeystoreCiphers, openKeystore, type Signer, type SigningKey } from '../../../signing/index.ts';

export type KeySource =
  /** The text of a private key; `from` names the text's source, such as an environment variable. */
  | { readonly type: 'text'; readonly text: string; readonly from: string }
  /** A file with only the 64 hex digits, readable by its owner alone. */
  | { readonly type: 'file'; readonly path: string }
  /** An Ethereum keystore file, version 3. */
  | { readonly type: 'keystore'; readonly path: string; readonly password: string };

const MAX_FILE_BYTES = 65_536;
const GROUP_AND_OTHERS_MODE = 0o077;
const REMEDY = 'Name a file that this user may read';

/**
 * Opens a key. A keystore takes about a second.
 * @throws FileFault for a file that cannot be read or that others may read; Fault `PRIVATE_KEY`, `KEYSTORE`,
 *   `KEYSTORE_PASSWORD`. No fault contains a part of the key
 */
export function openKey(source: KeySource, signer: Signer): SigningKey {
  if (source.type === 'text') return parseKey(source.text, source.from, signer);
  const { path } = source;
  if (source.type === 'file') return parseKey(readSecret(path), path, signer);
  return withSource(path, () => openKeystore(readText(path), source.password, signer, keystoreCiphers));
}

/**
 * Reads a secret from a file (key, password, API key), and trims it.
 * @throws FileFault if the file cannot be read, is empty, or others may read it
 */
export function readSecret(path: string): string {
  const mode = withReadFault(path, REMEDY, () => statSync(path).mode);
  if ((mode & GROUP_AND_OTHERS_MODE) !== 0)
    throw new FileFault(path, undefined, 'others than its owner may read this secret', `Run: chmod 600 ${path}`);
  const text = readText(path).trim();
  if (text === '') throw new FileFault(path, undefined, 'is empty', 'Write the secret into it');
  return text;
}

function parseKey(text: string, from: string, signer: Signer): SigningKey {
  const trimmed = text.trim();
  return withSource(from, () => signer.key(trimmed.startsWith('0x') ? trimmed : `0x${trimmed}`));
}

function readText(path: string): string {
  return withReadFault(path, REMEDY, () => readFileAtMost(path, MAX_FILE_BYTES, 'a secret').toString('utf8'));
}

/** Adds a key's source, without the key, to faults. */
function withSource<Result>(from: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Fault) || error instanceof FileFault) throw error;
    throw new Fault(error.code, `${from}: ${error.message}`);
  }
}

const KEY_BYTES = 32;

const keystoreCiphers: KeystoreCiphers = {
  // `maxmem` is only a limit. OpenSSL counts more than the 128 * n * r of the standard.
  scrypt: (password, salt, { n, r, p }) =>
    scryptSync(password, salt, KEY_BYTES, { N: n, r, p, maxmem: 256 * r * (n + p) + 1_048_576 }),
  pbkdf2: (password, salt, iterations) => pbkdf2Sync(password, salt, iterations, KEY_BYTES, 'sha256'),
  aes128Ctr(key, iv, data) {
    const cipher = createDecipheriv('aes-128-ctr', key, iv);
    return Uint8Array.from(Buffer.concat([cipher.update(data), cipher.final()]));
  },
};
