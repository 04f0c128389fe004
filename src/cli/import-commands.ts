/** The command `import`: recordings to tapes. */
import { type CommandSpec, jsonOption, SET, type TermSpecs } from './command.ts';

const FORCE = {
  '--force':
    'start again instead of continuing a killed import, repeat a finished one, and replace a tape of other files',
};

export const IMPORT_COMMAND: CommandSpec = {
  name: 'import',
  summary: 'convert recordings of other venues to tapes',
  description: 'Converts recordings of other venues to tapes.',
  commands: [
    mapped('csv', 'CSV files', 'test/fixtures/import/polymarket-trades.csv'),
    mapped('jsonl', 'files with one JSON value a line', 'recordings/*.jsonl'),
    mapped('parquet', 'Parquet files', 'notebook.parquet'),
    {
      name: 'sniff',
      summary: 'propose a mapping for a file',
      description:
        'Reads the first rows of a CSV, JSON lines or Parquet file and writes a mapping to standard output. Shows the first rows, decoded by it, on standard error.',
      args: { '<file>': 'file, plain or gzip' },
      examples: ['npx halfspread import sniff test/fixtures/import/polymarket-trades.csv'],
      load: async () => (await import('./actions/import-sniff.ts')).importSniff,
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
        '--separate': 'write a tape for each runner, also when two runners form one book',
        '--out <dir>': { meaning: 'folder of the tapes', preset: 'tapes' },
        ...jsonOption('the quality reports as one JSON object'),
      },
      examples: ['npx halfspread import betfair test/fixtures/betfair/1.200806927.gz --out tapes'],
      load: async () => (await import('./actions/import.ts')).importBetfairRecordings,
    },
    captured(
      'polymarket',
      "Polymarket's market channel",
      'Events as JSON lines, or in a column of CSV, with or without the time of receipt; also books of the REST API and public trades. Both tokens of a market become one YES book.',
      { '--markets <file>': 'market metadata of Gamma or of the CLOB, a JSON file' },
    ),
    captured(
      'kalshi',
      "Kalshi's public streams",
      'Messages as JSON lines, or in a column of CSV, with or without the time of receipt; prices in dollars or cents. NO bids become YES asks. A gap in the sequence ends a book until its next snapshot.',
      {
        '--markets <file>': 'response of GET /markets, a JSON file',
        '--yes-prices': 'NO levels come in YES prices (use_yes_price of the subscription)',
      },
    ),
  ],
};

/** The import of a format whose columns a mapping file explains. */
function mapped(format: 'csv' | 'jsonl' | 'parquet', what: string, example: string): CommandSpec {
  return {
    name: format,
    summary: `${what}, by a mapping file`,
    description: `Converts ${what} to a tape by a mapping file, which says what columns and rows mean. Prints what was read, changed and dropped for which reason. A killed import continues where it stopped.`,
    args: { '<files...>': 'files, in any order; rows are merged by time' },
    options: {
      '--mapping <file>': {
        meaning: 'YAML file (docs/importing.md), or the name of a shipped mapping',
        isRequired: true,
      },
      '--separate': 'write a tape for each market',
      ...FORCE,
      '--out <dir>': { meaning: 'folder of the tapes', preset: 'tapes' },
      ...SET,
      ...jsonOption('counts and quality reports as one JSON object'),
    },
    examples: [`npx halfspread import ${format} --mapping polymarket-trades ${example}`],
    load: async () => (await import('./actions/import.ts')).importByMapping(format),
  };
}

/** The import of captures of a venue's public streams, which need no mapping. */
function captured(venue: 'polymarket' | 'kalshi', what: string, forms: string, own: TermSpecs): CommandSpec {
  return {
    name: venue,
    summary: `captures of ${what}`,
    description: `Converts captures of ${what} to one tape. ${forms} Prints what was read, changed and dropped for which reason. A killed import continues where it stopped.`,
    args: { '<files...>': 'captures, plain or gzip; they are merged in time' },
    options: {
      ...own,
      '--pair-window <ms>':
        'largest delay of a trade after the level change that it explains: it is moved before the change; default 50',
      '--separate': 'write a tape for each market',
      ...FORCE,
      '--name <name>': 'name of the tape; by default that of the first file',
      '--description <text>': 'description of the source, stored in the tape',
      '--licence <text>': 'licence of the recording, stored in the tape',
      '--out <dir>': { meaning: 'folder of the tapes', preset: 'tapes' },
      ...jsonOption('counts and quality reports as one JSON object'),
    },
    examples: [`npx halfspread import ${venue} test/fixtures/captures/${venue}.jsonl --out tapes`],
    load: async () => (await import('./actions/import.ts')).importCaptures(venue),
  };
}
