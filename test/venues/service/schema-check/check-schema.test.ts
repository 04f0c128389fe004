import { buildClientSchema, buildSchema, getIntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import { OPERATIONS, SCHEMA_SDL } from '../../../../src/protocol/index.ts';
import { compareSchema } from '../../../../src/venues/service/schema-check/check-schema.ts';
import { OperationTexts } from '../../../../src/venues/service/transport/index.ts';
import { realVenue } from '../real-venue.ts';

/** Compares the operations with the schema after one replacement in its text. */
function compareChanged(from: string | RegExp, to: string) {
  const text = SCHEMA_SDL.replace(from, to);
  expect(text).not.toBe(SCHEMA_SDL);
  return compareSchema(buildSchema(text), new OperationTexts());
}

it('the embedded venue has every field that the bot queries', async () => {
  const { url } = await realVenue();
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data } = JSON.parse(await answer.text());
  const report = compareSchema(buildClientSchema(data), new OperationTexts());
  expect(report).toEqual({
    refused: [],
    breaking: [],
    dangerous: [],
    harmless: [],
    operations: Object.keys(OPERATIONS).length,
  });
});

it('a missing field is reported with every operation that queries it', () => {
  const { refused, breaking } = compareChanged(/\bprevSeq: UintString!/, 'before: UintString!');
  expect(refused).toContainEqual({
    operation: 'OrderBookUpdated',
    file: undefined,
    problem: 'Cannot query field "prevSeq" on type "OrderBookEvent".',
  });
  expect(breaking).toEqual(['OrderBookEvent.prevSeq was removed.']);
});

it('a missing argument and an additional required argument are reported', () => {
  const withoutArgument = compareChanged(
    'orderBookUpdated(marketId: ID!, depth: Int = 50, afterSeq: UintString)',
    'orderBookUpdated(marketId: ID!, depth: Int = 50)',
  );
  expect(withoutArgument.refused.map(({ problem }) => problem)).toEqual([
    'Unknown argument "afterSeq" on field "Subscription.orderBookUpdated".',
  ]);
  const withRequired = compareChanged('tradeExecuted(marketId: ID!)', 'tradeExecuted(marketId: ID!, venue: ID!)');
  expect(withRequired.refused.map(({ operation }) => operation)).toEqual(['TradeExecuted']);
});

it('a removed enum value is harmless in answers and breaking in inputs', () => {
  const { harmless, breaking } = compareChanged(/"[^"]*" REVERSED/, '');
  expect([breaking, harmless]).toEqual([[], ['REVERSED was removed from enum type OrderEventKind.']]);
  expect(compareChanged('GTC ', '').breaking).toEqual(['GTC was removed from enum type TimeInForce.']);
});

it('a changed type of a queried field is breaking, and a new enum value is dangerous', () => {
  expect(compareChanged(/executedAt: Time!\s*\n\}/, 'executedAt: Int! }').breaking.join()).toContain(
    'executedAt changed type',
  );
  expect(compareChanged('enum VenueMode {', 'enum VenueMode { SLOW').dangerous).toEqual([
    'SLOW was added to enum type VenueMode.',
  ]);
});

it('an unused field may be missing', () => {
  const report = compareChanged('modelVotes(', 'votesOfModels(');
  expect(report).toMatchObject({ refused: [], breaking: [], harmless: ['Query.modelVotes was removed.'] });
});

it("an operator's own document is checked as it is sent", () => {
  const texts = new OperationTexts();
  texts.override('ops/Health.graphql', 'query Health { health: status { status mode version serverTime engineSeq } }');
  const { refused } = compareSchema(buildSchema(SCHEMA_SDL), texts);
  expect(refused).toEqual([
    { operation: 'Health', file: 'ops/Health.graphql', problem: 'Cannot query field "status" on type "Query".' },
  ]);
});
