import { buildSchema, type GraphQLSchema, isEnumType, isObjectType, parse, validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS, MARKET_STATUSES, REJECT_REASONS, VENUE_MODES } from '../../src/domain/index.ts';
import { CHAIN_STEPS } from '../../src/exchange/market-command.ts';
import { MATCH_TYPES } from '../../src/exchange/matching/codes.ts';
import { SELF_TRADE_MODES } from '../../src/exchange/order-terms.ts';
import { LIMIT_UNITS } from '../../src/exchange/refusal.ts';
import { SCHEMA_SDL } from '../../src/protocol/index.ts';

const schema: GraphQLSchema = buildSchema(SCHEMA_SDL);

function valuesOf(name: string): readonly string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is not an enum`);
  return type.getValues().map((value) => value.name);
}

function fieldsOf(name: string): readonly string[] {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not an object type`);
  return Object.keys(type.getFields());
}

describe('the SDL', () => {
  it('is a valid schema that defines each type once', () => {
    expect(validateSchema(schema)).toEqual([]);
    expect(parse(SCHEMA_SDL).definitions).toHaveLength(
      Object.keys(schema.getTypeMap()).filter((name) => !/^(__.*|String|Boolean|Int|Float|ID)$/.test(name)).length,
    );
  });

  it('has 33 queries, 30 mutations and 9 subscriptions', () => {
    expect(['Query', 'Mutation', 'Subscription'].map((root) => fieldsOf(root).length)).toEqual([33, 30, 9]);
  });

  it.each([
    ['Category', 'name slug marketCount totalVolumeCents'],
    ['Market', 'id slug question status yesPriceBps noPriceBps spreadBps volumeCents resolutionDate'],
    ['MarketConnection', 'edges pageInfo totalCount'],
    ['TradeConnection', 'edges pageInfo totalCount'],
    ['MarketEdge', 'node'],
    ['PageInfo', 'hasNextPage hasPreviousPage startCursor endCursor'],
    ['BettingConfig', 'minBetCents maxInitialBetCents betPresets spreadBps'],
    ['MarketConfig', 'maxQuestionLength maxExposurePerMarketCents maxBetPerMarketCents'],
    ['OrderBook', 'bestBidBps bestAskBps midpointBps'],
    ['Trade', 'lastTradePriceBps priceBps'],
    ['Position', 'valueCents amountCents shares currentOddsBps totalPayoutCents'],
    ['BetLimits', 'maxBetCents'],
    ['Query', 'categories markets market bettingConfig marketConfig priceHistory claimablePositions'],
  ])('has the fields of %s that the specification names', (type, fields) => {
    expect(fieldsOf(type)).toEqual(expect.arrayContaining(fields.split(' ')));
  });

  it.each([
    [
      'MarketStatus',
      'OPEN PENDING_RESOLUTION RESOLVED RESOLVED_YES RESOLVED_NO RESOLVED_UNCERTAIN RESOLUTION_FAILED CANCELLED PENDING_BLOCKCHAIN',
    ],
    ['BetOutcome', 'YES NO CANCELLED'],
    ['MarketSort', 'CREATED_AT_DESC CREATED_AT_ASC VOLUME_DESC VOLUME_ASC RESOLUTION_DATE_ASC RESOLUTION_DATE_DESC'],
    ['OrderSide', 'BUY SELL'],
    ['ResolutionOutcome', 'RESOLVED_YES RESOLVED_NO CANCELLED'],
  ])('has exactly the values of %s that the specification names', (name, values) => {
    expect(valuesOf(name)).toEqual(values.split(' '));
  });
});

describe('internal values and enum values of the schema', () => {
  it.each([
    ['MarketStatus', MARKET_STATUSES],
    ['CancelReason', CLOSE_REASONS.filter((reason) => reason !== 'FILLED')],
    ['VenueMode', VENUE_MODES],
    ['LimitUnit', LIMIT_UNITS],
    ['SelfTradePrevention', SELF_TRADE_MODES],
    ['BlockchainStep', CHAIN_STEPS],
  ] as const)('are the same for %s', (name, values) => {
    expect([...valuesOf(name)].sort()).toEqual([...values].sort());
  });

  it('are the same for rejection reasons, in the order of the checks', () => {
    expect(valuesOf('RejectReason')).toEqual(REJECT_REASONS);
  });

  it('are the same for match types', () => {
    expect([...valuesOf('MatchType')].sort()).toEqual([...MATCH_TYPES].sort());
  });
});
