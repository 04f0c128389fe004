/**
 * The operations and fields that a bot requests of a venue. A venue needs no other operation and no other field, and a
 * field that is added to the schema is requested only once it is listed here.
 */
import { type DocumentNode, visit } from 'graphql';

/** The fields that are requested, by object. */
const FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  Query:
    words(`markets market betLimits bettingConfig marketConfig geoCheck health authChallenge me balance ledger positions
    orders order fills signingParams tradingSafety`),
  Mutation: words(`createSession refreshSession revokeSession placeOrder placeOrders cancelOrders cancelAllOrders
    replaceOrders reduceOrder heartbeat disarmHeartbeat splitPosition mergePosition claimPosition`),
  Subscription: words('orderBookUpdated tradeExecuted priceUpdated marketStatusChanged venueStatusChanged orderEvents'),
  PageInfo: words('hasNextPage endCursor'),
  MarketConnection: words('edges pageInfo totalCount'),
  MarketEdge: words('node'),
  Market: words(`id slug question status volumeCents resolutionDate category topics
    bestBidBps bestAskBps tickSizeBps minOrderShares feeRateBps acceptingOrders eventId updatedAt`),
  Category: words('slug'),
  Topic: words('slug'),
  BetLimits: words('minBetCents maxBetCents maxExposurePerMarketCents minOrderShares'),
  BettingConfig:
    words(`minBetCents spreadBps maxBatchOrders maxBatchCancels minHeartbeatMs maxHeartbeatMs maxClockSkewMs
    feeRateBps`),
  MarketConfig: words('maxExposurePerMarketCents maxBetPerMarketCents tickSizeBps'),
  GeoCheck: words('allowed closeOnly countryCode reason'),
  Health: words('status mode version serverTime'),
  AuthChallenge: words('nonce typedData expiresAt'),
  Account: words('address scopes apiKeys orderEpoch rateBuckets'),
  ApiKey: words('delegateAddress'),
  RateBucket: words('name capacity refillPerSecond remaining'),
  Balance: words('availableMicros reservedMicros seq'),
  LedgerConnection: words('edges'),
  LedgerEdge: words('node'),
  LedgerEntry: words('id kind amountMicros marketId at'),
  PositionConnection: words('edges pageInfo'),
  PositionEdge: words('node'),
  Position: words('marketId market outcome shares averagePriceBps amountMicros valueCents realizedPnlMicros seq'),
  OrderConnection: words('edges pageInfo'),
  OrderEdge: words('node'),
  Order: words(`id orderHash marketId outcome side priceBps shares filledShares remainingShares status cancelReason
    seq createdAt updatedAt`),
  OrderLookup: words('found order fills'),
  FillConnection: words('edges pageInfo'),
  FillEdge: words('node'),
  Fill: words('tradeId orderId marketId outcome side priceBps shares feeMicros role seq executedAt'),
  SigningParams: words('typedData digest'),
  TradingSafety: words('openOrderCount orderEpoch mode'),
  SessionPayload: words('accessToken refreshToken expiresAt'),
  RevokeSessionPayload: words('revoked'),
  PlaceOrderPayload: words('accepted order fills rejection seq'),
  Rejection: words('reason message field limit value retryAfterMs'),
  PlaceOrdersPayload: words('results seq'),
  CancelPayload: words('results seq'),
  CancelResult: words('orderId cancelled remainingShares filledShares rejection'),
  CancelAllPayload: words('cancelledIds newEpoch seq'),
  ReplaceOrdersPayload: words('committed cancelled placed rejection seq'),
  HeartbeatPayload: words('deadline'),
  PositionChangePayload: words('amountMicros rejection seq'),
  ClaimPayload: words('rejection seq'),
  OrderBookEvent: words('kind marketId seq prevSeq bids asks checksum at'),
  PriceLevel: words('priceBps shares'),
  Trade: words('id marketId outcome side priceBps lastTradePriceBps shares seq executedAt'),
  PriceUpdate: words('yesPriceBps noPriceBps at'),
  MarketStatusEvent: words('market status at'),
  VenueStatusEvent: words('mode bettingConfig marketConfig at'),
  OrderEvent: words('kind seq prevSeq order fill cancelReason at'),
};

/** Returns the schema's document with only the fields that a bot requests. @throws Error for an unknown field */
export function botSchema(schema: DocumentNode): DocumentNode {
  const missing = new Set(
    Object.entries(FIELDS).flatMap(([type, fields]) => [...fields].map((field) => `${type}.${field}`)),
  );
  const reduced = visit(schema, {
    ObjectTypeDefinition: (type) => ({
      ...type,
      fields: type.fields?.filter(({ name }) => {
        missing.delete(`${type.name.value}.${name.value}`);
        return FIELDS[type.name.value]?.has(name.value) === true;
      }),
    }),
  });
  if (missing.size > 0) throw new Error(`bot-fields.ts: the schema has no ${[...missing].join(', ')}`);
  return reduced;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
