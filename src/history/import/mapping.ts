/** Schema of a mapping file, which states the meaning of a source's columns. docs/importing.md describes it. */
import { z } from 'zod';
import { type PriceGrid, priceBps } from '../../domain/index.ts';
import { fileVersion, whole } from '../../strategy/index.ts';
import { column, rowMapping, words } from './row-mapping.ts';

const prices = z
  .array(z.int().min(1).max(9_999))
  .min(1)
  .max(9_999)
  .refine((list) => list.every((price, at) => at === 0 || price > (list[at - 1] ?? 0)), 'ascending prices')
  .transform((list) => list.map(priceBps));

/** Price grid of a mapping file, converted to a tape's price grid. */
const grid = z
  .union([
    z.strictObject({
      tick_bps: z
        .int()
        .min(1)
        .max(5_000)
        .refine((tick) => 10_000 % tick === 0, 'a divisor of 10000'),
    }),
    z.strictObject({ bids: prices, asks: prices }),
  ])
  .transform(
    (grid): PriceGrid => ('tick_bps' in grid ? { type: 'tick', tickBps: grid.tick_bps } : { type: 'list', ...grid }),
  );

const text = z.string().max(10_000);

const time = z.strictObject({
  column: column.describe('Column of the exchange time.'),
  format: text
    .default('iso8601')
    .describe(
      '`epoch_s`, `epoch_ms`, `epoch_us`, `epoch_ns`, `iso8601`, or a pattern such as `yyyy-MM-dd HH:mm:ss.SSS zzz`. Default `iso8601`.',
    ),
  zone: text
    .optional()
    .describe(
      'Zone of times without a zone: `UTC`, `EST`, `-05:00` or `America/New_York`. Default: such times are dropped.',
    ),
  missing: z
    .enum(['drop', 'next', 'previous'])
    .default('drop')
    .describe(
      'Rows without a time: they are dropped, or take the time of the next or the previous row. Default `drop`.',
    ),
  received: z
    .strictObject({ column, format: text.default('iso8601'), zone: text.optional() })
    .optional()
    .describe('Column, format and zone of the receive time. Default: no receive times.'),
  order: z
    .enum(['oldest_first', 'newest_first', 'any'])
    .default('oldest_first')
    .describe(
      'Order of the rows in a file. `newest_first` and `any` sort the rows, on disk if the file is large. Default `oldest_first`.',
    ),
  late_ms: whole(
    0,
    86_400_000,
    1_000,
    'A row at most this much earlier than the previous row moves forward to the time of that row, ms.',
  ),
  later: z
    .enum(['refuse', 'drop'])
    .default('refuse')
    .describe(
      'Rows that are late by more than `late_ms`: `refuse` stops the import, `drop` drops them. Default `refuse`.',
    ),
});

const marketFacts = {
  question: text.optional(),
  slug: text.optional(),
  outcomes: z.tuple([text, text]).optional().describe('Names of YES and NO.'),
  category: text.optional(),
  scheduled_resolution: text.optional().describe('ISO 8601 with Z.'),
  resolution: text.optional().describe('`yes`, `no`, `void`, or the payout of a YES share in bps.'),
  resolved_at: text.optional().describe('ISO 8601 with Z; needed with `resolution`.'),
};

export const mappingSchema = z
  .strictObject({
    version: fileVersion,
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[\w.-]+$/, 'letters, digits, dots, hyphens and underscores')
      .describe('Name of the tape and of its file.'),
    description: text.default('').describe('Where the data comes from, stored in the tape.'),
    licence: text.default('unknown').describe('Licence of the data, stored in the tape. Default `unknown`.'),
    csv: z
      .strictObject({
        delimiter: z.string().length(1).default(',').describe('Default a comma.'),
        columns: z
          .array(column)
          .min(1)
          .max(10_000)
          .optional()
          .describe(
            'Names of the columns, in order, for files without a header. A header with these names is dropped. A header with other names is read as a row, and dropped if its cells are not valid. Default: the first line.',
          ),
        conflict_markers: z
          .enum(['refuse', 'keep_first', 'keep_second', 'keep_both'])
          .default('refuse')
          .describe('Which part of a merge conflict is imported; `refuse` stops the import. Default `refuse`.'),
      })
      .prefault({})
      .describe('Format of CSV files.'),
    each: column
      .optional()
      .describe(
        'JSON lines and Parquet: path of a list in each row. Each entry becomes a row, with the columns of the outer row.',
      ),
    damaged: z
      .enum(['refuse', 'keep'])
      .default('refuse')
      .describe(
        'A file that is damaged or cut short: `refuse` stops the import, `keep` imports the part before the damage. Default `refuse`.',
      ),
    time: time.describe('Columns and formats of the times, and the order of the rows.'),
    messages: z
      .union([z.enum(['time', 'row']), z.strictObject({ column })])
      .default('time')
      .describe(
        'Which rows form a message: consecutive rows of one time (`time`), each row (`row`), or rows with the same value of a column. Default `time`.',
      ),
    rows: z
      .array(rowMapping)
      .min(1)
      .max(100)
      .describe('Meaning of the rows. The first entry that matches a row counts.'),
    market: z
      .strictObject({
        column: column
          .optional()
          .describe('Column of the instrument. Default: all rows belong to one market, named like the tape.'),
        per_file: z
          .boolean()
          .default(false)
          .describe('Each file is an instrument, named like the file without its extension. Default `false`.'),
        outcome: z
          .strictObject({ column, yes: words, no: words })
          .optional()
          .describe('Column of the outcome. Default: all rows are about YES.'),
        no_rows: z
          .enum(['mirror', 'drop'])
          .default('mirror')
          .describe('Whether NO rows become the other side of YES at 1 - price, or are dropped. Default `mirror`.'),
      })
      .prefault({})
      .describe('Market and outcome of a row.'),
    grid: grid.describe('Prices of the markets: `tick_bps`, or lists `bids` and `asks` in bps.'),
    off_grid: z
      .enum(['round', 'drop'])
      .default('round')
      .describe('Prices off the grid: `round` rounds bids down and asks up, `drop` drops the row. Default `round`.'),
    prints: z
      .enum(['recorded', 'inferred'])
      .default('recorded')
      .describe('`inferred` infers prints from repeated full books, for sources without trades. Default `recorded`.'),
    pair_window_ms: whole(
      0,
      60_000,
      0,
      'Moves a print before the level change that it explains, if the print is at most this much later, ms.',
    ),
    markets: z
      .array(
        z.strictObject({
          instrument: z.string(),
          outcome: z.enum(['yes', 'no']).default('yes'),
          market: z.string().optional(),
          ...marketFacts,
        }),
      )
      .max(65_536)
      .default([])
      .describe('Facts about instruments, such as market, outcome and question.'),
    metadata: z
      .strictObject({
        file: z.string().min(1).describe('CSV or JSON file, relative to this file.'),
        key: column.describe('Column of the instrument.'),
        columns: z
          .strictObject({
            market: column,
            outcome: column,
            question: column,
            slug: column,
            yes: column,
            no: column,
            category: column,
            scheduled_resolution: column,
            resolution: column,
            resolved_at: column,
          })
          .partial(),
      })
      .optional()
      .describe('A file with facts about instruments.'),
    others: z
      .enum(['import', 'drop'])
      .default('import')
      .describe('Rule for instruments without facts. Default `import`.'),
    scheduled_resolution: text
      .optional()
      .describe('Scheduled resolution of markets whose facts have none, ISO 8601 with Z.'),
    commission_bps: whole(0, 10_000, 0, 'Commission on net winnings, bps.'),
  })
  .superRefine(({ name, market, markets }, context) => {
    const { column, per_file } = market;
    if (column !== undefined && per_file) {
      context.addIssue({ code: 'custom', path: ['market', 'per_file'], message: 'either `column` or `per_file`' });
    }
    if (column !== undefined || per_file || markets.length === 0) return;
    if (markets.some(({ instrument }) => instrument === name)) return;
    const message = '`market.column`, or `market.per_file: true` if files are instruments: rows have no instrument';
    context.addIssue({ code: 'custom', path: ['markets'], message });
  })
  .superRefine(({ rows, pair_window_ms }, context) => {
    if (pair_window_ms === 0 || !rows.some((row) => row.means === 'insert_cancel' && row.order_id !== undefined))
      return;
    const message = '0 where orders have ids: put trades before the cancels of their orders, or map them as `execute`';
    context.addIssue({ code: 'custom', path: ['pair_window_ms'], message });
  })
  .describe('How rows of CSV, JSON lines or Parquet become a tape.');

export type Mapping = z.output<typeof mappingSchema>;
export type InstrumentFacts = Mapping['markets'][number];

/** Describes the conversions of a mapping for the manifest, one sentence each. */
export function describeConversions(mapping: Mapping): string[] {
  const text = JSON.stringify(mapping.rows);
  const odds = text.includes('"decimal_odds"') ? 'price = 10000 / decimal odds bps. ' : '';
  const assumed = [...text.matchAll(/"unit":"(\w+)","constant":([\d.e+]+)/g)].map(
    ([, unit, size]) => `rows without a size count as ${size} (${unit})`,
  );
  const off = mapping.off_grid === 'round' ? 'round outward: bids down, asks up' : 'are dropped';
  const { market, time } = mapping;
  return [
    `${odds}prices off the grid ${off}; sizes round down to 0.01 share`,
    ...assumed,
    ...(market.outcome === undefined &&
    mapping.markets.every(({ outcome }) => outcome === 'yes') &&
    mapping.metadata === undefined
      ? []
      : [
          market.no_rows === 'mirror' ? 'rows of NO are the other side of YES at 1 - price' : 'rows of NO are left out',
        ]),
    ...(mapping.prints === 'inferred' ? ['trades: inferred from the falls of the best levels of repeated books'] : []),
    ...(mapping.pair_window_ms > 0
      ? [`a trade up to ${mapping.pair_window_ms} ms after the level change that it explains moves before the change`]
      : []),
    ...(mapping.rows.some(({ means }) => means === 'candle')
      ? ['candles: one print of unknown side at the close, at the end of the candle']
      : []),
    ...(time.received === undefined ? ['receive times are missing: rx = tx'] : []),
  ];
}
