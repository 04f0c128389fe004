/**
 * `signingParams` returns the message to sign and the largest cost of the order. An error for an invalid price or size
 * names the nearest valid values. The access module answers requests for withdrawals.
 */
import {
  type EpochMs,
  FULL_BPS,
  LOT,
  MAX_ORDER_SHARES,
  type MicroShares,
  type MicroUsd,
  type PriceBps,
  takerFee,
  timeAfter,
  unchecked,
  yesPrice,
} from '../../domain/index.ts';
import type { MarketRecord } from '../../exchange/index.ts';
import {
  BYTE_LENGTHS,
  badArgument,
  centsUp,
  type HexText,
  invalidArgument,
  type RawOrderIntent,
  type RawSigningParamsInput,
  type RawWithdrawalIntent,
  readHex,
  readMarketId,
  readOutcome,
  readSafeUint,
  readTime,
  readUint,
  sharesFloat,
  toHex,
} from '../../protocol/index.ts';
import { NO_HASH, type OrderMessage } from '../../signing/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { type Caller, requireCaller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { findNearestPrices } from './recorded-price.ts';

export function signingQueries(deps: ResolverDeps): RootResolvers<'Query', 'signingParams'> {
  return {
    signingParams: ({ input }, context) => {
      const caller = requireCaller(context, deps);
      const { kind, order, withdrawal } = readRequest(input);
      if (kind === 'WITHDRAWAL') return deps.access.prepareWithdrawal(caller.viewer, withdrawal);
      const replaces = isGiven(input.replacesOrderHash)
        ? readHex('replacesOrderHash', input.replacesOrderHash, BYTE_LENGTHS.hash)
        : NO_HASH;
      return deps.queue.read(() => createOrderParams({ kind, order, replaces }, caller, deps));
    },
  };
}

type SigningRequest =
  | { readonly kind: 'ORDER' | 'REPLACE'; readonly order: RawOrderIntent; readonly withdrawal: undefined }
  | { readonly kind: 'WITHDRAWAL'; readonly order: undefined; readonly withdrawal: RawWithdrawalIntent };

/** True for a required member, false for a forbidden member. */
const MEMBERS = {
  ORDER: { order: true, replacesOrderHash: false, withdrawal: false },
  REPLACE: { order: true, replacesOrderHash: true, withdrawal: false },
  WITHDRAWAL: { order: false, replacesOrderHash: false, withdrawal: true },
} as const;

function readRequest(input: RawSigningParamsInput): SigningRequest {
  const { kind, order, withdrawal } = input;
  const members = MEMBERS[kind];
  for (const name of ['order', 'replacesOrderHash', 'withdrawal'] as const) {
    if (isGiven(input[name]) === members[name]) continue;
    throw invalidArgument(`${name}: ${kind} ${members[name] ? 'requires it' : 'does not allow it'}`);
  }
  if (kind === 'WITHDRAWAL' && isGiven(withdrawal)) return { kind, order: undefined, withdrawal };
  if (kind !== 'WITHDRAWAL' && isGiven(order)) return { kind, order, withdrawal: undefined };
  throw new RangeError(`Invariant: ${kind} passed without its required members`);
}

interface OrderParamsRequest {
  readonly kind: 'ORDER' | 'REPLACE';
  readonly order: RawOrderIntent;
  readonly replaces: HexText;
}

function createOrderParams(
  { kind, order, replaces }: OrderParamsRequest,
  caller: Caller,
  { queue, messages, secretBytes }: ResolverDeps,
): Model<'SigningParams'> {
  const { view, now } = queue;
  const id = readMarketId(order.marketId);
  const market = view.marketById(id);
  if (market === undefined) throw invalidArgument(`order.marketId: there is no market ${id}`);
  const outcome = readOutcome('order.outcome', order.outcome);
  const price = readTickPrice(order.priceBps, market);
  const nearest = findNearestPrices({ ...order, outcome }, market);
  if (nearest !== undefined)
    throw badArgument('order.priceBps', price, `a price of the recording (nearest: ${nearest.join(' and ')})`);
  const shares = readLots(readSafeUint('order.shares', order.shares));
  const { side, timeInForce } = order;
  const postOnly = order.postOnly ?? false;
  if (postOnly && (timeInForce === 'FOK' || timeInForce === 'FAK'))
    throw invalidArgument(`order.postOnly: not allowed with ${timeInForce}`);
  const maxFeeBps = order.maxFeeBps ?? market.feeRateBps;
  if (!Number.isInteger(maxFeeBps) || maxFeeBps < 0 || maxFeeBps > FULL_BPS)
    throw badArgument('order.maxFeeBps', maxFeeBps, 'basis points from 0 to 10000');
  const message: OrderMessage = {
    salt: isGiven(order.salt) ? readUint('order.salt', order.salt) : BigInt(toHex(secretBytes(32))),
    maker: caller.address,
    signer: isGiven(order.signer) ? readHex('order.signer', order.signer, BYTE_LENGTHS.address) : caller.address,
    marketId: id,
    outcome,
    side,
    priceBps: price,
    shares,
    timeInForce,
    postOnly,
    expiration: readExpiration(order),
    timestampMs: now,
    epoch: view.account(caller.account)?.epoch ?? 0,
    maxFeeBps,
    replaces,
  };
  const cost = side === 'BUY' ? (shares / LOT) * price : 0;
  // A BUY's cost plus fee is highest at its limit. A SELL can fill above its limit, and its fee peaks at 5000 bps.
  const highestFeePrice = side === 'SELL' ? unchecked.price(Math.max(price, FULL_BPS / 2)) : price;
  const fee = postOnly ? 0 : takerFee(maxFeeBps, shares, highestFeePrice);
  return {
    kind,
    typedData: messages.order.typedData(message),
    digest: toHex(messages.order.digest(message)),
    costCents: centsUp(toMicroUsd(cost)),
    worstCaseCents: centsUp(toMicroUsd(cost + fee)),
    normalizedPriceBps: yesPrice(outcome, price),
    normalizedShares: sharesFloat(shares),
    expiresAt: timeAfter(now, view.config.maxClockSkew),
  };
}

function readTickPrice(price: number, { tickBps }: Readonly<MarketRecord>): PriceBps {
  if (Number.isInteger(price) && price % tickBps === 0 && price > 0 && price < FULL_BPS) return unchecked.price(price);
  const max = FULL_BPS - tickBps;
  const expected = `a multiple of the tick ${tickBps} from ${tickBps} to ${max}`;
  throw badArgument('order.priceBps', price, `${expected} (nearest: ${nearestMultiples(price, tickBps, max)})`);
}

function readLots(shares: number): MicroShares {
  if (shares > 0 && shares % LOT === 0 && shares <= MAX_ORDER_SHARES) return unchecked.shares(shares);
  const expected = `whole lots of ${LOT} micro-shares from ${LOT} to ${MAX_ORDER_SHARES}`;
  const nearest = nearestMultiples(shares, LOT, MAX_ORDER_SHARES);
  throw badArgument('order.shares', shares, `${expected} (nearest: ${nearest})`);
}

/** Returns the multiples of `step` next to `value`, from `step` to `max`. */
function nearestMultiples(value: number, step: number, max: number): string {
  const clamp = (multiple: number): number => Math.min(Math.max(multiple, step), max);
  return [...new Set([clamp(Math.floor(value / step) * step), clamp(Math.ceil(value / step) * step)])].join(' and ');
}

function readExpiration({ timeInForce, expiresAt }: RawOrderIntent): EpochMs | 0 {
  const isNeeded = timeInForce === 'GTD';
  if (isGiven(expiresAt) !== isNeeded)
    throw invalidArgument(`order.expiresAt: ${timeInForce} ${isNeeded ? 'requires it' : 'does not allow it'}`);
  if (!isGiven(expiresAt)) return 0;
  const time = readTime('order.expiresAt', expiresAt);
  if (time <= 0) throw badArgument('order.expiresAt', time, 'a time after 1970');
  return time;
}

function toMicroUsd(amount: number): MicroUsd {
  if (Number.isSafeInteger(amount)) return unchecked.usd(amount);
  throw badArgument('order.shares', amount, 'a cost within 2^53 micro-USD');
}
