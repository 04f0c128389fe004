/** The ciphers of keystore files, by Node. */
import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto';
import type { KeystoreCiphers } from '../../../signing/index.ts';

const KEY_BYTES = 32;

/** For `openKeystore`. */
export const keystoreCiphers: KeystoreCiphers = {
  // A bound, not what is taken: OpenSSL counts more than the 128 * n * r of the standard.
  scrypt: (password, salt, { n, r, p }) =>
    scryptSync(password, salt, KEY_BYTES, { N: n, r, p, maxmem: 256 * r * (n + p) + 1_048_576 }),
  pbkdf2: (password, salt, iterations) => pbkdf2Sync(password, salt, iterations, KEY_BYTES, 'sha256'),
  aes128Ctr(key, iv, data) {
    const cipher = createDecipheriv('aes-128-ctr', key, iv);
    return Uint8Array.from(Buffer.concat([cipher.update(data), cipher.final()]));
  },
};
