import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { credentialNo, durationMs, type EpochMs, epochMs, marketNo } from '../../../src/domain/index.ts';
import type { Decision, MarketCommand } from '../../../src/exchange/market-command.ts';
import { pendingRequest } from '../../../src/exchange/markets/chain-and-resolver.ts';
import { takesOrders } from '../../../src/exchange/markets/market-record.ts';
import { outcomeOf } from '../../../src/exchange/markets/outcome.ts';
import { CREATOR, creation, Harness, INITIAL, START } from './harness.ts';

const market = marketNo(0);

/** A market on a harness with short methods for commands. */
class MarketScript {
  readonly harness = new Harness();
  #votes = 0;

  constructor() {
    this.harness.holders.add(accountNo(2)).add(accountNo(3));
  }

  get at(): { readonly time: EpochMs; readonly market: typeof market; readonly note: string } {
    return { time: this.harness.now, market, note: '' };
  }

  create(): this {
    expect(this.harness.send(creation(this.harness.now, { initialOrder: INITIAL }))).toBeUndefined();
    return this;
  }

  open(): this {
    return this.create().chain(true);
  }

  pending(): this {
    return this.open().does({ type: 'closeEarly', ...this.at });
  }

  resolved(decision: Decision = 'YES'): this {
    return this.pending().vote('a', decision).vote('b', decision);
  }

  failed(): this {
    return this.pending().wait(1000);
  }

  does(command: MarketCommand): this {
    expect([command.type, this.harness.send(command)]).toEqual([command.type, undefined]);
    return this;
  }

  /** Confirms or fails the pending chain request. */
  chain(done: boolean, permanent = true): this {
    const { step = 'DEPLOY', attempts: attempt } = this.harness.market();
    const question = { ...this.at, step, attempt };
    if (done) return this.does({ type: 'chainConfirmed', transactionHash: `0x0${attempt}`, ...question });
    return this.does({ type: 'chainFailed', permanent, ...question });
  }

  vote(model: string, vote: Decision, confidenceBps: number | undefined = undefined): this {
    this.#votes += 1;
    const ballot = { id: `v${this.#votes}`, model, vote, confidenceBps, rationale: `says ${model}`, sources: ['s'] };
    return this.does({ type: 'castVote', round: this.harness.market().round, vote: ballot, ...this.at });
  }

  wait(ms: number): this {
    this.harness.pass(this.harness.now + ms);
    return this;
  }

  refused(command: MarketCommand): unknown {
    return this.harness.send(command);
  }

  /** The transparency record as text: time, actor, statuses, note and data. */
  record(): string {
    return this.harness
      .market()
      .steps.map(({ at, actor, fromStatus, toStatus, note, data }) => {
        const seconds = (Date.parse(at) - START) / 1000;
        const states = fromStatus === toStatus ? toStatus : `${fromStatus} > ${toStatus}`;
        return `${seconds.toFixed(1)} ${actor}: ${states}, ${note}${data === '{}' ? '' : ` ${data}`}`;
      })
      .join('\n');
  }
}

function lines(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

describe('the record of a market', () => {
  it('covers every state and back', () => {
    const script = new MarketScript().create().wait(10);
    script.chain(false, false).wait(40).chain(true);
    script.does({ type: 'halt', ...script.at }).does({ type: 'resume', ...script.at });
    script.does({ type: 'changeTick', tickBps: 20, ...script.at });
    script.does({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...script.at });
    script.does({ type: 'closeEarly', ...script.at, note: 'the whistle has gone' }).wait(50);
    script.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at }).wait(2400);
    script.vote('a', 'NO', 6000).vote('b', undefined).vote('c', 'NO', 9000).wait(100);
    script.does({
      type: 'dispute',
      account: accountNo(2),
      credential: credentialNo(0),
      reason: 'Not so.',
      ...script.at,
    });
    script.does({ type: 'upholdDispute', ...script.at }).wait(1000);
    script
      .does({ type: 'retryResolution', ...script.at })
      .vote('a', undefined)
      .vote('b', undefined)
      .wait(200);
    script.chain(false).wait(500);
    script
      .does({ type: 'decideManually', decision: 'YES', ...script.at })
      .wait(250)
      .chain(true);
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
      (script) => script.create().chain(false),
    ],
    [
      'a deployment that takes too long',
      'clock: PENDING_BLOCKCHAIN > CANCELLED, deployment timed out',
      (script) => script.create().wait(100),
    ],
    [
      'the creator',
      'creator: OPEN > CANCELLED, voided',
      (script) =>
        script.open().does({ ...given, type: 'voidByCreator', account: CREATOR, credential: credentialNo(0) }),
    ],
    ['the operator', 'operator: OPEN > CANCELLED, voided', (script) => script.open().does(given)],
    [
      'the operator, in words',
      'operator: PENDING_RESOLUTION > CANCELLED, not a question',
      (script) => script.pending().does({ ...given, note: 'not a question' }),
    ],
    [
      'giving up',
      'operator: RESOLUTION_FAILED > CANCELLED, given up',
      (script) => script.failed().does({ ...given, time: script.at.time }),
    ],
    [
      'the panel',
      'panel: PENDING_RESOLUTION > CANCELLED, question invalid {"noPayoutBps":null,"outcome":"CANCELLED","yesPayoutBps":null}',
      (script) => script.resolved('CANCELLED'),
    ],
    [
      'a payout that takes too long',
      'clock: PENDING_BLOCKCHAIN > RESOLUTION_FAILED, payout timed out',
      (script) => script.resolved().wait(300),
    ],
  ])('covers %s', (_name, expected, go) => {
    expect(go(new MarketScript()).record().split('\n').at(-1)?.replace(/^\S+ /, '')).toBe(expected);
  });
});

describe('a decision', () => {
  it('has the rationale of the most confident voter, the first among equals', () => {
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
    script.does({ type: 'dispute', account: accountNo(3), credential: credentialNo(0), reason: 'No.', ...script.at });
    script.does({ type: 'upholdDispute', ...script.at });
    const nothing = {
      yesPayoutBps: undefined,
      decidedAt: undefined,
      disputeWindowEndsAt: undefined,
      rationale: undefined,
    };
    expect(script.harness.market()).toMatchObject(nothing);
    script.vote('a', 'NO').vote('b', 'NO').wait(200).chain(false);
    expect(script.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', ...nothing });
  });

  it('is disputed with a reason of 1 to 2,000 characters', () => {
    const script = new MarketScript().resolved();
    const dispute = { type: 'dispute', account: accountNo(3), credential: credentialNo(0), ...script.at } as const;
    const bound = { field: 'reason', unit: 'COUNT' };
    expect(script.refused({ ...dispute, reason: ' ' })).toEqual({ ...bound, reason: 'BELOW_MIN', limit: 1, value: 0 });
    const long = { ...bound, reason: 'ABOVE_MAX', limit: 2_000, value: 2_001 };
    expect(script.refused({ ...dispute, reason: '𝄞'.repeat(2_001) })).toEqual(long);
    script.does({ ...dispute, reason: '𝄞'.repeat(2_000) });
  });

  it('by an operator has the operator’s note', () => {
    const script = new MarketScript().failed().wait(500);
    script.does({ type: 'decideManually', decision: undefined, ...script.at, note: 'nobody knows' });
    expect(script.harness.market()).toMatchObject({
      rationale: 'nobody knows',
      yesPayoutBps: 5000,
      decidedAt: script.harness.now,
    });
  });

  it('to void a market is recorded as a decision', () => {
    const script = new MarketScript().pending();
    script.does({ type: 'voidMarket', ...script.at, note: 'not a question' });
    const { now } = script.harness;
    expect(script.harness.market()).toMatchObject({ rationale: 'not a question', decidedAt: now, finalAt: now });
  });

  it('has an outcome as soon as it is made, unless it voids the market', () => {
    const outcome = (script: MarketScript) => outcomeOf(script.harness.market());
    expect(outcome(new MarketScript().open())).toBeUndefined();
    expect(outcome(new MarketScript().resolved('YES'))).toBe('RESOLVED_YES');
    expect(outcome(new MarketScript().resolved('NO').wait(200).chain(true))).toBe('RESOLVED_NO');
    expect(outcome(new MarketScript().pending().vote('a', undefined).vote('b', undefined))).toBeUndefined();
    expect(outcome(new MarketScript().resolved('CANCELLED'))).toBe('CANCELLED');
    expect(outcome(new MarketScript().failed())).toBeUndefined();
  });

  it('is final when it is paid', () => {
    const script = new MarketScript().resolved();
    expect(script.harness.market().finalAt).toBeUndefined();
    script.wait(250).chain(true);
    expect(script.harness.market()).toMatchObject({ finalAt: script.harness.now, decidedAt: script.harness.now - 250 });
  });
});

describe('a deadline of a market', () => {
  it('does nothing when it belongs to an earlier state, another market or none', () => {
    const script = new MarketScript().open();
    script.harness.takeCalls();
    script.harness.lifecycle.due(market, epochMs(START + 100));
    script.harness.lifecycle.due(marketNo(1), epochMs(START + 10_000));
    expect(script.harness.takeCalls()).toEqual([]);
    expect(script.harness.market().status).toBe('OPEN');
  });

  it('of zero length passes in the same step, up to a state that waits for a person', () => {
    const script = new MarketScript().pending();
    script.harness.config = { ...script.harness.config, disputeWindow: durationMs(0), chainTimeout: durationMs(0) };
    script.vote('a', 'NO').vote('b', 'NO');
    expect(script.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', deadline: undefined });
    script.harness.config = { ...script.harness.config, quorumTimeout: durationMs(0), safetyPeriod: durationMs(0) };
    script.does({ type: 'retryResolution', ...script.at });
    expect(script.harness.market()).toMatchObject({
      status: 'RESOLUTION_FAILED',
      round: 2,
      manualFrom: script.harness.now,
    });
    script.does({ type: 'decideManually', decision: 'YES', ...script.at });
    expect(
      script.harness
        .market()
        .steps.map(({ toStatus }) => toStatus)
        .slice(-3),
    ).toEqual(['RESOLVED', 'PENDING_BLOCKCHAIN', 'RESOLUTION_FAILED']);
  });

  it('is scheduled once for each state, and again when the date moves', () => {
    const script = new MarketScript().open();
    script.does({ type: 'halt', ...script.at }).does({ type: 'resume', ...script.at });
    expect(script.harness.scheduled).toEqual([START + 100, START + 10_000]);
    script.does({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...script.at });
    script.does({ type: 'closeEarly', ...script.at }).vote('a', 'YES');
    expect(script.harness.scheduled.slice(2)).toEqual([START + 5000, START + 1000]);
  });

  it('of a creation without time for the chain cancels it at once', () => {
    const script = new MarketScript();
    script.harness.config = { ...script.harness.config, chainTimeout: durationMs(0) };
    expect(script.create().harness.market()).toMatchObject({ status: 'CANCELLED', finalAt: START });
  });
});

const CONFLICT = { reason: 'CONFLICT', field: 'marketId' };

describe('a refused market command', () => {
  it('names an unknown market for any number', () => {
    const script = new MarketScript().open();
    for (const no of [1, -1, 0.5, Number.NaN, 2 ** 53]) {
      const command = { type: 'halt', ...script.at, market: no as typeof market } as const;
      expect(script.refused(command)).toEqual({ reason: 'NOT_FOUND', field: 'marketId' });
    }
  });

  it.each<[string, (script: MarketScript) => MarketCommand, object, (script: MarketScript) => MarketScript]>([
    [
      'halting twice',
      (script) => ({ type: 'halt', ...script.at }),
      CONFLICT,
      (script) => script.open().does({ type: 'halt', ...script.at }),
    ],
    ['resuming an open market', (script) => ({ type: 'resume', ...script.at }), CONFLICT, (script) => script.open()],
    [
      'halting a closed market',
      (script) => ({ type: 'halt', ...script.at }),
      { ...CONFLICT, reason: 'MARKET_NOT_OPEN' },
      (script) => script.pending(),
    ],
    [
      'voiding a void market',
      (script) => ({ type: 'voidMarket', ...script.at }),
      { ...CONFLICT, reason: 'ALREADY_FINAL' },
      (script) => script.resolved('CANCELLED'),
    ],
    [
      'the same tick',
      (script) => ({ type: 'changeTick', tickBps: 10, ...script.at }),
      { ...CONFLICT, field: 'tickBps' },
      (script) => script.open(),
    ],
    [
      'upholding without a dispute',
      (script) => ({ type: 'upholdDispute', ...script.at }),
      CONFLICT,
      (script) => script.resolved(),
    ],
    [
      'an answer about another step',
      (script) => ({ type: 'chainFailed', permanent: true, step: 'REPORT_PAYOUT', attempt: 1, ...script.at }),
      { ...CONFLICT, field: 'step' },
      (script) => script.create(),
    ],
    [
      'an answer to another attempt',
      (script) => ({ type: 'chainFailed', permanent: true, step: 'DEPLOY', attempt: 2, ...script.at }),
      { ...CONFLICT, field: 'attempt' },
      (script) => script.create(),
    ],
  ])('of %s names the field', (_, command, refusal, go) => {
    const script = go(new MarketScript());
    expect(script.refused(command(script))).toEqual(refusal);
  });

  it('reports when a creator voids a market that has traded', () => {
    const script = new MarketScript().open();
    script.harness.market().lastTrade = 5000;
    const command = { type: 'voidByCreator', account: CREATOR, credential: credentialNo(0), ...script.at } as const;
    expect(script.refused(command)).toEqual(CONFLICT);
  });

  it('reports the earliest time of a manual decision', () => {
    const script = new MarketScript().failed().wait(499);
    const limit = script.harness.now + 1;
    const command = { type: 'decideManually', decision: 'YES', ...script.at } as const;
    const refusal = { reason: 'CONFLICT', field: 'marketId', limit, value: limit - 1, unit: 'MILLISECONDS' };
    expect(script.refused(command)).toEqual(refusal);
  });

  it.each([
    [Number.NaN, { reason: 'INVALID_ORDER', field: 'resolutionDate' }],
    [START + 0.5, { reason: 'INVALID_ORDER', field: 'resolutionDate' }],
    [START - 0.5, { reason: 'INVALID_ORDER', field: 'resolutionDate' }],
    [2 ** 53, { reason: 'INVALID_ORDER', field: 'resolutionDate' }],
    [START, { reason: 'EXPIRED_PARAMS', field: 'resolutionDate', limit: START, value: START, unit: 'MILLISECONDS' }],
    [
      253_402_300_800_000,
      {
        reason: 'ABOVE_MAX',
        field: 'resolutionDate',
        limit: 253_402_300_799_999,
        value: 253_402_300_800_000,
        unit: 'MILLISECONDS',
      },
    ],
  ])('refuses a date at %d', (date, refusal) => {
    const script = new MarketScript().open();
    const resolutionDate = date as EpochMs;
    expect(script.refused({ type: 'moveDate', by: 'operator', resolutionDate, ...script.at })).toEqual(refusal);
  });

  it.each([0, -10, 0.5, 3, 10_000, Number.NaN, 2 ** 53])('refuses a tick of %d', (tickBps) => {
    const script = new MarketScript().open();
    expect(script.refused({ type: 'changeTick', tickBps, ...script.at })).toEqual({
      reason: 'INVALID_TICK',
      field: 'tickBps',
    });
  });

  it('refuses a vote that is late, repeated, or beyond the panel size, or has a used id or an invalid confidence', () => {
    const script = new MarketScript().pending().vote('a', 'YES').vote('b', 'NO');
    const vote = { id: 'v9', model: 'c', vote: undefined, confidenceBps: undefined, rationale: '', sources: [] };
    const send = (differs: object, round = 1): unknown =>
      script.refused({ type: 'castVote', round, vote: { ...vote, ...differs }, ...script.at });
    expect(send({}, 2)).toEqual({ reason: 'CONFLICT', field: 'round' });
    expect(send({ model: 'a' })).toEqual({ reason: 'CONFLICT', field: 'model' });
    expect(send({ id: 'v1' })).toEqual({ reason: 'CONFLICT', field: 'id' });
    const range = { field: 'confidenceBps', unit: 'BPS' };
    expect(send({ confidenceBps: -1 })).toEqual({ reason: 'BELOW_MIN', limit: 0, value: -1, ...range });
    expect(send({ confidenceBps: 10_001 })).toEqual({ reason: 'ABOVE_MAX', limit: 10_000, value: 10_001, ...range });
    expect(send({ confidenceBps: Number.NaN })).toEqual({ reason: 'INVALID_ORDER', field: 'confidenceBps' });
    expect(send({})).toBeUndefined();
    expect(send({ id: 'v10', model: 'd' })).toEqual({ reason: 'CONFLICT', field: 'model' });
    expect(script.harness.market().status).toBe('PENDING_RESOLUTION');
  });

  it('refuses values outside the enumerations', () => {
    const script = new MarketScript().pending();
    const by = 'somebody' as never;
    const resolutionDate = epochMs(START + 5000);
    expect(script.refused({ type: 'moveDate', by, resolutionDate, ...script.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'by',
    });
    const vote = { id: 'v', model: 'm', vote: 'MAYBE' as never, confidenceBps: undefined, rationale: '', sources: [] };
    expect(script.refused({ type: 'castVote', round: 1, vote, ...script.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'vote',
    });
    const decision = 'CANCELLED' as never;
    const byHand = new MarketScript().failed().wait(500);
    const refusal = { reason: 'INVALID_ORDER', field: 'decision' };
    expect(byHand.refused({ type: 'decideManually', decision, ...byHand.at })).toEqual(refusal);
    expect(script.refused({ type: 'explode' as never, ...script.at })).toEqual({
      reason: 'CONFLICT',
      field: 'marketId',
    });
  });

  it('refuses a dispute without shares, without a reason, or the second one in a round', () => {
    const script = new MarketScript().resolved();
    const send = (account: number, reason: string): unknown =>
      script.refused({
        type: 'dispute',
        account: accountNo(account),
        credential: credentialNo(0),
        reason,
        ...script.at,
      });
    expect(send(4, 'No.')).toEqual({ reason: 'INSUFFICIENT_SHARES', field: 'marketId' });
    const empty = { reason: 'BELOW_MIN', field: 'reason', limit: 1, value: 0, unit: 'COUNT' };
    expect(send(2, ' ')).toEqual(empty);
    expect(send(4, '')).toEqual(empty);
    expect(send(2, 'No.')).toBeUndefined();
    expect(send(2, 'No!')).toEqual({ reason: 'CONFLICT', field: 'marketId' });
    expect(send(3, 'No!')).toBeUndefined();
    expect(script.harness.market().disputes.map(({ account, round }) => [account, round])).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });

  it('is reported to clients only while the venue is halted', () => {
    const script = new MarketScript().resolved();
    script.harness.mode = 'HALTED';
    const client = { ...script.at, credential: credentialNo(0) };
    const dispute = { type: 'dispute', account: accountNo(2), reason: 'No.', ...client } as const;
    expect(script.refused(dispute)).toEqual({ reason: 'VENUE_MODE' });
    const byCreator = { type: 'voidByCreator', account: CREATOR, ...client } as const;
    expect(script.refused(byCreator)).toEqual({ reason: 'VENUE_MODE' });
    expect(script.refused({ ...byCreator, account: accountNo(2) })).toEqual({ reason: 'NOT_FOUND', field: 'marketId' });
    const open = new MarketScript().open();
    open.harness.mode = 'HALTED';
    open.does({ type: 'halt', ...open.at });
  });
});

describe('a market in a pending state', () => {
  it('has a pending request to the chain or the resolver until the response', () => {
    const script = new MarketScript().create().wait(7);
    const question = () => pendingRequest(script.harness.market());
    const deploy = { type: 'chainRequested', market, step: 'DEPLOY', yesPayoutBps: undefined };
    expect(question()).toEqual({ event: { ...deploy, attempt: 1 }, at: START });
    script.chain(false, false);
    expect(question()).toEqual({ event: { ...deploy, attempt: 2 }, at: START + 7 });
    script.chain(true);
    expect(question()).toBeUndefined();
    script.does({ type: 'closeEarly', ...script.at });
    const resolve = { type: 'resolutionRequested', market, round: 1, quorum: 2, panelSize: 3 };
    expect(question()).toEqual({ event: resolve, at: START + 7 });
    script.vote('a', 'YES').vote('b', 'YES');
    expect(question()).toBeUndefined();
    script.wait(200);
    const report = { ...deploy, step: 'REPORT_PAYOUT', attempt: 3, yesPayoutBps: 10_000 };
    expect(question()).toEqual({ event: report, at: START + 207 });
    expect(script.harness.events.filter(({ type }) => type === 'chainRequested').at(-1)).toEqual(report);
  });

  it('shows its last quotes after it leaves OPEN until it opens again', () => {
    const script = new MarketScript().open();
    expect(script.harness.market().lastQuotes).toBeUndefined();
    script.does({ type: 'closeEarly', ...script.at });
    expect(script.harness.market().lastQuotes).toEqual({ reference: 5000, yes: 6000, no: 6000 });
    script.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at });
    expect(script.harness.market().lastQuotes).toBeUndefined();
    expect(new MarketScript().create().chain(false).harness.market().lastQuotes).toBeDefined();
  });

  it('has a separate book for each tick', () => {
    const script = new MarketScript().open();
    expect(script.harness.market()).toMatchObject({ bookEpoch: 1, tickBps: 10 });
    script.does({ type: 'changeTick', tickBps: 20, ...script.at });
    expect(script.harness.market()).toMatchObject({ bookEpoch: 2, tickBps: 20 });
    expect(script.harness.market().book.tickBps).toBe(20);
  });

  it('accepts orders while it is open and not halted', () => {
    const script = new MarketScript().create();
    const takes = () => takesOrders(script.harness.market());
    expect(takes()).toBe(false);
    script.chain(true);
    expect(takes()).toBe(true);
    script.does({ type: 'halt', ...script.at });
    expect(takes()).toBe(false);
    script.does({ type: 'resume', ...script.at }).does({ type: 'closeEarly', ...script.at });
    expect(takes()).toBe(false);
  });

  it('stays halted across other states until it is resumed', () => {
    const script = new MarketScript().open();
    script.does({ type: 'halt', ...script.at }).does({ type: 'closeEarly', ...script.at });
    script.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...script.at });
    expect(script.harness.market()).toMatchObject({ status: 'OPEN', halted: true });
  });
});
