/** Classifies errors by parts of their texts, because the venue has no codes (docs/spec/polymarket.md#errors). */
import { z } from 'zod';

/** The venue's texts. A text with a variable part is a function. */
export const POLYMARKET_ERRORS = {
  badApiKey: 'Unauthorized/Invalid api key',
  badL1Headers: 'Invalid L1 Request headers',
  badPayload: 'Invalid order payload',
  accuracy:
    'invalid amounts, orders that take at once support a maker amount of 2 decimals and a taker amount of 4 decimals',
  otherOwner: 'the order owner has to be the owner of the API KEY',
  otherSigner: 'the order signer address has to be the address of the API KEY',
  badSignature: 'invalid signature',
  versionMismatch: 'order_version_mismatch',
  tooMany: (count: number, max: number) => `Too many orders in payload: ${count}, max allowed: ${max}`,
  tick: (id: string, price: string, tick: string) =>
    `order ${id} is invalid. Price (${price}) breaks minimum tick size rule: ${tick}`,
  size: (id: string, size: string, min: string) =>
    `order ${id} is invalid. Size (${size}) lower than the minimum: ${min}`,
  duplicated: (id: string) => `order ${id} is invalid. Duplicated.`,
  marketableBuy: (dollars: string) => `invalid amount for a marketable BUY order ($${dollars}), min size: $1`,
  balance: 'not enough balance / allowance',
  expiration: 'invalid expiration',
  postOnly: 'invalid post-only order: order crosses book',
  fok: "order couldn't be fully filled. FOK orders are fully filled or killed.",
  fak: 'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
  notReady: 'the market is not yet ready to process new orders',
  delayed: 'order match delayed due to market conditions',
  noBook: 'No orderbook exists for the requested token id',
  noMarket: 'market not found',
  closedOnly: 'address in closed only mode',
  banned: 'address banned',
  region: 'Trading restricted in your region, please refer to available regions',
  cancelOnly: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.',
  disabled: 'Trading is currently disabled. Try again later.',
  restarting: 'the matching engine is restarting: try again later',
  postOnlyMode: 'Trading is in post-only mode: only post-only orders and cancels are accepted',
  notFound: 'Order not found',
  alreadyDone: "order can't be found - already canceled or matched",
  notSupported: 'not supported',
} as const;

type PolymarketErrorKind =
  /** The engine restarts. Wait, then read all data again. */
  | 'RESTARTING'
  | 'POST_ONLY'
  | 'CANCEL_ONLY'
  /** The venue refuses orders and cancels. */
  | 'DISABLED'
  /** The venue blocks the region or the address. Do not retry. */
  | 'FORBIDDEN'
  /** The venue accepts only orders that reduce a position. */
  | 'CLOSED_ONLY'
  | 'UNAUTHORIZED'
  | 'RATE_LIMITED'
  | 'VERSION_MISMATCH'
  | 'DUPLICATE'
  | 'BALANCE'
  | 'WOULD_CROSS'
  | 'NOT_FILLABLE'
  | 'NO_MARKET'
  /** The venue refused for another reason, and placed no order. */
  | 'REFUSED'
  /** The effect of the request is unknown. */
  | 'UNKNOWN';

export interface PolymarketError {
  readonly kind: PolymarketErrorKind;
  /** The venue's message, at most 500 characters. */
  readonly text: string;
  /** Undefined if the venue requests no wait. */
  readonly retryAfterMs: number | undefined;
}

/** Reads an answer with a status other than 200. @param body parsed JSON; a text if the body is not JSON */
export function readPolymarketError(status: number, body: unknown): PolymarketError {
  const { error, code, retry_after_seconds: seconds } = BODY.parse(body);
  const text = (error ?? (typeof body === 'string' ? body : '')).slice(0, 500);
  return {
    kind: classify(status, text, code),
    text,
    retryAfterMs: seconds === undefined ? undefined : Math.ceil(seconds * 1_000),
  };
}

const BODY = z
  .object({
    error: z.string().optional().catch(undefined),
    code: z.string().optional().catch(undefined),
    retry_after_seconds: z.number().min(0).max(86_400).optional().catch(undefined),
  })
  .catch({ error: undefined, code: undefined, retry_after_seconds: undefined });

const KINDS_BY_TEXT: readonly (readonly [string, PolymarketErrorKind])[] = [
  [POLYMARKET_ERRORS.versionMismatch, 'VERSION_MISMATCH'],
  ['is invalid. Duplicated', 'DUPLICATE'],
  ['not enough balance', 'BALANCE'],
  ['order crosses book', 'WOULD_CROSS'],
  ["couldn't be fully filled", 'NOT_FILLABLE'],
  ['no orders found to match', 'NOT_FILLABLE'],
  ['address banned', 'FORBIDDEN'],
  ['closed only mode', 'CLOSED_ONLY'],
  ['No orderbook exists', 'NO_MARKET'],
  ['market not found', 'NO_MARKET'],
];

function classify(status: number, text: string, code: string | undefined): PolymarketErrorKind {
  if (status === 425) return 'RESTARTING';
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) {
    if (code === 'post_only_mode') return 'POST_ONLY';
    if (text.includes('cancel-only')) return 'CANCEL_ONLY';
    return text.includes('disabled') ? 'DISABLED' : 'UNKNOWN';
  }
  // A proxy may send 408 after the venue received the request.
  if (status < 400 || status >= 500 || status === 408) return 'UNKNOWN';
  return KINDS_BY_TEXT.find(([part]) => text.includes(part))?.[1] ?? 'REFUSED';
}
