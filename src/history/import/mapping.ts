/** Schema of a mapping file: which columns of a source mean what. docs/importing.md describes it. */
import { z } from 'zod';
import { fileVersion } from '../../strategy/index.ts';
import { STATUS_CODES } from '../../tape/index.ts';
import { gridOf } from './mapping-grid.ts';
import { PRICE_UNITS, SIZE_UNITS } from './units.ts';

const column = z.string().min(1).max(200);
const words = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).max(10_000);
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
      'Zone of times that name none: `UTC`, `EST`, `-05:00` or `America/New_York`. Default: such times are dropped.',
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
      'Order of the rows in a file. All but `oldest_first` sort, on disk when a file is large. Default `oldest_first`.',
    ),
  late_ms: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(1_000)
    .describe('A row up to so much earlier than the one before moves forward to its time, ms. Default 1000.'),
  later: z
    .enum(['refuse', 'drop'])
    .default('refuse')
    .describe('What happens to rows that are even earlier. Default `refuse`: the import stops.'),
});

const price = z.strictObject({
  column: column.describe('Column of the price.'),
  unit: z.enum(PRICE_UNITS).default('dollars').describe('Unit of the price. Default `dollars`, 0 to 1.'),
});
const size = z.strictObject({
  column: column.optional().describe('Column of the size. Without it every row has the size `constant`.'),
  unit: z
    .enum(SIZE_UNITS)
    .default('shares')
    .describe(
      'Unit of the size; a contract is a share. `usd` is an amount of money at the price of the row. Default `shares`.',
    ),
  constant: z
    .number()
    .positive()
    .optional()
    .describe('Size of rows without a column of sizes, in `unit`: an assumption, stored in the tape.'),
});
const side = z.strictObject({
  column: column.describe('Column of the side.'),
  bid: words
    .default(['BUY', 'buy', 'Buy', 'bid', 'BID', 'B', 'b'])
    .describe('Words for a bid, or for a taker that buys.'),
  ask: words
    .default(['SELL', 'sell', 'Sell', 'ask', 'ASK', 'S', 's', 'A', 'a'])
    .describe('Words for an ask, or for a taker that sells.'),
});

const when = z
  .strictObject({ column, is: words.describe('Words of the column.') })
  .optional()
  .describe('Which rows this is about. Default: all that no entry before took.');
const nested = z.strictObject({ column, price: z.string().default('0'), size: z.string().default('1') });
const levels = { when, side, price, size };

const rowMapping = z.discriminatedUnion('means', [
  z.strictObject({ means: z.literal('level'), ...levels }).describe("A level's new size; 0 removes it."),
  z.strictObject({ means: z.literal('level_delta'), ...levels }).describe('A level changes by `size`.'),
  z
    .strictObject({
      means: z.literal('insert_cancel'),
      ...levels,
      action: z.strictObject({ column, insert: words, cancel: words }).describe('Words for orders that come and go.'),
    })
    .describe('An order of `size` comes or goes.'),
  z
    .strictObject({ means: z.literal('snapshot'), ...levels })
    .describe('One level of a full book. The rows of one message are the book.'),
  z
    .strictObject({
      means: z.literal('book'),
      when,
      bids: nested,
      asks: nested,
      price_unit: z.enum(PRICE_UNITS).default('dollars'),
      size_unit: z.enum(SIZE_UNITS).default('shares'),
    })
    .describe(
      'A full book in one row: lists of levels, as JSON text in CSV. `price` and `size` are keys or places in a level.',
    ),
  z
    .strictObject({
      means: z.literal('top_of_book'),
      when,
      bid: z.strictObject({ price, size }),
      ask: z.strictObject({ price, size }),
    })
    .describe('Best bid and best ask. An empty price is an empty side.'),
  z
    .strictObject({
      means: z.literal('trade'),
      when,
      price,
      size,
      side: side.optional(),
      id: column.optional().describe('Column of a trade id: a repeated one is dropped.'),
    })
    .describe('A trade; `side` is the taker.'),
  z
    .strictObject({
      means: z.literal('candle'),
      when,
      close: price,
      volume: size,
      length_ms: z.int().min(1).max(31_622_400_000),
    })
    .describe('One print of unknown side at the close of each candle. `time` is its start.'),
  z
    .strictObject({ means: z.literal('status'), when, column, words: z.partialRecord(z.enum(STATUS_CODES), words) })
    .describe('The market opens, halts or closes.'),
  z
    .strictObject({
      means: z.literal('resolution'),
      when,
      column,
      yes: words.default([]),
      no: words.default([]),
      void: words.default([]),
      payout: z.enum(PRICE_UNITS).optional(),
    })
    .describe('The outcome, in words or as what a YES share pays.'),
  z
    .strictObject({ means: z.literal('gap'), when })
    .describe('Messages were lost: the book ends until the next full one.'),
  z.strictObject({ means: z.literal('nothing'), when }).describe('Rows to leave out.'),
]);

const marketFacts = {
  question: text.optional(),
  slug: text.optional(),
  outcomes: z.tuple([text, text]).optional().describe('Names of YES and NO.'),
  category: text.optional(),
  scheduled_resolution: text.optional().describe('ISO 8601 with Z.'),
  resolution: text.optional().describe('`yes`, `no`, `void`, or what a YES share pays in bps.'),
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
          .describe('Names of the columns. Default: the first line.'),
        conflict_markers: z
          .enum(['refuse', 'keep_first', 'keep_second', 'keep_both'])
          .default('refuse')
          .describe('Which part of a merge conflict in the file counts. Default `refuse`: the import stops.'),
      })
      .prefault({})
      .describe('How CSV files are written.'),
    each: column
      .optional()
      .describe(
        'JSON lines and Parquet: a list in each row. Each entry is a row of its own, with the columns of the row around it.',
      ),
    damaged: z
      .enum(['refuse', 'keep'])
      .default('refuse')
      .describe(
        'What counts of a file that is cut short. Default `refuse`: the import stops. `keep`: what comes before.',
      ),
    time: time.describe('Times.'),
    messages: z
      .union([z.enum(['time', 'row']), z.strictObject({ column })])
      .default('time')
      .describe(
        'Which rows are one message: those of one time that follow each other, each one, or those with one value of a column. Default `time`.',
      ),
    rows: z.array(rowMapping).min(1).max(100).describe('What rows mean. The first entry that fits counts.'),
    market: z
      .strictObject({
        column: column
          .optional()
          .describe('Column that names the instrument. Default: all rows are of one market, named like the tape.'),
        outcome: z
          .strictObject({ column, yes: words, no: words })
          .optional()
          .describe('Column that names the outcome of the row. Default: YES.'),
        no_rows: z
          .enum(['mirror', 'drop'])
          .default('mirror')
          .describe('Rows of NO are the other side of YES at 1 - price, or are dropped. Default `mirror`.'),
      })
      .prefault({})
      .describe('Which market and outcome a row is about.'),
    grid: gridOf.describe('Prices of the markets: `tick_bps`, or lists `bids` and `asks` in bps.'),
    off_grid: z
      .enum(['round', 'drop'])
      .default('round')
      .describe('Prices off the grid: bids round down and asks up, or they are dropped. Default `round`.'),
    prints: z
      .enum(['recorded', 'inferred'])
      .default('recorded')
      .describe('`inferred`: from repeated full books, for sources without trades. Default `recorded`.'),
    pair_window_ms: z
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe('A print up to so long after the level that it explains moves before it, ms. Default 0.'),
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
      .describe('Facts about instruments: which market and outcome each is, and how it is called.'),
    metadata: z
      .strictObject({
        file: z.string().min(1).describe('CSV or JSON file, relative to this file.'),
        key: column.describe('Its column with the instrument.'),
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
    others: z.enum(['import', 'drop']).default('import').describe('Instruments without facts. Default `import`.'),
    scheduled_resolution: text.optional().describe('Of markets whose facts name none, ISO 8601 with Z.'),
    commission_bps: z.int().min(0).max(10_000).default(0).describe('Commission on net winnings, bps. Default 0.'),
  })
  .describe('How rows of CSV, JSON lines or Parquet become a tape.');

export type Mapping = z.output<typeof mappingSchema>;
export type RowMapping = z.output<typeof rowMapping>;
export type MarketFacts = Mapping['markets'][number];
