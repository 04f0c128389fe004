/** Schema of the markets that a bot trades, and of their price grids. */
import { z } from 'zod';
import { FULL_BPS, MARKET_STATUSES } from '../domain/index.ts';
import { selectionSchema } from '../runtime/index.ts';
import { whole } from '../strategy/index.ts';
import { optionalText, text } from './shared-parts.ts';

const band = z.strictObject({
  to: z
    .int()
    .min(1)
    .max(FULL_BPS)
    .describe('End of the band, bps: a whole number of steps after the end of the previous band.'),
  step: z.int().min(1).max(5_000).describe('Distance between two prices, bps.'),
});

const steps = z
  .array(band)
  .min(1)
  .max(100)
  .refine((bands) => bands.every(({ to }, at) => to > (bands[at - 1]?.to ?? 0)), 'bands with rising ends')
  .refine(
    (bands) => bands.every(({ to, step }, at) => (to - (bands[at - 1]?.to ?? 0)) % step === 0),
    'bands that are multiples of their step',
  )
  .refine((bands) => bands.at(-1)?.to === FULL_BPS, `a last band that ends at ${FULL_BPS}`);

/** Valid prices of orders, for markets that allow fewer prices than the tick of the venue's API. */
const gridSchema = z.union([
  z
    .enum(['tick', 'betfair', 'betfair-two-runners'])
    .describe(
      "`tick`: the venue's tick; `betfair`: decimal odds of one runner; `betfair-two-runners`: odds of both runners.",
    ),
  z.strictObject({ steps: steps.describe('Bands of prices in ascending order, each `{ to, step }`.') }),
  z.strictObject({
    tape: text.describe('A tape whose markets define the prices, relative to this file.'),
  }),
]);

export type GridConfig = z.output<typeof gridSchema>;

const params = z.record(z.string(), z.unknown());

export const marketsSchema = z
  .strictObject({
    ids: z.array(text).default([]).describe('Markets by id; on Polymarket, by condition id in quotes. Default none.'),
    slugs: z.array(text).default([]).describe('Markets by slug. Default none.'),
    filter: z
      .strictObject({
        category: optionalText('Slug of a category.'),
        topic: optionalText('Slug of a topic.'),
        search: optionalText('Text in the question.'),
        status: z.enum(MARKET_STATUSES).optional().describe('Status. Default OPEN.'),
        limit: whole(1, 1_000, 20, 'Maximum number of markets; those with the highest volume come first.'),
      })
      .optional()
      .describe('Markets that meet all given conditions. Default none.'),
    select: selectionSchema
      .optional()
      .describe('Markets by rules that a running bot applies again, instead of the keys above. Default none.'),
    overrides: z
      .record(
        z.string(),
        z.strictObject({
          strategy: optionalText('Another strategy for this market.'),
          params: params
            .optional()
            .describe('Overrides single parameters; with another strategy, replaces all parameters.'),
          grid: gridSchema.optional().describe('Price grid of this market, in the forms of `markets.grid`.'),
        }),
      )
      .default({})
      .describe('Settings of single markets, by slug or by id as in `ids`. Default none.'),
    grid: gridSchema
      .default('tick')
      .describe(
        "Valid prices of orders, if they are fewer than the venue's tick allows: a name, steps, or a tape that the venue replays. Default `tick`.",
      ),
  })
  .check(checkMarketChoice)
  .describe('Markets to trade: all of `ids`, `slugs` and `filter`, or of `select`. All markets share the capital.');

interface MarketChoice {
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  readonly filter?: object | undefined;
  readonly select?: object | undefined;
}

function checkMarketChoice({ value, issues }: z.core.ParsePayload<MarketChoice>): void {
  const { ids, slugs, filter, select } = value;
  const isListed = ids.length + slugs.length > 0 || filter !== undefined;
  if (select !== undefined && isListed) {
    const message = 'either select, or ids, slugs and a filter';
    issues.push({ code: 'custom', message, path: ['select'], input: select });
  } else if (select === undefined && !isListed)
    issues.push({ code: 'custom', message: 'ids, slugs, a filter or select', input: value });
}

interface BotMarkets {
  readonly markets: MarketChoice;
  readonly strategies?: readonly { readonly markets?: readonly string[] | undefined }[] | undefined;
}

/** Refuses markets of a single strategy together with `select`. */
export function refuseMarketsOfStrategies({ value, issues }: z.core.ParsePayload<BotMarkets>): void {
  const { markets, strategies = [] } = value;
  if (markets.select === undefined) return;
  for (const [at, { markets: own }] of strategies.entries()) {
    if (own === undefined) continue;
    const message = 'no markets here when markets.select is set: each strategy trades all selected markets';
    issues.push({ code: 'custom', message, path: ['strategies', at, 'markets'], input: own });
  }
}
