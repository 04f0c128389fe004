import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Strategies of users import these names: removing a name breaks them, and a new name can't be removed later. */
const VALUES = `
  MakerEstimates enoughSteps estimatingMaker fillRateShape horizonShape makerOrderShape requireHorizon secondsLeft
  volatilityShape
  Bars DOLLAR Ema FULL_BPS Fault InputFault LOT Ladder OrderFlowImbalance RealizedVolatility SHARE StepGrid TimeEma TradeIntensity Vwap ZERO_SHARES ZERO_USD addShares addUsd instanceNo cents complement
  costAt defineStrategy defineWrapper dollars doubleMid doubled durationMs epochMs fillMargin formatMicros formatShares formatTime formatUsd
  gammaFromShift gridAbove gridBelow gridDown gridUp halfSpread inNoTerms isFinal isQuotable logistic logit lotsOf makerHandlers makerQuotes marketId marketNo
  microShares microUsd minShares negUsd onGrid parsePrice parseShares parseUsd payoutAt priceBps reservationPrice seededRandom
  shares sharesFloor sharesOfLots subShares subUsd takerFee timeAfter toCents toDollars toShares valueAtMid varianceLeft withinPosition yesPrice yesSign z
`;
const TYPES = `
  MakerEstimateParams MakerInputs MakerModel MakerOrderParams
  AccountView Bar BookLevel BookSide BookView InstanceNo CancelRejected ClaimIntent CloseReason ConversionRejected
  ConvertIntent Converted DoubleMid DurationMs EpochMs FillReversed Intent Intents LogFields LogLevel MarketId MarketInfo MarketLimits
  MarketNo MarketRef MarketState MarketStatus MarketTrade MarketView MeasuredVariance MicroShares MicroUsd OpenOrder OrderAccepted
  OrderClosed OrderEvent OrderFilled OrderNo OrderPhase OrderReduced OrderRejected Outcome PositionView PriceBps
  PriceGrid Quote QuoteFunction QuoteIntent QuoteSpec QuoteTolerance Random RejectReason Reservation Resolution RetailPrices SampleWindow Side Sign SignalReceived SpreadInputs
  Strategy StrategyContext StrategyHandlers StrategyLog StrategyScope StrategyState StrategyTimers StrategyWrapper TakeIntent TimerDelay TimerFired TimerSpec TradeRates VenueState WrapperContext
`;

describe('the package entry `halfspread`', () => {
  it('exports exactly these values', async () => {
    expect(Object.keys(await import('../src/index.ts')).toSorted()).toEqual(words(VALUES));
    expect(exportedNames().values).toEqual(words(VALUES));
  });

  it('exports exactly these types', () => {
    expect(exportedNames().types).toEqual(words(TYPES));
  });

  it('uses no name for both a value and a type', () => {
    const all = [...words(VALUES), ...words(TYPES)];
    expect(new Set(all).size).toBe(all.length);
  });
});

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/).toSorted();
}

/** Returns the exported names of the package entry, which contains only lists of names. */
function exportedNames(): { readonly values: readonly string[]; readonly types: readonly string[] } {
  const file = join(import.meta.dirname, '../src/index.ts');
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined)
      throw new Error('only lists of names');
    if (!ts.isNamedExports(statement.exportClause)) throw new Error('no star exports');
    for (const { name, isTypeOnly } of statement.exportClause.elements) {
      (statement.isTypeOnly || isTypeOnly ? types : values).push(name.text);
    }
  }
  return { values: values.toSorted(), types: types.toSorted() };
}
