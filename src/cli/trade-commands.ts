/** Commands that trade on a venue, and what comes before and after. */
import { type CommandSpec, jsonOption, SET } from './command.ts';

const BOT_FILE = { term: '<config>', meaning: 'YAML file of a bot; docs/live.md describes it' };

export const TRADE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'markets',
    summary: 'list the markets of a venue that runs',
    description:
      "Lists a venue's markets, those with the most volume first: slug, status, best bid and ask of YES (bps), volume, end of trading, question. Asks what is public: no key and no token is needed.",
    options: [
      { term: '--url <url>', meaning: 'base URL of the venue', preset: 'http://127.0.0.1:4000' },
      { term: '--status <status>', meaning: 'open, pending_resolution, resolved … or any', preset: 'open' },
      { term: '--search <text>', meaning: 'only where the question has this in it, in any case' },
      { term: '--limit <n>', meaning: 'so many at most', preset: '50' },
      jsonOption('one JSON object a market, with its id,'),
    ],
    examples: [
      'npx halfspread markets',
      'npx halfspread markets --search rain --status any',
      'npx halfspread markets --url http://127.0.0.1:4000 --limit 1000 --json',
    ],
    run: async (session, _, options) => (await import('./actions/markets.ts')).markets(session, options),
  },
  {
    name: 'doctor',
    summary: 'look whether a bot could trade: venue, schema, account, signing, clock, disk',
    description:
      'Looks at everything that can be known before a bot runs: the machine, the venue and its schema, clocks, country, limits, the account, and whether what the venue offers to sign is what was meant. Each line says ok, warn or fail, with a remedy. Places no order. Ends with 2 when anything fails.',
    args: [BOT_FILE],
    options: [
      {
        term: '--venue-db <file>',
        meaning: 'database of a venue on this machine, whose permissions are looked at, too',
      },
      jsonOption('the findings as one JSON object'),
      SET,
    ],
    examples: ['npx halfspread doctor config/live.yaml'],
    run: async (session, [config = ''], options) =>
      (await import('./actions/doctor.ts')).doctor(session, config, options),
  },
  {
    name: 'run',
    summary: 'trade: strategies on the markets of a venue',
    description:
      'Trades on a venue until SIGINT or SIGTERM, then cancels its orders, asks the venue whether any is left, and prints a summary. A second signal does not wait for the venue. SIGUSR2 kills: everything is cancelled and nothing sent until `npx halfspread resume`.',
    args: [BOT_FILE],
    options: [
      { term: '--db <file>', meaning: "the bot's database, instead of the one of the file" },
      {
        term: '--adopt',
        meaning: "take the venue's word where cash or positions differ from the database and nothing explains it",
      },
      {
        term: '--accept-loss',
        meaning: 'go on where files of the bot lack something that was acknowledged: orders of that time are cancelled',
      },
      jsonOption('the summary as one JSON object'),
      SET,
    ],
    examples: ['npx halfspread run config/live.yaml', 'npx halfspread run config/live.yaml --set log.level=debug'],
    run: async (session, [config = ''], options) =>
      (await import('./actions/run.ts')).runLive(session, config, options),
  },
  {
    name: 'record',
    summary: 'write the market data of a venue to a tape',
    description:
      "Writes books, trades and states of a venue's markets to a tape for backtests, until SIGINT or SIGTERM. It needs no account and sends no order; of the file it takes `venue`, `markets` and `log`.",
    args: [BOT_FILE],
    options: [
      { term: '--out <file>', meaning: 'the tape; default: a file under recordings/ with the time in its name' },
      { term: '--seconds <n>', meaning: 'how long; default: until it is ended' },
      { term: '--raw', meaning: 'keep frames of sockets as they come, too: a file with .frames for .tape' },
      jsonOption('the findings as one JSON object'),
      SET,
    ],
    examples: ['npx halfspread record config/paper.yaml --seconds 60 --out rain.tape'],
    run: async (session, [config = ''], options) =>
      (await import('./actions/record.ts')).record(session, config, options),
  },
  {
    name: 'replay',
    summary: 'do a recorded live session again and compare every decision',
    description:
      'Takes in what a live or paper run recorded (`record` in its file), in the same order, with the strategies as they are now, and compares every step to the byte. The first one that differs is shown, and the exit code is 1.',
    args: [{ term: '<steps>', meaning: 'the .steps file of a recording; its tape is beside it' }],
    options: [jsonOption('the findings as one JSON object')],
    examples: ['npx halfspread replay recordings/2026-11-22T05-00-00.000Z.steps'],
    run: async (session, [path = ''], options) => (await import('./actions/replay.ts')).replay(session, path, options),
  },
  {
    name: 'frames',
    summary: 'list the frames of a recording as they came',
    description:
      'Prints what came over the sockets of a venue while a bot with `record: { raw: true }` ran: the time it came in, the number of the socket, the bytes. Socket 0 is a note of frames that were left out because the disk was too slow.',
    args: [{ term: '<frames>', meaning: 'the .frames file of a recording' }],
    options: [
      { term: '--grep <text>', meaning: 'only frames with this text in them' },
      { term: '--limit <n>', meaning: 'at most so many; default: all' },
      { term: '--json', meaning: 'print a JSON object a line' },
    ],
    examples: ['npx halfspread frames recordings/2026-11-22T05-00-00.000Z.frames --grep orderBookUpdated --limit 20'],
    run: async (session, [path = ''], options) => (await import('./actions/frames.ts')).frames(session, path, options),
  },
];
