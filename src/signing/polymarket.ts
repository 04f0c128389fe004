/**
 * Signs and verifies orders, and the sign-in that creates an API key (docs/spec/polymarket.md#signed-messages). An
 * order's id is its EIP-712 digest, even if a contract wallet signs the order in an ERC-7739 envelope.
 */
import { InputFault } from '../domain/index.ts';
import { address, bytes32, choice, text, uint } from './field-kinds.ts';
import { type Hex, hexBytes, toHex } from './hex.ts';
import { type MessageOfStruct, struct } from './messages.ts';
import { refuseSignature, type SignatureRefused, type Signer, type SigningKey } from './signer.ts';
import { encodeType, StructHasher, structTypes, type TypedStructs } from './struct-hasher.ts';

/** Types by account: the key's address, a proxy, a Safe, or a wallet contract that checks signatures itself. */
const POLYMARKET_SIGNATURE_TYPES = { eoa: 0, proxy: 1, safe: 2, depositWallet: 3 } as const;

/** The domain of signed orders. */
export interface PolymarketDomain {
  readonly chainId: number;
  /** "2", or "3" for markets of Protocol V2. */
  readonly version: string;
  /** Lower-case address of the exchange contract. */
  readonly verifyingContract: Hex;
}

export interface PolymarketOrders {
  /** `order.signer` must be the key's address, except for type 3. @throws InputFault that names an invalid field */
  sign(order: PolymarketOrderMessage, key: SigningKey): { readonly id: Hex; readonly signature: Hex };
  /**
   * Recovers the signing key's address and compares it with `order.signer`. For signature type 3, the caller must check
   * the address. The signature may be any text.
   * @throws InputFault that names an invalid field
   */
  verify(order: PolymarketOrderMessage, signature: string): PolymarketVerified;
}

/** The signing key's address, or the reason why the signature is invalid. */
type PolymarketVerified =
  | { readonly ok: true; readonly id: Hex; readonly address: Hex }
  | SignatureRefused
  | { readonly ok: false; readonly code: 'OTHER_SIGNER'; readonly message: string };

const WORD_BYTES = 32;
const EOA_SIGNATURE_BYTES = 65;
/** A BUY gives `makerAmount` micro-USD for `takerAmount` micro-shares. A SELL gives micro-shares for micro-USD. */
const ORDER = struct('Order', 'signer', {
  salt: uint(256),
  /** Address of the funds: the key's address, or its wallet. */
  maker: address,
  /** The key's address. For signature type 3, the wallet's address. */
  signer: address,
  tokenId: uint(256),
  makerAmount: uint(256),
  takerAmount: uint(256),
  side: choice('BUY', 'SELL'),
  /** A value of `POLYMARKET_SIGNATURE_TYPES`. */
  signatureType: uint(8),
  /** Milliseconds since 1970. */
  timestamp: uint(256),
  metadata: bytes32,
  /** Code of the builder; zeros for none. */
  builder: bytes32,
});
export type PolymarketOrderMessage = MessageOfStruct<typeof ORDER>;
const ORDER_TYPES = structTypes(ORDER);
/** The envelope of ERC-7739, which contains the order and the wallet. */
const ENVELOPE: TypedStructs = {
  TypedDataSign: [
    { name: 'contents', type: 'Order' },
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
    { name: 'salt', type: 'bytes32' },
  ],
  ...ORDER_TYPES,
};
const utf8 = new TextEncoder();

/** @throws InputFault for an invalid domain */
export function polymarketOrders(
  signer: Signer,
  { chainId, version, verifyingContract }: PolymarketDomain,
): PolymarketOrders {
  const domain = { name: 'Polymarket CTF Exchange', version, chainId, verifyingContract };
  const hasher = new StructHasher(signer.keccak256, ORDER, domain);
  const wallets = walletSignatures(signer, hasher, chainId);
  const isWallet = ({ signatureType }: PolymarketOrderMessage): boolean =>
    signatureType === POLYMARKET_SIGNATURE_TYPES.depositWallet;
  return {
    sign(order, key) {
      const id = hasher.digest(order);
      if (isWallet(order)) return { id: toHex(id), signature: wallets.sign(order, key) };
      if (order.signer.toLowerCase() !== key.address)
        throw new InputFault('Order.signer', order.signer, `the key's address, ${key.address}`);
      return { id: toHex(id), signature: signer.sign(id, key) };
    },
    verify(order, signature) {
      const id = hasher.digest(order);
      const found = isWallet(order) ? wallets.recover(order, signature) : signer.recover(id, signature);
      if (!found.ok) return found;
      if (isWallet(order) || found.address === order.signer.toLowerCase())
        return { ok: true, id: toHex(id), address: found.address };
      const message = `signature: signer is ${order.signer}, but the signature over this order gives ${found.address}`;
      return { ok: false, code: 'OTHER_SIGNER', message };
    },
  };
}

/**
 * Creates and recovers signatures of wallets: the key's signature over the envelope, then a tail. The tail consists of
 * the domain separator, the order's struct hash, the text of the order's type, and the text's length.
 */
function walletSignatures(signer: Signer, hasher: StructHasher, chainId: number) {
  const { keccak256 } = signer;
  /** The envelope's type, contents, name, version, chain, wallet, salt. */
  const words = new Uint8Array(7 * WORD_BYTES);
  words.set(keccak256(utf8.encode(encodeType(ENVELOPE))));
  words.set(keccak256(utf8.encode('DepositWallet')), 2 * WORD_BYTES);
  words.set(keccak256(utf8.encode('1')), 3 * WORD_BYTES);
  new DataView(words.buffer).setBigUint64(5 * WORD_BYTES - 8, BigInt(chainId));
  /** 0x1901, domain separator, hash of the envelope. */
  const digestInput = new Uint8Array(2 + 2 * WORD_BYTES);
  digestInput.set([0x19, 0x01]);
  digestInput.set(hasher.domainSeparator, 2);
  const type = utf8.encode(encodeType(ORDER_TYPES));
  const typeTail = `${toHex(type).slice(2)}${type.length.toString(16).padStart(4, '0')}`;
  const digestAndTail = (order: PolymarketOrderMessage) => {
    const contents = hasher.structHash(order);
    words.set(contents, WORD_BYTES);
    words.set(hexBytes(order.signer) ?? [], 6 * WORD_BYTES - 20);
    digestInput.set(keccak256(words), 2 + WORD_BYTES);
    const tail = `${toHex(hasher.domainSeparator).slice(2)}${toHex(contents).slice(2)}${typeTail}`;
    return { digest: keccak256(digestInput), tail };
  };
  return {
    sign(order: PolymarketOrderMessage, key: SigningKey): Hex {
      const { digest, tail } = digestAndTail(order);
      return `${signer.sign(digest, key)}${tail}`;
    },
    recover(order: PolymarketOrderMessage, signature: string): ReturnType<Signer['recover']> {
      const { digest, tail } = digestAndTail(order);
      const end = 2 + 2 * EOA_SIGNATURE_BYTES;
      if (signature.slice(end).toLowerCase() !== tail)
        return refuseSignature(
          'LENGTH',
          "the bytes after the key's signature are not this order's domain, hash and type",
        );
      return signer.recover(digest, signature.slice(0, end));
    },
  };
}

export interface PolymarketSignIns {
  sign(message: PolymarketSignInMessage, key: SigningKey): Hex;
  /** Returns whether the message's address signed it. */
  isSigned(message: PolymarketSignInMessage, signature: string): boolean;
}

/** The message that creates or derives an API key. `timestamp` is seconds since 1970, as decimal text. */
const SIGN_IN = struct('ClobAuth', 'address', { address, timestamp: text, nonce: uint(256), message: text });
type PolymarketSignInMessage = Omit<MessageOfStruct<typeof SIGN_IN>, 'message'>;
const SIGN_IN_TEXT = 'This message attests that I control the given wallet';

export function polymarketSignIns(signer: Signer, chainId: number): PolymarketSignIns {
  const hasher = new StructHasher(signer.keccak256, SIGN_IN, { name: 'ClobAuthDomain', version: '1', chainId });
  const computeDigest = (message: PolymarketSignInMessage): Uint8Array =>
    hasher.digest({ ...message, message: SIGN_IN_TEXT });
  return {
    sign: (message, key) => signer.sign(computeDigest(message), key),
    isSigned(message, signature) {
      const found = signer.recover(computeDigest(message), signature);
      return found.ok && found.address === message.address.toLowerCase();
    },
  };
}
