/** The configuration of live and paper trading as people write it: `halfspread run`. Secrets are named here, never written. */
import { z } from 'zod';
import { MARKET_STATUSES } from '../domain/index.ts';
import { executionShape } from '../execution/index.ts';
import type { LogLevel, WebhookShape } from '../ops/index.ts';
import { riskSchema } from '../risk/index.ts';
import { LOGIN_STATEMENT } from '../signing/index.ts';
import { fileVersion, refuseBothForms, strategiesShape } from '../strategy/index.ts';
import { simOptionsSchema } from '../venues/sim/index.ts';
import { gridSchema } from './grid-schema.ts';

/** As `halfspread serve` has it. */
const LOCAL_CHAIN_ID = 31_337;
const SHAPES = ['slack', 'discord', 'telegram', 'json'] as const satisfies readonly WebhookShape[];
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];

const env = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
  .describe('Environment variable that holds it.');
const file = z.string().min(1).describe('File that holds it and nothing else, for its owner only (chmod 600).');
const secret = z.union([z.strictObject({ env }), z.strictObject({ file })]);
const ms = (least: number, most: number, preset: number, meaning: string) =>
  z.int().min(least).max(most).default(preset).describe(`${meaning} Default ${preset}.`);
const orNone = <S extends z.ZodType>(schema: S) => z.union([schema, z.literal('none')]);

const keystore = z.string().min(1).describe('Ethereum keystore file, version 3.');
const keySource = z.union([
  z.strictObject({ env }),
  z.strictObject({ file }),
  z.strictObject({ keystore, password_env: env }),
  z.strictObject({ keystore, password_file: file }),
]);

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits');

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of a header');
const headers = z
  .record(headerName, z.union([z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line of text'), secret]))
  .default({})
  .describe('Sent with every request: a text, or the place of a secret (`env`, `file`). Default none.');

const mapping = {
  values: z
    .record(z.string(), z.string().min(1))
    .refine((values) => Object.keys(values).length > 0, 'at least one signal')
    .describe('Name of each signal, and the path of its value in the message: keys and list indexes with dots.'),
  where: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Only messages with these values at these paths count. Default all.'),
  headers,
};

const signals = z
  .array(
    z.union([
      z.strictObject({
        file: z
          .string()
          .min(1)
          .describe('JSONL file that is followed from its end, relative to this file: one signal a line.'),
      }),
      z.strictObject({
        url: z.string().min(1).describe('HTTP address that answers JSON.'),
        every_ms: ms(100, 3_600_000, 1_000, 'Time between two requests; ms.'),
        ...mapping,
      }),
      z.strictObject({
        ws_url: z.string().min(1).describe('WebSocket that sends JSON messages.'),
        subscribe: z.unknown().optional().describe('Message that is sent after each connection. Default none.'),
        ...mapping,
      }),
    ]),
  )
  .max(20)
  .default([])
  .describe(
    'Sources of signals for strategies with `onSignal`. `halfspread signal send` works without one. Default none.',
  );

const venue = z
  .strictObject({
    url: z.string().min(1).describe('Base URL of the venue, or of its GraphQL path.'),
    ws_url: z.string().min(1).optional().describe('URL for WebSockets. Default: that of GraphQL with `ws` for `http`.'),
    headers,
    chain_id: z
      .int()
      .min(1)
      .default(LOCAL_CHAIN_ID)
      .describe(`Chain in whose domain orders and logins are signed. Default ${LOCAL_CHAIN_ID}, a local venue's.`),
    contract: address.optional().describe("`verifyingContract` of orders. Default: a local venue's."),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe("The venue's public base URL without trailing slash: what logins are signed for. Default: `url`."),
    login_statement: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[^\p{Cc}\p{Cf}]+$/u, 'one line of readable text')
      .default(LOGIN_STATEMENT)
      .describe("The text of a login that may be signed; another one ends the start. Default: a local venue's."),
    operations: z
      .string()
      .min(1)
      .optional()
      .describe('Folder with `<Operation>.graphql` files for a venue whose names differ, relative to this file.'),
    timeout_ms: ms(100, 120_000, 5_000, 'A request without an answer counts as lost after this; ms.'),
    prices: z
      .boolean()
      .default(true)
      .describe(
        "Reads the venue's YES and NO prices for strategies (`market.prices`): a frame more a change of a book. Default true.",
      ),
    depth: z.int().min(10).max(500).default(50).describe('Levels a side of each book. Default 50.'),
    silence_ms: ms(1_000, 600_000, 12_000, 'A book not heard of for so long is stale, and its socket suspect; ms.'),
  })
  .describe('Where is traded.');

const account = z
  .strictObject({
    key: keySource.optional().describe('Key that signs orders, and logs in where there is no `api_key`.'),
    api_key: secret.optional().describe('API key of the venue, with READ and TRADE. Default: a login with `key`.'),
    address: address
      .optional()
      .describe("The account. Default: the key's own; another one where the key is a delegate's."),
  })
  .describe('Who trades. Secrets are named by environment variable or file and never stand here.');

const params = z.record(z.string(), z.unknown());

const markets = z
  .strictObject({
    ids: z.array(z.string().min(1)).default([]).describe('Markets by id. Default none.'),
    slugs: z.array(z.string().min(1)).default([]).describe('Markets by slug. Default none.'),
    filter: z
      .strictObject({
        category: z.string().min(1).optional().describe('Slug of a category.'),
        topic: z.string().min(1).optional().describe('Slug of a topic.'),
        search: z.string().min(1).optional().describe('Words of the question.'),
        status: z.enum(MARKET_STATUSES).optional().describe('Status. Default OPEN.'),
        limit: z
          .int()
          .min(1)
          .max(1_000)
          .default(20)
          .describe('At most so many, those with the most volume. Default 20.'),
      })
      .optional()
      .describe('Markets by what they are about; all that is given must hold. Default none.'),
    overrides: z
      .record(
        z.string(),
        z.strictObject({
          strategy: z.string().min(1).optional().describe('Another strategy for this market.'),
          params: params.optional().describe("Laid over the parameters above; another strategy's own in their place."),
          grid: gridSchema.optional().describe('Other prices than `markets.grid`, in the same forms.'),
        }),
      )
      .default({})
      .describe('What is different in a market, by slug or id. Default nothing.'),
    grid: gridSchema
      .default('tick')
      .describe(
        "Prices at which orders may stand, where the venue's tick does not say it all: a name, steps, or a tape that the venue plays. Default `tick`.",
      ),
  })
  .refine(({ ids, slugs, filter }) => ids.length + slugs.length > 0 || filter !== undefined, 'ids, slugs or a filter')
  .describe('What is traded: `ids`, `slugs` and `filter` together, each market once. One pot of capital for all.');

const execution = z.strictObject(executionShape).prefault({}).describe('How wishes are carried out.');

const killSwitch = z
  .strictObject({
    errors: orNone(z.int().min(0))
      .default(30)
      .describe('Most refusals, lost answers and repeated commands in a window. Default 30.'),
    error_window_ms: ms(100, 3_600_000, 10_000, 'That window; ms.'),
    staleness_ms: orNone(z.int().min(1_000))
      .default(60_000)
      .describe('Longest time without the venue, or without news of any book; ms. Default 60000.'),
    clock_skew_ms: orNone(z.int().min(1))
      .default(10_000)
      .describe("Most that this clock and the venue's may be apart; ms. Default 10000."),
    max_position: orNone(z.number().min(0).multipleOf(0.01))
      .default(2_000)
      .describe('Most |YES - NO| held in one market, whoever bought it; shares. Default 2000.'),
  })
  .prefault({})
  .describe('When trading is killed by itself; `none` for no limit. Losses are in `risk`.');

const paper = z
  .strictObject({
    capital_usd: z.number().min(0).max(1e9).multipleOf(0.01).default(10_000).describe('Play money. Default 10000.'),
    ...simOptionsSchema.shape,
  })
  .prefault({})
  .describe('What a paper run assumes. Of `latency` the way of market data is not asked: it is the real one.');

export const liveSchema = z
  .strictObject({
    version: fileVersion,
    mode: z
      .enum(['live', 'paper'])
      .default('live')
      .describe('`paper` takes market data of the venue and sends it nothing. Default live.'),
    venue,
    account: account.prefault({}),
    markets,
    ...strategiesShape,
    signals,
    risk: riskSchema.prefault({}).describe('What the account may risk.'),
    execution,
    paper,
    kill_switch: killSwitch,
    heartbeat_ms: orNone(z.int().min(1_000).max(300_000))
      .default(15_000)
      .describe(
        "The venue's dead-man's switch: without a sign of life for so long it cancels everything; ms. Default 15000.",
      ),
    watchdog_ms: orNone(z.int().min(500).max(600_000))
      .default(5_000)
      .describe('A second process cancels everything when this one is silent for so long; ms. Default 5000.'),
    warmup_ms: orNone(z.int().min(1).max(60_000))
      .default(2)
      .describe(
        'Warms up the order path this often while markets move and no order goes out, on a market that does not exist; ms. Nothing of it is sent or stored. 2 takes 15 to 20 % of a core while markets move; 100 takes 1 %, and orders take 1.5 to 1.9 times as long. After a second without market data it is every 100 ms at most. `none` for no warm-up, also before the first quote. Default 2.',
      ),
    leftovers: z
      .enum(['cancel', 'adopt'])
      .default('cancel')
      .describe('What is done at the start with own orders that are still open. Default cancel.'),
    webhooks: z
      .array(
        z.strictObject({
          shape: z.enum(SHAPES).describe('What the receiver takes.'),
          url: secret.describe('Where its URL is: it is a secret.'),
          chat_id: z.string().min(1).optional().describe('For telegram.'),
        }),
      )
      .max(10)
      .default([])
      .describe('Who is told of kills and ends. Default nobody.'),
    db: z
      .string()
      .min(1)
      .optional()
      .describe("The bot's database, relative to the working folder. Default: this file's name with .db."),
    store: z
      .strictObject({
        keep_days: orNone(z.int().min(1).max(36_500))
          .default('none')
          .describe(
            'Orders and fills that ended so many days ago are removed from the database, and the steps behind them; `none` keeps all. Sums by day stay. Default none.',
          ),
      })
      .prefault({})
      .describe('What the database keeps.'),
    control: z
      .strictObject({ socket: z.string().min(1).optional().describe('Default: the database with .sock.') })
      .prefault({})
      .describe('Unix socket for `halfspread status`, `kill` and the like; only its owner may open it.'),
    metrics: z
      .strictObject({
        port: z.int().min(0).max(65_535).describe('Port; 0 for any that is free.'),
        host: z.string().min(1).default('127.0.0.1').describe('Address. Default 127.0.0.1.'),
      })
      .optional()
      .describe('For Prometheus, under /metrics. Default none.'),
    log: z
      .strictObject({
        level: z.enum(LEVELS).default('info').describe('Least that is logged. Default info.'),
        file: z.string().min(1).optional().describe('Relative to the working folder. Default: standard error.'),
      })
      .prefault({})
      .describe('A line of JSON each; secrets are taken out.'),
    record: z
      .union([
        z.boolean(),
        z.string().min(1),
        z.strictObject({
          folder: z.string().min(1).optional().describe('Relative to the working folder. Default recordings.'),
          raw: z.boolean().default(false).describe('Keeps frames of sockets as they come, too. Default false.'),
        }),
      ])
      .default(false)
      .describe(
        'Writes down all that the bot takes in and decides, for `halfspread replay`: true for the folder `recordings`, or a folder, relative to the working folder; a section to say more. Default false.',
      ),
    seed: z.int().min(0).max(4_294_967_295).default(1).describe('Seed of what strategies draw. Default 1.'),
  })
  .check(refuseBothForms)
  .describe('A bot: strategies on the markets of a venue.');

export type LiveFile = z.output<typeof liveSchema>;
