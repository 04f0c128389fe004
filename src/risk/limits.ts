/** Risk limits of the account: as written in YAML, and as the integers that the gate compares. */

import { z } from 'zod';
import { DOLLAR, MOST_FEE_BPS, SHARE } from '../domain/index.ts';

/** A number, or `none` to switch the limit off. */
type OrNone = number | 'none';

const shares = (fallback: number, meaning: string) =>
  limit(z.number().min(0).max(1e9).multipleOf(0.01), fallback, meaning);
const dollars = (fallback: number, meaning: string) =>
  limit(z.number().min(0).max(1e9).multipleOf(0.01), fallback, meaning);
const whole = (fallback: number, meaning: string) => limit(z.int().min(0), fallback, meaning);

/** The `risk` section of a configuration. Strict; every key may be left out, every limit may be `none`. */
export const riskSchema = z.strictObject({
  max_position: shares(1_000, 'Largest |YES - NO| in one market if every open order of a side fills; shares.'),
  max_order: shares(500, 'Largest size of one quoted level or one taking; shares.'),
  max_notional_usd: dollars(1_000, 'Largest worst-case loss in one market, open and new orders included; USD.'),
  max_total_notional_usd: dollars(
    5_000,
    'Largest sum of the worst-case losses of all markets that are not final; USD.',
  ),
  max_event_notional_usd: dollars(
    2_500,
    'Largest worst-case loss over the markets of one event, of which at most one ends YES where the venue says so; USD.',
  ),
  max_open_orders: whole(100, 'Most open orders of the account. Each leg of a level counts.'),
  daily_loss_usd: dollars(250, 'Loss since 00:00 UTC, marked at the exit side, beyond which trading is killed; USD.'),
  max_drawdown_usd: dollars(
    500,
    'Fall from the highest equity, marked at the exit side, beyond which trading is killed; USD.',
  ),
  max_book_age_ms: whole(30_000, 'Oldest book on which may be quoted or taken; ms.'),
  max_fee_bps: z
    .int()
    .min(0)
    .max(MOST_FEE_BPS)
    .default(MOST_FEE_BPS)
    .describe(
      `Highest taker fee rate that an order is signed for; bps. The bot withdraws from a market with a higher fee. Default ${MOST_FEE_BPS}, the contract's most.`,
    ),
  price_collar_bps: whole(2_000, 'Largest distance of a price from the mid; bps. Without a mid everything is refused.'),
});

/**
 * Limits that came after the first version, with their defaults. The identity of a run leaves them out at the default, so
 * that runs of versions without them keep their hashes.
 */
export const LATER_LIMITS: Readonly<Record<string, unknown>> = {
  max_fee_bps: MOST_FEE_BPS,
  max_event_notional_usd: 2_500,
};

/** The `risk` section after parsing: defaults filled in. */
export type RiskConfig = z.output<typeof riskSchema>;

/** Limits in the internal units; `Infinity` for no limit. A value equal to its limit passes. */
export interface RiskLimits {
  /** Micro-shares. */
  readonly maxPosition: number;
  /** Micro-shares. */
  readonly maxOrder: number;
  /** Micro-USD. */
  readonly maxNotional: number;
  /** Micro-USD. */
  readonly maxTotalNotional: number;
  /** Micro-USD. */
  readonly maxEventNotional: number;
  readonly maxOpenOrders: number;
  /** Micro-USD. */
  readonly dailyLoss: number;
  /** Micro-USD. */
  readonly maxDrawdown: number;
  readonly maxBookAgeMs: number;
  /** 0..1000. */
  readonly maxFeeBps: number;
  readonly priceCollarBps: number;
}

/** Converts a parsed section to internal units. */
export function riskLimits(config: RiskConfig): RiskLimits {
  return {
    maxPosition: scaled(config.max_position, SHARE),
    maxOrder: scaled(config.max_order, SHARE),
    maxNotional: scaled(config.max_notional_usd, DOLLAR),
    maxTotalNotional: scaled(config.max_total_notional_usd, DOLLAR),
    maxEventNotional: scaled(config.max_event_notional_usd, DOLLAR),
    maxOpenOrders: scaled(config.max_open_orders, 1),
    dailyLoss: scaled(config.daily_loss_usd, DOLLAR),
    maxDrawdown: scaled(config.max_drawdown_usd, DOLLAR),
    maxBookAgeMs: scaled(config.max_book_age_ms, 1),
    maxFeeBps: config.max_fee_bps,
    priceCollarBps: scaled(config.price_collar_bps, 1),
  };
}

function limit(number: z.ZodNumber, fallback: number, meaning: string) {
  return z
    .union([number, z.literal('none')])
    .default(fallback)
    .describe(`${meaning} Default ${fallback}; \`none\` for no limit.`);
}

/** At most two decimals, so rounding only removes the error of the double. */
function scaled(value: OrNone, unit: number): number {
  return value === 'none' ? Number.POSITIVE_INFINITY : Math.round(value * unit);
}
