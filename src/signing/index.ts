export { type Hex, hexBytes, lowerAddress, toHex } from './hex.ts';
export { type KeystoreCiphers, openKeystore } from './keystore.ts';
export { loadPrimitives } from './load-primitives.ts';
export {
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
export { type PolymarketOrders, type PolymarketSignIns, polymarketOrders, polymarketSignIns } from './polymarket.ts';
export {
  type Signed,
  type SignedMessage,
  type SignedMessages,
  signedMessages,
  type Verified,
} from './signed-message.ts';
export { createSigner, type Signer, type SigningKey, signingBackend } from './signer.ts';
