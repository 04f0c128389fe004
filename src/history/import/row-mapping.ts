/** Schema of `rows` in a mapping file: the meaning of a row, and its columns. */
import { z } from 'zod';
import { STATUS_CODES } from '../../tape/index.ts';
import { PRICE_UNITS, SIZE_UNITS } from './units.ts';

export const column = z.string().min(1).max(200);
export const words = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).max(10_000);

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
    .describe('Size of every row without a column of sizes, in `unit`. The tape records this assumption.'),
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
  .strictObject({ column, is: words.describe('Values of the column.') })
  .optional()
  .describe('Rows to which this entry applies. Default: all rows that no earlier entry matches.');
const nested = z.strictObject({ column, price: z.string().default('0'), size: z.string().default('1') });
const levels = { when, side, price, size };

export const ORDER_ACTIONS = ['insert', 'cancel', 'execute'] as const;

export const rowMapping = z.discriminatedUnion('means', [
  z.strictObject({ means: z.literal('level'), ...levels }).describe("A level's new size; 0 removes it."),
  z.strictObject({ means: z.literal('level_delta'), ...levels }).describe('A level changes by `size`.'),
  z
    .strictObject({
      means: z.literal('insert_cancel'),
      ...levels,
      action: z
        .strictObject({
          column,
          insert: words,
          cancel: words,
          execute: words.default([]).describe('Words for executed orders; each is also a trade.'),
        })
        .describe('Words for orders that are inserted, cancelled and executed.'),
      order_id: column
        .optional()
        .describe(
          'Column of the order id. The tape then shows which orders were cancelled, for the queue model `fifo`.',
        ),
    })
    .describe('An order of `size` is inserted, cancelled or executed.'),
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
      'A full book in one row: lists of levels, as JSON text in CSV. `price` and `size` are keys or indexes of a level.',
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
      id: column.optional().describe('Column of the trade id. Repeated trades are dropped.'),
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
    .strictObject({
      means: z.literal('status'),
      when,
      column,
      words: z
        .partialRecord(z.enum(STATUS_CODES), words)
        .describe(
          `Words for each status, such as \`{ HALTED: [paused] }\`: ${STATUS_CODES.map((code) => `\`${code}\``).join(', ')}.`,
        ),
    })
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
    .describe('The outcome, as words or as the payout of a YES share.'),
  z
    .strictObject({ means: z.literal('gap'), when })
    .describe('A gap: messages are missing, and the book is unknown until the next full one.'),
  z.strictObject({ means: z.literal('nothing'), when }).describe('Rows to ignore.'),
]);

export type RowMapping = z.output<typeof rowMapping>;
