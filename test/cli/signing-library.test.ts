import { afterEach, describe, expect, it, vi } from 'vitest';
import { signingLibrary } from '../../src/cli/signing-library.ts';
import { createSigner, openPrimitives, signingBackend } from '../../src/signing/index.ts';
import { ended, newFolder, start } from './halfspread.ts';
import { serving, told } from './serving.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the library that signs', () => {
  it.each([
    ['/opt/lib/libsecp256k1.so', '/opt/lib/libsecp256k1.so'],
    [' none ', 'none'],
    ['', undefined],
    ['  ', undefined],
    [undefined, undefined],
  ])('is what HALFSPREAD_LIBSECP256K1 says: %j', (said, expected) => {
    vi.stubEnv('HALFSPREAD_LIBSECP256K1', said);
    expect(signingLibrary()).toBe(expected);
  });

  it('is told by a venue as it starts', async () => {
    const blinding = new Uint8Array(32);
    const signer = createSigner(await openPrimitives({ blinding, library: signingLibrary() }));
    const text = `signatures: ${signingBackend(signer)}`;
    const venue = await serving([], newFolder());
    expect(told(venue, text, 'library')).toBe(signer.backend.library);
    await venue.stop('SIGTERM');
  });

  it.each(['./libsecp256k1.so', '/of/nobody/libsecp256k1.so'])(
    'ends a venue with the remedy where it cannot be used: %s',
    async (library) => {
      const env = { ...process.env, HALFSPREAD_LIBSECP256K1: library };
      const { code, stderr } = await ended(start(['serve', '--port', '0'], newFolder(), [], env));
      expect(stderr).toMatch(
        /^error: .*libsecp256k1\.so: no libsecp256k1 that can be used: .*HALFSPREAD_LIBSECP256K1\)\n$/,
      );
      expect(code).toBe(3);
    },
  );
});
