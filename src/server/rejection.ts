/** Refusals as the wire has them: typed, with the numbers compared, and a sentence for people. */
import { column, FULL_BPS, formatMicros, formatUsd, type RejectReason } from '../domain/index.ts';
import type { LimitUnit, Refusal } from '../exchange/index.ts';
import { CENT, invalidArgument, MODE_RETRY_MS, rateLimited, WireFault } from '../protocol/index.ts';

/** A refusal, the engine's or one of those that come before it. */
export interface Refused extends Refusal {
  /** Instead of the usual sentence. */
  readonly because?: string;
  /** Of RATE_LIMITED; VENUE_MODE has its own. */
  readonly retryAfterMs?: number;
}

const SENTENCES: Readonly<Record<RejectReason, string>> = {
  RATE_LIMITED: 'too many requests',
  BAD_SIGNATURE: 'the signature does not fit',
  SIGNER_NOT_ALLOWED: 'the maker has to be the calling account, the signer the maker or its delegate',
  NOT_FOUND: 'there is none',
  CONFLICT: 'it is taken, or the present state does not allow it',
  GEO_BLOCKED: 'not allowed from where you are',
  EMAIL_NOT_VERIFIED: 'the e-mail address has to be verified first',
  VENUE_MODE: 'the venue does not take this at present',
  MARKET_NOT_OPEN: 'the market is not open',
  MARKET_HALTED: 'the market is halted',
  ALREADY_FINAL: 'the order is not open any more',
  INVALID_ORDER: 'it does not go together with the rest of the order',
  INVALID_TICK: 'the price is not on the tick',
  INVALID_LOT: 'the size is not a whole number of lots',
  EXPIRED_PARAMS: 'the expiration has passed',
  STALE_TIMESTAMP: 'the timestamp is too far from server time',
  STALE_EPOCH: 'signed for another epoch of the account',
  HEARTBEAT_LAPSED: 'the heartbeat of this credential has lapsed: heartbeat or disarmHeartbeat first',
  GROUP_TRIPPED: 'the order group has tripped: reset it first',
  FEE_ABOVE_MAX: 'the fee rate is above the one accepted',
  BELOW_MIN: 'less than the least',
  ABOVE_MAX: 'more than the most',
  EXPOSURE_LIMIT: 'the exposure in this market would pass its limit',
  INSUFFICIENT_BALANCE: 'not enough cash available',
  INSUFFICIENT_SHARES: 'not enough shares available',
  POST_ONLY_WOULD_CROSS: 'a post-only order would cross the book',
  FOK_NOT_FILLABLE: 'it cannot be filled whole',
};

/** `Rejection` of the contract, as it is answered. */
export interface Rejection {
  readonly reason: RejectReason;
  readonly message: string;
  readonly field: string | null;
  readonly limit: number | null;
  readonly value: number | null;
  readonly unit: LimitUnit | null;
  readonly retryAfterMs: number | null;
}

export function presentRejection(refusal: Refused): Rejection {
  const { reason, field, limit, value, unit, retryAfterMs } = refusal;
  return {
    reason,
    message: refusalText(refusal),
    field: field ?? null,
    limit: limit ?? null,
    value: value ?? null,
    unit: unit ?? null,
    retryAfterMs: retryAfterMs ?? (reason === 'VENUE_MODE' ? MODE_RETRY_MS : null),
  };
}

/**
 * The refusal as an error of the field, where its payload has no place for one: `rate limited: …`, `invalid argument: …`
 * where it is about one, else `refused: …`; with the time to wait where a typed one has it.
 */
export function refusalFault(refusal: Refused): WireFault {
  const { reason, field, retryAfterMs } = refusal;
  if (reason === 'RATE_LIMITED' && retryAfterMs !== undefined) return rateLimited(retryAfterMs);
  const text = refusalText(refusal);
  if (field !== undefined) return invalidArgument(text);
  const wait = reason === 'VENUE_MODE' ? `: retry in ${MODE_RETRY_MS} ms` : '';
  return new WireFault('INVALID', `refused: ${text}${wait}`);
}

/** The refusal about an argument under the name that it has in an operation: the exchange has one name for all of them. */
export function renamed<R extends Refused | undefined>(refusal: R, from: string, to: string): R | Refused {
  return refusal?.field === from ? { ...refusal, field: to } : refusal;
}

function refusalText(refusal: Refused): string {
  const { field, limit, value, unit } = refusal;
  const subject = field === undefined ? '' : `${field}: `;
  const compared =
    limit === undefined || value === undefined || unit === undefined
      ? ''
      : ` (limit ${amountText(limit, unit)}, got ${amountText(value, unit)})`;
  return `${subject}${sentenceOf(refusal)}${compared}`;
}

function sentenceOf({ reason, field, value, because }: Refused): string {
  if (because !== undefined) return because;
  const isNoPrice = field === 'priceBps' && value !== undefined && (value <= 0 || value >= FULL_BPS);
  // 0 and 10000 are multiples of every tick.
  return reason === 'INVALID_TICK' && isNoPrice ? 'out of range: between 0 and 10000' : SENTENCES[reason];
}

function amountText(amount: number, unit: LimitUnit): string {
  switch (unit) {
    case 'BPS':
      return `${amount} bps`;
    case 'MICRO_USD':
      return usdText(amount);
    case 'MICRO_SHARES':
      return `${amount} micro-shares`;
    case 'MILLISECONDS':
      return `${amount} ms`;
    case 'COUNT':
      return String(amount);
  }
}

/** In cents when that is exact, otherwise in micro-USD: a limit never looks equal to the value it refused. */
function usdText(amount: number): string {
  const usd = column.usd(amount);
  return amount % CENT === 0 ? formatUsd(usd) : formatMicros(usd).replace(/^-?/, '$&$$');
}
