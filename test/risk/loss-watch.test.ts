import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/domain/index.ts';
import type { RiskGate } from '../../src/risk/index.ts';
import { describeRefused, gateWith } from './check-text.ts';
import { fakeAccount, NOON } from './fake-account.ts';

const HOUR = 3_600_000;

/** Returns the result of the loss watch with an equity, `hours` after noon. */
function watch(gate: RiskGate, exitEquity: number, hours = 0): string {
  const breach = gate.checkLosses(fakeAccount({ exitEquity, now: epochMs(NOON + hours * HOUR) }));
  return breach === undefined ? 'fine' : describeRefused(breach);
}

describe('the daily loss limit', () => {
  it('kills once when the loss exceeds the limit', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    expect(watch(gate, 100)).toBe('fine');
    expect(watch(gate, 90)).toBe('fine');
    expect(gate.mode).toBe('ACTIVE');
    expect(watch(gate, 89.99)).toBe('DAILY_LOSS 10/10.01');
    expect(gate.mode).toBe('KILLED');
    expect(watch(gate, 50)).toBe('fine');
  });

  it('counts from the start of the day, not from its peak', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    watch(gate, 100);
    watch(gate, 150);
    expect(watch(gate, 90)).toBe('fine');
  });

  it('restarts at 00:00 UTC with the last equity before', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    watch(gate, 100);
    expect(watch(gate, 92, 11.99)).toBe('fine');
    expect(watch(gate, 85, 12)).toBe('fine');
    expect(watch(gate, 82, 13)).toBe('fine');
    expect(watch(gate, 81.99, 14)).toBe('DAILY_LOSS 10/10.01');
  });

  it('counts a loss over midnight in the new day', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    watch(gate, 100);
    expect(watch(gate, 89.99, 12)).toBe('DAILY_LOSS 10/10.01');
  });

  it('also kills in REDUCING mode', () => {
    const gate = gateWith({ daily_loss_usd: 10 }, 'REDUCING');
    watch(gate, 100);
    expect(watch(gate, 80)).toBe('DAILY_LOSS 10/20');
  });
});

describe('the drawdown limit', () => {
  it('counts from the highest equity, over days', () => {
    const gate = gateWith({ max_drawdown_usd: 10 });
    expect(watch(gate, 100)).toBe('fine');
    expect(watch(gate, 105, 1)).toBe('fine');
    expect(watch(gate, 95, 30)).toBe('fine');
    expect(watch(gate, 94.99, 60)).toBe('DRAWDOWN 10/10.01');
    expect(gate.mode).toBe('KILLED');
  });
});

describe('a gate after a kill', () => {
  it('accepts the losses so far when it is resumed', () => {
    const gate = gateWith({ daily_loss_usd: 10, max_drawdown_usd: 15 });
    watch(gate, 100);
    expect(watch(gate, 80)).toBe('DAILY_LOSS 10/20');
    gate.setMode('ACTIVE');
    expect(watch(gate, 79)).toBe('fine');
    expect(watch(gate, 69)).toBe('fine');
    expect(watch(gate, 68)).toBe('DAILY_LOSS 10/11');
  });

  it('reports no loss if an operator killed it', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    watch(gate, 100);
    gate.setMode('KILLED');
    expect(watch(gate, 1)).toBe('fine');
  });
});

describe('a breach of a loss limit', () => {
  it('names the market with the largest possible further loss', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    const markets = [{ yes: 10, netCash: -5 }, { number: 1, yes: 100, netCash: -50 }, { number: 2 }];
    gate.checkLosses(fakeAccount({ exitEquity: 100, markets }));
    expect(gate.checkLosses(fakeAccount({ exitEquity: 1, markets }))).toMatchObject({ market: 1, code: 'DAILY_LOSS' });
  });
});
