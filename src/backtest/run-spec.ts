/**
 * Schema of a backtest's YAML file. Parsing is idempotent and reads no files. Simulation, risk and execution define the
 * schemas of their sections.
 */
import { z } from 'zod';
import type { RewardTerms, UptimeConditions } from '../analytics/index.ts';
import { InputFault, parseShares, parseUsd } from '../domain/index.ts';
import { executionShape } from '../execution/index.ts';
import { riskSchema } from '../risk/index.ts';
import { selectionSchema } from '../runtime/index.ts';
import { checkStrategyKeys, fileVersion, isoTime, parseStrict, strategiesShape, whole } from '../strategy/index.ts';
import { simOptionsSchema } from '../venues/sim/index.ts';

const nonEmpty = z.string().min(1);

function usdAmount(description: string): z.ZodNumber {
  return z.number().min(0).refine(isWholeMicroUsd, 'at most six decimals').describe(description);
}

const marketLimitsSchema = z
  .strictObject({
    min_order_shares: z.number().min(0.01).multipleOf(0.01).default(1).describe('Smallest BUY, shares. Default 1.'),
    min_bet_usd: usdAmount('Smallest BUY as price times shares, USD. Default 0.10.').default(0.1),
    max_bet_usd: usdAmount('Largest BUY as price times shares, USD. Default 100000.').default(100_000),
    max_exposure_usd: usdAmount('Largest venue exposure of the account in one market, USD. Default 1000000.').default(
      1_000_000,
    ),
    spread_bps: whole(0, 10_000, 2_000, 'Spread of the retail quotes that strategies may read, bps.'),
  })
  .describe('Limits of the venue in every market of the run, as in live trading.');

const rate = z.number().positive().max(1_000_000).optional();
const burst = z.int().min(1).max(1_000_000).optional();

const executionSchema = z
  .strictObject({
    ...executionShape,
    orders_per_second: rate.describe(
      'Maximum number of orders that the bot places per second, as in live trading. Default: no limit.',
    ),
    order_burst: burst.describe('Maximum burst of orders, with orders_per_second. Default: the orders of one second.'),
    cancels_per_second: rate.describe('Maximum number of orders that the bot cancels per second. Default: no limit.'),
    cancel_burst: burst.describe(
      'Maximum burst of cancels, with cancels_per_second. Default: the cancels of one second.',
    ),
  })
  .describe('How quotes become orders.');

const uptimeSchema = z
  .strictObject({
    min_size: z.number().positive().multipleOf(0.01).default(1).describe('Smallest size of a side, shares. Default 1.'),
    max_spread_bps: whole(1, 10_000, 300, 'Largest distance from the mid, bps.'),
  })
  .describe('Conditions under which the report counts quotes as two-sided.');

const liquidityRewardsSchema = z
  .strictObject({
    usd_per_day: usdAmount('Rewards that the venue pays to all makers of a market in a day, USD.'),
    max_spread_bps: z.int().min(1).max(10_000).describe('Orders this far from the mid score nothing, bps.'),
    min_size: z.number().positive().multipleOf(0.01).describe('Smaller orders score nothing, shares.'),
    multiplier: z.number().positive().max(1_000).default(1).describe('Multiplies every score. Default 1.'),
  })
  .describe('Estimates liquidity rewards in every market of the run. Default: none are paid.');

const tapeFolderSchema = z
  .strictObject({
    folder: nonEmpty.describe('Folder of tapes, relative to this file, or its URL.'),
    where: nonEmpty
      .optional()
      .describe("Condition on the markets, such as category = 'tennis' and volume_before > 10000. Default: all."),
  })
  .describe('Tapes of a folder.');

const remoteTapesSchema = z
  .strictObject({
    max_gb: z
      .number()
      .positive()
      .max(100_000)
      .default(50)
      .describe(
        'Maximum size of the copies on this machine, GB; least recently used copies are deleted first. Default 50.',
      ),
    s3_endpoint: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('URL of an S3-compatible service. Default: Amazon S3.'),
    s3_region: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'the name of a region, such as eu-central-1')
      .default('us-east-1')
      .describe('Region of the bucket. Default us-east-1.'),
  })
  .describe('Settings for tapes at URLs: local copies, and access to buckets.');

/** The schema of a backtest's YAML file; `z.toJSONSchema(runSpecSchema, { io: 'input' })` serves editors. */
export const runSpecSchema = z
  .strictObject({
    version: fileVersion,
    ...strategiesShape,
    strategy_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("Required sha256 of the strategy's sources. Default: not checked."),
    tapes: z
      .array(z.union([nonEmpty, tapeFolderSchema]))
      .min(1)
      .describe(
        'Tapes and folders of tapes: paths relative to this file, or URLs (https://, http://, s3://; a slash ends the URL of a folder); merged by time.',
      ),
    remote_tapes: remoteTapesSchema.prefault({}),
    markets: z
      .strictObject({ select: selectionSchema.describe('Rules, as in the file of a bot.') })
      .optional()
      .describe('Which markets of the tapes are traded, and when. Default: all markets, all the time.'),
    signals: nonEmpty
      .optional()
      .describe(
        'JSONL file of signals with the times at which they were received, relative to this file. Default none.',
      ),
    seed: whole(0, 4_294_967_295, 1, 'Seed of all random numbers, 0 to 2^32-1.'),
    capital_usd: z
      .number()
      .positive()
      .max(1_000_000_000)
      .refine(isWholeMicroUsd, 'at most six decimals')
      .default(1_000)
      .describe('Cash at the start, USD. Default 1000.'),
    from: isoTime.optional().describe('Start of the replay, ISO 8601 with Z. Default: the first row.'),
    to: isoTime.optional().describe('End of the replay (not included), ISO 8601 with Z. Default: after the last row.'),
    ...simOptionsSchema.shape,
    risk: riskSchema.prefault({}).describe('Risk limits of the account.'),
    execution: executionSchema.prefault({}),
    limits: marketLimitsSchema.prefault({}),
    uptime: uptimeSchema.prefault({}),
    liquidity_rewards: liquidityRewardsSchema.optional(),
    in_sample: z
      .boolean()
      .default(false)
      .describe('Whether the parameters were fitted on these tapes, which the report then states. Default false.'),
    fitted_on: z
      .array(nonEmpty)
      .max(10_000)
      .default([])
      .describe(
        'Tapes on which the parameters were fitted, as paths or sha256 of their content. A run on such a tape is in-sample. Default none.',
      ),
    report_dir: nonEmpty
      .nullable()
      .default('reports')
      .describe('Folder of the HTML report, relative to the working folder; null for none. Default reports.'),
  })
  .check(checkStrategyKeys)
  .describe('A backtest: strategies on recorded markets.');

export type RunSpec = z.output<typeof runSpecSchema>;

/** @throws InputFault with the first wrong field, the expected value and the closest valid key */
export function parseRunSpec(value: unknown): RunSpec {
  return parseStrict(runSpecSchema, value, '');
}

function isWholeMicroUsd(value: number): boolean {
  try {
    parseUsd('amount', value);
    return value * 1_000_000 <= Number.MAX_SAFE_INTEGER;
  } catch (fault) {
    if (fault instanceof InputFault) return false;
    throw fault;
  }
}

/** @returns undefined if the venue pays no rewards */
export function rewardTerms(rewards: RunSpec['liquidity_rewards']): RewardTerms | undefined {
  if (rewards === undefined) return undefined;
  return {
    microsPerDay: parseUsd('liquidity_rewards.usd_per_day', rewards.usd_per_day),
    maxSpreadBps: rewards.max_spread_bps,
    minShares: parseShares('liquidity_rewards.min_size', rewards.min_size),
    multiplier: rewards.multiplier,
  };
}

/** Returns the conditions of two-sided quoting. @param uptime default: the defaults of a backtest's `uptime` */
export function parseUptimeConditions(uptime: RunSpec['uptime'] = uptimeSchema.parse({})): UptimeConditions {
  return { minShares: parseShares('uptime.min_size', uptime.min_size), maxSpreadBps: uptime.max_spread_bps };
}
