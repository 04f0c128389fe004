/** Checks the configured markets, the venue's limits, and the signing of an order. */
import { z } from 'zod';
import { feeRateBps, INVALID_FEE_BPS, InputFault, SHARE } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import { LIMIT_KEYS, LIMIT_UNITS, LIMITS, type RiskLimits } from '../../risk/index.ts';
import { NO_HASH, toHex } from '../../signing/index.ts';
import { remedyFor } from '../../venues/service/index.ts';
import type { VenueHttp } from '../venue/venue-http.ts';
import { type Finding, fail, marketFindings, ok, type PreflightInput, warn } from './preflight.ts';
import { problemText } from './reach-check.ts';

const marketSchema = z.object({
  id: z.string(),
  slug: z.string(),
  status: z.string(),
  tickSizeBps: z.int(),
  minOrderShares: z.number(),
  feeRateBps: z.unknown().transform(feeRateBps),
  acceptingOrders: z.boolean(),
});
export type FoundMarket = z.output<typeof marketSchema>;
export type OrderMarket = Pick<FoundMarket, 'id' | 'slug' | 'tickSizeBps' | 'minOrderShares' | 'feeRateBps'> & {
  /** A valid bid price in a market with its own price grid; YES bps. */
  readonly priceBps?: number | undefined;
};
const pageSchema = z.object({ edges: z.array(z.object({ node: marketSchema })), totalCount: z.int() });
const paramsSchema = z.object({ typedData: z.unknown(), digest: z.string() });
const MID_PRICE_BPS = 5_000;
const ORDER_SHARES = 10;
/** Largest order that is signed, even if the market's minimum is higher. */
const MAX_ORDER_SHARES = 1_000_000;
/** Maximum number of checked markets of a filter: the size of the venue's largest page. */
const MAX_MARKETS = 100;

export async function* checkMarkets(input: PreflightInput): AsyncGenerator<Finding, readonly FoundMarket[]> {
  const { http, settings } = input;
  const markets: FoundMarket[] = [];
  let isComplete = true;
  const keys = [...settings.ids.map((id) => ({ id })), ...settings.slugs.map((slug) => ({ slug }))];
  try {
    for (const key of keys) {
      const answer = await http.request(OPERATIONS.market, key);
      const name = Object.values(key).join('');
      if (answer === null) yield fail('market', `there is no market ${name}`, 'Correct markets.ids or markets.slugs');
      else markets.push(marketSchema.parse(answer));
    }
    if (settings.filter !== undefined) {
      const first = Math.min(settings.maxMarkets, MAX_MARKETS);
      const query = { first, filter: settings.filter, sort: 'VOLUME_DESC' };
      const page = pageSchema.parse(await http.request(OPERATIONS.markets, { input: query }));
      markets.push(...page.edges.map(({ node }) => node));
      isComplete = !settings.hasSelection && page.edges.length >= Math.min(settings.maxMarkets, page.totalCount);
      if (page.totalCount === 0) yield warn('market', 'the filter finds nothing', 'Widen markets.filter');
    }
  } catch (error) {
    yield fail('market', problemText(error), 'Correct `markets`');
  }
  const closed = markets
    .filter(({ acceptingOrders }) => !acceptingOrders)
    .map(({ slug, status }) => `${slug} (${status})`);
  const { maxFeeBps } = settings.risk;
  const tooExpensive = markets.filter((market) => market.feeRateBps > maxFeeBps).map(feeText);
  yield* marketFindings({ count: markets.length, closed, tooExpensive, isComplete }, maxFeeBps);
  return markets;
}

/**
 * Compares the venue's typed data with the bot's order, signs it, and recovers the signer: the first two steps of
 * docs/spec/venue.md#signing-in-three-steps. The signature stays in this process.
 */
export async function checkSigning(
  input: Pick<PreflightInput, 'http' | 'messages' | 'signer' | 'key' | 'address'>,
  market: OrderMarket,
  limits: Pick<RiskLimits, 'maxFeeBps'>,
): Promise<Finding> {
  const { http, messages, signer, key, address } = input;
  if (key === undefined || address === undefined) return fail('signing', 'nothing to sign with', 'Set account.key');
  if (market.feeRateBps > limits.maxFeeBps) {
    const text = `${feeText(market)}, above risk.max_fee_bps of ${limits.maxFeeBps}: nothing was signed`;
    return fail('signing', text, 'Name a market whose fee is within risk.max_fee_bps');
  }
  const shares = Math.min(MAX_ORDER_SHARES, Math.max(ORDER_SHARES, Math.ceil(market.minOrderShares))) * SHARE;
  const { tickSizeBps: tick } = market;
  const priceBps = market.priceBps ?? Math.max(tick, Math.floor(MID_PRICE_BPS / tick) * tick);
  const order = {
    marketId: market.id,
    outcome: 'YES',
    side: 'BUY',
    priceBps,
    shares: String(shares),
    timeInForce: 'GTC',
    postOnly: true,
    maxFeeBps: market.feeRateBps,
    signer: key.address,
  } as const;
  try {
    const reply = paramsSchema.parse(await http.request(OPERATIONS.signingParams, { input: { kind: 'ORDER', order } }));
    const terms = { ...order, maker: address, shares, expiration: 0, replaces: NO_HASH };
    const compared = messages.order.compare(reply.typedData, terms);
    if (!compared.ok) {
      const { field, expected, offered } = compared;
      const text = `the venue's typed data differs in ${field}: expected ${expected}, offered ${offered}. Nothing was signed`;
      return fail('signing', text, remedyFor(field));
    }
    const digest = messages.order.digest(compared.message);
    if (toHex(digest) !== reply.digest.toLowerCase()) {
      const text = `the venue's digest is ${reply.digest}, and the bot's digest of the same fields is ${toHex(digest)}`;
      return fail('signing', text, 'The venue computes another hash: use the version of halfspread that it supports');
    }
    const recovered = signer.recover(digest, messages.order.sign(compared.message, key).signature);
    if (!recovered.ok || recovered.address !== key.address) {
      const remedy = 'Reinstall (`npm ci`): a native module is broken';
      return fail('signing', 'the signature does not recover to its key', remedy);
    }
    const text = `an order in ${market.slug} has the venue's digest, and its signer is recovered as ${key.address}`;
    return ok('signing', text);
  } catch (error) {
    const remedy =
      error instanceof InputFault
        ? 'Correct account.address or account.key'
        : 'Read the message: the venue refused the request or cannot be reached';
    return fail('signing', problemText(error), remedy);
  }
}

function feeText({ slug, feeRateBps: fee }: Pick<FoundMarket, 'slug' | 'feeRateBps'>): string {
  return fee === INVALID_FEE_BPS ? `${slug} has an invalid fee rate` : `${slug} has a fee of ${fee} bps`;
}

const configSchema = z.object({ minHeartbeatMs: z.number(), maxHeartbeatMs: z.number(), minBetCents: z.number() });
const limitsSchema = z.object({ maxExposurePerMarketCents: z.number(), maxBetPerMarketCents: z.number() });
const MICROS_PER_CENT = 10_000;
/** Limits on worst-case losses. A breach refuses an order and does not kill trading. */
const NOTIONAL_KEYS = LIMIT_KEYS.filter((key) => LIMITS[key].unit === 'USD' && !('kills' in LIMITS[key]));

/** Compares heartbeat and risk limits with the venue's limits. A BUY risks at least the smallest bet. */
export async function checkLimits({
  http,
  settings,
}: Pick<PreflightInput, 'settings'> & { readonly http: Pick<VenueHttp, 'request'> }): Promise<readonly Finding[]> {
  const { risk, heartbeatMs } = settings;
  const findings: Finding[] = [];
  try {
    const betting = configSchema.parse(await http.request(OPERATIONS.bettingConfig));
    const marketLimits = limitsSchema.parse(await http.request(OPERATIONS.marketConfig));
    if (heartbeatMs !== undefined && (heartbeatMs < betting.minHeartbeatMs || heartbeatMs > betting.maxHeartbeatMs)) {
      const text = `heartbeat_ms is ${heartbeatMs}, the venue accepts ${betting.minHeartbeatMs} to ${betting.maxHeartbeatMs}`;
      findings.push(fail('limits', text, 'Correct heartbeat_ms'));
    }
    const warnAbove = (name: string, value: number, venueLimit: number, limitName: string): void => {
      if (!Number.isFinite(value) || value <= venueLimit) return;
      const text = `${name} is ${value / 1_000_000} USD, above the venue's ${limitName} of ${venueLimit / 1_000_000}`;
      findings.push(warn('limits', text, `Lower ${name}: the venue's lower limit applies`));
    };
    const maxExposure = marketLimits.maxExposurePerMarketCents * MICROS_PER_CENT;
    const maxBet = marketLimits.maxBetPerMarketCents * MICROS_PER_CENT;
    const minBet = betting.minBetCents * MICROS_PER_CENT;
    warnAbove('risk.max_notional_usd', risk.maxNotional, maxExposure, 'largest exposure in a market');
    warnAbove('risk.max_order (at $1)', risk.maxOrder, maxBet, 'largest bet in a market');
    if (risk.maxOrder < minBet) {
      const text = `risk.max_order cannot reach the venue's smallest bet of ${betting.minBetCents} cents`;
      findings.push(fail('limits', text, 'Raise risk.max_order'));
    }
    const tooSmall = NOTIONAL_KEYS.filter((key) => risk[LIMITS[key].field] < minBet);
    for (const key of tooSmall) {
      const limit = risk[LIMITS[key].field] / LIMIT_UNITS.USD.scale;
      const text = `risk.${key} ${limit} refuses the venue's smallest bet of ${betting.minBetCents} cents at any price`;
      findings.push(warn('limits', text, `Raise risk.${key}: without holdings the bot places no order`));
    }
  } catch (error) {
    findings.push(fail('limits', problemText(error), 'See `schema`'));
  }
  return findings.length > 0 ? findings : [ok('limits', "the configuration's limits are within the venue's")];
}
