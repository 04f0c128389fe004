/**
 * The account's risk limits, in the units of YAML and as the integers that the gate compares.
 *
 * The schema, `RiskLimits`, the unit in a bot's reports, the table in docs/risk.md and the sections of `config/` follow
 * from `LIMITS` (`npm run docs`). To add a limit, see "Add a risk limit" in CONTRIBUTING.md.
 */
import { z } from 'zod';
import { DOLLAR, MAX_FEE_BPS, type MicroShares, type RiskCode, SHARE } from '../domain/index.ts';

/** Units of the configuration. `scale` converts to the unit of refusals, which `refusalUnit` names. */
export const LIMIT_UNITS = {
  SHARES: { scale: SHARE, refusalUnit: 'micro-shares' },
  USD: { scale: DOLLAR, refusalUnit: 'micro-USD' },
  COUNT: { scale: 1, refusalUnit: '' },
  MS: { scale: 1, refusalUnit: 'ms' },
  BPS: { scale: 1, refusalUnit: 'bps' },
} as const;

/** Amounts that the limits on a single order compare. */
export interface OrderSize {
  /** A take pays a fee and never rests. */
  readonly isTake: boolean;
  readonly shares: MicroShares;
  /** Cost at the quote's price moved by its tolerance (`pricePct`), including the fee of a take, micro-USD. */
  readonly cost: number;
}

interface Limit {
  /** Name in `RiskLimits`. */
  readonly field: string;
  readonly code: RiskCode;
  readonly unit: keyof typeof LIMIT_UNITS;
  /** The default. */
  readonly fallback: number | 'none';
  /** Names the unit. */
  readonly description: string;
  /**
   * Only for a limit on a single order: returns the compared number in the unit of refusals. `doctor` applies the limit
   * to `order_amount`, too. Only `max_order` may measure a take, because `flatten` splits only by `max_order`.
   */
  readonly measureOrder?: (order: OrderSize) => number;
  /** A breach kills trading. Default: a breach refuses an order. */
  readonly kills?: true;
  /** A run's identity omits this newer limit at its default, so that older runs keep their hashes. */
  readonly isOmittedAtDefault?: true;
}

/** All limits that can be `none`, by key. A value equal to its limit passes. */
export const LIMITS = {
  max_position: {
    field: 'maxPosition',
    code: 'MAX_POSITION',
    unit: 'SHARES',
    fallback: 1_000,
    description: 'Largest |YES - NO| in one market if every open order of a side fills; shares.',
  },
  max_order: {
    field: 'maxOrder',
    code: 'MAX_ORDER',
    unit: 'SHARES',
    fallback: 500,
    description: 'Largest size of one quote or one take; shares.',
    measureOrder: ({ shares }) => shares,
  },
  max_notional_usd: {
    field: 'maxNotional',
    code: 'MAX_MARKET_NOTIONAL',
    unit: 'USD',
    fallback: 1_000,
    description: 'Largest worst-case loss in one market, open and new orders included; USD.',
  },
  max_total_notional_usd: {
    field: 'maxTotalNotional',
    code: 'MAX_TOTAL_NOTIONAL',
    unit: 'USD',
    fallback: 5_000,
    description: 'Largest sum of the worst-case losses of all markets that are not final; USD.',
  },
  max_event_notional_usd: {
    field: 'maxEventNotional',
    code: 'MAX_EVENT_NOTIONAL',
    unit: 'USD',
    fallback: 2_500,
    description:
      'Largest worst-case loss in one event; USD. If the venue says so, at most one market of the event ends YES.',
    isOmittedAtDefault: true,
  },
  max_open_orders: {
    field: 'maxOpenOrders',
    code: 'MAX_OPEN_ORDERS',
    unit: 'COUNT',
    fallback: 100,
    description:
      'Maximum number of open orders of the account. Each leg of a level counts. A replace by as many orders is never refused for it.',
  },
  daily_loss_usd: {
    field: 'dailyLoss',
    code: 'DAILY_LOSS',
    unit: 'USD',
    fallback: 250,
    description:
      'Loss since 00:00 UTC, marked at the exit side, beyond which trading is killed; USD. A restart does not reset it.',
    kills: true,
  },
  max_drawdown_usd: {
    field: 'maxDrawdown',
    code: 'DRAWDOWN',
    unit: 'USD',
    fallback: 500,
    description: 'Fall from the highest equity, marked at the exit side, beyond which trading is killed; USD.',
    kills: true,
  },
  max_book_age_ms: {
    field: 'maxBookAgeMs',
    code: 'STALE_BOOK',
    unit: 'MS',
    fallback: 30_000,
    description: 'Greatest age of a book on which the bot quotes or takes; ms.',
  },
  price_collar_bps: {
    field: 'priceCollarBps',
    code: 'PRICE_COLLAR',
    unit: 'BPS',
    fallback: 2_000,
    description: 'Largest distance of a price from the mid; bps. Without a mid everything is refused.',
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitKey = keyof typeof LIMITS;

export const LIMIT_KEYS: readonly LimitKey[] = Object.keys(LIMITS).filter(isLimitKey);

/** The `risk` section of a configuration. All keys are optional, and every limit of `LIMITS` can be `none`. */
export const riskSchema = z.strictObject({
  ...createLimitSchemas(),
  max_fee_bps: z
    .int()
    .min(0)
    .max(MAX_FEE_BPS)
    .default(MAX_FEE_BPS)
    .describe(
      `Highest taker fee rate that an order is signed for; bps. The bot withdraws from a market with a higher fee. Default ${MAX_FEE_BPS}, the API's maximum.`,
    ),
});

/** Defaults of the newer limits. A run's identity omits a newer limit that has its default. */
export const NEWER_LIMIT_DEFAULTS: Readonly<Record<string, unknown>> = {
  max_fee_bps: MAX_FEE_BPS,
  ...Object.fromEntries(
    LIMIT_KEYS.filter((key) => 'isOmittedAtDefault' in LIMITS[key]).map((key) => [key, LIMITS[key].fallback]),
  ),
};

export type RiskConfig = z.output<typeof riskSchema>;

/** Limits by field in integers: micro-shares, micro-USD, orders, ms or bps. `Infinity` for no limit. */
export type RiskLimits = { readonly [Key in LimitKey as (typeof LIMITS)[Key]['field']]: number } & {
  /** 0..1000. */
  readonly maxFeeBps: number;
};

export function riskLimits(config: RiskConfig): RiskLimits {
  const limits = LIMIT_KEYS.map((key) => [
    LIMITS[key].field,
    toInteger(config[key], LIMIT_UNITS[LIMITS[key].unit].scale),
  ]);
  return { ...Object.fromEntries(limits), maxFeeBps: config.max_fee_bps };
}

/** Returns the first limit on a single order that this order exceeds, in the unit of refusals. */
export function exceededOrderLimit(limits: RiskLimits, order: OrderSize) {
  for (const { key, field, measureOrder } of ORDER_LIMITS) {
    const limit = limits[field];
    const actual = measureOrder(order);
    if (actual > limit) return { key, limit, actual };
  }
  return undefined;
}

const ORDER_LIMITS = LIMIT_KEYS.flatMap((key) => {
  const { measureOrder }: Limit = LIMITS[key];
  return measureOrder === undefined ? [] : [{ key, field: LIMITS[key].field, measureOrder }];
});

function isLimitKey(key: string): key is LimitKey {
  return Object.hasOwn(LIMITS, key);
}

function createLimitSchemas(): Readonly<Record<LimitKey, ReturnType<typeof createLimitSchema>>> {
  const schemas = LIMIT_KEYS.map((key) => [key, createLimitSchema(LIMITS[key])]);
  return Object.fromEntries(schemas);
}

function createLimitSchema({ unit, fallback, description }: Limit) {
  const number = LIMIT_UNITS[unit].scale === 1 ? z.int().min(0) : z.number().min(0).max(1e9).multipleOf(0.01);
  return z
    .union([number, z.literal('none')])
    .default(fallback)
    .describe(`${description} Default ${fallback}; \`none\` for no limit.`);
}

/** Converts a limit. The value has at most two decimals, so rounding removes only the floating-point error. */
function toInteger(value: number | 'none', scale: number): number {
  return value === 'none' ? Number.POSITIVE_INFINITY : Math.round(value * scale);
}
