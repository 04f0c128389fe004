/** Commands that trade on a venue, and commands that prepare and review trading. */
import { type CommandSpec, jsonOption, SET_OPTION } from './command.ts';

const GAMMA_URL = {
  '--gamma-url <url>': { meaning: 'service that lists markets', default: 'https://gamma-api.polymarket.com' },
};
const GAMMA_TAG = { '--tag <id>': 'only markets with this tag of Gamma' };
const BOT_FILE = { '<config>': 'YAML file of a bot; docs/live.md describes it' };

export const TRADE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'markets',
    summary: 'list the markets of a running venue',
    description:
      "Lists a venue's markets by volume: slug, status, best bid and ask of YES (bps), volume, end of trading, question. Needs no key and no token, because these data are public.",
    options: {
      '--url <url>': { meaning: 'base URL of the venue', default: 'http://127.0.0.1:4000' },
      '--status <status>': { meaning: 'open, pending_resolution, resolved … or any', default: 'open' },
      '--search <text>': 'only questions that contain this text, in any case',
      '--limit <n>': { meaning: 'maximum number of markets', default: '50' },
      ...jsonOption('one JSON object per market, with its id,'),
    },
    examples: [
      'npx halfspread markets',
      'npx halfspread markets --search rain --status any',
      'npx halfspread markets --url http://127.0.0.1:4000 --limit 1000 --json',
    ],
    load: async () => (await import('./actions/venue.ts')).markets,
  },
  {
    name: 'doctor',
    summary: 'check whether a bot can trade: venue, schema, account, signing, clock, disk',
    description:
      'Checks everything before a bot runs: the machine, the venue and its schema, clocks, country, limits, the account, and whether the venue offers the right data to sign. Each line says ok, warn or fail, with a remedy. Places no order. The exit code is 2 when a check fails.',
    args: { ...BOT_FILE },
    options: {
      '--venue-db <file>': 'database of a venue on this machine: check its permissions, too',
      ...jsonOption('the findings as one JSON object'),
      ...SET_OPTION,
    },
    examples: ['npx halfspread doctor config/live.yaml'],
    load: async () => (await import('./actions/doctor.ts')).doctor,
  },
  {
    name: 'alerts',
    summary: 'send a test to each receiver of alerts',
    description: 'Checks the receivers of alerts of a bot.',
    commands: [
      {
        name: 'test',
        description:
          'Sends one alert to each of `alerts.targets`, whatever its level, and prints each response. The bot may be running or stopped. The exit code is 2 when one fails.',
        args: { ...BOT_FILE },
        options: { ...jsonOption('a list of objects'), ...SET_OPTION },
        examples: ['npx halfspread alerts test config/live.yaml'],
        load: async () => (await import('./actions/alerts.ts')).testAlerts,
      },
    ],
  },
  {
    name: 'run',
    summary: 'trade: strategies on the markets of a venue',
    description:
      'Trades on a venue until SIGINT or SIGTERM. Then it cancels its orders, checks at the venue that no order is open, and prints a summary. After a second signal it does not wait for the venue. SIGUSR2 kills trading: it cancels every order and sends nothing until `npx halfspread resume`.',
    args: { ...BOT_FILE },
    options: {
      '--db <file>': "the bot's database, instead of the one in the file",
      '--adopt':
        "accept the venue's account when it differs from the database without an explanation: cash, positions, and orders that the venue does not know",
      '--accept-loss':
        'start although acknowledged data is missing in files of the bot; orders of that time are cancelled',
      '--dashboard [port]': 'also serve the dashboard of this bot, on loopback. Default port: 8790',
      ...jsonOption('the summary as one JSON object'),
      ...SET_OPTION,
    },
    examples: ['npx halfspread run config/live.yaml', 'npx halfspread run config/live.yaml --set log.level=debug'],
    load: async () => (await import('./actions/run.ts')).runLive,
  },
  {
    name: 'dashboard',
    summary: 'watch and control running bots in a browser',
    description:
      'Serves a page that shows running bots: fleet, markets, risk, orders, fills, log and reports, with actions. It prints an address with a token that signs in, or takes a password. A bot is its YAML file, its database, its control socket, or its address on another machine; a prefix `name=` sets its name on the page. Ends with SIGINT or SIGTERM; the bots continue.',
    args: {
      '<bots...>': 'one or more bots: a file, tcp://host:port or tls://host:port; a prefix <name>= sets its name',
    },
    options: {
      '--host <address>': { meaning: 'address to listen on', default: '127.0.0.1' },
      '--port <n>': { meaning: 'port; 0 for any free one', default: '8790' },
      '--password-env <name>': 'environment variable with the password of operators',
      '--viewer-password-env <name>': 'environment variable with the password of viewers',
      '--token-env <name>': {
        meaning: 'environment variable with the token of bots on other machines; <bot>=<name> for one bot; repeatable',
        isRepeatable: true,
      },
      '--token-file <file>': {
        meaning: 'file with the token, with mode 600; <bot>=<file> for one bot; repeatable',
        isRepeatable: true,
      },
      '--behind-proxy': 'a proxy in front terminates TLS; needed for any address beyond loopback',
      '--name <host>': { meaning: 'a host name that browsers use for it; repeatable', isRepeatable: true },
      '--reports <dir>': { meaning: 'folder of HTML reports to list', default: 'reports' },
      '--studies <dir>': { meaning: 'folder of studies (.study) to list', default: 'config' },
      '--audit <file>': { meaning: 'append-only log of operator actions', default: 'dashboard-audit.jsonl' },
    },
    examples: [
      'npx halfspread dashboard config/live.yaml',
      'npx halfspread dashboard main=config/live.yaml second=/srv/bots/second.sock --port 9000',
      'npx halfspread dashboard config/live.yaml far=tls://bots.example.org:9444 --token-env far=FAR_TOKEN',
    ],
    load: async () => (await import('./actions/dashboard.ts')).dashboard,
  },
  {
    name: 'download',
    summary: "download a venue's past trades or prices as tapes",
    description: "Downloads a venue's public data about past trading and converts it to tapes.",
    commands: [
      {
        name: 'polymarket',
        description:
          "Downloads past trades of Polymarket's markets, or their prices a minute apart, and makes a tape of each market with its outcome. Needs no key. The venue offers no past books: `record polymarket` collects them. A killed download continues with the unfinished market.",
        args: { '[markets...]': 'slugs or condition ids. Default: the most traded markets' },
        options: {
          '--top <n>': { meaning: 'how many of the most traded markets', default: '10' },
          ...GAMMA_TAG,
          '--prices': 'prices instead of trades',
          '--out <dir>': { meaning: 'folder of the files and tapes', default: 'downloads' },
          ...GAMMA_URL,
          '--data-url <url>': { meaning: 'service that has trades', default: 'https://data-api.polymarket.com' },
          '--clob-url <url>': { meaning: 'service that has prices', default: 'https://clob.polymarket.com' },
          ...jsonOption('the result as one JSON object'),
        },
        examples: [
          'npx halfspread download polymarket --top 50 --out downloads',
          'npx halfspread download polymarket fed-decision-in-march --prices',
        ],
        load: async () => (await import('./actions/import.ts')).downloadHistory,
      },
    ],
  },
  {
    name: 'record',
    summary: 'record the market data of a venue to a tape',
    description:
      "Records books, trades and states of a venue's markets to a tape for backtests, until SIGINT or SIGTERM. It needs no account and sends no order. It uses `venue`, `markets` and `log` of the file.",
    args: { ...BOT_FILE },
    options: {
      '--out <file>': 'path of the tape; default: a file in recordings/ with the time in its name',
      '--seconds <n>': 'duration; default: until a signal',
      '--raw': 'also keep raw frames, in a file with .frames for .tape',
      ...jsonOption('the result as one JSON object'),
      ...SET_OPTION,
    },
    examples: ['npx halfspread record config/paper.yaml --seconds 60 --out rain.tape'],
    load: async () => (await import('./actions/record.ts')).record,
    commands: [
      {
        name: 'polymarket',
        description:
          "Records Polymarket's public streams, without a key, until SIGINT or SIGTERM: books and trades of many markets, in compressed files for `import polymarket`. A lost connection is restored and leaves a gap. Only one recorder can use a folder.",
        args: { '[markets...]': 'slugs or condition ids. Default: the most traded markets' },
        options: {
          '--top <n>': { meaning: 'how many of the most traded markets', default: '100' },
          ...GAMMA_TAG,
          '--out <dir>': { meaning: 'folder of the files', default: 'captures' },
          '--seconds <n>': 'duration; default: until a signal',
          '--rotate-minutes <n>': { meaning: 'maximum duration of a file', default: '60' },
          '--rotate-mb <n>': { meaning: 'maximum size of a file', default: '1000' },
          '--refresh-minutes <n>': { meaning: 'how often markets are listed again', default: '15' },
          ...GAMMA_URL,
          '--ws-url <url>': {
            meaning: 'service that streams',
            default: 'wss://ws-subscriptions-clob.polymarket.com/ws',
          },
          ...jsonOption('the counts as one JSON object'),
        },
        examples: [
          'npx halfspread record polymarket --top 200 --out captures',
          'npx halfspread import polymarket captures/*.gz --markets captures/polymarket-markets.json --out tapes',
        ],
        load: async () => (await import('./actions/record.ts')).recordPolymarketStreams,
      },
    ],
  },
  {
    name: 'replay',
    summary: 'replay a recorded live session and compare every decision',
    description:
      'Replays a live or paper run that was recorded (`record` in its file) with the current strategies, and compares every step byte for byte. Shows the first different step; then the exit code is 1.',
    args: { '<steps>': 'the .steps file of a recording; its tape is in the same folder' },
    options: { ...jsonOption('the findings as one JSON object') },
    examples: ['npx halfspread replay recordings/2026-11-22T05-00-00.000Z.steps'],
    load: async () => (await import('./actions/session.ts')).replay,
  },
  {
    name: 'report',
    summary: 'measure a recorded session of a bot and write its report',
    description:
      'Measures a live or paper run that was recorded (`record` in its file), prints a summary and writes one HTML report, like that of a backtest. A run that still trades is measured up to its last second. With `report_dir` in its file, the bot writes the report when the run ends.',
    args: { '<session>': "the .steps file of a recording, or a bot's YAML file for its newest recording" },
    options: {
      ...jsonOption('the result as one JSON object'),
      '--out <dir>': 'folder of the report; default: report_dir of the file, or reports',
      '--tables <dir>': 'also write fills, quotes, equity and markouts as Parquet and CSV',
      '--quiet': 'print only the path of the report',
    },
    examples: [
      'npx halfspread report config/paper.yaml',
      'npx halfspread report recordings/2026-11-22T05-00-00.000Z.steps --json',
    ],
    load: async () => (await import('./actions/session.ts')).report,
  },
  {
    name: 'statement',
    summary: "what moved a bot's cash on a day: fills, fees, rebates, rewards, payouts",
    description:
      "Lists everything that moved a bot's cash on a day (UTC): fills, fees, reversed trades, payouts, rebates, rewards and adjustments. Together they explain the cash at the end, to the micro-dollar. The bot may be running or stopped. With --venue the command compares them with the venue's own records and lists each difference by its id; then the exit code is 5.",
    args: { '[bot]': 'YAML file of the bot, or its database; or use --db for the database' },
    options: {
      '--db <file>': "the bot's database, instead of the configuration's",
      '--day <day>': 'day (UTC); default: yesterday',
      '--venue': "also compare with the venue's own records",
      ...jsonOption('one JSON object'),
    },
    examples: [
      'npx halfspread statement config/live.yaml --day 2026-11-27',
      'npx halfspread statement config/live.yaml --day 2026-11-27 --venue --json',
    ],
    load: async () => (await import('./actions/statement.ts')).statement,
  },
  {
    name: 'frames',
    summary: 'list the raw frames of a recording',
    description:
      'Prints the messages of a venue that a bot with `record: { raw: true }` received: receive time, number of the socket, bytes. Socket 0 marks a note about frames that are missing because the disk was too slow.',
    args: { '<frames>': 'the .frames file of a recording' },
    options: {
      '--grep <text>': 'only frames that contain this text',
      '--limit <n>': 'maximum number of frames; default: all',
      '--json': 'print one JSON object per line',
    },
    examples: ['npx halfspread frames recordings/2026-11-22T05-00-00.000Z.frames --grep orderBookUpdated --limit 20'],
    load: async () => (await import('./actions/session.ts')).frames,
  },
];
