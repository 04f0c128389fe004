import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJson } from 'ethers';
import { afterAll, describe, expect, it } from 'vitest';
import { openKey, readSecret } from '../../../../src/venues/service/keys/key-source.ts';
import { openSigner } from '../../../signing/harness.ts';

const SECRET = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const ADDRESS = '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23';
const folder = mkdtempSync(join(tmpdir(), 'halfspread-keys-'));

const signer = await openSigner('javascript');
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
}

/** Returns the message, the members and the cause of the error that `work` throws. */
function errorTextOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? `${error.message} ${JSON.stringify(error)} ${String(error.cause)}` : String(error);
  }
  throw new Error('nothing was thrown');
}

const ethersKeystore = (password: string) =>
  encryptKeystoreJson({ address: ADDRESS, privateKey: SECRET }, password, { scrypt: { N: 1_024, r: 8, p: 1 } });

/** The example of the Web3 Secret Storage definition; password `testpassword`. */
const DEFINITION_PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};
/** A keystore of geth's own tests (`very-light-scrypt.json`); the password is empty. */
const GETH_SCRYPT = {
  address: '45dea0fb0bba44f4fcf290bba71fd57d7117cbb8',
  crypto: {
    cipher: 'aes-128-ctr',
    ciphertext: 'b87781948a1befd247bff51ef4063f716cf6c2d3481163e9a8f42e1f9bb74145',
    cipherparams: { iv: 'dc4926b48a105133d2f16b96833abf1e' },
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 2,
      p: 1,
      r: 8,
      salt: '004244bbdc51cadda545b1cfa43cff9ed2ae88e08c61f1479dbb45410722f8f0',
    },
    mac: '39990c1684557447940d4c69e06b1b82b2aceacb43f284df65c956daf3046b85',
  },
  id: 'ce541d8d-c79b-40f8-9f8c-20f59616faba',
  version: 3,
};
const DEFINITION_ADDRESS = '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b';

describe('a private key', () => {
  it('is read from text, with and without 0x and with white space around it', () => {
    for (const text of [SECRET, SECRET.slice(2), ` ${SECRET}\n`]) {
      expect(openKey({ type: 'text', text, from: 'HALFSPREAD_KEY' }, signer).address).toBe(ADDRESS);
    }
  });

  it('is read from a file that only its owner may read', () => {
    expect(openKey({ type: 'file', path: file('key', `${SECRET}\n`) }, signer).address).toBe(ADDRESS);
  });

  it('is not read from a file that others may read, and the error shows the remedy', () => {
    const path = file('open', SECRET, 0o644);
    expect(errorTextOf(() => openKey({ type: 'file', path }, signer))).toContain(`chmod 600 ${path}`);
  });

  it('that is invalid gives an error that names its source and shows none of its characters', () => {
    const received = errorTextOf(() =>
      openKey({ type: 'text', text: SECRET.slice(0, 40), from: 'HALFSPREAD_KEY' }, signer),
    );
    expect(received).toContain('HALFSPREAD_KEY');
    expect(received).not.toContain(SECRET.slice(2, 12));
  });

  it('of a missing file gives an error with the path', () => {
    expect(errorTextOf(() => openKey({ type: 'file', path: join(folder, 'none') }, signer))).toContain(
      'none: there is no such file',
    );
  });
});

describe('a keystore', () => {
  it('written by ethers opens', async () => {
    const path = file('ethers.json', await ethersKeystore('correct horse'));
    expect(openKey({ type: 'keystore', path, password: 'correct horse' }, signer).address).toBe(ADDRESS);
  });

  it('opens with a password in another Unicode form, as in ethers', async () => {
    const path = file('unicode.json', await ethersKeystore('ﬁne e\u0301'));
    expect(openKey({ type: 'keystore', path, password: 'fine é' }, signer).address).toBe(ADDRESS);
    expect(openKey({ type: 'keystore', path, password: 'ﬁne e\u0301' }, signer).address).toBe(ADDRESS);
  });

  it('from the specification (pbkdf2, without an address) opens', () => {
    const path = file('definition.json', JSON.stringify(DEFINITION_PBKDF2));
    expect(openKey({ type: 'keystore', path, password: 'testpassword' }, signer).address).toBe(DEFINITION_ADDRESS);
  });

  it('written by geth opens (scrypt)', () => {
    const path = file('geth.json', JSON.stringify(GETH_SCRYPT));
    expect(openKey({ type: 'keystore', path, password: '' }, signer).address).toBe(`0x${GETH_SCRYPT.address}`);
  });

  it('with a wrong password gives an error that does not contain the password', async () => {
    const path = file('wrong.json', await ethersKeystore('correct horse'));
    const received = errorTextOf(() => openKey({ type: 'keystore', path, password: 'hunter2' }, signer));
    expect(received).toContain(`the password does not open the keystore of ${ADDRESS}`);
    expect(received).toContain('KEYSTORE_PASSWORD');
    expect(received).not.toContain('hunter2');
  });

  it('with an address that differs from its key is refused', async () => {
    const changed = (await ethersKeystore('x')).replace(ADDRESS.slice(2), '11'.repeat(20));
    const path = file('other.json', changed);
    expect(errorTextOf(() => openKey({ type: 'keystore', path, password: 'x' }, signer))).toContain(
      `expected ${ADDRESS}`,
    );
  });

  it.each([
    ['version', (keystore: Keystore) => ({ ...keystore, version: 1 })],
    ['crypto', (keystore: Keystore) => ({ ...keystore, crypto: 'x' })],
    ['crypto.cipher', (keystore: Keystore) => ({ ...keystore, crypto: { ...keystore.crypto, cipher: 'aes-256-gcm' } })],
    [
      'crypto.cipherparams.iv',
      (keystore: Keystore) => ({ ...keystore, crypto: { ...keystore.crypto, cipherparams: { iv: '00' } } }),
    ],
    ['crypto.ciphertext', (keystore: Keystore) => ({ ...keystore, crypto: { ...keystore.crypto, ciphertext: 'zz' } })],
    ['crypto.kdf', (keystore: Keystore) => ({ ...keystore, crypto: { ...keystore.crypto, kdf: 'argon2' } })],
    ['crypto.kdfparams.n', (keystore: Keystore) => withParams(keystore, { n: 1_000 })],
    ['crypto.kdfparams.n', (keystore: Keystore) => withParams(keystore, { n: 262_144, r: 1 })],
    ['crypto.kdfparams.dklen', (keystore: Keystore) => withParams(keystore, { dklen: 16 })],
    ['crypto.kdfparams:', (keystore: Keystore) => withParams(keystore, { n: 16_777_216, r: 1_024 })],
    ['address', (keystore: Keystore) => ({ ...keystore, address: 'nobody' })],
  ])('with an unsupported %s gives an error that names it', (field, change) => {
    const path = file('bad.json', JSON.stringify(change(GETH_SCRYPT)));
    expect(errorTextOf(() => openKey({ type: 'keystore', path, password: 'x' }, signer))).toContain(
      `keystore, ${field}`,
    );
  });

  it('that is not JSON gives an error without quoting it', () => {
    const path = file('text.json', SECRET);
    const received = errorTextOf(() => openKey({ type: 'keystore', path, password: 'x' }, signer));
    expect(received).toContain('JSON object');
    expect(received).not.toContain(SECRET.slice(2, 12));
  });
});

describe('a secret from a file', () => {
  it('is read without surrounding white space', () => {
    expect(readSecret(file('api-key', 'pmk_1_2\n'))).toBe('pmk_1_2');
  });

  it('is reported as missing when the file is empty', () => {
    expect(errorTextOf(() => readSecret(file('empty', ' \n')))).toContain('is empty');
  });
});

type Keystore = typeof GETH_SCRYPT;

function withParams(keystore: Keystore, params: object): object {
  return { ...keystore, crypto: { ...keystore.crypto, kdfparams: { ...keystore.crypto.kdfparams, ...params } } };
}
