import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { credentialNo } from '../../../src/domain/index.ts';
import { toResolutionOutcome } from '../../../src/exchange/markets/lifecycle-state.ts';
import { MarketScript } from './market-script.ts';

describe('a decision', () => {
  it('has the rationale of the most confident vote for it, the first among equals', () => {
    const sure = new MarketScript().pending().vote('a', 'NO', 9000).vote('b', 'YES', 5000).vote('c', 'YES', 6000);
    expect(sure.harness.market().rationale).toBe('says c');
    expect(new MarketScript().pending().vote('a', 'YES', 6000).vote('b', 'YES', 6000).harness.market().rationale).toBe(
      'says a',
    );
    expect(new MarketScript().pending().vote('a', 'YES').vote('b', 'YES', 0).harness.market().rationale).toBe('says b');
    expect(new MarketScript().resolved('CANCELLED').harness.market().rationale).toBe('says a');
  });

  it('is dropped when a dispute succeeds or when it cannot be paid', () => {
    const script = new MarketScript().resolved();
    const time = script.harness.now;
    expect(script.harness.market()).toMatchObject({
      yesPayoutBps: 10_000,
      decidedAt: time,
      disputeWindowEndsAt: time + 200,
      rationale: 'says a',
    });
    script.apply({ type: 'dispute', account: accountNo(3), credential: credentialNo(0), reason: 'No.', ...script.at });
    script.apply({ type: 'upholdDispute', ...script.at });
    const noDecision = {
      yesPayoutBps: undefined,
      decidedAt: undefined,
      disputeWindowEndsAt: undefined,
      rationale: undefined,
    };
    expect(script.harness.market()).toMatchObject(noDecision);
    script.vote('a', 'NO').vote('b', 'NO').wait(200).answerChain(false);
    expect(script.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', ...noDecision });
  });

  it('is disputed with a reason of 1 to 2,000 characters', () => {
    const script = new MarketScript().resolved();
    const dispute = { type: 'dispute', account: accountNo(3), credential: credentialNo(0), ...script.at } as const;
    const bound = { field: 'reason', unit: 'COUNT' };
    expect(script.refusalOf({ ...dispute, reason: ' ' })).toEqual({
      ...bound,
      reason: 'BELOW_MIN',
      limit: 1,
      value: 0,
    });
    const long = { ...bound, reason: 'ABOVE_MAX', limit: 2_000, value: 2_001 };
    expect(script.refusalOf({ ...dispute, reason: '𝄞'.repeat(2_001) })).toEqual(long);
    script.apply({ ...dispute, reason: '𝄞'.repeat(2_000) });
  });

  it('by an operator has the operator’s note', () => {
    const script = new MarketScript().failed().wait(500);
    script.apply({ type: 'decideManually', decision: undefined, ...script.at, note: 'nobody knows' });
    expect(script.harness.market()).toMatchObject({
      rationale: 'nobody knows',
      yesPayoutBps: 5000,
      decidedAt: script.harness.now,
    });
  });

  it('to void a market is recorded with its note and time', () => {
    const script = new MarketScript().pending();
    script.apply({ type: 'voidMarket', ...script.at, note: 'not a question' });
    const { now } = script.harness;
    expect(script.harness.market()).toMatchObject({ rationale: 'not a question', decidedAt: now, finalAt: now });
  });

  it('has an outcome as soon as it is made, unless it is UNCERTAIN', () => {
    const outcome = (script: MarketScript) => toResolutionOutcome(script.harness.market());
    expect(outcome(new MarketScript().open())).toBeUndefined();
    expect(outcome(new MarketScript().resolved('YES'))).toBe('RESOLVED_YES');
    expect(outcome(new MarketScript().resolved('NO').wait(200).answerChain(true))).toBe('RESOLVED_NO');
    expect(outcome(new MarketScript().pending().vote('a', undefined).vote('b', undefined))).toBeUndefined();
    expect(outcome(new MarketScript().resolved('CANCELLED'))).toBe('CANCELLED');
    expect(outcome(new MarketScript().failed())).toBeUndefined();
  });

  it('is final when it is paid', () => {
    const script = new MarketScript().resolved();
    expect(script.harness.market().finalAt).toBeUndefined();
    script.wait(250).answerChain(true);
    expect(script.harness.market()).toMatchObject({ finalAt: script.harness.now, decidedAt: script.harness.now - 250 });
  });
});
