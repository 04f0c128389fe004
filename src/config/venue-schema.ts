/** Schema of a venue: `halfspread serve --config`. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { BET_PRESETS_CENTS, DEFAULT_CONFIG as DEFAULTS, QUOTE_POLICIES } from '../exchange/index.ts';
import { queueSchema, tradesOnlySchema } from '../replay/index.ts';
import { LOCAL_CHAIN_ID } from '../signing/index.ts';
import { fileVersion, isoTime, whole } from '../strategy/index.ts';
import { dialects, polymarket } from './polymarket-schema.ts';
import { address, chance, names, text } from './shared-parts.ts';
import { geo, payouts, rates } from './venue-access-schema.ts';

const YEAR_MS = 31_536_000_000;
const MAX_AMOUNT = 1_000_000_000_000_000;

/** Makes the schema of an exchange setting. A missing key keeps the setting of the existing venue. */
const param = (min: number, max: number, preset: number, meaning: string) =>
  z.int().min(min).max(max).optional().describe(`${meaning} Default of a new venue: ${preset}.`);

const exchange = z
  .strictObject({
    min_bet: param(0, MAX_AMOUNT, DEFAULTS.minBet, 'Smallest bet, micro-USD.'),
    max_initial_bet: param(0, MAX_AMOUNT, DEFAULTS.maxInitialBet, 'Largest initial order of a new market, micro-USD.'),
    max_bet_per_market: param(0, MAX_AMOUNT, DEFAULTS.maxBetPerMarket, 'Largest bet in a market, micro-USD.'),
    max_exposure_per_market: param(
      0,
      MAX_AMOUNT,
      DEFAULTS.maxExposurePerMarket,
      'Largest exposure of an account in a market, micro-USD.',
    ),
    min_order_shares: param(0, MAX_AMOUNT, DEFAULTS.minOrderShares, 'Smallest BUY of new markets, micro-shares.'),
    max_question_length: param(1, 100_000, DEFAULTS.maxQuestionLength, 'Longest question, characters.'),
    spread_bps: param(0, 20_000, DEFAULTS.spreadBps, 'Spread of the retail quotes, bps.'),
    tick_bps: param(1, 5_000, DEFAULTS.tickBps, 'Price step of new markets, bps; a divisor of 10000.'),
    fee_rate_bps: param(0, 1_000, DEFAULTS.feeRateBps, "Takers' fee rate of new markets, bps."),
    max_batch_orders: param(1, 100_000, DEFAULTS.maxBatchOrders, 'Largest number of orders in a batch.'),
    max_batch_cancels: param(1, 100_000, DEFAULTS.maxBatchCancels, 'Largest number of cancels in a batch.'),
    min_heartbeat: param(1, YEAR_MS, DEFAULTS.minHeartbeat, "Shortest dead-man's switch, ms."),
    max_heartbeat: param(1, YEAR_MS, DEFAULTS.maxHeartbeat, "Longest dead-man's switch, ms."),
    max_group_window: param(1, YEAR_MS, DEFAULTS.maxGroupWindow, 'Longest time that an order group looks back, ms.'),
    max_clock_skew: param(0, YEAR_MS, DEFAULTS.maxClockSkew, "Largest difference of an order's timestamp, ms."),
    dispute_window: param(0, YEAR_MS, DEFAULTS.disputeWindow, 'Time for disputes of a decision, ms.'),
    quorum: param(1, 1_000, DEFAULTS.quorum, 'Equal votes for a decision.'),
    panel_size: param(1, 1_000, DEFAULTS.panelSize, 'Models of the panel.'),
    quorum_timeout: param(0, YEAR_MS, DEFAULTS.quorumTimeout, 'Longest round of voting, ms.'),
    safety_period: param(0, YEAR_MS, DEFAULTS.safetyPeriod, 'Wait from a failed resolution to a manual decision, ms.'),
    chain_timeout: param(0, YEAR_MS, DEFAULTS.chainTimeout, 'Longest step of the chain, ms.'),
  })
  .prefault({})
  .describe('Limits and settings of the exchange. A missing key keeps its last value.');

const chain = z
  .discriminatedUnion('model', [
    z
      .strictObject({
        model: z.literal('simulated'),
        min_delay_ms: whole(0, 3_600_000, 200, 'Shortest step, ms.'),
        max_delay_ms: whole(0, 3_600_000, 1_000, 'Longest step, ms.'),
        failure: chance('Chance that an attempt fails.'),
        permanent: chance('Chance that a failure is permanent. Other failures are repeated.'),
      })
      .refine(({ min_delay_ms: min, max_delay_ms: max }) => max >= min, {
        path: ['max_delay_ms'],
        error: 'at least min_delay_ms',
      }),
    z.strictObject({ model: z.literal('manual') }),
  ])
  .prefault({ model: 'simulated' })
  .describe('Deploys markets and reports payouts; `manual` leaves both to operators.');

const model = z.strictObject({
  name: z.string().min(1).max(100).describe('Name, unique in the panel.'),
  accuracy: z.number().min(0).max(1).describe('Share of correct votes, 0 to 1.'),
  silence: chance('Chance of no vote in a round.'),
  mean_delay_ms: whole(0, 86_400_000, 5_000, 'Mean time for a vote, ms.'),
});

const outcome = z.strictObject({
  decision: z.enum(['YES', 'NO', 'UNCERTAIN', 'CANCELLED']).describe('The decision.'),
  at: isoTime.optional().describe('When the outcome is known, ISO 8601 with Z. Default: at the request.'),
  rationale: z.string().max(10_000).optional().describe('Rationale. Default: a note that the outcome is recorded.'),
  sources: z.array(z.string()).optional().describe('Sources. Default none.'),
});

const PANEL = [
  { name: 'careful', accuracy: 0.97, mean_delay_ms: 8_000 },
  { name: 'quick', accuracy: 0.9, mean_delay_ms: 2_000 },
  { name: 'steady', accuracy: 0.95, mean_delay_ms: 5_000 },
];

const resolver = z
  .discriminatedUnion('model', [
    z.strictObject({
      model: z.literal('panel'),
      models: z
        .array(model)
        .min(1)
        .max(100)
        .refine(
          (models) => new Set(models.map(({ name }) => name)).size === models.length,
          'models with different names',
        )
        .prefault(PANEL)
        .describe('Simulated models. The first `panel_size` models vote. Default three models.'),
    }),
    z.strictObject({
      model: z.literal('scripted'),
      outcomes: z
        .record(z.string(), outcome)
        .describe('Outcomes by UUID or slug of the market. Operators decide other markets.'),
    }),
    z.strictObject({ model: z.literal('manual') }),
  ])
  .prefault({ model: 'panel' })
  .describe(
    'Decides markets. For a panel, the true outcome is YES with the probability of the last price. `manual` leaves decisions to operators.',
  );

const shares = (min: number, preset: number, meaning: string) =>
  z.number().min(min).max(1_000_000).multipleOf(0.01).default(preset).describe(`${meaning} Default ${preset}.`);

const house = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether the house maker is on. Default: on with `--seed`.'),
    policy: z.enum(names(QUOTE_POLICIES)).optional().describe('Quote policy. Default: `quote_policy`.'),
    spread_bps: z.int().min(0).max(20_000).optional().describe("Spread, bps. Default: the venue's."),
    shares: shares(1, 500, 'Size of each quote, shares.'),
    refill_below: shares(0, 100, 'Renews an order when less than this remains, shares.'),
    interval_ms: whole(10, 3_600_000, 250, 'Least time between two updates, ms.'),
  })
  .prefault({})
  .describe('The house maker: keeps a bid and an ask in every open market, so that retail quotes can trade.');

/** Largest speed of a replay. No machine is as fast. */
export const MAX_SPEED = 1_000_000;

const replayedTape = z.strictObject({
  tape: text.describe('The tape, relative to this file.'),
  from: z
    .string()
    .optional()
    .describe(
      'Start time for markets that do not follow the tape yet: ISO 8601 with Z, or a time of day such as 12:00:00Z, which means its last occurrence on the tape. Default: the first row.',
    ),
  speed: z.number().positive().max(MAX_SPEED).default(1).describe('Seconds of the tape in one second. Default 1.'),
  category: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case words joined by "-"')
    .max(100)
    .default('recorded')
    .describe("Slug of the category of the tape's markets. Default recorded."),
  queue: queueSchema
    .prefault({ model: 'risk-averse' })
    .describe('Queue position of an order at its price; fifo needs a tape with order ids.'),
  trades_only: tradesOnlySchema
    .optional()
    .describe(
      'Prints that fill orders, for a tape without a book. Default: through for a tape of trades, none for candles.',
    ),
});

export const replaySchema = z
  .array(replayedTape)
  .max(100)
  .default([])
  .describe('Tapes to replay as order flow of other traders. Each market of a tape becomes a market of the venue.');

export type ReplayFile = z.output<typeof replayedTape>;

export const venueSchema = z
  .strictObject({
    version: fileVersion,
    audience: z
      .string()
      .regex(/^https?:\/\/[^/\s]+(?:\/[^/\s]+)*$/, 'a base URL without trailing slash, such as http://localhost:4000')
      .optional()
      .describe(
        'Public base URL of the venue in signed logins, without trailing slash. Default: the address on which the venue listens.',
      ),
    chain_id: whole(1, Number.MAX_SAFE_INTEGER, LOCAL_CHAIN_ID, 'Chain id of signed messages.'),
    contract: address.optional().describe("`verifyingContract` of orders. Default: a local venue's contract."),
    base_path: z
      .string()
      .regex(/^(\/[\w-]+)+$/, 'a path such as /venue')
      .optional()
      .describe('Prefix of all paths. Default none.'),
    trusted_proxies: z
      .array(z.string().refine(isRange, 'an IP address or a range such as 10.0.0.0/8'))
      .default([])
      .describe('Addresses or ranges whose X-Forwarded-For is trusted. Default none.'),
    origins: z.array(z.string()).optional().describe('Allowed origins of web pages (CORS). Default all.'),
    credit_cents: whole(0, 1_000_000_000, 1_000_000, 'Play money of each new account, cents.'),
    outbox: z
      .string()
      .optional()
      .describe('File for e-mail verification codes, relative to this file. Default: the log.'),
    email_needed_for: z
      .array(z.enum(['ORDER', 'CREATE_MARKET', 'WITHDRAWAL']))
      .default([])
      .describe('Actions that need a verified e-mail address. Default none.'),
    bet_presets_cents: z
      .array(z.int().min(1).max(100_000_000))
      .max(20)
      .default([...BET_PRESETS_CENTS])
      .describe(`Suggested bets, cents. Default ${BET_PRESETS_CENTS.join(', ')}.`),
    quote_policy: z
      .enum(names(QUOTE_POLICIES))
      .optional()
      .describe('Quote policy for retail quotes, fixed for the lifetime of the exchange. Default additive.'),
    seed: whole(0, 4_294_967_295, 1, 'Seed of the simulated chain and panel.'),
    exchange,
    chain,
    resolver,
    house,
    replay: replaySchema,
    geo,
    rates,
    payouts,
    dialects,
    polymarket,
  })
  .describe('A venue.');

export type VenueFile = z.output<typeof venueSchema>;

/** Returns whether the text is an IP address, optionally with a prefix length. */
function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const hasValidLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  return maxBits > 0 && hasValidLength && rest.length === 0;
}
