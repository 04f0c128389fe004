/** How recorded flow meets orders, as it stands in a journal: what a user set, in the names of the YAML file. */
import { z } from 'zod';
import type { Json } from '../exchange/index.ts';
import { queueOf, queueSchema, tradesOnlyOf, tradesOnlySchema } from './options.ts';
import type { ReplayModels } from './replay.ts';

const modelsSchema = z.strictObject({ queue: queueSchema, trades_only: tradesOnlySchema.optional() });

/** What is set. */
export type ModelOptions = z.output<typeof modelsSchema>;

/** As a command carries them. */
export function modelsJson({ queue, trades_only }: ModelOptions): Json {
  if (trades_only === undefined) return { queue };
  const { assumed_half_spread_bps: spread, ...prints } = trades_only;
  return { queue, trades_only: spread === undefined ? prints : { ...prints, assumed_half_spread_bps: spread } };
}

/** Undefined for what this version does not know. */
export function readModels(models: Json): Pick<ReplayModels, 'queue' | 'tradesOnly'> | undefined {
  const { data } = modelsSchema.safeParse(models);
  return data === undefined ? undefined : { queue: queueOf(data.queue), tradesOnly: tradesOnlyOf(data.trades_only) };
}
