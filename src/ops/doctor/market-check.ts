/** Checks the configured markets, the venue's limits, and the signing of an order. */
import { z } from 'zod';
import { feeRateBps, INVALID_FEE_BPS, InputFault, SHARE } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { NO_HASH, toHex } from '../../signing/index.ts';
import { remedyFor } from '../../venues/service/index.ts';
import { type Finding, fail, ok, openMarketsText, type PreflightInput, warn } from './preflight.ts';
import { problemOf } from './reach-check.ts';

const marketSchema = z.object({
  id: z.string(),
  slug: z.string(),
  status: z.string(),
  tickSizeBps: z.int(),
  minOrderShares: z.number(),
  feeRateBps: z.unknown().transform(feeRateBps),
  acceptingOrders: z.boolean(),
});
type FoundMarket = z.output<typeof marketSchema>;
export type SignedMarket = Pick<FoundMarket, 'id' | 'slug' | 'tickSizeBps' | 'minOrderShares' | 'feeRateBps'> & {
  /** A valid bid price in a market with its own price grid; YES bps. */
  readonly priceBps?: number | undefined;
};
const pageSchema = z.object({ edges: z.array(z.object({ node: marketSchema })), totalCount: z.int() });
const paramsSchema = z.object({ typedData: z.unknown(), digest: z.string() });
const HALF_BPS = 5_000;
const SHARES = 10;
/** Largest order that is signed, even if the market's minimum is higher. */
const MAX_SHARES = 1_000_000;
/** The venue's largest page. At most this many markets of a filter are checked. */
const PAGE = 100;

export interface MarketsCheck {
  readonly findings: readonly Finding[];
  readonly markets: readonly FoundMarket[];
}

export async function checkMarkets({ http, settings }: PreflightInput): Promise<MarketsCheck> {
  const findings: Finding[] = [];
  const markets: FoundMarket[] = [];
  let areAll = true;
  const named = [...settings.ids.map((id) => ({ id })), ...settings.slugs.map((slug) => ({ slug }))];
  try {
    for (const wanted of named) {
      const answer = await http.request(OPERATIONS.market, wanted);
      const name = Object.values(wanted).join('');
      if (answer === null)
        findings.push(fail('market', `there is no market ${name}`, 'Correct markets.ids or markets.slugs'));
      else markets.push(marketSchema.parse(answer));
    }
    if (settings.filter !== undefined) {
      const page = pageSchema.parse(
        await http.request(OPERATIONS.markets, {
          input: { first: Math.min(settings.most, PAGE), filter: settings.filter, sort: 'VOLUME_DESC' },
        }),
      );
      markets.push(...page.edges.map(({ node }) => node));
      areAll = !settings.hasSelection && page.edges.length >= Math.min(settings.most, page.totalCount);
      if (page.totalCount === 0) findings.push(warn('market', 'the filter finds nothing', 'Widen markets.filter'));
    }
  } catch (error) {
    findings.push(fail('market', problemOf(error), 'Correct `markets`'));
  }
  const closed = markets
    .filter(({ acceptingOrders }) => !acceptingOrders)
    .map(({ slug, status }) => `${slug} (${status})`);
  if (closed.length > 0) {
    findings.push(
      warn('market', `no orders are taken in ${closed.join(', ')}`, 'Wait, or leave them out: nothing is quoted there'),
    );
  }
  const { maxFeeBps } = settings.risk;
  const expensive = markets.filter((market) => market.feeRateBps > maxFeeBps).map(feeText);
  if (expensive.length > 0) {
    const text = `above risk.max_fee_bps of ${maxFeeBps}: ${expensive.join(', ')}`;
    findings.push(fail('market', text, 'Leave them out, or raise risk.max_fee_bps: nothing is signed there'));
  }
  const open = markets.length - closed.length;
  if (open > 0) findings.push(ok('market', openMarketsText(open, areAll)));
  return { findings, markets };
}

/**
 * Performs the first two of the venue's three steps (docs/spec/venue.md#signing-in-three-steps): compares the typed data,
 * signs it, and recovers the signer. The signature stays in this process.
 * @param limits a market with a higher fee fails the check without a signature
 */
export async function checkSigning(
  input: Pick<PreflightInput, 'http' | 'messages' | 'signer' | 'key' | 'address'>,
  market: SignedMarket,
  limits: Pick<RiskLimits, 'maxFeeBps'>,
): Promise<Finding> {
  const { http, messages, signer, key, address } = input;
  if (key === undefined || address === undefined) {
    return fail('signing', 'nothing to sign with', 'Set account.key');
  }
  if (market.feeRateBps > limits.maxFeeBps) {
    const text = `${feeText(market)}, above risk.max_fee_bps of ${limits.maxFeeBps}: nothing was signed`;
    return fail('signing', text, 'Name a market whose fee is within risk.max_fee_bps');
  }
  const shares = Math.min(MAX_SHARES, Math.max(SHARES, Math.ceil(market.minOrderShares))) * SHARE;
  const { tickSizeBps: tick } = market;
  const priceBps = market.priceBps ?? Math.max(tick, Math.floor(HALF_BPS / tick) * tick);
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
  };
  try {
    const offer = paramsSchema.parse(await http.request(OPERATIONS.signingParams, { input: { kind: 'ORDER', order } }));
    const compared = messages.order.compare(offer.typedData, {
      maker: address,
      signer: key.address,
      marketId: market.id,
      outcome: 'YES',
      side: 'BUY',
      priceBps,
      shares,
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      maxFeeBps: market.feeRateBps,
      replaces: NO_HASH,
    });
    if (!compared.ok) {
      const { field, expected, offered } = compared;
      return fail(
        'signing',
        `the venue's typed data differs in ${field}: expected ${expected}, offered ${offered}. Nothing was signed`,
        remedyFor(field),
      );
    }
    const digest = messages.order.digest(compared.message);
    if (toHex(digest) !== offer.digest.toLowerCase()) {
      return fail(
        'signing',
        `the venue's digest is ${offer.digest}, ours of the same fields is ${toHex(digest)}`,
        'The venue computes another hash: use the version of halfspread that it supports',
      );
    }
    const recovered = signer.recover(digest, messages.order.sign(compared.message, key).signature);
    if (!recovered.ok || recovered.address !== key.address) {
      return fail(
        'signing',
        'the signature does not recover to its key',
        'Reinstall (`npm ci`): a native module is broken',
      );
    }
    return ok(
      'signing',
      `an order in ${market.slug} has the venue's digest, and its signer is recovered as ${key.address}`,
    );
  } catch (error) {
    const remedy =
      error instanceof InputFault
        ? 'Correct account.address or account.key'
        : 'Read the message: the venue refused the request or cannot be reached';
    return fail('signing', problemOf(error), remedy);
  }
}

function feeText({ slug, feeRateBps: fee }: Pick<FoundMarket, 'slug' | 'feeRateBps'>): string {
  return fee === INVALID_FEE_BPS ? `${slug} has an invalid fee rate` : `${slug} has a fee of ${fee} bps`;
}

const configSchema = z.object({ minHeartbeatMs: z.number(), maxHeartbeatMs: z.number(), minBetCents: z.number() });
const limitsSchema = z.object({ maxExposurePerMarketCents: z.number(), maxBetPerMarketCents: z.number() });
const CENT = 10_000;

export async function checkLimits({ http, settings }: PreflightInput): Promise<readonly Finding[]> {
  const { risk, heartbeatMs } = settings;
  const findings: Finding[] = [];
  try {
    const betting = configSchema.parse(await http.request(OPERATIONS.bettingConfig));
    const market = limitsSchema.parse(await http.request(OPERATIONS.marketConfig));
    if (heartbeatMs !== undefined && (heartbeatMs < betting.minHeartbeatMs || heartbeatMs > betting.maxHeartbeatMs)) {
      const text = `heartbeat_ms is ${heartbeatMs}, the venue takes ${betting.minHeartbeatMs} to ${betting.maxHeartbeatMs}`;
      findings.push(fail('limits', text, 'Correct heartbeat_ms'));
    }
    const larger = (name: string, own: number, theirs: number, what: string): void => {
      if (!Number.isFinite(own) || own <= theirs) return;
      findings.push(
        warn(
          'limits',
          `${name} is ${own / 1_000_000} USD, beyond the venue's ${what} of ${theirs / 1_000_000}`,
          `Lower ${name}: the venue's limit counts`,
        ),
      );
    };
    larger(
      'risk.max_notional_usd',
      risk.maxNotional,
      market.maxExposurePerMarketCents * CENT,
      'largest exposure in a market',
    );
    larger('risk.max_order (at $1)', risk.maxOrder, market.maxBetPerMarketCents * CENT, 'largest bet in a market');
    if (risk.maxOrder < betting.minBetCents * CENT) {
      findings.push(
        fail(
          'limits',
          `risk.max_order cannot reach the venue's smallest bet of ${betting.minBetCents} cents`,
          'Raise risk.max_order',
        ),
      );
    }
  } catch (error) {
    findings.push(fail('limits', problemOf(error), 'See `schema`'));
  }
  return findings.length > 0 ? findings : [ok('limits', "the configuration's limits are within the venue's")];
}
