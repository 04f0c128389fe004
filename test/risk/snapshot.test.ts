import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, instanceNo, marketNo } from '../../src/domain/index.ts';
import { createRiskGate, type RiskGate, type RiskSnapshot, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { describeRefused, gateWith, quoteOf, verdictLines } from './check-text.ts';
import { fakeAccount, NOON } from './fake-account.ts';

const HOUR = 3_600_000;
const LIMITS = riskLimits(riskSchema.parse({ daily_loss_usd: 10, max_drawdown_usd: 25 }));

function restoreGate(gate: RiskGate): RiskGate {
  const snapshot: RiskSnapshot = JSON.parse(JSON.stringify(gate.snapshot()));
  return createRiskGate(LIMITS, snapshot);
}

interface Input {
  readonly equity: number;
  readonly hours: number;
  readonly word: 'none' | 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';
}

const input: fc.Arbitrary<Input> = fc.record({
  equity: fc.integer({ min: 60, max: 140 }),
  hours: fc.integer({ min: 0, max: 30 }),
  word: fc.constantFrom('none', 'none', 'none', 'none', 'ACTIVE', 'REDUCING', 'PAUSED', 'KILLED'),
});

/** Returns all results of a gate for a sequence of inputs. */
function resultsOf(gate: RiskGate, inputs: readonly Input[], from: number): string[] {
  let time = from;
  return inputs.map(({ equity, hours, word }) => {
    time += hours;
    if (word !== 'none') gate.setMode(word, `by ${word}`);
    const breach = gate.checkLosses(fakeAccount({ exitEquity: equity, now: epochMs(NOON + time * HOUR) }));
    return `${breach === undefined ? '' : describeRefused(breach)} ${gate.mode} ${gate.reason}`;
  });
}

describe('a gate after a restart', () => {
  it('gives the same results as without a restart, at any point of the sequence', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 20 }), fc.array(input, { maxLength: 20 }), (head, tail) => {
        const never = createRiskGate(LIMITS);
        resultsOf(never, head, 0);
        const restarted = restoreGate(never);
        const from = head.reduce((sum, { hours }) => sum + hours, 0);
        expect(resultsOf(restarted, tail, from)).toEqual(resultsOf(never, tail, from));
        expect(restarted.snapshot()).toEqual(never.snapshot());
      }),
      { numRuns: 300 },
    );
  });

  it('has the daily loss', () => {
    const gate = createRiskGate(LIMITS);
    gate.checkLosses(fakeAccount({ exitEquity: 100 }));
    gate.checkLosses(fakeAccount({ exitEquity: 91 }));
    expect(restoreGate(gate).checkLosses(fakeAccount({ exitEquity: 89 }))).toMatchObject({
      code: 'DAILY_LOSS',
      actual: 11_000_000,
    });
  });

  it('stays killed', () => {
    const gate = createRiskGate(LIMITS);
    gate.setMode('KILLED', 'SIGNAL');
    const restarted = restoreGate(gate);
    restarted.setMode('REDUCING');
    expect([restarted.mode, restarted.reason]).toEqual(['KILLED', 'SIGNAL']);
  });
});

describe('deposited or withdrawn cash and shares', () => {
  it('are neither gain nor loss', () => {
    const gate = createRiskGate(LIMITS);
    gate.checkLosses(fakeAccount({ exitEquity: 100 }));
    expect(gate.checkLosses(fakeAccount({ exitEquity: 10, contributed: -90 }))).toBeUndefined();
    expect(gate.checkLosses(fakeAccount({ exitEquity: 500, contributed: 400 }))).toBeUndefined();
    expect(gate.checkLosses(fakeAccount({ exitEquity: 489, contributed: 400 }))).toMatchObject({ code: 'DAILY_LOSS' });
  });
});

describe('fills of orders from other clients', () => {
  const here = { number: 0, bid: 5900, ask: 6100 };
  const there = { number: 1, bid: 5900, ask: 6100 };
  const intent = quoteOf(['bid 100 @ 5800']);

  /** Returns the verdict on an intent in one market after a change in the other market. */
  function verdictAfter(change: (gate: RiskGate) => void): string[] {
    const gate = gateWith({ max_total_notional_usd: 100 });
    gate.check(intent, instanceNo(0), fakeAccount({ markets: [here, there] }));
    const grown = fakeAccount({ markets: [here, { ...there, yes: 100, netCash: -90 }] });
    change(gate);
    return verdictLines(gate.check(intent, instanceNo(0), grown));
  }

  it('count in the sum over all markets once they are reported', () => {
    expect(verdictAfter((gate) => gate.onHoldingsChanged(marketNo(1)))).toEqual(['MAX_TOTAL_NOTIONAL 100/148']);
  });

  it('of an unknown market change nothing', () => {
    expect(verdictAfter((gate) => gate.onHoldingsChanged(marketNo(7)))).toEqual(['bid 100 @ 5800']);
  });
});
