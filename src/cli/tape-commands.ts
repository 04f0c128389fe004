/** Commands for tapes. */
import { type CommandSpec, jsonOption, SET } from './command.ts';

const TAPES = { term: '<tapes...>', meaning: 'tape files, or folders with tapes' };
const FORCE = { term: '--force', meaning: 'replace an existing file' };

export const TAPE_COMMAND: CommandSpec = {
  name: 'tape',
  summary: 'list, check, cut, join, export, query and generate tapes',
  description: 'Works on tapes and on folders of tapes.',
  commands: [
    {
      name: 'list',
      description: 'Lists the tapes of a folder: markets, category, time, rows, licence.',
      args: [{ term: '<folder>', meaning: 'folder of tapes' }],
      options: [
        {
          term: '--where <condition>',
          meaning: "only tapes with such a market, as in a backtest: category = 'tennis'",
        },
        { term: '--from <time>', meaning: 'start of the run for the condition, ISO 8601 with Z' },
        jsonOption('the list as one JSON object'),
      ],
      examples: [
        'npx halfspread tape list config/tapes',
        `npx halfspread tape list config/tapes --where "volume > 1000"`,
      ],
      run: async (session, [folder = ''], options) =>
        (await import('./actions/tape-folder.ts')).tapeList(session, folder, options),
    },
    {
      name: 'fetch',
      description:
        'Downloads tapes from URLs into ~/.cache/halfspread, checks them whole, and prints where they are. Backtests do this themselves for the URLs in `tapes`.',
      args: [
        { term: '<urls...>', meaning: 'URLs of tapes, or of folders (with a slash at the end) that have an index' },
      ],
      options: [
        { term: '--where <condition>', meaning: "of a folder, only tapes with such a market: category = 'tennis'" },
        { term: '--from <time>', meaning: 'start of the run for the condition, ISO 8601 with Z' },
        { term: '--max-gb <number>', meaning: 'room for all copies; default 50' },
        { term: '--s3-endpoint <url>', meaning: 'S3-compatible service; default Amazon S3' },
        { term: '--s3-region <name>', meaning: 'region of the bucket; default us-east-1' },
        jsonOption('the paths as one JSON object'),
      ],
      examples: [
        'npx halfspread tape fetch https://tapes.example/tennis/final.tape',
        `npx halfspread tape fetch s3://my-tapes/tennis/ --where "commission_bps > 0"`,
      ],
      run: async (session, urls, options) =>
        (await import('./actions/tape-fetch.ts')).tapeFetch(session, urls, options),
    },
    {
      name: 'stats',
      description:
        'Reads tapes whole and shows the quality of each market: gaps, halts, crossed books, repeated messages.',
      args: [TAPES],
      options: [jsonOption('the findings as one JSON object')],
      examples: ['npx halfspread tape stats config/tapes'],
      run: async (session, tapes, options) =>
        (await import('./actions/tape-folder.ts')).tapeStats(session, tapes, options),
    },
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
      description:
        'Reads a whole tape: checksums, content hash, order of time, gaps, halts, crossed states, prices off the grid.',
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
      name: 'cut',
      description: 'Writes some time or some markets of a tape as a tape. It begins with the full book of each market.',
      args: [{ term: '<tape>', meaning: 'tape file' }],
      options: [
        { term: '--out <file>', meaning: 'path of the new tape', isRequired: true },
        FORCE,
        { term: '--from <time>', meaning: 'start, ISO 8601 with Z' },
        { term: '--to <time>', meaning: 'end, not included, ISO 8601 with Z' },
        { term: '--market <name>', meaning: 'slug or id of a market; repeatable', repeats: true },
      ],
      examples: [
        'npx halfspread tape cut config/tapes/betfair-1.200806927.tape --from 2022-07-11T12:00:00Z --out tapes/part.tape',
      ],
      run: async (session, [file = ''], options) =>
        (await import('./actions/tape-edit.ts')).tapeCut(session, file, options),
    },
    {
      name: 'join',
      description:
        'Writes several tapes as one, in order of time. A market that is on more than one is continued: where its books differ it has a gap.',
      args: [TAPES],
      options: [
        { term: '--out <file>', meaning: 'path of the new tape', isRequired: true },
        FORCE,
        jsonOption('the manifest and the seams as one JSON object'),
      ],
      examples: ['npx halfspread tape join recordings/monday.tape recordings/tuesday.tape --out tapes/both.tape'],
      run: async (session, tapes, options) =>
        (await import('./actions/tape-edit.ts')).tapeJoin(session, tapes, options),
    },
    {
      name: 'export',
      description: 'Writes the rows of tapes as Parquet or CSV, a file for each tape.',
      args: [TAPES],
      options: [
        { term: '--format <format>', meaning: 'parquet or csv', preset: 'parquet' },
        { term: '--out <dir>', meaning: 'folder of the files', preset: 'export' },
      ],
      examples: ['npx halfspread tape export config/tapes --out export'],
      run: async (session, tapes, options) =>
        (await import('./actions/tape-edit.ts')).tapeExport(session, tapes, options),
    },
    {
      name: 'restore',
      description: 'Converts files of `tape export` back to tapes. Rows and content hash stay the same.',
      args: [{ term: '<files...>', meaning: 'Parquet or CSV files, each CSV file with its <file>.csv.json' }],
      options: [{ term: '--out <dir>', meaning: 'folder of the tapes', preset: 'tapes' }],
      examples: ['npx halfspread tape restore export/betfair-1.200806927.parquet --out tapes'],
      run: async (session, files, options) =>
        (await import('./actions/tape-edit.ts')).tapeRestore(session, files, options),
    },
    {
      name: 'query',
      description:
        'Runs SQL over the tapes of a folder with DuckDB, which you install: `npm install @duckdb/node-api`. The tables are rows, markets and tapes.',
      args: [
        { term: '<folder>', meaning: 'folder of tapes' },
        { term: '<sql>', meaning: 'a query' },
      ],
      options: [
        { term: '--limit <n>', meaning: 'maximum number of rows', preset: '1000' },
        jsonOption('the result as one JSON object'),
      ],
      examples: [
        'npx halfspread tape query config/tapes "SELECT kind, count(*) AS n FROM rows GROUP BY kind ORDER BY n DESC"',
      ],
      run: async (session, [folder = '', sql = ''], options) =>
        (await import('./actions/tape-folder.ts')).tapeQuery(session, folder, sql, options),
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
};
