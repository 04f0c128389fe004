/** Commands for backtests and studies. `tape-commands.ts` has those for tapes and imports. */
import { type CommandSpec, jsonOption, SET_OPTION } from './command.ts';
import { IMPORT_COMMAND, TAPE_COMMAND } from './tape-commands.ts';

export const BACKTEST_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'backtest',
    summary: 'replay a strategy on recorded markets and report',
    description:
      'Replays a strategy on recorded markets against the simulated venue, prints a summary and writes one HTML report.',
    args: { '<config>': 'YAML file; docs/configuration.md describes it' },
    options: {
      ...jsonOption('the result as one JSON object'),
      '--out <dir>': 'folder of the report, instead of report_dir in the file',
      '--no-report': 'write no report',
      '--tables <dir>': 'also write fills, quotes, equity and markouts as Parquet and CSV',
      '--quiet': 'print neither progress nor summary',
      '--sensitivity':
        'run every combination of queue model, latency and reactive or immutable book, print a table, and with --out write it as a page',
      '--seed <n>': 'seed, instead of the one in the file',
      ...SET_OPTION,
    },
    examples: [
      'npx halfspread backtest config/demo.yaml',
      'npx halfspread backtest config/demo.yaml --set params.order_levels=3 --set queue.model=power',
      'npx halfspread backtest config/demo.yaml --json --no-report',
    ],
    load: async () => (await import('./actions/backtest.ts')).backtest,
  },
  {
    name: 'compare',
    summary: 'put backtests side by side',
    description:
      "Puts runs side by side, with each run's difference to the first and its 95 % interval. A run is a .json file with the result of `backtest --json`, or the YAML file of a backtest, which the command runs.",
    args: { '[runs...]': 'results (.json) and configurations of backtests' },
    options: {
      '--live <recording>':
        'explain how a recorded session differs from a backtest of its tape; a named configuration sets the models',
      '--baselines': 'add for each configuration: do nothing, join the best prices, one tick wide',
      '--report <file>': 'also write an HTML page',
      ...jsonOption('the comparison as one JSON object'),
      ...SET_OPTION,
    },
    examples: [
      'npx halfspread compare config/demo.yaml --baselines',
      'npx halfspread compare before.json after.json --json',
      'npx halfspread compare --live recordings/2026-11-26T12-00-00.000Z.steps',
    ],
    load: async () => (await import('./actions/compare.ts')).compare,
  },
  {
    name: 'calibrate',
    summary: 'fit queue and latency models to a live session',
    description:
      "Runs backtests of a recorded session with several queue and latency models. Prints the models whose fills and shares are nearest to the session, as YAML for a backtest's file.",
    args: { '<recording>': 'recording of a session, its .steps or .tape file' },
    options: {
      '--test <recording>': 'another session, on which the models are tested',
      '--out <file>': 'also write the YAML to this file',
      ...jsonOption('candidates, errors and models as one JSON object'),
    },
    examples: [
      'npx halfspread calibrate recordings/2026-11-26T12-00-00.000Z.steps --test recordings/2026-11-26T14-00-00.000Z.steps',
    ],
    load: async () => (await import('./actions/compare.ts')).calibrate,
  },
  {
    name: 'optimize',
    summary: 'search the parameters of a backtest',
    description:
      'Searches parameters of a backtest, on all cores. Ended trials stay in the database of the study: after Ctrl-C or a crash, --resume continues. Prints the best trial, and reasons to doubt it.',
    args: { '<study>': 'YAML file; docs/optimizing.md describes it' },
    options: {
      '--trials <n>': 'number of trials, instead of the one in the file',
      '--workers <n>':
        'threads that compute, or the URL of a Redis for workers on other machines. Default: one thread for each core',
      '--price-per-hour <usd>': 'price of a thread on another machine; shows the cost of the study',
      '--metrics-port <port>': 'serve metrics of workers on other machines to Prometheus',
      '--resume': 'continue the study in its database',
      '--new': 'remove the study in its database and start again',
      '--quiet': 'show no progress',
      '--report <file>': 'also write an HTML page',
      ...jsonOption('the results as one JSON object'),
      ...SET_OPTION,
    },
    examples: [
      'npx halfspread optimize config/optimize.yaml --trials 40',
      'npx halfspread optimize config/optimize.yaml --resume --trials 80 --json',
    ],
    load: async () => (await import('./actions/optimize.ts')).optimize,
    commands: [
      {
        name: 'best',
        description: 'Prints the results of a study so far, without running it.',
        args: { '<study>': 'YAML file of the study' },
        options: {
          '--as-config': 'print the file of the backtest with the values of the best trial',
          '--report <file>': 'also write an HTML page',
          ...jsonOption('the results as one JSON object'),
          ...SET_OPTION,
        },
        examples: ['npx halfspread optimize best config/optimize.yaml --as-config'],
        load: async () => (await import('./actions/optimize.ts')).optimizeBest,
      },
    ],
  },
  {
    name: 'worker',
    summary: 'compute backtests of studies that other machines run',
    description:
      'Computes backtests of studies from a Redis until a signal. It then accepts no new backtest, and ends after the running backtests. The study runs elsewhere, with `halfspread optimize --workers redis://…`. Needs the same version of halfspread and Node, the same strategies, and the tapes.',
    args: { '<redis>': 'URL of the Redis; its password is in HALFSPREAD_REDIS_PASSWORD' },
    options: {
      '--tapes <folder>': {
        meaning: 'folder of tapes, or its URL; repeatable. Default: the value of --folder',
        isRepeatable: true,
      },
      '--folder <dir>': { meaning: 'folder to which paths in backtests are relative', default: '.' },
      '--threads <n>': 'threads that compute. Default: one for each core',
      '--drain <seconds>': { meaning: 'time that running backtests have to end after a signal', default: '600' },
      '--max-gb <number>': 'room for copies of tapes from URLs; default 50',
      '--s3-endpoint <url>': 'S3-compatible service; default Amazon S3',
      '--s3-region <name>': 'region of the bucket; default us-east-1',
      '--metrics-port <port>': 'serve metrics to Prometheus',
      '--metrics-host <host>': { meaning: 'address that metrics are served on', default: '127.0.0.1' },
    },
    examples: [
      'npx halfspread worker redis://10.0.0.5:6379 --tapes /tapes',
      'npx halfspread worker rediss://cache.example:6379 --tapes s3://my-tapes/tennis/ --threads 8',
    ],
    load: async () => (await import('./actions/worker.ts')).worker,
  },
  {
    name: 'bench-strategies',
    summary: 'run all shipped strategies on the benchmark set',
    description:
      'Runs every strategy that comes with halfspread, and three baselines, on the recorded match and on six kinds of synthetic markets, under two queue models, and prints one table. Takes a minute or two.',
    options: {
      '--strategy <name>': { meaning: 'only this strategy; repeatable', isRepeatable: true },
      '--regime <name>': { meaning: 'only these markets; repeatable', isRepeatable: true },
      '--rows <n>': 'rows of each synthetic tape, instead of those in the recipes',
      '--workers <n>': 'threads that compute. Default: one for each core',
      '--markdown <file>': 'also write the table as a page',
      ...jsonOption('the rows as one JSON list'),
    },
    examples: ['npx halfspread bench-strategies', 'npx halfspread bench-strategies --strategy ladder --regime calm'],
    load: async () => (await import('./actions/bench-strategies.ts')).benchStrategies,
  },
  TAPE_COMMAND,
  IMPORT_COMMAND,
];
