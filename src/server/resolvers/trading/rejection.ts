/** Refusals as the wire has them: typed, with the numbers compared, and a sentence for people. */
import { column, formatUsd, type RejectReason } from '../../../domain/index.ts';
import type { LimitUnit, Refusal } from '../../../exchange/index.ts';
import { invalidArgument, MODE_RETRY_MS, WireFault } from '../../../protocol/index.ts';
import type { Shown } from './models.ts';

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

/** `Rejection` of a refusal. */
export function showRejection(refusal: Refused): Shown<'Rejection'> {
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

/** The refusal as an error of the field, where its payload has no place for one. */
export function refusalFault(refusal: Refused): WireFault {
  const text = refusalText(refusal);
  return refusal.field === undefined ? new WireFault('INVALID', `refused: ${text}`) : invalidArgument(text);
}

function refusalText({ reason, field, limit, value, unit, because }: Refused): string {
  const subject = field === undefined ? '' : `${field}: `;
  const compared =
    limit === undefined || value === undefined || unit === undefined
      ? ''
      : ` (limit ${amountText(limit, unit)}, got ${amountText(value, unit)})`;
  return `${subject}${because ?? SENTENCES[reason]}${compared}`;
}

function amountText(amount: number, unit: LimitUnit): string {
  switch (unit) {
    case 'BPS':
      return `${amount} bps`;
    case 'MICRO_USD':
      return formatUsd(column.usd(amount));
    case 'MICRO_SHARES':
      return `${amount} micro-shares`;
    case 'MILLISECONDS':
      return `${amount} ms`;
    case 'COUNT':
      return String(amount);
  }
}
