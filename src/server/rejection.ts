/** Refusals in the API's form: a typed reason, the compared numbers, and a sentence for people. */
import { FULL_BPS, formatMicros, formatUsd, type RejectReason, unchecked } from '../domain/index.ts';
import type { LimitUnit, Refusal } from '../exchange/index.ts';
import { CENT, invalidArgument, MODE_RETRY_MS, rateLimited, WireFault } from '../protocol/index.ts';
import type { Model } from './presenters/models.ts';

/** A refusal by the exchange or by an earlier check. */
export interface ApiRefusal extends Refusal {
  /** Replaces the default sentence of the reason. */
  readonly explanation?: string;
  /** Only for RATE_LIMITED. VENUE_MODE has a fixed delay. */
  readonly retryAfterMs?: number;
}

const SENTENCES: Readonly<Record<RejectReason, string>> = {
  RATE_LIMITED: 'too many requests',
  BAD_SIGNATURE: 'the signature does not match the signer',
  SIGNER_NOT_ALLOWED: 'the maker must be the calling account, and the signer the maker or its delegate',
  NOT_FOUND: 'not found',
  CONFLICT: 'already taken, or not allowed in the current state',
  GEO_BLOCKED: 'not allowed from your country',
  EMAIL_NOT_VERIFIED: 'the e-mail address must be verified first',
  VENUE_MODE: 'the current mode of the venue does not allow this',
  MARKET_NOT_OPEN: 'the market is not open',
  MARKET_HALTED: 'the market is halted',
  ALREADY_FINAL: 'the order is no longer open',
  INVALID_ORDER: 'conflicts with another field of the order',
  INVALID_TICK: 'the price is not on the tick',
  INVALID_LOT: 'the size is not a whole number of lots',
  EXPIRED_PARAMS: 'the expiration has passed',
  STALE_TIMESTAMP: 'the timestamp is too far from server time',
  STALE_EPOCH: 'signed for another epoch of the account',
  HEARTBEAT_LAPSED: 'the heartbeat of this credential has lapsed: heartbeat or disarmHeartbeat first',
  GROUP_TRIPPED: 'the order group has tripped: reset it first',
  FEE_ABOVE_MAX: "the market's fee rate is above the accepted one",
  BELOW_MIN: 'below the minimum',
  ABOVE_MAX: 'above the maximum',
  EXPOSURE_LIMIT: 'the exposure in this market would exceed its limit',
  INSUFFICIENT_BALANCE: 'not enough cash available',
  INSUFFICIENT_SHARES: 'not enough shares available',
  POST_ONLY_WOULD_CROSS: 'a post-only order would cross the book',
  FOK_NOT_FILLABLE: 'the order cannot be filled completely',
};

export function presentRejection(refusal: ApiRefusal): Model<'Rejection'> {
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
 * Turns a refusal into an error, for fields whose payload has no `rejection`. The message begins with `rate limited:`,
 * `invalid argument:` (for a refusal with a field) or `refused:`. The message contains the retry delay, if any.
 */
export function refusalFault(refusal: ApiRefusal): WireFault {
  const { reason, field, retryAfterMs } = refusal;
  if (reason === 'RATE_LIMITED' && retryAfterMs !== undefined) return rateLimited(retryAfterMs);
  const text = refusalText(refusal);
  if (field !== undefined) return invalidArgument(text);
  const wait = reason === 'VENUE_MODE' ? `: retry in ${MODE_RETRY_MS} ms` : '';
  return new WireFault('INVALID', `refused: ${text}${wait}`);
}

/** Renames the refused field from the exchange's name to the operation's name. */
export function renameField<R extends ApiRefusal | undefined>(refusal: R, from: string, to: string): R | ApiRefusal {
  return refusal?.field === from ? { ...refusal, field: to } : refusal;
}

function refusalText(refusal: ApiRefusal): string {
  const { field, limit, value, unit } = refusal;
  const subject = field === undefined ? '' : `${field}: `;
  const compared =
    limit === undefined || value === undefined || unit === undefined
      ? ''
      : ` (limit ${AMOUNT_TEXTS[unit](limit)}, got ${AMOUNT_TEXTS[unit](value)})`;
  return `${subject}${getSentence(refusal)}${compared}`;
}

function getSentence({ reason, field, value, explanation }: ApiRefusal): string {
  if (explanation !== undefined) return explanation;
  const isOutOfRange = field === 'priceBps' && value !== undefined && (value <= 0 || value >= FULL_BPS);
  // 0 and 10000 are multiples of every tick.
  return reason === 'INVALID_TICK' && isOutOfRange ? 'out of range: above 0 and below 10000' : SENTENCES[reason];
}

const AMOUNT_TEXTS: Readonly<Record<LimitUnit, (amount: number) => string>> = {
  BPS: (amount) => `${amount} bps`,
  // Shows micro-USD unless the amount is whole cents, so that a limit never looks equal to the refused value.
  MICRO_USD: (amount) => {
    const usd = unchecked.usd(amount);
    return amount % CENT === 0 ? formatUsd(usd) : formatMicros(usd).replace(/^-?/, '$&$$');
  },
  MICRO_SHARES: (amount) => `${amount} micro-shares`,
  MILLISECONDS: (amount) => `${amount} ms`,
  COUNT: String,
};
