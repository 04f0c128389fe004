/** Keccak-256 with the padding of Ethereum, not of SHA-3. Returns a new array of 32 bytes. */
export type Keccak256 = (data: Uint8Array) => Uint8Array;

export interface SigningBackend {
  /** The native code in the package `secp256k1`, or JavaScript. */
  readonly kind: 'native' | 'javascript';
  readonly library: string;
  /** The reason why the native code cannot be used; undefined if it is used, or if JavaScript was requested. */
  readonly reason: string | undefined;
}

/** ECDSA on secp256k1. Callers check lengths and ranges. Implementations must not retain arguments. */
export interface Curve {
  readonly backend: SigningBackend;
  /** Returns whether 32 bytes are a private key, which is not zero and is below the order of the curve. */
  isPrivateKey(key: Uint8Array): boolean;
  /** Returns the public point of a private key: 65 bytes, which are 4, x and y. */
  publicKey(key: Uint8Array): Uint8Array;
  /** Writes r and a low s (64 bytes, deterministic by RFC 6979). Returns the recovery bit, 0 or 1. */
  sign(digest: Uint8Array, key: Uint8Array, into: Uint8Array): number;
  /**
   * Writes the public point (65 bytes: 4, x, y) of the key that signed the digest with r and s. Returns false if no key
   * could have done so. The content of `into` is then unspecified.
   */
  recover(digest: Uint8Array, rs: Uint8Array, recovery: number, into: Uint8Array): boolean;
}

export interface Primitives {
  readonly keccak256: Keccak256;
  readonly curve: Curve;
}
