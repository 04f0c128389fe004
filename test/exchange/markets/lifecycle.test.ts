import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { credentialNo, durationMs, epochMs, marketNo } from '../../../src/domain/index.ts';
import { ChainAndResolver } from '../../../src/exchange/markets/chain-and-resolver.ts';
import { acceptsOrders } from '../../../src/exchange/markets/market-record.ts';
import { CREATOR, START } from './harness.ts';
import { MarketScript, market } from './market-script.ts';

function lines(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

describe('the record of a market', () => {
  it('lists each change of state, date, vote and dispute with its time and cause', () => {
    const script = new MarketScript().create().wait(10);
    script.answerChain(false, false).wait(40).answerChain(true);
    script.apply({ type: 'halt', ...script.at }).apply({ type: 'resume', ...script.at });
    script.apply({ type: 'changeTick', tickBps: 20, ...script.at });
    script.apply({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...script.at });
    script.apply({ type: 'closeEarly', ...script.at, note: 'the whistle has gone' }).wait(50);
    script.apply({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at }).wait(2400);
    script.vote('a', 'NO', 6000).vote('b', undefined).vote('c', 'NO', 9000).wait(100);
    script.apply({
      type: 'dispute',
      account: accountNo(2),
      credential: credentialNo(0),
      reason: 'Not so.',
      ...script.at,
    });
    script.apply({ type: 'upholdDispute', ...script.at }).wait(1000);
    script
      .apply({ type: 'retryResolution', ...script.at })
      .vote('a', undefined)
      .vote('b', undefined)
      .wait(200);
    script.answerChain(false).wait(500);
    script
      .apply({ type: 'decideManually', decision: 'YES', ...script.at })
      .wait(250)
      .answerChain(true);
    expect(script.record()).toBe(
      lines(`
        0.0 creator: null > PENDING_BLOCKCHAIN, created
        0.1 chain: PENDING_BLOCKCHAIN > OPEN, deployed
        0.1 operator: OPEN, resolution date moved {"resolutionDate":"2026-11-20T12:00:05Z"}
        0.1 resolver: OPEN > PENDING_RESOLUTION, the whistle has gone
        0.1 resolver: PENDING_RESOLUTION > OPEN, too early to decide {"resolutionDate":"2026-11-20T12:00:02.500Z"}
        2.5 clock: OPEN > PENDING_RESOLUTION, resolution date reached
        2.5 a: PENDING_RESOLUTION, vote {"vote":{"confidenceBps":6000,"id":"v1","model":"a","rationale":"says a","round":2,"sources":["s"],"vote":"NO","votedAt":"2026-11-20T12:00:02.500Z"}}
        2.5 b: PENDING_RESOLUTION, vote {"vote":{"confidenceBps":null,"id":"v2","model":"b","rationale":"says b","round":2,"sources":["s"],"vote":null,"votedAt":"2026-11-20T12:00:02.500Z"}}
        2.5 c: PENDING_RESOLUTION, vote {"vote":{"confidenceBps":9000,"id":"v3","model":"c","rationale":"says c","round":2,"sources":["s"],"vote":"NO","votedAt":"2026-11-20T12:00:02.500Z"}}
        2.5 panel: PENDING_RESOLUTION > RESOLVED, quorum reached {"noPayoutBps":10000,"outcome":"RESOLVED_NO","yesPayoutBps":0}
        2.6 holder: RESOLVED, disputed {"reason":"Not so."}
        2.6 operator: RESOLVED > PENDING_RESOLUTION, dispute upheld
        3.6 clock: PENDING_RESOLUTION > RESOLUTION_FAILED, no quorum in time
        3.6 operator: RESOLUTION_FAILED > PENDING_RESOLUTION, tried again
        3.6 a: PENDING_RESOLUTION, vote {"vote":{"confidenceBps":null,"id":"v4","model":"a","rationale":"says a","round":4,"sources":["s"],"vote":null,"votedAt":"2026-11-20T12:00:03.600Z"}}
        3.6 b: PENDING_RESOLUTION, vote {"vote":{"confidenceBps":null,"id":"v5","model":"b","rationale":"says b","round":4,"sources":["s"],"vote":null,"votedAt":"2026-11-20T12:00:03.600Z"}}
        3.6 panel: PENDING_RESOLUTION > RESOLVED, quorum reached {"noPayoutBps":5000,"outcome":null,"yesPayoutBps":5000}
        3.8 clock: RESOLVED > PENDING_BLOCKCHAIN, dispute window over
        3.8 chain: PENDING_BLOCKCHAIN > RESOLUTION_FAILED, payout failed
        4.3 operator: RESOLUTION_FAILED > RESOLVED, decided by hand {"noPayoutBps":0,"outcome":"RESOLVED_YES","yesPayoutBps":10000}
        4.5 clock: RESOLVED > PENDING_BLOCKCHAIN, dispute window over
        4.5 chain: PENDING_BLOCKCHAIN > RESOLVED_YES, payout reported {"noPayoutBps":0,"outcome":"RESOLVED_YES","yesPayoutBps":10000}
      `),
    );
    expect(script.harness.market().transactionHashes).toEqual(['0x02', '0x04']);
  });

  const given = { type: 'voidMarket', time: epochMs(START), market, note: '' } as const;
  it.each<[string, string, (script: MarketScript) => MarketScript]>([
    [
      'a failed deployment',
      'chain: PENDING_BLOCKCHAIN > CANCELLED, deployment failed',
      (script) => script.create().answerChain(false),
    ],
    [
      'a deployment that takes too long',
      'clock: PENDING_BLOCKCHAIN > CANCELLED, deployment timed out',
      (script) => script.create().wait(100),
    ],
    [
      'a void by the creator',
      'creator: OPEN > CANCELLED, voided',
      (script) =>
        script.open().apply({ ...given, type: 'voidByCreator', account: CREATOR, credential: credentialNo(0) }),
    ],
    ['a void by the operator', 'operator: OPEN > CANCELLED, voided', (script) => script.open().apply(given)],
    [
      'a void by the operator with a note',
      'operator: PENDING_RESOLUTION > CANCELLED, not a question',
      (script) => script.pending().apply({ ...given, note: 'not a question' }),
    ],
    [
      'a void by the operator after a failed resolution',
      'operator: RESOLUTION_FAILED > CANCELLED, given up',
      (script) => script.failed().apply({ ...given, time: script.at.time }),
    ],
    [
      'a panel that finds the question invalid',
      'panel: PENDING_RESOLUTION > CANCELLED, question invalid {"noPayoutBps":null,"outcome":"CANCELLED","yesPayoutBps":null}',
      (script) => script.resolved('CANCELLED'),
    ],
    [
      'a payout that takes too long',
      'clock: PENDING_BLOCKCHAIN > RESOLUTION_FAILED, payout timed out',
      (script) => script.resolved().wait(300),
    ],
  ])('names the cause of its last step: %s', (_name, expected, prepare) => {
    expect(prepare(new MarketScript()).record().split('\n').at(-1)?.replace(/^\S+ /, '')).toBe(expected);
  });
});

describe('a deadline of a market', () => {
  it('does nothing when it belongs to an earlier state, another market or none', () => {
    const script = new MarketScript().open();
    script.harness.takeCalls();
    script.harness.lifecycle.onDeadline(market, epochMs(START + 100));
    script.harness.lifecycle.onDeadline(marketNo(1), epochMs(START + 10_000));
    expect(script.harness.takeCalls()).toEqual([]);
    expect(script.harness.market().status).toBe('OPEN');
  });

  it('of zero length passes in the same step, up to a state that waits for a person', () => {
    const script = new MarketScript().pending();
    script.harness.config = { ...script.harness.config, disputeWindow: durationMs(0), chainTimeout: durationMs(0) };
    script.vote('a', 'NO').vote('b', 'NO');
    expect(script.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', deadline: undefined });
    script.harness.config = { ...script.harness.config, quorumTimeout: durationMs(0), safetyPeriod: durationMs(0) };
    script.apply({ type: 'retryResolution', ...script.at });
    expect(script.harness.market()).toMatchObject({
      status: 'RESOLUTION_FAILED',
      round: 2,
      manualFrom: script.harness.now,
    });
    script.apply({ type: 'decideManually', decision: 'YES', ...script.at });
    expect(
      script.harness
        .market()
        .steps.map(({ toStatus }) => toStatus)
        .slice(-3),
    ).toEqual(['RESOLVED', 'PENDING_BLOCKCHAIN', 'RESOLUTION_FAILED']);
  });

  it('is scheduled once for each state, and again when the date moves', () => {
    const script = new MarketScript().open();
    script.apply({ type: 'halt', ...script.at }).apply({ type: 'resume', ...script.at });
    expect(script.harness.scheduled).toEqual([START + 100, START + 10_000]);
    script.apply({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...script.at });
    script.apply({ type: 'closeEarly', ...script.at }).vote('a', 'YES');
    expect(script.harness.scheduled.slice(2)).toEqual([START + 5000, START + 1000]);
  });

  it('cancels a market at its creation when the time limit of the chain is zero', () => {
    const script = new MarketScript();
    script.harness.config = { ...script.harness.config, chainTimeout: durationMs(0) };
    expect(script.create().harness.market()).toMatchObject({ status: 'CANCELLED', finalAt: START });
  });
});

describe('a market', () => {
  it('has a pending request to the chain or the resolver until the response', () => {
    const script = new MarketScript().create().wait(7);
    const pending = () => {
      const requests: unknown[] = [];
      const commandsFor = (event: unknown, at: number) => {
        requests.push({ event, at });
        return [];
      };
      new ChainAndResolver({ chain: { commandsFor }, resolver: { commandsFor } }).resume([script.harness.market()]);
      return requests[0];
    };
    const deploy = { type: 'chainRequested', market, step: 'DEPLOY', yesPayoutBps: undefined };
    expect(pending()).toEqual({ event: { ...deploy, attempt: 1 }, at: START });
    script.answerChain(false, false);
    expect(pending()).toEqual({ event: { ...deploy, attempt: 2 }, at: START + 7 });
    script.answerChain(true);
    expect(pending()).toBeUndefined();
    script.apply({ type: 'closeEarly', ...script.at });
    const resolve = { type: 'resolutionRequested', market, round: 1, quorum: 2, panelSize: 3 };
    expect(pending()).toEqual({ event: resolve, at: START + 7 });
    script.vote('a', 'YES').vote('b', 'YES');
    expect(pending()).toBeUndefined();
    script.wait(200);
    const report = { ...deploy, step: 'REPORT_PAYOUT', attempt: 3, yesPayoutBps: 10_000 };
    expect(pending()).toEqual({ event: report, at: START + 207 });
    expect(script.harness.events.filter(({ type }) => type === 'chainRequested').at(-1)).toEqual(report);
  });

  it('shows its last quotes after it leaves OPEN until it opens again', () => {
    const script = new MarketScript().open();
    expect(script.harness.market().lastQuotes).toBeUndefined();
    script.apply({ type: 'closeEarly', ...script.at });
    expect(script.harness.market().lastQuotes).toEqual({ reference: 5000, yes: 6000, no: 6000 });
    script.apply({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at });
    expect(script.harness.market().lastQuotes).toBeUndefined();
    expect(new MarketScript().create().answerChain(false).harness.market().lastQuotes).toBeDefined();
  });

  it('has a separate book for each tick', () => {
    const script = new MarketScript().open();
    expect(script.harness.market()).toMatchObject({ bookEpoch: 1, tickBps: 10 });
    script.apply({ type: 'changeTick', tickBps: 20, ...script.at });
    expect(script.harness.market()).toMatchObject({ bookEpoch: 2, tickBps: 20 });
    expect(script.harness.market().book.tickBps).toBe(20);
  });

  it('accepts orders while it is open and not halted', () => {
    const script = new MarketScript().create();
    const takes = () => acceptsOrders(script.harness.market());
    expect(takes()).toBe(false);
    script.answerChain(true);
    expect(takes()).toBe(true);
    script.apply({ type: 'halt', ...script.at });
    expect(takes()).toBe(false);
    script.apply({ type: 'resume', ...script.at }).apply({ type: 'closeEarly', ...script.at });
    expect(takes()).toBe(false);
  });

  it('stays halted across other states', () => {
    const script = new MarketScript().open();
    script.apply({ type: 'halt', ...script.at }).apply({ type: 'closeEarly', ...script.at });
    script.apply({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at });
    expect(script.harness.market()).toMatchObject({ status: 'OPEN', halted: true });
  });
});
