/** Commands for tapes. */
import { type CommandSpec, jsonOption, setOption } from './command.ts';

const TAPES = { '<tapes...>': 'tape files, or folders with tapes' };
const FORCE = { '--force': 'replace an existing file' };

export const TAPE_COMMAND: CommandSpec = {
  name: 'tape',
  summary: 'list, check, cut, join, export, query and generate tapes',
  description: 'Works on tapes and on folders of tapes.',
  commands: [
    {
      name: 'list',
      description: 'Lists the tapes of a folder: markets, category, time, rows, licence.',
      args: { '<folder>': 'folder of tapes' },
      options: {
        '--where <condition>': "only tapes with such a market, as in a backtest: category = 'tennis'",
        '--from <time>': 'start of the run for the condition, ISO 8601 with Z',
        ...jsonOption('the list as one JSON object'),
      },
      examples: [
        'npx halfspread tape list config/tapes',
        `npx halfspread tape list config/tapes --where "volume > 1000"`,
      ],
      load: async () => (await import('./actions/tape-folder.ts')).tapeList,
    },
    {
      name: 'fetch',
      description:
        'Downloads tapes from URLs into ~/.cache/halfspread, checks them whole, and prints where they are. Backtests do this themselves for the URLs in `tapes`.',
      args: { '<urls...>': 'URLs of tapes, or of folders (with a slash at the end) that have an index' },
      options: {
        '--where <condition>': "of a folder, only tapes with such a market: category = 'tennis'",
        '--from <time>': 'start of the run for the condition, ISO 8601 with Z',
        '--max-gb <number>': 'room for all copies; default 50',
        '--s3-endpoint <url>': 'S3-compatible service; default Amazon S3',
        '--s3-region <name>': 'region of the bucket; default us-east-1',
        ...jsonOption('the paths as one JSON object'),
      },
      examples: [
        'npx halfspread tape fetch https://tapes.example/tennis/final.tape',
        `npx halfspread tape fetch s3://my-tapes/tennis/ --where "commission_bps > 0"`,
      ],
      load: async () => (await import('./actions/tape-fetch.ts')).tapeFetch,
    },
    {
      name: 'stats',
      description:
        'Reads tapes whole and shows the quality of each market: gaps, halts, crossed books, repeated messages.',
      args: { ...TAPES },
      options: { ...jsonOption('the findings as one JSON object') },
      examples: ['npx halfspread tape stats config/tapes'],
      load: async () => (await import('./actions/tape-folder.ts')).tapeStats,
    },
    {
      name: 'info',
      description: 'Prints the manifest of a tape: source, licence, markets, rows, time, content hash.',
      args: { '<tape>': 'tape file' },
      options: { ...jsonOption('the manifest as one JSON object') },
      examples: ['npx halfspread tape info config/tapes/betfair-1.200806927.tape'],
      load: async () => (await import('./actions/tape.ts')).tapeInfo,
    },
    {
      name: 'check',
      description:
        'Reads a whole tape: checksums, content hash, order of time, gaps, halts, crossed states, prices off the grid.',
      args: { '<tape>': 'tape file' },
      options: {
        '--from <time>': 'ignore everything before this time, ISO 8601 with Z',
        ...jsonOption('the findings as one JSON object'),
      },
      examples: ['npx halfspread tape check config/tapes/betfair-1.200806927.tape'],
      load: async () => (await import('./actions/tape.ts')).tapeCheck,
    },
    {
      name: 'cut',
      description: 'Writes some time or some markets of a tape as a tape. It begins with the full book of each market.',
      args: { '<tape>': 'tape file' },
      options: {
        '--out <file>': { meaning: 'path of the new tape', isRequired: true },
        ...FORCE,
        '--from <time>': 'start, ISO 8601 with Z',
        '--to <time>': 'end, not included, ISO 8601 with Z',
        '--market <name>': { meaning: 'slug or id of a market; repeatable', repeats: true },
      },
      examples: [
        'npx halfspread tape cut config/tapes/betfair-1.200806927.tape --from 2022-07-11T12:00:00Z --out tapes/part.tape',
      ],
      load: async () => (await import('./actions/tape-edit.ts')).tapeCut,
    },
    {
      name: 'join',
      description:
        'Writes several tapes as one, in order of time. A market that is on more than one is continued: where its books differ it has a gap.',
      args: { ...TAPES },
      options: {
        '--out <file>': { meaning: 'path of the new tape', isRequired: true },
        ...FORCE,
        ...jsonOption('the manifest and the seams as one JSON object'),
      },
      examples: ['npx halfspread tape join recordings/monday.tape recordings/tuesday.tape --out tapes/both.tape'],
      load: async () => (await import('./actions/tape-edit.ts')).tapeJoin,
    },
    {
      name: 'export',
      description: 'Writes the rows of tapes as Parquet or CSV, a file for each tape.',
      args: { ...TAPES },
      options: {
        '--format <format>': { meaning: 'parquet or csv', preset: 'parquet' },
        '--out <dir>': { meaning: 'folder of the files', preset: 'export' },
      },
      examples: ['npx halfspread tape export config/tapes --out export'],
      load: async () => (await import('./actions/tape-edit.ts')).tapeExport,
    },
    {
      name: 'restore',
      description: 'Converts files of `tape export` back to tapes. Rows and content hash stay the same.',
      args: { '<files...>': 'Parquet or CSV files, each CSV file with its <file>.csv.json' },
      options: { '--out <dir>': { meaning: 'folder of the tapes', preset: 'tapes' } },
      examples: ['npx halfspread tape restore export/betfair-1.200806927.parquet --out tapes'],
      load: async () => (await import('./actions/tape-edit.ts')).tapeRestore,
    },
    {
      name: 'query',
      description:
        'Runs SQL over the tapes of a folder with DuckDB, which you install: `npm install @duckdb/node-api`. The tables are rows, markets and tapes.',
      args: { '<folder>': 'folder of tapes', '<sql>': 'a query' },
      options: {
        '--limit <n>': { meaning: 'maximum number of rows', preset: '1000' },
        ...jsonOption('the result as one JSON object'),
      },
      examples: [
        'npx halfspread tape query config/tapes "SELECT kind, count(*) AS n FROM rows GROUP BY kind ORDER BY n DESC"',
      ],
      load: async () => (await import('./actions/tape-folder.ts')).tapeQuery,
    },
    {
      name: 'generate',
      description: 'Generates a synthetic tape from a recipe. The same recipe and seed give the same bytes.',
      args: { '<recipe>': 'YAML file; docs/configuration.md describes it' },
      options: { '--out <file>': { meaning: 'path of the tape', isRequired: true }, ...setOption('the recipe') },
      examples: ['npx halfspread tape generate config/synthetic.yaml --out tapes/synthetic.tape'],
      load: async () => (await import('./actions/tape.ts')).tapeGenerate,
    },
  ],
};
