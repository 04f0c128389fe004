/** Every command of the program, in the order and under the titles of `halfspread help`. */
import { BOT_COMMANDS } from './bot-commands.ts';
import { type CommandSpec, jsonOption, SET } from './command.ts';
import { TRADE_COMMANDS } from './trade-commands.ts';

const BEGIN: readonly CommandSpec[] = [
  {
    name: 'demo',
    summary: 'the real thing on this machine: a venue, a recorded match, a bot',
    description:
      'Runs a venue on this machine that plays a recorded tennis match as the outside world, 60 times faster, and a bot with a ladder of quotes in it, over loopback with signed orders and play money. Ends after --duration, with the match, or with Ctrl-C: orders are cancelled, both books are compared, and a report says what came of it. Durations are of the wall clock.',
    options: [
      {
        term: '--duration <time>',
        meaning:
          'how long to trade, wall clock: 30s, 5m. Default: until the match ends; 60s without a terminal, or with --json',
      },
      { term: '--from <time>', meaning: 'where on the recording it begins', preset: '2022-07-11T12:00:00Z' },
      { term: '--credit-cents <n>', meaning: 'play money of the account, cents', preset: '100000' },
      {
        term: '--keep <folder>',
        meaning: 'keep databases and logs in this folder, instead of one that is removed',
      },
      { term: '--report <file>', meaning: 'where the HTML report goes', preset: 'reports/demo.html' },
      jsonOption('the outcome as one JSON object'),
    ],
    examples: ['npx halfspread demo', 'npx halfspread demo --duration 30s --json'],
    run: async (session, _, options) => (await import('./actions/demo.ts')).demo(session, options),
  },
  {
    name: 'init',
    summary: 'make a project: configuration, a strategy and its test',
    description:
      'Makes a project: package.json, tsconfig.json, config/, a strategy with a test, .gitignore and .env.example. Extends a package.json and a .gitignore that are there, and replaces no other file. On a terminal it asks for folder and name.',
    args: [{ term: '[folder]', meaning: 'folder of the project', preset: '.' }],
    options: [{ term: '--yes', meaning: 'ask nothing, and install what was added to package.json' }],
    examples: ['npx halfspread init --yes', 'npx halfspread init my-bots'],
    run: async (session, [folder = '.'], options) => (await import('./actions/init.ts')).init(session, folder, options),
  },
  {
    name: 'new',
    summary: 'make a strategy to start from',
    description: 'Makes files to start from.',
    commands: [
      {
        name: 'strategy',
        description:
          'Makes strategies/<name> with a strategy that runs, its README and a test that passes. Replaces nothing that is there.',
        args: [{ term: '<name>', meaning: 'kebab-case, for instance my-maker' }],
        options: [{ term: '--dir <dir>', meaning: 'folder of the strategies', preset: 'strategies' }],
        examples: ['npx halfspread new strategy my-maker', 'npx vitest run strategies/my-maker'],
        run: async (session, [name = ''], options) =>
          (await import('./actions/new-strategy.ts')).newStrategy(session, name, options),
      },
    ],
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    description: 'Prints a script that completes commands and options of halfspread in a shell.',
    args: [{ term: '<shell>', meaning: 'bash, zsh or fish' }],
    examples: ['npx halfspread completion bash', 'npx halfspread completion fish'],
    run: async (session, [shell = '']) =>
      (await import('./actions/completion.ts')).completion(
        session,
        shell,
        GROUPS.flatMap(([, specs]) => specs),
      ),
  },
  {
    name: 'config',
    summary: 'check configuration files, print their schemas',
    description: 'Checks and describes configuration files.',
    commands: [
      {
        name: 'check',
        description:
          'Checks a configuration without running it: the YAML, each key and value, the strategy and its parameters, the tapes, and the files and folders that `run`, `backtest` or `serve` would refuse. It makes no file. It does not read secrets, ask the venue, open ports or look into a database: `doctor` and the start of the program do.',
        args: [
          {
            term: '<file>',
            meaning: 'YAML file of a bot, a backtest, a venue or its faults, or a recipe of a synthetic tape',
          },
        ],
        options: [SET],
        examples: ['npx halfspread config check config/demo.yaml'],
        run: async (session, [file = ''], options) =>
          (await import('./actions/config.ts')).configCheck(session, file, options),
      },
      {
        name: 'schema',
        description: 'Prints the JSON schema of a kind of configuration, for editors that complete and check YAML.',
        args: [{ term: '[kind]', meaning: 'backtest, live, synthetic, venue or chaos', preset: 'backtest' }],
        options: [{ term: '--strategy <name>', meaning: 'with the parameters of this strategy' }],
        examples: ['npx halfspread config schema backtest --strategy ladder > backtest.schema.json'],
        run: async (session, [kind = 'backtest'], options) =>
          (await import('./actions/config.ts')).configSchema(session, kind, options),
      },
    ],
  },
];

const BACKTEST: readonly CommandSpec[] = [
  {
    name: 'backtest',
    summary: 'replay a strategy on recorded markets and report',
    description:
      'Replays a strategy on recorded markets against the simulated venue, prints a summary and writes one HTML report.',
    args: [{ term: '<config>', meaning: 'YAML file; docs/configuration.md describes it' }],
    options: [
      jsonOption('the result as one JSON object'),
      { term: '--out <dir>', meaning: 'folder of the report, instead of report_dir of the file' },
      { term: '--no-report', meaning: 'write no report' },
      { term: '--quiet', meaning: 'print neither progress nor summary' },
      { term: '--seed <n>', meaning: 'seed, instead of the one of the file' },
      SET,
    ],
    examples: [
      'npx halfspread backtest config/demo.yaml',
      'npx halfspread backtest config/demo.yaml --set params.order_levels=3 --set queue.model=power',
      'npx halfspread backtest config/demo.yaml --json --no-report',
    ],
    run: async (session, [config = ''], options) =>
      (await import('./actions/backtest.ts')).backtest(session, config, options),
  },
  {
    name: 'tape',
    summary: 'look at tapes, check them, make synthetic ones',
    description: 'Looks at, checks and makes tapes.',
    commands: [
      {
        name: 'info',
        description: 'Prints what a tape says about itself: source, licence, markets, rows, time, content hash.',
        args: [{ term: '<tape>', meaning: 'tape file' }],
        options: [jsonOption('the manifest as one JSON object')],
        examples: ['npx halfspread tape info config/tapes/betfair-1.200806927.tape'],
        run: async (session, [file = ''], options) =>
          (await import('./actions/tape.ts')).tapeInfo(session, file, options),
      },
      {
        name: 'check',
        description: 'Reads a whole tape: checksums, content hash, order of time, crossed states, gaps.',
        args: [{ term: '<tape>', meaning: 'tape file' }],
        options: [
          { term: '--from <time>', meaning: 'only what happened from here on counts, ISO 8601 with Z' },
          jsonOption('the findings as one JSON object'),
        ],
        examples: ['npx halfspread tape check config/tapes/betfair-1.200806927.tape'],
        run: async (session, [file = ''], options) =>
          (await import('./actions/tape.ts')).tapeCheck(session, file, options),
      },
      {
        name: 'generate',
        description:
          'Makes a synthetic tape from a recipe; the same recipe and seed give the same tape, byte for byte.',
        args: [{ term: '<recipe>', meaning: 'YAML file; docs/configuration.md describes it' }],
        options: [
          { term: '--out <file>', meaning: 'the tape to write', isRequired: true },
          { ...SET, meaning: 'another value for one key of the recipe; may come several times' },
        ],
        examples: ['npx halfspread tape generate config/synthetic.yaml --out tapes/synthetic.tape'],
        run: async (session, [recipe = ''], options) =>
          (await import('./actions/tape.ts')).tapeGenerate(session, recipe, options),
      },
    ],
  },
  {
    name: 'import',
    summary: 'turn recordings of other venues into tapes',
    description: 'Turns recordings of other venues into tapes.',
    commands: [
      {
        name: 'betfair',
        summary: 'recordings of the Betfair Exchange Stream',
        description:
          'Turns recordings of the Betfair Exchange Stream (one JSON message a line, plain or gzip) into tapes and prints what was found, dropped and why. A two-runner market with one winner becomes one YES book.',
        args: [{ term: '<files...>', meaning: 'recordings' }],
        options: [
          { term: '--catalogue <file>', meaning: 'runner names, a JSON file' },
          { term: '--description <text>', meaning: 'who recorded it, for the tape' },
          { term: '--licence <text>', meaning: 'licence of the recording, for the tape' },
          { term: '--separate', meaning: 'a tape for each runner, also where two runners make one book' },
          { term: '--out <dir>', meaning: 'folder of the tapes', preset: 'tapes' },
          jsonOption('the quality reports as one JSON object'),
        ],
        examples: ['npx halfspread import betfair test/fixtures/betfair/1.200806927.gz --out tapes'],
        run: async (session, files, options) =>
          (await import('./actions/import.ts')).importRecordings(session, files, options),
      },
    ],
  },
];

const VENUE: readonly CommandSpec[] = [
  {
    name: 'serve',
    summary: 'run a venue on play money: GraphQL over HTTP and WebSocket',
    description:
      'Runs a venue: GraphQL over HTTP and WebSocket, on play money. Prints one line with its URL when it is ready; SIGTERM or SIGINT ends it in good order.',
    options: [
      {
        term: '--db <file>',
        meaning: 'database; it is made when there is none, and `:memory:` lives as long as the process',
        preset: ':memory:',
      },
      {
        term: '--accept-loss',
        meaning: 'go on where the database lacks records that were acknowledged: they are gone then',
      },
      { term: '--host <address>', meaning: 'address to listen on', preset: '127.0.0.1' },
      { term: '--port <n>', meaning: 'port to listen on, 0 for any that is free', preset: '4000' },
      { term: '--config <file>', meaning: 'YAML file of the venue; docs/configuration.md describes it' },
      { ...SET, meaning: 'another value for one key of that file; may come several times' },
      {
        term: '--credit-cents <n>',
        meaning: 'play money of each new account, cents, instead of the one of the file',
      },
      {
        term: '--seed',
        meaning: 'put example categories, topics and markets in, with a house maker that quotes them',
      },
      {
        term: '--replay <tape>',
        meaning: "tape to play as the outside world's flow; may come several times",
        repeats: true,
      },
      {
        term: '--from <time>',
        meaning: 'where its markets begin: ISO 8601 with Z, or a time of day such as 12:00:00Z',
      },
      { term: '--speed <n>', meaning: 'seconds of the tape in one second, 1 unless given' },
      { term: '--chaos <file>', meaning: 'YAML file of faults to be put in on purpose' },
      { term: '--new-operator-token', meaning: "draw the operators' token anew; the old one ends" },
      {
        term: '--log <level>',
        meaning: 'what is logged to standard error: debug, info, warn, error or silent',
        preset: 'info',
      },
    ],
    examples: [
      'npx halfspread serve --seed',
      'npx halfspread serve --db venue.db --port 4000',
      'npx halfspread serve --replay config/tapes/betfair-1.200806927.tape --from 12:00:00Z --speed 60',
    ],
    run: async (session, _, options) => (await import('./actions/serve.ts')).serve(session, options),
  },
  {
    name: 'venue',
    summary: "send an operator's command to a venue",
    description:
      "Sends an operator's command to a venue that runs, and prints the answer as JSON. `commands` lists them; docs/server.md has each with its arguments. The token is read from the environment (HALFSPREAD_OPERATOR_TOKEN) or a file.",
    args: [
      { term: '<command>', meaning: 'such as create-market, halt, resolve, credit, status' },
      {
        term: '[arguments...]',
        meaning: 'key=value each; a value that is JSON is taken as such, any other as text',
      },
    ],
    options: [
      { term: '--url <url>', meaning: 'base URL of the venue', preset: 'http://127.0.0.1:4000' },
      { term: '--token-file <file>', meaning: "file with the operators' token" },
    ],
    examples: [
      'npx halfspread venue status',
      'npx halfspread venue put-category slug=sports name=Sports',
      'npx halfspread venue create-market category=sports question="Will it rain?" rules="As measured." resolution_date=2030-01-01T00:00:00Z',
      'npx halfspread venue halt market=will-it-rain',
    ],
    run: async (session, [command = '', ...args], options) =>
      (await import('./actions/venue.ts')).venue(session, { command, args }, options),
  },
  {
    name: 'journal',
    summary: 'check the database of a venue or a bot',
    description: 'Looks after the databases of venues and bots.',
    commands: [
      {
        name: 'check',
        description:
          'Reads the whole database of a venue or a bot and changes nothing. Of a bot’s database it checks the structure and each checksum, and compares balance, positions, fills and adjustments with the steps. Of a venue’s it also replays the records to the hash of the state, and compares each column of each row, sums of money and transparency records with the replay. Shows damage with its place. The last line begins with `ok:` or `damaged:`.',
        args: [{ term: '<file>', meaning: 'database file that no process is using, or a copy' }],
        options: [
          { term: '--no-replay', meaning: 'structure and checksums only' },
          jsonOption('the findings as one JSON object'),
        ],
        examples: ['npx halfspread journal check venue.db', 'npx halfspread journal check bot.db'],
        run: async (session, [file = ''], options) =>
          (await import('./actions/database-check.ts')).databaseCheck(session, file, options),
      },
    ],
  },
];

export const GROUPS: readonly (readonly [title: string, commands: readonly CommandSpec[]])[] = [
  ['Begin', BEGIN],
  ['Backtest', BACKTEST],
  ['Trade', TRADE_COMMANDS],
  ['A bot that runs', BOT_COMMANDS],
  ['A venue of your own', VENUE],
];
