export type { Compared, Differs } from './compare.ts';
export { hashTypedData, type TypedData, type TypedField, type TypedStructs } from './eip712.ts';
export type { FieldValue, Message } from './field-kind.ts';
export { bytes16ToUuid, type Hex, hexBytes, hexDigits, isHex, lowerAddress, toHex, uuidToBytes16 } from './hex.ts';
export { type KeystoreCiphers, openKeystore, type ScryptCost } from './keystore.ts';
export type { FieldRefused, Read } from './message-codec.ts';
export {
  type DelegateMessage,
  type ExchangeDomain,
  exchangeDomain,
  LOCAL_CHAIN_ID,
  LOCAL_CONTRACT,
  LOGIN_STATEMENT,
  type LoginDomain,
  type LoginMessage,
  loginDomain,
  NO_HASH,
  type OrderMessage,
  type Uint,
  type WithdrawalMessage,
} from './messages.ts';
export { type OpenOptions, openPrimitives } from './open-primitives.ts';
export type { Curve, Keccak256, Primitives, SigningBackend } from './primitives.ts';
export { SIGNATURE_CODES, type SignatureCode, type SignatureRefused } from './signature.ts';
export {
  type OtherSigner,
  type Signed,
  type SignedMessage,
  type SignedMessages,
  type SigningDomains,
  signedMessages,
  type Verified,
  verifyOrder,
} from './signed-message.ts';
export { createSigner, type Recovered, type Signer, signingBackend } from './signer.ts';
export type { SigningKey } from './signing-key.ts';
