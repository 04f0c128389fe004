/** Schema of live and paper trading: `halfspread run`. A file names the places of secrets, never the secrets. */
import { z } from 'zod';
import { executionShape } from '../execution/index.ts';
import type { LogLevel } from '../ops/index.ts';
import { liveQueueSchema } from '../replay/index.ts';
import { riskSchema } from '../risk/index.ts';
import { LOCAL_CHAIN_ID, LOGIN_STATEMENT } from '../signing/index.ts';
import { checkStrategyKeys, fileVersion, strategiesShape, whole } from '../strategy/index.ts';
import { simOptionsSchema } from '../venues/sim/index.ts';
import { alerts } from './alerts-schema.ts';
import { marketsSchema, refuseMarketsOfStrategies } from './markets-schema.ts';
import { polymarketVenue, refuseIncompletePolymarket } from './polymarket-schema.ts';
import { address, env, file, flag, headers, optionalText, orNone, secret, text } from './shared-parts.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];

const keystore = text.describe('Ethereum keystore file, version 3.');
const keySource = z.union([
  z.strictObject({ env }),
  z.strictObject({ file }),
  z.strictObject({ keystore, password_env: env }),
  z.strictObject({ keystore, password_file: file }),
]);

const port = z.int().min(0).max(65_535).describe('Port; 0 for any free port.');

const signalFields = {
  values: z
    .record(z.string(), text)
    .refine((values) => Object.keys(values).length > 0, 'at least one signal')
    .describe('Path of the value of each signal in the message: keys and list indexes, separated by dots.'),
  where: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Uses only messages with these values at these paths. Default all.'),
  headers,
};

const signals = z
  .array(
    z.union([
      z.strictObject({
        file: text.describe('JSONL file with one signal a line, relative to this file. New lines are read.'),
      }),
      z.strictObject({
        url: text.describe('HTTP address that returns JSON.'),
        every_ms: whole(100, 3_600_000, 1_000, 'Time between two requests; ms.'),
        ...signalFields,
      }),
      z.strictObject({
        ws_url: text.describe('WebSocket that sends JSON messages.'),
        subscribe: z.unknown().optional().describe('Message to send after each connection. Default none.'),
        ...signalFields,
      }),
    ]),
  )
  .max(20)
  .default([])
  .describe('Sources of signals for `onSignal`. `halfspread signal send` needs no source. Default none.');

const controlPort = z
  .strictObject({
    port,
    host: text
      .default('127.0.0.1')
      .describe('Address to listen on. Addresses other than loopback need `behind_proxy`. Default 127.0.0.1.'),
    token: secret.describe('Token for all commands; at least 32 characters.'),
    viewer_token: secret.optional().describe('Token for viewing only. Default none.'),
    behind_proxy: flag(false, 'Confirms that a proxy or a tunnel encrypts connections from other machines.'),
  })
  .refine(({ host, behind_proxy }) => behind_proxy || LOOPBACK.has(host), {
    path: ['host'],
    error:
      'a loopback address, or `behind_proxy: true` when a proxy or a tunnel encrypts connections from other machines',
  })
  .describe('TCP port for dashboards and commands of other machines. Default none.');

const venue = z
  .strictObject({
    url: text.describe('Base URL of the venue, or URL of its GraphQL path.'),
    ws_url: optionalText('URL for WebSockets. Default: the GraphQL URL with `ws` instead of `http`.'),
    headers,
    chain_id: z
      .int()
      .min(1)
      .default(LOCAL_CHAIN_ID)
      .describe(`Chain id of signed orders and logins. Default ${LOCAL_CHAIN_ID}, the id of a local venue.`),
    contract: address.optional().describe("`verifyingContract` of orders. Default: a local venue's contract."),
    audience: optionalText('Public base URL of the venue in signed logins, without trailing slash. Default: `url`.'),
    login_statement: text
      .max(500)
      .regex(/^[^\p{Cc}\p{Cf}]+$/u, 'one line of readable text')
      .default(LOGIN_STATEMENT)
      .describe("The only login text that the bot signs. Default: a local venue's text."),
    operations: optionalText(
      'Folder with `<Operation>.graphql` files for a venue whose names differ, relative to this file.',
    ),
    timeout_ms: whole(100, 120_000, 5_000, 'Timeout of a request; ms.'),
    prices: flag(true, "Reads the venue's prices (`market.prices`), which costs one more frame per book change."),
    depth: whole(10, 500, 50, 'Levels a side of each book.'),
    silence_ms: whole(1_000, 600_000, 12_000, 'Silence after which a book is stale and its socket is checked; ms.'),
    polymarket: polymarketVenue,
  })
  .describe('The venue.');

const account = z
  .strictObject({
    key: keySource.optional().describe('Key that signs orders, and logins if there is no `api_key`.'),
    api_key: secret.optional().describe('API key of the venue, with READ and TRADE. Default: a login with `key`.'),
    address: address
      .optional()
      .describe("Address of the account. Default: the key's address. Required for the key of a delegate."),
  })
  .describe('The account that trades. Secrets are in environment variables or files, never here.');

const execution = z.strictObject(executionShape).prefault({}).describe('How quotes become orders.');

const killSwitch = z
  .strictObject({
    errors: orNone(z.int().min(0), 30, 'Maximum number of rejections, lost answers and repeated commands in a window.'),
    error_window_ms: whole(100, 3_600_000, 10_000, 'Length of the window; ms.'),
    staleness_ms: orNone(z.int().min(1_000), 60_000, 'Longest time without a connection or any book message; ms.'),
    clock_skew_ms: orNone(z.int().min(1), 10_000, "Largest difference between this clock and the venue's; ms."),
    max_position: orNone(
      z.number().min(0).multipleOf(0.01),
      2_000,
      'Largest |YES - NO| in one market, including orders of others on the account; shares.',
    ),
  })
  .prefault({})
  .describe('When the bot kills trading; `none` for no limit. Loss limits are in `risk`.');

const paper = z
  .strictObject({
    capital_usd: z.number().min(0).max(1e9).multipleOf(0.01).default(10_000).describe('Play money. Default 10000.'),
    ...simOptionsSchema.shape,
    queue: liveQueueSchema.prefault({ model: 'risk-averse' }).describe('Queue position of an own order at its price.'),
  })
  .prefault({})
  .describe('Assumptions of a paper run. `latency` of market data is ignored, because real data have latency.');

export const liveSchema = z
  .strictObject({
    version: fileVersion,
    mode: z
      .enum(['live', 'paper'])
      .default('live')
      .describe('`paper` uses market data of the venue and sends no orders. Default live.'),
    venue,
    account: account.prefault({}),
    markets: marketsSchema,
    ...strategiesShape,
    signals,
    risk: riskSchema.prefault({}).describe('Risk limits of the account.'),
    execution,
    paper,
    kill_switch: killSwitch,
    heartbeat_ms: orNone(
      z.int().min(1_000).max(300_000),
      15_000,
      'The venue cancels every order after this time without a heartbeat; ms.',
    ),
    watchdog_ms: orNone(
      z.int().min(500).max(600_000),
      5_000,
      'A second process cancels every order when the bot hangs for this time; ms.',
    ),
    warmup_ms: orNone(
      z.int().min(1).max(60_000),
      2,
      'Interval of the warm-up of the order path while markets move and no order is sent; ms. The warm-up uses a market that does not exist, and sends and stores nothing. 2 uses 14 to 21 % of a core while markets move. 100 uses 1 %, and orders take 1.3 to 1.9 times as long. Without market data for a second, the interval is at least 100 ms. `none` disables the warm-up, including the warm-up before the first quote.',
    ),
    leftovers: z
      .enum(['cancel', 'adopt'])
      .default('cancel')
      .describe('What happens at the start to own orders that are still open. Default cancel.'),
    alerts,
    db: optionalText("The bot's database, relative to the working folder. Default: this file's name with .db."),
    store: z
      .strictObject({
        keep_days: orNone(
          z.int().min(1).max(36_500),
          'none',
          'Removes orders, fills and steps that are this many days old. Daily sums stay.',
        ),
      })
      .prefault({})
      .describe('Retention of the database.'),
    control: z
      .strictObject({
        socket: optionalText('Path of the socket. Default: the database with .sock.'),
        tcp: controlPort.optional(),
      })
      .prefault({})
      .describe('Unix socket for `halfspread status`, `kill` and other commands. Only its owner may open it.'),
    metrics: z
      .strictObject({
        port,
        host: text.default('127.0.0.1').describe('Address. Default 127.0.0.1.'),
      })
      .optional()
      .describe('Prometheus metrics, at /metrics. Default none.'),
    log: z
      .strictObject({
        level: z.enum(LEVELS).default('info').describe('Lowest level to log. Default info.'),
        file: optionalText('Path relative to the working folder. Default: standard error.'),
      })
      .prefault({})
      .describe('Log in lines of JSON, without secrets.'),
    record: z
      .union([
        z.boolean(),
        text,
        z.strictObject({
          folder: optionalText('Path relative to the working folder. Default recordings.'),
          raw: flag(false, 'Also keeps raw frames of sockets.'),
          rotate_mb: orNone(z.number().min(1).max(100_000), 'none', 'Begins another tape after this size; MB.'),
          rotate_h: orNone(z.number().min(0.01).max(8_760), 'none', 'Begins another tape after this time; hours.'),
        }),
      ])
      .default(false)
      .describe(
        'Records the run for `halfspread replay`: true, a folder (default recordings), or a section. Default false.',
      ),
    report_dir: text
      .nullable()
      .default(null)
      .describe(
        'Folder for an HTML report at the end of the run, relative to the working folder. Requires `record`, because the report uses the recording. Default null: no report.',
      ),
    seed: whole(0, 4_294_967_295, 1, 'Seed of random numbers for strategies.'),
  })
  .check(refuseReportWithoutRecording)
  .check(checkStrategyKeys)
  .check(refuseMarketsOfStrategies)
  .check(refuseIncompletePolymarket)
  .describe('A bot: strategies on the markets of a venue.');

export type LiveFile = z.output<typeof liveSchema>;

function refuseReportWithoutRecording({
  value,
  issues,
}: z.core.ParsePayload<{ readonly report_dir: string | null; readonly record: unknown }>): void {
  if (value.report_dir === null || value.record !== false) return;
  const message = 'also `record: true`, because the report uses the recording';
  issues.push({ code: 'custom', message, path: ['report_dir'], input: value.report_dir });
}
