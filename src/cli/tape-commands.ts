/** The commands `tape` and `import`. */
import { type ArgumentSpecs, type CommandSpec, jsonOption, SET_OPTION, setOptionFor } from './command.ts';

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
        '--where <condition>': "only tapes with a market that meets this condition, such as category = 'tennis'",
        '--from <time>': 'time at which the condition is evaluated, ISO 8601 with Z',
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
        'Downloads tapes from URLs into ~/.cache/halfspread, checks them completely, and prints their paths. Backtests do this themselves for the URLs in `tapes`.',
      args: { '<urls...>': 'URLs of tapes, or of folders (with a slash at the end) that have an index' },
      options: {
        '--where <condition>': "only a folder's tapes with a market that meets this condition: category = 'tennis'",
        '--from <time>': 'time at which the condition is evaluated, ISO 8601 with Z',
        '--max-gb <number>': 'maximum size of all copies, GB; default 50',
        '--s3-endpoint <url>': 'S3-compatible service; default Amazon S3',
        '--s3-region <name>': 'region of the bucket; default us-east-1',
        ...jsonOption('the paths as one JSON object'),
      },
      examples: [
        'npx halfspread tape fetch https://tapes.example/tennis/final.tape',
        `npx halfspread tape fetch s3://my-tapes/tennis/ --where "commission_bps > 0"`,
      ],
      load: async () => (await import('./actions/tape-folder.ts')).tapeFetch,
    },
    {
      name: 'stats',
      description:
        'Reads complete tapes and shows the quality of each market: gaps, halts, crossed books, repeated messages.',
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
        'Reads a complete tape: checksums, content hash, time order, gaps, halts, crossed states, prices off the grid.',
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
      description:
        'Writes a time range or some markets of a tape as a new tape, which begins with the full book of each market.',
      args: { '<tape>': 'tape file' },
      options: {
        '--out <file>': { meaning: 'path of the new tape', isRequired: true },
        ...FORCE,
        '--from <time>': 'start, ISO 8601 with Z',
        '--to <time>': 'end, not included, ISO 8601 with Z',
        '--market <name>': { meaning: 'slug or id of a market; repeatable', isRepeatable: true },
      },
      examples: [
        'npx halfspread tape cut config/tapes/betfair-1.200806927.tape --from 2022-07-11T12:00:00Z --out tapes/part.tape',
      ],
      load: async () => (await import('./actions/tape.ts')).tapeCut,
    },
    {
      name: 'join',
      description:
        'Writes several tapes as one, in time order. A market that is on several tapes continues from one to the next, with a gap where its books differ.',
      args: { ...TAPES },
      options: {
        '--out <file>': { meaning: 'path of the new tape', isRequired: true },
        ...FORCE,
        ...jsonOption('the manifest and the joins as one JSON object'),
      },
      examples: ['npx halfspread tape join recordings/monday.tape recordings/tuesday.tape --out tapes/both.tape'],
      load: async () => (await import('./actions/tape.ts')).tapeJoin,
    },
    {
      name: 'export',
      description: 'Writes the rows of tapes as Parquet or CSV, a file for each tape.',
      args: { ...TAPES },
      options: {
        '--format <format>': { meaning: 'parquet or csv', default: 'parquet' },
        '--out <dir>': { meaning: 'folder of the files', default: 'export' },
        ...FORCE,
      },
      examples: ['npx halfspread tape export config/tapes --out export'],
      load: async () => (await import('./actions/tape.ts')).tapeExport,
    },
    {
      name: 'restore',
      description: 'Converts files of `tape export` back to tapes. Rows and content hash stay the same.',
      args: { '<files...>': 'Parquet or CSV files, each CSV file with its <file>.csv.json' },
      options: { '--out <dir>': { meaning: 'folder of the tapes', default: 'tapes' }, ...FORCE },
      examples: ['npx halfspread tape restore export/betfair-1.200806927.parquet --out tapes'],
      load: async () => (await import('./actions/tape.ts')).tapeRestore,
    },
    {
      name: 'query',
      description:
        'Runs SQL over the tapes of a folder with DuckDB, which you install: `npm install @duckdb/node-api`. The tables are rows, markets and tapes.',
      args: { '<folder>': 'folder of tapes', '<sql>': 'a query' },
      options: {
        '--limit <n>': { meaning: 'maximum number of rows', default: '1000' },
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
      options: {
        '--out <file>': { meaning: 'path of the tape', isRequired: true },
        ...FORCE,
        ...setOptionFor('the recipe'),
      },
      examples: ['npx halfspread tape generate config/synthetic.yaml --out tapes/synthetic.tape'],
      load: async () => (await import('./actions/tape.ts')).tapeGenerate,
    },
  ],
};

const RESTART = {
  '--force':
    'start again instead of continuing a killed import, repeat a finished one, and replace a tape of other files',
};

export const IMPORT_COMMAND: CommandSpec = {
  name: 'import',
  summary: 'convert recordings of other venues to tapes',
  description: 'Converts recordings of other venues to tapes.',
  commands: [
    mappedImport('csv', 'CSV files', 'test/fixtures/import/polymarket-trades.csv'),
    mappedImport('jsonl', 'files with one JSON value a line', 'recordings/*.jsonl'),
    mappedImport('parquet', 'Parquet files', 'notebook.parquet'),
    {
      name: 'sniff',
      summary: 'propose a mapping for a file',
      description:
        'Reads the first rows of a CSV, JSON lines or Parquet file and writes a mapping to standard output. Shows the first rows, decoded by it, on standard error.',
      args: { '<file>': 'file, plain or gzip' },
      examples: ['npx halfspread import sniff test/fixtures/import/polymarket-trades.csv'],
      load: async () => (await import('./actions/import.ts')).importSniff,
    },
    {
      name: 'betfair',
      summary: 'recordings of the Betfair Exchange Stream',
      description:
        'Converts recordings of the Betfair Exchange Stream (one JSON message a line, plain or gzip) to tapes. Prints what was found, and what was dropped for which reason. A two-runner market with one winner becomes one YES book.',
      args: { '<files...>': 'recordings' },
      options: {
        '--catalogue <file>': 'runner names, a JSON file',
        '--description <text>': 'description of the source, stored in the tape',
        '--licence <text>': 'licence of the recording, stored in the tape',
        '--separate': 'write a tape for each runner, even when two runners form one book',
        '--out <dir>': { meaning: 'folder of the tapes', default: 'tapes' },
        ...jsonOption('the quality reports as one JSON object'),
      },
      examples: ['npx halfspread import betfair test/fixtures/betfair/1.200806927.gz --out tapes'],
      load: async () => (await import('./actions/import.ts')).importBetfairRecordings,
    },
    captureImport(
      'polymarket',
      "Polymarket's market channel",
      'Events as JSON lines, or in a column of CSV, with or without the time of receipt; also books of the REST API and public trades. Both tokens of a market become one YES book.',
      { '--markets <file>': 'market metadata of Gamma or of the CLOB, a JSON file' },
    ),
    captureImport(
      'kalshi',
      "Kalshi's public streams",
      'Messages as JSON lines, or in a column of CSV, with or without the time of receipt; prices in dollars or cents. NO bids become YES asks. A gap in the sequence invalidates a book until its next snapshot.',
      {
        '--markets <file>': 'response of GET /markets, a JSON file',
        '--yes-prices': 'NO levels come in YES prices (use_yes_price of the subscription)',
      },
    ),
  ],
};

/** Describes the import of a format whose columns a mapping file explains. */
function mappedImport(format: 'csv' | 'jsonl' | 'parquet', source: string, example: string): CommandSpec {
  return {
    name: format,
    summary: `${source}, by a mapping file`,
    description: `Converts ${source} to a tape by a mapping file, which says what columns and rows mean. Prints what was read and changed, and what was dropped for which reason. A killed import continues where it stopped.`,
    args: { '<files...>': 'files, in any order; rows are merged by time' },
    options: {
      '--mapping <file>': {
        meaning: 'YAML file (docs/importing.md), or the name of a shipped mapping',
        isRequired: true,
      },
      '--separate': 'write a tape for each market',
      ...RESTART,
      '--out <dir>': { meaning: 'folder of the tapes', default: 'tapes' },
      ...SET_OPTION,
      ...jsonOption('counts and quality reports as one JSON object'),
    },
    examples: [`npx halfspread import ${format} --mapping polymarket-trades ${example}`],
    load: async () => (await import('./actions/import.ts')).importByMapping(format),
  };
}

/** Describes the import of captures of a venue's public streams, which need no mapping. */
function captureImport(
  venue: 'polymarket' | 'kalshi',
  source: string,
  notes: string,
  options: ArgumentSpecs,
): CommandSpec {
  return {
    name: venue,
    summary: `captures of ${source}`,
    description: `Converts captures of ${source} to one tape. ${notes} Prints what was read and changed, and what was dropped for which reason. A killed import continues where it stopped.`,
    args: { '<files...>': 'captures, plain or gzip; messages are merged by time' },
    options: {
      ...options,
      '--pair-window <ms>':
        'largest delay between a level change and the trade that explains it, which is moved before the change; default 50',
      '--separate': 'write a tape for each market',
      ...RESTART,
      '--name <name>': 'name of the tape; default: the name of the first file',
      '--description <text>': 'description of the source, stored in the tape',
      '--licence <text>': 'licence of the recording, stored in the tape',
      '--out <dir>': { meaning: 'folder of the tapes', default: 'tapes' },
      ...jsonOption('counts and quality reports as one JSON object'),
    },
    examples: [`npx halfspread import ${venue} test/fixtures/captures/${venue}.jsonl --out tapes`],
    load: async () => (await import('./actions/import.ts')).importCaptures(venue),
  };
}
