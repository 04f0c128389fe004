/** Every command of the program, in the order and under the titles of `halfspread help`. */
import { BACKTEST_COMMANDS } from './backtest-commands.ts';
import { BOT_COMMANDS } from './bot-commands.ts';
import { type CommandSpec, jsonOption, setOptionFor } from './command.ts';
import { TRADE_COMMANDS } from './trade-commands.ts';

const START: readonly CommandSpec[] = [
  {
    name: 'demo',
    summary: 'run a venue, a recorded match and a bot on this machine',
    description:
      'Runs a venue on this machine that plays a recorded tennis match 60 times faster, and a bot that quotes a ladder in it, over loopback with signed orders and play money. It prints an address at which the bot can be watched in a browser. It ends after --duration, with the match, or with Ctrl-C. Then it cancels the orders, compares the books of bot and venue, and writes a report. Durations are wall clock time.',
    options: {
      '--duration <time>':
        'trading time, wall clock: 30s, 5m. Default: until the match ends; 60s without a terminal or with --json',
      '--from <time>': { meaning: 'start time in the recording', default: '2022-07-11T12:00:00Z' },
      '--credit-cents <n>': { meaning: 'play money of the account, cents', default: '100000' },
      '--keep <folder>': 'keep databases and logs in this folder. Default: a temporary folder',
      '--report <file>': { meaning: 'path of the HTML report', default: 'reports/demo.html' },
      '--no-dashboard': 'do not serve the dashboard',
      ...jsonOption('the outcome as one JSON object'),
    },
    examples: ['npx halfspread demo', 'npx halfspread demo --duration 30s --json'],
    load: async () => (await import('./actions/demo.ts')).demo,
  },
  {
    name: 'init',
    summary: 'create a project: configuration, a strategy and its test',
    description:
      'Creates a project: package.json, tsconfig.json, config/, a strategy with a test, .gitignore and .env.example. Extends an existing package.json and .gitignore, and replaces no other file. On a terminal it prompts for folder and name; with --ask also for venue, markets, strategy, sizes and limits of the bot.',
    args: { '[folder]': { meaning: 'folder of the project', default: '.' } },
    options: {
      '--yes': 'do not prompt, and install the dependencies',
      '--ask': 'also prompt for the settings of config/bot.yaml; needs a terminal',
    },
    examples: ['npx halfspread init --yes', 'npx halfspread init my-bots', 'npx halfspread init my-bots --ask'],
    load: async () => (await import('./actions/init.ts')).init,
  },
  {
    name: 'new',
    summary: 'create a strategy to start from',
    description: 'Creates files to start from.',
    commands: [
      {
        name: 'strategy',
        description:
          'Creates strategies/<name> with a working strategy, its README and a passing test. Replaces no existing file.',
        args: { '<name>': 'kebab-case, for example my-maker' },
        options: { '--dir <dir>': { meaning: 'folder of strategies', default: 'strategies' } },
        examples: ['npx halfspread new strategy my-maker', 'npx vitest run strategies/my-maker'],
        load: async () => (await import('./actions/new-strategy.ts')).newStrategy,
      },
    ],
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    description: 'Prints a script that completes commands and options of halfspread in a shell.',
    args: { '<shell>': 'bash, zsh or fish' },
    examples: ['npx halfspread completion bash', 'npx halfspread completion fish'],
    load: async () => (await import('./actions/completion.ts')).completion(GROUPS.flatMap(([, specs]) => specs)),
  },
  {
    name: 'config',
    summary: 'check configuration files, print their schemas',
    description: 'Checks and describes configuration files.',
    commands: [
      {
        name: 'check',
        description:
          'Checks configurations without running them: the YAML, each key and value, the strategy and its parameters, the tapes, and the files and folders that `run`, `backtest` or `serve` would refuse. It writes no file. It does not read secrets, connect to the venue, open ports or read a database: `doctor` and the start of the program do. It names all unknown keys of a file, those in `params` when the file has no others, and otherwise the first error. It prints one line for each file; of several files, the highest exit code counts.',
        args: {
          '<files...>': 'YAML files of bots, backtests, studies, venues, mappings, tape recipes, or simulated faults',
        },
        options: { ...setOptionFor('each file') },
        examples: [
          'npx halfspread config check config/demo.yaml',
          'npx halfspread config check config/demo.yaml config/bot.yaml',
        ],
        load: async () => (await import('./actions/config.ts')).configCheck,
      },
      {
        name: 'schema',
        description: 'Prints the JSON schema of a kind of configuration, for completion and checks in editors.',
        args: { '[kind]': { meaning: 'backtest, synthetic, venue, chaos, live, import, study', default: 'backtest' } },
        options: { '--strategy <name>': 'include the parameters of this strategy' },
        examples: ['npx halfspread config schema backtest --strategy ladder > backtest.schema.json'],
        load: async () => (await import('./actions/config.ts')).configSchema,
      },
    ],
  },
];

const VENUE: readonly CommandSpec[] = [
  {
    name: 'serve',
    summary: 'run a venue with play money: GraphQL over HTTP and WebSocket',
    description:
      'Runs a venue with play money: GraphQL over HTTP and WebSocket. Prints its URL when it is ready. SIGTERM or SIGINT ends it cleanly.',
    options: {
      '--db <file>': { meaning: 'database, created if missing; `:memory:` keeps it in memory', default: ':memory:' },
      '--accept-loss': 'start although acknowledged records are missing in the database; they are lost',
      '--accept-pause': 'start although the last event is more than 366 days ago; check the clock first',
      '--host <address>': { meaning: 'address to listen on', default: '127.0.0.1' },
      '--port <n>': { meaning: 'port to listen on; 0 for any free port', default: '4000' },
      '--config <file>': 'YAML file of the venue; docs/configuration.md describes it',
      ...setOptionFor('that file'),
      '--credit-cents <n>': 'play money of each new account, cents, instead of the value in the file',
      '--dialect <names>':
        'interfaces, separated by commas: service (GraphQL, always on), polymarket; default: those in the file',
      '--seed': 'add example categories, topics and markets, with a house maker that quotes them',
      '--replay <tape>': { meaning: 'tape to replay as order flow of other traders; repeatable', isRepeatable: true },
      '--from <time>': 'start time in the tape: ISO 8601 with Z, or a time of day such as 12:00:00Z',
      '--speed <n>': 'replayed seconds of the tape per second; default: 1',
      '--chaos <file>': 'YAML file of simulated faults',
      '--new-operator-token': "create a new operators' token; the old one becomes invalid",
      '--log <level>': {
        meaning: 'level of the log on standard error: debug, info, warn, error or silent',
        default: 'info',
      },
    },
    examples: [
      'npx halfspread serve --seed',
      'npx halfspread serve --db venue.db --port 4000',
      'npx halfspread serve --seed --dialect service,polymarket',
      'npx halfspread serve --replay config/tapes/betfair-1.200806927.tape --from 12:00:00Z --speed 60',
    ],
    load: async () => (await import('./actions/serve.ts')).serve,
  },
  {
    name: 'venue',
    summary: "send an operator's command to a venue",
    description:
      "Sends an operator's command to a running venue, and prints the answer as JSON. `commands` lists the commands; docs/server.md describes their arguments. The token comes from the environment (HALFSPREAD_OPERATOR_TOKEN) or a file.",
    args: {
      '<command>': 'such as create-market, halt, resolve, credit, status',
      '[arguments...]': 'key=value; valid JSON is parsed, any other value is text',
    },
    options: {
      '--url <url>': { meaning: 'base URL of the venue', default: 'http://127.0.0.1:4000' },
      '--token-file <file>': "file with the operators' token",
    },
    examples: [
      'npx halfspread venue status',
      'npx halfspread venue put-category slug=sports name=Sports',
      'npx halfspread venue create-market category=sports question="Will it rain?" rules="As measured." resolution_date=2030-01-01T00:00:00Z',
      'npx halfspread venue halt market=will-it-rain',
    ],
    load: async () => (await import('./actions/venue.ts')).venue,
  },
  {
    name: 'journal',
    summary: 'check the database of a venue or a bot',
    description: 'Checks databases of venues and bots.',
    commands: [
      {
        name: 'check',
        description:
          'Reads the whole database of a venue or a bot and changes nothing. For a bot it checks the structure and each checksum, and compares balance, positions, fills and adjustments with the steps. For a venue it also replays the records to the hash of the state, and compares each column of each row, sums of money and transparency records with the replay. Shows the place of damage. The last line begins with `ok:` or `damaged:`.',
        args: { '<file>': 'database file that no process is using, or a copy' },
        options: { '--no-replay': 'structure and checksums only', ...jsonOption('the findings as one JSON object') },
        examples: ['npx halfspread journal check venue.db', 'npx halfspread journal check bot.db'],
        load: async () => (await import('./actions/database-check.ts')).databaseCheck,
      },
    ],
  },
];

export const GROUPS: readonly (readonly [title: string, commands: readonly CommandSpec[]])[] = [
  ['Start', START],
  ['Backtest', BACKTEST_COMMANDS],
  ['Trade', TRADE_COMMANDS],
  ['Running bot', BOT_COMMANDS],
  ['Local venue', VENUE],
];
