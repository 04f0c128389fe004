/** Commands that only look. */
import { z } from 'zod';
import { MARKET_STATUSES } from '../../domain/index.ts';
import { marketCalled, marketField, type OperatorCommand, operatorQuery } from './command.ts';

import { presentMarket, presentMarketLine } from './market-presenter.ts';

const most = z.int().min(1).max(10_000).default(100).describe('At most so many, the newest. Default 100.');

const markets = operatorQuery(
  'Lists markets, the newest first.',
  z.strictObject({ status: z.enum(MARKET_STATUSES).optional().describe('Only these.'), most }),
  (args, { queue }) =>
    queue.read((view) => {
      const wanted = view.markets.filter(({ status }) => args.status === undefined || status === args.status);
      return wanted.toReversed().slice(0, args.most).map(presentMarketLine);
    }),
);

const market = operatorQuery('Shows a market.', z.strictObject({ market: marketField }), (args, operation) =>
  operation.queue.read((view) => presentMarket(marketCalled(operation, args.market), view)),
);

const catalogue = operatorQuery('Lists categories and topics.', z.strictObject({}), (_args, operation) => ({
  categories: operation.catalogue.categories.map((category) => ({ ...category })),
  topics: operation.catalogue.topics.map((topic) => ({ ...topic })),
}));

const actions = operatorQuery(
  'Lists what operators did, the newest first.',
  z.strictObject({ most }),
  (args, { registry }) =>
    registry
      .load('operatorAction')
      .map(({ value }) => value)
      .toReversed()
      .slice(0, args.most),
);

/** By name. */
export const LIST_COMMANDS: Readonly<Record<string, OperatorCommand>> = { markets, market, catalogue, actions };
