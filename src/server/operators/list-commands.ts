/** Commands that only read. */
import { z } from 'zod';
import { MARKET_STATUSES } from '../../domain/index.ts';
import { whole } from '../../strategy/index.ts';
import { findMarket, marketField, type OperatorCommand, operatorQuery } from './command.ts';

import { marketJson, marketSummaryJson } from './market-json.ts';

const most = whole(1, 10_000, 100, 'Largest number of results, newest first.');

const markets = operatorQuery(
  'Lists markets, newest first.',
  z.strictObject({ status: z.enum(MARKET_STATUSES).optional().describe('Lists only markets with this status.'), most }),
  (args, { queue }) =>
    queue.read((view) => {
      const selected = view.markets.filter(({ status }) => args.status === undefined || status === args.status);
      return selected.toReversed().slice(0, args.most).map(marketSummaryJson);
    }),
);

const market = operatorQuery('Shows a market.', z.strictObject({ market: marketField }), (args, operation) =>
  operation.queue.read((view) => marketJson(findMarket(operation, args.market), view)),
);

const catalogue = operatorQuery('Lists categories and topics.', z.strictObject({}), (_args, operation) => ({
  categories: operation.catalogue.categories.map((category) => ({ ...category })),
  topics: operation.catalogue.topics.map((topic) => ({ ...topic })),
}));

const actions = operatorQuery(
  'Lists the commands of operators, newest first.',
  z.strictObject({ most }),
  (args, { registry }) =>
    registry
      .load('operatorAction')
      .map(({ value }) => value)
      .toReversed()
      .slice(0, args.most),
);

export const LIST_COMMANDS: Readonly<Record<string, OperatorCommand>> = { markets, market, catalogue, actions };
