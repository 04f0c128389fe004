/**
 * HOT: a libsecp256k1 of the system, called through `koffi`: version 0.2 signs in two thirds of the time of the package
 * `secp256k1` and recovers in three quarters, newer ones in less (bench/signing.ts). A call itself costs 0.15 us.
 *
 * The library gets addresses and trusts them: all lengths are tested here, and nobody else's memory is handed over but key,
 * digest and signature, during the call. What is used has had the same signatures from version 0.1 on.
 */
import type { Curve } from './primitives.ts';

/** A function of the library. */
type ForeignFunction = (...values: readonly unknown[]) => unknown;

/** A library that is loaded; what is used of koffi's. */
export interface ForeignLibrary {
  /** @throws Error where the library has no such function */
  func(name: string, result: string, parameters: readonly string[]): ForeignFunction;
}

const POINTER = 'void *';
/** For signing and for verifying: versions before 0.2 have to be told, later ones take it. */
const CONTEXT_SIGN_VERIFY = 0x301;
const UNCOMPRESSED = 2;
const POINT_BYTES = 65n;

/**
 * The curve on a loaded library. It makes a context of its own, some hundred bytes that last as long as the process, and blinds it
 * with `blinding`, 32 random bytes: keys are hidden from whoever measures times, no result depends on it.
 * @throws Error when the library lacks a function, as one built without public key recovery does
 */
export function systemCurve(library: ForeignLibrary, name: string, blinding: Uint8Array): Curve {
  const bound = (function_: string, ...parameters: readonly string[]): ForeignFunction =>
    library.func(`secp256k1_${function_}`, 'int', parameters);
  const randomize = bound('context_randomize', POINTER, POINTER);
  const verifyKey = bound('ec_seckey_verify', POINTER, POINTER);
  const createPoint = bound('ec_pubkey_create', POINTER, POINTER, POINTER);
  const writePoint = bound('ec_pubkey_serialize', POINTER, POINTER, POINTER, POINTER, 'unsigned int');
  const sign = bound('ecdsa_sign_recoverable', POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
  const writeSignature = bound(
    'ecdsa_recoverable_signature_serialize_compact',
    ...[POINTER, POINTER, POINTER, POINTER],
  );
  const readSignature = bound('ecdsa_recoverable_signature_parse_compact', POINTER, POINTER, POINTER, 'int');
  const recover = bound('ecdsa_recover', POINTER, POINTER, POINTER, POINTER);

  // How the library writes them is its own affair, so they are neither kept nor compared: what leaves is written out.
  const signature = new Uint8Array(65);
  const point = new Uint8Array(64);
  const length = new BigUint64Array(1);
  const bit = new Int32Array(1);

  const context = library.func('secp256k1_context_create', POINTER, ['unsigned int'])(CONTEXT_SIGN_VERIFY);
  assertLength('blinding', blinding, 32);
  assertDone('context_randomize', randomize(context, blinding));

  const write = (into: Uint8Array): void => {
    assertLength('point', into, 65);
    length[0] = POINT_BYTES;
    assertDone('ec_pubkey_serialize', writePoint(context, into, length, point, UNCOMPRESSED));
  };
  return {
    backend: { kind: 'system', library: name, reason: undefined },
    isPrivateKey: (key) => key.length === 32 && verifyKey(context, key) === 1,
    publicKey(key) {
      assertLength('key', key, 32);
      assertDone('ec_pubkey_create', createPoint(context, point, key));
      const written = new Uint8Array(65);
      write(written);
      return written;
    },
    sign(digest, key, into) {
      assertLength('digest', digest, 32);
      assertLength('key', key, 32);
      assertLength('signature', into, 64);
      assertDone('ecdsa_sign_recoverable', sign(context, signature, digest, key, null, null));
      assertDone('serialize_compact', writeSignature(context, into, bit, signature));
      return bit[0]!;
    },
    recover(digest, rs, recovery, into) {
      assertLength('digest', digest, 32);
      assertLength('signature', rs, 64);
      if (recovery !== 0 && recovery !== 1)
        throw new RangeError(`Invariant: a recovery bit is 0 or 1, got ${recovery}`);
      if (readSignature(context, signature, rs, recovery) !== 1 || recover(context, point, signature, digest) !== 1) {
        return false;
      }
      write(into);
      return true;
    },
  };
}

function assertLength(name: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`Invariant: ${name} has ${length} bytes, got ${bytes.length}`);
}

/** The library answers 1 where it did what it was asked for. */
function assertDone(name: string, answer: unknown): void {
  if (answer !== 1) throw new Error(`Invariant: secp256k1_${name} answered ${answer} on what had been tested before`);
}
