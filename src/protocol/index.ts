export { ACCESS, type Access, isRootField, type RootField } from './access.ts';
export { badFieldText, type FieldShape, findBadField, removeBadItems, type Selection } from './answer-check.ts';
export {
  averagePrice,
  CENT,
  centsDown,
  centsUp,
  parseMicroShares,
  readCents,
  readShares,
  sharesFloat,
} from './codec/amounts.ts';
export { badArgument, parseArgument, readOutcome, requireExactlyOne, unwrapRaw, wrapRaw } from './codec/argument.ts';
export {
  BYTE_LENGTHS,
  type HexText,
  isHexText,
  parseHex,
  readHex,
  readMarketId,
  readOrderId,
  readUuid,
  toHex,
  uuidText,
} from './codec/bytes.ts';
export { parseInteger, parseSafeUint, readSafeUint, readUint } from './codec/integers.ts';
export { readSignedOrder, type SignedOrderFields } from './codec/signed-order.ts';
export { readTime, timeText } from './codec/time.ts';
export {
  forbidden,
  internalError,
  invalidArgument,
  invalidCursor,
  invalidId,
  MODE_RETRY_MS,
  rateLimited,
  UNAUTHORIZED,
  unauthorized,
  type WireError,
  WireFault,
  type WireFaultCode,
  wireError,
} from './errors.ts';
export type { ArgsOf, Raw, ResultOf } from './field.ts';
export type { FieldToResolve, ObjectToResolve } from './fields-to-resolve.ts';
export {
  type BettingConfigFieldsFragment,
  type CancelPayloadFieldsFragment,
  type CancelResultFieldsFragment,
  type FillFieldsFragment,
  type MarketConfigFieldsFragment,
  type MarketFieldsFragment,
  OPERATIONS,
  type OrderFieldsFragment,
  type PlaceOrderPayloadFieldsFragment,
} from './generated/operations.ts';
export type { Models, ObjectName, PlainModels, RootFields } from './generated/resolver-types.ts';
export type {
  ApiScope,
  BetOutcome,
  CreateSessionInput,
  HealthStatus,
  MarketSort,
  MarketStatus,
  MarketsInput,
  RawCreateApiKeyInput,
  RawCreateMarketInput,
  RawCreateSessionInput,
  RawDelegateGrant,
  RawExecuteWithdrawalInput,
  RawFillsInput,
  RawLedgerInput,
  RawMarketFilter,
  RawMarketsInput,
  RawOrderIntent,
  RawOrdersInput,
  RawPlaceOrderInput,
  RawPositionsInput,
  RawSigningParamsInput,
  RawWithdrawalIntent,
  VenueMode,
} from './generated/schema-types.ts';
export type { DataOf, Operation } from './operation.ts';
export { venueSchema } from './schema/venue-schema.ts';
export { SCHEMA_SDL } from './schema-sdl.ts';
