/** Commands for backtests, recordings and tapes. */
import { type CommandSpec, jsonOption, SET } from './command.ts';

export const BACKTEST_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'backtest',
    summary: 'replay a strategy on recorded markets and report',
    description:
      'Replays a strategy on recorded markets against the simulated venue, prints a summary and writes one HTML report.',
    args: [{ term: '<config>', meaning: 'YAML file; docs/configuration.md describes it' }],
    options: [
      jsonOption('the result as one JSON object'),
      { term: '--out <dir>', meaning: 'folder of the report, instead of report_dir in the file' },
      { term: '--no-report', meaning: 'write no report' },
      { term: '--quiet', meaning: 'print neither progress nor summary' },
      { term: '--seed <n>', meaning: 'seed, instead of the one in the file' },
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
    summary: 'show tapes, check them, generate synthetic ones',
    description: 'Shows, checks and generates tapes.',
    commands: [
      {
        name: 'info',
        description: 'Prints the manifest of a tape: source, licence, markets, rows, time, content hash.',
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
          { term: '--from <time>', meaning: 'ignore everything before this time, ISO 8601 with Z' },
          jsonOption('the findings as one JSON object'),
        ],
        examples: ['npx halfspread tape check config/tapes/betfair-1.200806927.tape'],
        run: async (session, [file = ''], options) =>
          (await import('./actions/tape.ts')).tapeCheck(session, file, options),
      },
      {
        name: 'generate',
        description: 'Generates a synthetic tape from a recipe. The same recipe and seed give the same bytes.',
        args: [{ term: '<recipe>', meaning: 'YAML file; docs/configuration.md describes it' }],
        options: [
          { term: '--out <file>', meaning: 'path of the tape', isRequired: true },
          { ...SET, meaning: 'another value for one key of the recipe; repeatable' },
        ],
        examples: ['npx halfspread tape generate config/synthetic.yaml --out tapes/synthetic.tape'],
        run: async (session, [recipe = ''], options) =>
          (await import('./actions/tape.ts')).tapeGenerate(session, recipe, options),
      },
    ],
  },
  {
    name: 'import',
    summary: 'convert recordings of other venues to tapes',
    description: 'Converts recordings of other venues to tapes.',
    commands: [
      {
        name: 'betfair',
        summary: 'recordings of the Betfair Exchange Stream',
        description:
          'Converts recordings of the Betfair Exchange Stream (one JSON message a line, plain or gzip) to tapes. Prints what was found, and what was dropped for which reason. A two-runner market with one winner becomes one YES book.',
        args: [{ term: '<files...>', meaning: 'recordings' }],
        options: [
          { term: '--catalogue <file>', meaning: 'runner names, a JSON file' },
          { term: '--description <text>', meaning: 'description of the source, stored in the tape' },
          { term: '--licence <text>', meaning: 'licence of the recording, stored in the tape' },
          { term: '--separate', meaning: 'write a tape for each runner, also when two runners form one book' },
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
