/** Options of the simulation in the YAML file, and the models built from these options. */
import { z } from 'zod';
import type { Random } from '../../clock/index.ts';
import {
  createQueueModel,
  type QueueModel,
  queueSchema,
  type TradesOnly,
  tradesOnlySchema,
} from '../../replay/index.ts';
import { type FeeModel, kalshiFees, noFees, polymarketFees, takerFees, withCommission } from './fees.ts';
import {
  constantLatency,
  type LatencyModel,
  type MeasuredTimes,
  measuredLatency,
  sampledLatency,
  spikyLatency,
} from './latency.ts';
import { recordedLatency, type SessionLatency } from './session-latency.ts';
import type { SettlementModel } from './trade-settlement.ts';

const wholeMs = z.int().min(0).max(3_600_000);

const percentilesSchema = z
  .strictObject({
    median: z.number().min(0).describe('Half of the messages are faster; ms.'),
    p99: z.number().min(0).describe('99 % of the messages are faster; ms, at least the median.'),
  })
  .refine(({ median, p99 }) => p99 >= median, { error: 'p99 at or above the median', path: ['p99'] })
  .refine(({ median, p99 }) => median > 0 || p99 === 0, { error: 'a p99 of 0 where the median is 0', path: ['p99'] });

const constantLatencies = {
  feed_ms: wholeMs
    .default(50)
    .describe('Venue to strategy, market data; used only for tapes without receive times. Default 50.'),
  entry_ms: wholeMs.default(80).describe('Strategy to venue, commands. Default 80.'),
  response_ms: wholeMs.default(40).describe('Venue to strategy, answers and fills. Default 40.'),
};

const latencySchema = z.discriminatedUnion('model', [
  z.strictObject({
    model: z.literal('constant'),
    ...constantLatencies,
    placing_ms: wholeMs
      .optional()
      .describe("Delay of places beyond entry_ms, ms. Default: the market's placing delay on the tape."),
  }),
  z
    .strictObject({
      model: z.literal('spiky'),
      ...constantLatencies,
      every_s: z
        .int()
        .min(1)
        .max(86_400)
        .default(600)
        .describe('Period in which one spike begins, seconds. Default 600.'),
      lasts_ms: wholeMs.default(2_000).describe('Duration of a spike, ms, at most the period. Default 2000.'),
      spike_ms: wholeMs.default(500).describe('Extra latency of every message in a spike, ms. Default 500.'),
    })
    .refine(({ every_s, lasts_ms }) => lasts_ms <= every_s * 1_000, {
      error: 'at most the period, every_s',
      path: ['lasts_ms'],
    }),
  z.strictObject({
    model: z.literal('measured'),
    file: z
      .string()
      .min(1)
      .describe(
        'CSV file of measured times with the columns feed_ms (optional), entry_ms and response_ms, relative to this file.',
      ),
  }),
  z.strictObject({
    model: z.literal('sampled'),
    feed_ms: percentilesSchema.describe('Log-normal latency, venue to strategy; only for tapes without receive times.'),
    entry_ms: percentilesSchema.describe('Log-normal latency, strategy to venue.'),
    response_ms: percentilesSchema.describe('Log-normal latency, venue to strategy, answers and fills.'),
  }),
  z.strictObject({
    model: z.literal('recorded'),
    session: z
      .string()
      .min(1)
      .describe('The .steps file of the recorded session whose latencies are used, relative to this file.'),
    placing_delay: z
      .enum(['measured', 'published'])
      .default('measured')
      .describe(
        'Extra delay of places compared with cancels: measured in the session, or published by the venue on the tape. Default measured.',
      ),
  }),
]);

const commissionSchema = z
  .union([z.literal('from tape'), z.int().min(0).max(10_000)])
  .default('from tape')
  .describe(
    "Commission on a market's net winnings at settlement, bps; 'from tape' takes each market's own. Default from tape.",
  );

const feeRateSchema = z.int().min(0).max(1_000);

const feesSchema = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('none'), commission_bps: commissionSchema }),
  z.strictObject({
    model: z.literal('taker'),
    rate_bps: feeRateSchema.describe('Takers pay this many bps of p(1-p) a share, 0 to 1000.'),
    commission_bps: commissionSchema,
  }),
  z.strictObject({
    model: z.literal('polymarket'),
    rate_bps: feeRateSchema.describe(
      "Fee rate of the market's category, bps of p(1-p) a share: 500 for sports, 700 for crypto.",
    ),
    rebate_bps: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe("Makers' share of the taker fees on their fills, bps: 1500 is 15 %. Default 0."),
    commission_bps: commissionSchema,
  }),
  z.strictObject({
    model: z.literal('kalshi'),
    taker_rate_bps: feeRateSchema.default(700).describe('Takers pay this many bps of p(1-p) a contract. Default 700.'),
    maker_rate_bps: feeRateSchema
      .default(0)
      .describe('Makers pay this many bps of p(1-p) a contract; 175 in series with maker fees. Default 0.'),
    precision_usd: z
      .union([z.literal(0.01), z.literal(0.0001)])
      .default(0.01)
      .describe('Precision to which the balance is rounded down, USD: 0.01, or 0.0001 for members. Default 0.01.'),
    commission_bps: commissionSchema,
  }),
]);

const settlementSchema = z.strictObject({
  delay_ms: wholeMs.describe('Time from a fill until it is final, ms. Bought shares cannot be sold before.'),
  reversed_share: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Share of the fills that the venue reverses after that time, drawn by the seed, 0 to 1. Default 0.'),
});

export const simOptionsSchema = z
  .strictObject({
    latency: latencySchema.prefault({ model: 'constant' }).describe('Latency of messages.'),
    queue: queueSchema
      .prefault({ model: 'risk-averse' })
      .describe('Queue position of an own order at its price; fifo needs tapes with order ids.'),
    fees: feesSchema.prefault({ model: 'none' }).describe('Fees of trades and commission on winnings.'),
    liquidity: z
      .enum(['consumed', 'immutable'])
      .default('consumed')
      .describe('Whether size that own takers took is gone, or remains for the next order. Default consumed.'),
    settlement: settlementSchema
      .optional()
      .describe('For venues that settle trades some time after the match. Default: fills are final at once.'),
    trades_only: tradesOnlySchema
      .optional()
      .describe(
        'For tapes without a book: which prints fill own orders. Default by the content of the tape: the book, through for trades, none for candles.',
      ),
  })
  .describe('Assumptions of the simulation.');

export type SimOptions = z.output<typeof simOptionsSchema>;

export interface SimModels {
  readonly latency: LatencyModel;
  readonly queue: QueueModel;
  readonly fees: FeeModel;
  readonly liquidity: 'consumed' | 'immutable';
  /** Undefined if the tape has a book. */
  readonly tradesOnly: TradesOnly | undefined;
  /** Absent if fills are final at once. */
  readonly settlement?: SettlementModel | undefined;
}

/** Contents of a latency model's file. */
export interface LatencyFiles {
  readonly session?: SessionLatency | undefined;
  readonly times?: MeasuredTimes | undefined;
}

/**
 * Builds the models of a parsed section.
 * @param random the run's stream, from whose forks sampled models draw
 * @param commissionBps each market's commission in the order of their numbers, for 'from tape'
 * @param files result of `readLatency` for these options; required for models that name a file
 */
export function buildModels(
  options: SimOptions,
  random: Random,
  commissionBps: readonly number[],
  files: LatencyFiles = {},
): SimModels {
  return {
    latency: buildLatency(options.latency, random, files),
    queue: createQueueModel(options.queue),
    fees: buildFees(options.fees, commissionBps),
    liquidity: options.liquidity,
    tradesOnly: options.trades_only,
    settlement: buildSettlement(options.settlement, random),
  };
}

/** Returns one sentence for each assumption, for the report. */
export function describeAssumptions(models: SimModels): readonly string[] {
  const sentences = [models.latency.assumption, models.queue.assumption, models.fees.assumption];
  sentences.push(
    models.liquidity === 'consumed'
      ? 'Liquidity taken by own orders is gone until the recorded level falls below what is left.'
      : 'Liquidity is immutable: own takers take nothing away, which favours takers.',
  );
  if (models.settlement !== undefined) {
    const { delay, reversedShare } = models.settlement;
    sentences.push(
      `Fills are final ${delay} ms after they matched; ${reversedShare * 100} % of them are reversed instead.`,
    );
  }
  if (models.tradesOnly !== undefined) sentences.push(describeTradesOnly(models.tradesOnly));
  return sentences;
}

function buildLatency(options: SimOptions['latency'], random: Random, { session, times }: LatencyFiles): LatencyModel {
  switch (options.model) {
    case 'recorded':
      if (session === undefined) throw new Error('Invariant: the recorded latency without its session');
      return recordedLatency(session, random, options.placing_delay);
    case 'measured':
      if (times === undefined) throw new Error('Invariant: the measured latency without its times');
      return measuredLatency(times, random);
    case 'sampled':
      return sampledLatency(toLatencies(options), random);
    case 'constant':
      return constantLatency({ ...toLatencies(options), placing: options.placing_ms });
    case 'spiky': {
      const spikes = { every: options.every_s * 1_000, lasts: options.lasts_ms, extra: options.spike_ms };
      return spikyLatency(toLatencies(options), spikes, random);
    }
  }
}

function toLatencies<T>(options: Readonly<Record<'feed_ms' | 'entry_ms' | 'response_ms', T>>) {
  return { feed: options.feed_ms, entry: options.entry_ms, response: options.response_ms };
}

function buildSettlement(options: SimOptions['settlement'], random: Random): SettlementModel | undefined {
  if (options === undefined) return undefined;
  return { delay: options.delay_ms, reversedShare: options.reversed_share, random: random.fork('settlement') };
}

function buildFees(options: SimOptions['fees'], commissionBps: readonly number[]): FeeModel {
  const fees = buildTradeFees(options);
  const rates = options.commission_bps === 'from tape' ? commissionBps : options.commission_bps;
  const isFree = typeof rates === 'number' ? rates === 0 : rates.every((rate) => rate === 0);
  return isFree ? fees : withCommission(fees, rates);
}

function buildTradeFees(options: SimOptions['fees']): FeeModel {
  switch (options.model) {
    case 'none':
      return noFees();
    case 'taker':
      return takerFees(options.rate_bps);
    case 'polymarket':
      return polymarketFees(options.rate_bps, options.rebate_bps);
    case 'kalshi':
      return kalshiFees(options.taker_rate_bps, options.maker_rate_bps, options.precision_usd === 0.01 ? 10_000 : 100);
  }
}

function describeTradesOnly(model: TradesOnly): string {
  const takers =
    model.assumed_half_spread_bps === undefined
      ? 'takers refused'
      : `takers get any size ${model.assumed_half_spread_bps} bps from the last trade`;
  return `Trades only: the mark is the last trade; ${describeMakers(model)}; ${takers}.`;
}

function describeMakers(model: TradesOnly): string {
  if (model.fill === 'touch') return `prints through a price fill it, and ${model.share * 100} % of those at it`;
  return model.fill === 'none' ? 'makers are never filled' : 'only prints strictly through a price fill it';
}
