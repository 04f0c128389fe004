export type { TypedData } from './eip712.ts';
export type { Message } from './field-kind.ts';
export { bytes16ToUuid, type Hex, hexBytes, isHex, lowerAddress, toHex, uuidToBytes16 } from './hex.ts';
export { type KeystoreCiphers, openKeystore } from './keystore.ts';
export {
  type DelegateMessage,
  exchangeDomain,
  LOCAL_CHAIN_ID,
  LOCAL_CONTRACT,
  LOGIN_STATEMENT,
  type LoginMessage,
  loginDomain,
  NO_HASH,
  type OrderMessage,
  type WithdrawalMessage,
} from './messages.ts';
export { openPrimitives } from './open-primitives.ts';
export {
  type PolymarketDomain,
  type PolymarketOrderMessage,
  type PolymarketOrders,
  type PolymarketSignIns,
  polymarketOrders,
  polymarketSignIns,
} from './polymarket.ts';
export type { Curve, SigningBackend } from './primitives.ts';
export { SIGNATURE_CODES } from './signature.ts';
export {
  type Signed,
  type SignedMessage,
  type SignedMessages,
  type SigningDomains,
  signedMessages,
  type Verified,
  verifyOrder,
} from './signed-message.ts';
export { createSigner, type Signer, type SigningKey, signingBackend } from './signer.ts';
