import { describe, expect, it } from 'vitest';
import { epochMs, feeRateBps, INVALID_FEE_BPS, unchecked } from '../../src/domain/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { account, setup } from './world.ts';

const MARKET = unchecked.market(0);
const time = epochMs(1_000);

function changeFee(state: AccountState, fee: number): void {
  const { limits } = state.market(MARKET);
  state.apply({ type: 'limitsChanged', time, venueTime: time, market: MARKET, limits: { ...limits, feeRateBps: fee } });
}

function acceptedFee(state: AccountState): number {
  return state.market(MARKET).acceptedFeeBps;
}

describe('the accepted fee of a market', () => {
  it('is the fee of the market when it joins, and does not change with the fee', () => {
    const state = account([setup(0, { feeRateBps: 50 })]);
    expect(acceptedFee(state)).toBe(50);
    for (const fee of [80, 20, 1_001, INVALID_FEE_BPS]) changeFee(state, fee);
    expect(acceptedFee(state)).toBe(50);
  });

  it.each([1_001, 10_000, INVALID_FEE_BPS])('is 0 when a market joins with the invalid fee %d', (fee) => {
    expect(acceptedFee(account([setup(0, { feeRateBps: fee })]))).toBe(0);
  });

  it('is the fee that an operator confirms', () => {
    const state = account([setup(0, { feeRateBps: 50 })]);
    state.apply({ type: 'feeConfirmed', time, market: MARKET, feeRateBps: 80 });
    expect(acceptedFee(state)).toBe(80);
  });

  it('decreases to the fee when a run starts, and never increases', () => {
    const state = account([setup(0, { feeRateBps: 50 })]);
    changeFee(state, 80);
    state.apply({ type: 'started', time });
    expect(acceptedFee(state)).toBe(50);
    changeFee(state, 20);
    state.apply({ type: 'started', time });
    expect(acceptedFee(state)).toBe(20);
  });

  it('survives a restart, and is the market’s current fee after a restore from a snapshot without it', () => {
    const state = account([setup(0, { feeRateBps: 50 })]);
    changeFee(state, 80);
    const snapshot = JSON.parse(JSON.stringify(state.snapshot()));
    expect(acceptedFee(AccountState.restore(snapshot))).toBe(50);
    for (const market of snapshot.markets) delete market.acceptedFeeBps;
    expect(acceptedFee(AccountState.restore(snapshot))).toBe(80);
  });
});

describe('a fee rate of a venue', () => {
  it.each([0, 1, 1_000, 1_001, 10_000])('may be %d', (fee) => {
    expect(feeRateBps(fee)).toBe(fee);
  });

  it.each([null, undefined, -1, 0.5, 10_001, 65_535, Number.NaN, Number.POSITIVE_INFINITY, '50', true, {}, [50]])(
    'is not valid as %j',
    (fee) => {
      expect(feeRateBps(fee)).toBe(INVALID_FEE_BPS);
    },
  );
});
