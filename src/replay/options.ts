/** User options of a replay, with the names of the YAML file: models for its books, and its start time. */
import { z } from 'zod';
import { DAY_MS, type EpochMs, formatTime, InputFault, parseTime, unchecked } from '../domain/index.ts';
import type { Json } from '../exchange/index.ts';
import type { TapeManifest } from '../tape/index.ts';
import { fifoQueue, logQueue, powerQueue, QUEUE_VARIANTS, type QueueModel, riskAverseQueue } from './queue.ts';

const variant = z
  .enum(QUEUE_VARIANTS)
  .default('split')
  .describe(
    'How the sizes ahead (a) and behind (b) become a chance: split f(b)/(f(b)+f(a)), whole f(b)/f(a+b), front 1-f(a/(a+b)). Default split.',
  );

const levelSizeModels = [
  z.strictObject({ model: z.literal('risk-averse') }),
  z.strictObject({
    model: z.literal('power'),
    n: z.number().positive().max(20).default(2).describe('Exponent of f(x) = x^n. Default 2.'),
    variant,
  }),
  z.strictObject({ model: z.literal('log'), variant }),
] as const;

/** Queue models for market data that contain only the total size of each level, as venues publish it. */
export const liveQueueSchema = z.discriminatedUnion('model', levelSizeModels);

export const queueSchema = z.discriminatedUnion('model', [
  ...levelSizeModels,
  z.strictObject({ model: z.literal('fifo') }),
]);

/** Takers trade at the last trade's price plus or minus this distance, rounded outwards to the grid. */
const assumedHalfSpread = z
  .number()
  .min(0)
  .max(5_000)
  .optional()
  .describe('Takers trade any size this far from the last trade, bps. Default: takers are refused.');

/**
 * Selects the prints that fill makers on a tape without a book, where the mark is the last trade
 * (docs/spec/models.md#thin-tapes). `through`: prints strictly through our price. `touch`: also `share` of the prints
 * at our price, rounded **down** to lots. `none`: no print, for candles.
 */
export const tradesOnlySchema = z.discriminatedUnion('fill', [
  z.strictObject({ fill: z.literal('through'), assumed_half_spread_bps: assumedHalfSpread }),
  z.strictObject({
    fill: z.literal('touch'),
    share: z.number().gt(0).max(1).describe('Share of a print at our price that fills our orders, 0 to 1; no default.'),
    assumed_half_spread_bps: assumedHalfSpread,
  }),
  z.strictObject({ fill: z.literal('none'), assumed_half_spread_bps: assumedHalfSpread }),
]);

export type QueueOptions = z.output<typeof queueSchema>;
export type TradesOnly = z.output<typeof tradesOnlySchema>;

export function createQueueModel(options: QueueOptions): QueueModel {
  if (options.model === 'risk-averse') return riskAverseQueue();
  if (options.model === 'fifo') return fifoQueue();
  return options.model === 'power' ? powerQueue(options.n, options.variant) : logQueue(options.variant);
}

/**
 * Refuses the model `fifo` for a tape without order ids.
 * @param field name of the section in messages
 * @throws InputFault if the model is refused
 */
export function checkQueue({ model }: QueueOptions, { name, orderIds }: TapeManifest, field: string): void {
  if (model !== 'fifo' || orderIds === true) return;
  const expected = `another model: the tape "${name}" has no order ids, so the cancels ahead of an order are unknown`;
  throw new InputFault(`${field}.model`, model, expected);
}

/**
 * Returns the user's options. Without user options, returns `through` for a tape of trades and `none` for candles
 * (docs/spec/models.md#thin-tapes).
 * @param field name of the section in messages
 * @throws InputFault for maker fills on a tape of candles
 */
export function tradesOnlyOptions(
  options: TradesOnly | undefined,
  content: TapeManifest['content'],
  field: string,
): TradesOnly | undefined {
  if (content === undefined) return options;
  if (content === 'trades') return options ?? { fill: 'through' };
  if (options === undefined) return { fill: 'none' };
  if (options.fill === 'none') return options;
  throw new InputFault(`${field}.fill`, options.fill, '"none": candles do not say which prices makers were filled at');
}

/** The models of a replay as stored in a journal, named as in the YAML file. */
const modelsSchema = z.strictObject({ queue: queueSchema, trades_only: tradesOnlySchema.optional() });

export type ModelOptions = z.output<typeof modelsSchema>;

export function modelsJson({ queue, trades_only }: ModelOptions): Json {
  if (trades_only === undefined) return { queue };
  const { assumed_half_spread_bps: spread, ...prints } = trades_only;
  return { queue, trades_only: spread === undefined ? prints : { ...prints, assumed_half_spread_bps: spread } };
}

/** Parses stored models. Returns undefined for models unknown to this version. */
export function readModels(models: Json) {
  const { data } = modelsSchema.safeParse(models);
  return data === undefined ? undefined : { queue: createQueueModel(data.queue), tradesOnly: data.trades_only };
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?Z$/;

/**
 * Parses the start of a replay. Default: the start of the tape.
 * @param text ISO 8601 with Z, or a time of day, which means its last occurrence on the tape
 * @throws InputFault for an invalid time or one outside the tape
 */
export function tapeStart(field: string, text: string | undefined, { from, to }: TapeManifest): EpochMs {
  if (text === undefined) return from;
  const time = lastTimeOfDay(text, to) ?? parseTime(field, text);
  if (time >= from && time <= to) return unchecked.time(time);
  throw new InputFault(field, text, `a time on the tape, from ${formatTime(from)} to ${formatTime(to)}`);
}

function lastTimeOfDay(text: string, to: EpochMs): number | undefined {
  const [match, hours = '', minutes = '', seconds = '', fraction = ''] = TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const timeOfDay =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
  const sameDay = Math.floor(to / DAY_MS) * DAY_MS + timeOfDay;
  return sameDay <= to ? sameDay : sameDay - DAY_MS;
}
