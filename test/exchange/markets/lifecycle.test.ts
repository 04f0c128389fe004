import { describe, expect, it } from 'vitest';
import { accountNo, credentialNo, durationMs, type EpochMs, epochMs, marketNo } from '../../../src/domain/index.ts';
import type { Decision, MarketCommand } from '../../../src/exchange/market-command.ts';
import { openQuestion } from '../../../src/exchange/markets/chain-and-resolver.ts';
import { takesOrders } from '../../../src/exchange/markets/market-record.ts';
import { outcomeOf } from '../../../src/exchange/markets/outcome.ts';
import { CREATOR, creation, Harness, INITIAL, START } from './harness.ts';

const market = marketNo(0);

/** A market on a harness, with a clock that is read off it and short words for what is sent. */
class Play {
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

  /** The chain answers the question that is open. */
  chain(done: boolean, permanent = true): this {
    const { step = 'DEPLOY', attempts: attempt } = this.harness.market();
    const question = { ...this.at, step, attempt };
    if (done) return this.does({ type: 'chainConfirmed', transactionHash: `0x0${attempt}`, ...question });
    return this.does({ type: 'chainFailed', permanent, ...question });
  }

  vote(model: string, vote: Decision, confidenceBps: number | undefined = undefined): this {
    this.#votes += 1;
    const said = { id: `v${this.#votes}`, model, vote, confidenceBps, rationale: `says ${model}`, sources: ['s'] };
    return this.does({ type: 'castVote', round: this.harness.market().round, vote: said, ...this.at });
  }

  wait(ms: number): this {
    this.harness.pass(this.harness.now + ms);
    return this;
  }

  refused(command: MarketCommand): unknown {
    return this.harness.send(command);
  }

  /** The record so far: when, who, from where to where, in which words, with what. */
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
    const play = new Play().create().wait(10);
    play.chain(false, false).wait(40).chain(true);
    play.does({ type: 'halt', ...play.at }).does({ type: 'resume', ...play.at });
    play.does({ type: 'changeTick', tickBps: 20, ...play.at });
    play.does({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...play.at });
    play.does({ type: 'closeEarly', ...play.at, note: 'the whistle has gone' }).wait(50);
    play.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...play.at }).wait(2400);
    play.vote('a', 'NO', 6000).vote('b', undefined).vote('c', 'NO', 9000).wait(100);
    play.does({ type: 'dispute', account: accountNo(2), credential: credentialNo(0), reason: 'Not so.', ...play.at });
    play.does({ type: 'upholdDispute', ...play.at }).wait(1000);
    play
      .does({ type: 'retryResolution', ...play.at })
      .vote('a', undefined)
      .vote('b', undefined)
      .wait(200);
    play.chain(false).wait(500);
    play
      .does({ type: 'decideManually', decision: 'YES', ...play.at })
      .wait(250)
      .chain(true);
    expect(play.record()).toBe(
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
    expect(play.harness.market().transactionHashes).toEqual(['0x02', '0x04']);
  });

  const given = { type: 'voidMarket', time: epochMs(START), market, note: '' } as const;
  it.each<[string, string, (play: Play) => Play]>([
    [
      'a failed deployment',
      'chain: PENDING_BLOCKCHAIN > CANCELLED, deployment failed',
      (play) => play.create().chain(false),
    ],
    [
      'a deployment that takes too long',
      'clock: PENDING_BLOCKCHAIN > CANCELLED, deployment timed out',
      (play) => play.create().wait(100),
    ],
    [
      'the creator',
      'creator: OPEN > CANCELLED, voided',
      (play) => play.open().does({ ...given, type: 'voidByCreator', account: CREATOR, credential: credentialNo(0) }),
    ],
    ['the operator', 'operator: OPEN > CANCELLED, voided', (play) => play.open().does(given)],
    [
      'the operator, in words',
      'operator: PENDING_RESOLUTION > CANCELLED, not a question',
      (play) => play.pending().does({ ...given, note: 'not a question' }),
    ],
    [
      'giving up',
      'operator: RESOLUTION_FAILED > CANCELLED, given up',
      (play) => play.failed().does({ ...given, time: play.at.time }),
    ],
    [
      'the panel',
      'panel: PENDING_RESOLUTION > CANCELLED, question invalid {"noPayoutBps":null,"outcome":"CANCELLED","yesPayoutBps":null}',
      (play) => play.resolved('CANCELLED'),
    ],
    [
      'a payout that takes too long',
      'clock: PENDING_BLOCKCHAIN > RESOLUTION_FAILED, payout timed out',
      (play) => play.resolved().wait(300),
    ],
  ])('covers %s', (_what, expected, go) => {
    expect(go(new Play()).record().split('\n').at(-1)?.replace(/^\S+ /, '')).toBe(expected);
  });
});

describe('a decision', () => {
  it('has the explanation of the most confident voter, the first among equals', () => {
    const sure = new Play().pending().vote('a', 'NO', 9000).vote('b', 'YES', 5000).vote('c', 'YES', 6000);
    expect(sure.harness.market().rationale).toBe('says c');
    expect(new Play().pending().vote('a', 'YES', 6000).vote('b', 'YES', 6000).harness.market().rationale).toBe(
      'says a',
    );
    expect(new Play().pending().vote('a', 'YES').vote('b', 'YES', 0).harness.market().rationale).toBe('says b');
    expect(new Play().resolved('CANCELLED').harness.market().rationale).toBe('says a');
  });

  it('is dropped when a dispute succeeds or when it cannot be paid', () => {
    const play = new Play().resolved();
    const time = play.harness.now;
    expect(play.harness.market()).toMatchObject({
      yesPayoutBps: 10_000,
      decidedAt: time,
      disputeWindowEndsAt: time + 200,
      rationale: 'says a',
    });
    play.does({ type: 'dispute', account: accountNo(3), credential: credentialNo(0), reason: 'No.', ...play.at });
    play.does({ type: 'upholdDispute', ...play.at });
    const nothing = {
      yesPayoutBps: undefined,
      decidedAt: undefined,
      disputeWindowEndsAt: undefined,
      rationale: undefined,
    };
    expect(play.harness.market()).toMatchObject(nothing);
    play.vote('a', 'NO').vote('b', 'NO').wait(200).chain(false);
    expect(play.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', ...nothing });
  });

  it('is disputed with a reason of 1 to 2,000 characters', () => {
    const play = new Play().resolved();
    const dispute = { type: 'dispute', account: accountNo(3), credential: credentialNo(0), ...play.at } as const;
    const bound = { field: 'reason', unit: 'COUNT' };
    expect(play.refused({ ...dispute, reason: ' ' })).toEqual({ ...bound, reason: 'BELOW_MIN', limit: 1, value: 0 });
    const long = { ...bound, reason: 'ABOVE_MAX', limit: 2_000, value: 2_001 };
    expect(play.refused({ ...dispute, reason: '𝄞'.repeat(2_001) })).toEqual(long);
    play.does({ ...dispute, reason: '𝄞'.repeat(2_000) });
  });

  it('by an operator has the operator’s explanation', () => {
    const play = new Play().failed().wait(500);
    play.does({ type: 'decideManually', decision: undefined, ...play.at, note: 'nobody knows' });
    expect(play.harness.market()).toMatchObject({
      rationale: 'nobody knows',
      yesPayoutBps: 5000,
      decidedAt: play.harness.now,
    });
  });

  it('to void a market is a decision too', () => {
    const play = new Play().pending();
    play.does({ type: 'voidMarket', ...play.at, note: 'not a question' });
    const { now } = play.harness;
    expect(play.harness.market()).toMatchObject({ rationale: 'not a question', decidedAt: now, finalAt: now });
  });

  it('has an outcome as soon as it is made, unless it voids the market', () => {
    const outcome = (play: Play) => outcomeOf(play.harness.market());
    expect(outcome(new Play().open())).toBeUndefined();
    expect(outcome(new Play().resolved('YES'))).toBe('RESOLVED_YES');
    expect(outcome(new Play().resolved('NO').wait(200).chain(true))).toBe('RESOLVED_NO');
    expect(outcome(new Play().pending().vote('a', undefined).vote('b', undefined))).toBeUndefined();
    expect(outcome(new Play().resolved('CANCELLED'))).toBe('CANCELLED');
    expect(outcome(new Play().failed())).toBeUndefined();
  });

  it('is final when it is paid', () => {
    const play = new Play().resolved();
    expect(play.harness.market().finalAt).toBeUndefined();
    play.wait(250).chain(true);
    expect(play.harness.market()).toMatchObject({ finalAt: play.harness.now, decidedAt: play.harness.now - 250 });
  });
});

describe('a deadline of a market', () => {
  it('does nothing when it belongs to an earlier state, another market or none', () => {
    const play = new Play().open();
    play.harness.takeCalls();
    play.harness.lifecycle.due(market, epochMs(START + 100));
    play.harness.lifecycle.due(marketNo(1), epochMs(START + 10_000));
    expect(play.harness.takeCalls()).toEqual([]);
    expect(play.harness.market().status).toBe('OPEN');
  });

  it('of zero length passes in the same step, up to a state that waits for a person', () => {
    const play = new Play().pending();
    play.harness.config = { ...play.harness.config, disputeWindow: durationMs(0), chainTimeout: durationMs(0) };
    play.vote('a', 'NO').vote('b', 'NO');
    expect(play.harness.market()).toMatchObject({ status: 'RESOLUTION_FAILED', deadline: undefined });
    play.harness.config = { ...play.harness.config, quorumTimeout: durationMs(0), safetyPeriod: durationMs(0) };
    play.does({ type: 'retryResolution', ...play.at });
    expect(play.harness.market()).toMatchObject({
      status: 'RESOLUTION_FAILED',
      round: 2,
      manualFrom: play.harness.now,
    });
    play.does({ type: 'decideManually', decision: 'YES', ...play.at });
    expect(
      play.harness
        .market()
        .steps.map(({ toStatus }) => toStatus)
        .slice(-3),
    ).toEqual(['RESOLVED', 'PENDING_BLOCKCHAIN', 'RESOLUTION_FAILED']);
  });

  it('is scheduled once for each state, and again when the date moves', () => {
    const play = new Play().open();
    play.does({ type: 'halt', ...play.at }).does({ type: 'resume', ...play.at });
    expect(play.harness.scheduled).toEqual([START + 100, START + 10_000]);
    play.does({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(START + 5000), ...play.at });
    play.does({ type: 'closeEarly', ...play.at }).vote('a', 'YES');
    expect(play.harness.scheduled.slice(2)).toEqual([START + 5000, START + 1000]);
  });

  it('of a creation without time for the chain cancels it at once', () => {
    const play = new Play();
    play.harness.config = { ...play.harness.config, chainTimeout: durationMs(0) };
    expect(play.create().harness.market()).toMatchObject({ status: 'CANCELLED', finalAt: START });
  });
});

const CONFLICT = { reason: 'CONFLICT', field: 'marketId' };

describe('a refused market command', () => {
  it('names an unknown market for any number', () => {
    const play = new Play().open();
    for (const no of [1, -1, 0.5, Number.NaN, 2 ** 53]) {
      const command = { type: 'halt', ...play.at, market: no as typeof market } as const;
      expect(play.refused(command)).toEqual({ reason: 'NOT_FOUND', field: 'marketId' });
    }
  });

  it.each<[string, (play: Play) => MarketCommand, object, (play: Play) => Play]>([
    [
      'halting twice',
      (play) => ({ type: 'halt', ...play.at }),
      CONFLICT,
      (play) => play.open().does({ type: 'halt', ...play.at }),
    ],
    ['resuming what goes on', (play) => ({ type: 'resume', ...play.at }), CONFLICT, (play) => play.open()],
    [
      'halting what is closed',
      (play) => ({ type: 'halt', ...play.at }),
      { ...CONFLICT, reason: 'MARKET_NOT_OPEN' },
      (play) => play.pending(),
    ],
    [
      'voiding what is void',
      (play) => ({ type: 'voidMarket', ...play.at }),
      { ...CONFLICT, reason: 'ALREADY_FINAL' },
      (play) => play.resolved('CANCELLED'),
    ],
    [
      'the same tick',
      (play) => ({ type: 'changeTick', tickBps: 10, ...play.at }),
      { ...CONFLICT, field: 'tickBps' },
      (play) => play.open(),
    ],
    ['upholding nothing', (play) => ({ type: 'upholdDispute', ...play.at }), CONFLICT, (play) => play.resolved()],
    [
      'an answer about another step',
      (play) => ({ type: 'chainFailed', permanent: true, step: 'REPORT_PAYOUT', attempt: 1, ...play.at }),
      { ...CONFLICT, field: 'step' },
      (play) => play.create(),
    ],
    [
      'an answer to another attempt',
      (play) => ({ type: 'chainFailed', permanent: true, step: 'DEPLOY', attempt: 2, ...play.at }),
      { ...CONFLICT, field: 'attempt' },
      (play) => play.create(),
    ],
  ])('of %s names the field', (_, command, refusal, go) => {
    const play = go(new Play());
    expect(play.refused(command(play))).toEqual(refusal);
  });

  it('reports when a creator voids a market that has traded', () => {
    const play = new Play().open();
    play.harness.market().lastTrade = 5000;
    const command = { type: 'voidByCreator', account: CREATOR, credential: credentialNo(0), ...play.at } as const;
    expect(play.refused(command)).toEqual(CONFLICT);
  });

  it('reports the earliest time of a manual decision', () => {
    const play = new Play().failed().wait(499);
    const limit = play.harness.now + 1;
    const command = { type: 'decideManually', decision: 'YES', ...play.at } as const;
    const refusal = { reason: 'CONFLICT', field: 'marketId', limit, value: limit - 1, unit: 'MILLISECONDS' };
    expect(play.refused(command)).toEqual(refusal);
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
    const play = new Play().open();
    const resolutionDate = date as EpochMs;
    expect(play.refused({ type: 'moveDate', by: 'operator', resolutionDate, ...play.at })).toEqual(refusal);
  });

  it.each([0, -10, 0.5, 3, 10_000, Number.NaN, 2 ** 53])('refuses a tick of %d', (tickBps) => {
    const play = new Play().open();
    expect(play.refused({ type: 'changeTick', tickBps, ...play.at })).toEqual({
      reason: 'INVALID_TICK',
      field: 'tickBps',
    });
  });

  it('refuses a vote that is late, repeated, has a used id, exceeds the seats, or has an invalid confidence', () => {
    const play = new Play().pending().vote('a', 'YES').vote('b', 'NO');
    const vote = { id: 'v9', model: 'c', vote: undefined, confidenceBps: undefined, rationale: '', sources: [] };
    const send = (differs: object, round = 1): unknown =>
      play.refused({ type: 'castVote', round, vote: { ...vote, ...differs }, ...play.at });
    expect(send({}, 2)).toEqual({ reason: 'CONFLICT', field: 'round' });
    expect(send({ model: 'a' })).toEqual({ reason: 'CONFLICT', field: 'model' });
    expect(send({ id: 'v1' })).toEqual({ reason: 'CONFLICT', field: 'id' });
    const range = { field: 'confidenceBps', unit: 'BPS' };
    expect(send({ confidenceBps: -1 })).toEqual({ reason: 'BELOW_MIN', limit: 0, value: -1, ...range });
    expect(send({ confidenceBps: 10_001 })).toEqual({ reason: 'ABOVE_MAX', limit: 10_000, value: 10_001, ...range });
    expect(send({ confidenceBps: Number.NaN })).toEqual({ reason: 'INVALID_ORDER', field: 'confidenceBps' });
    expect(send({})).toBeUndefined();
    expect(send({ id: 'v10', model: 'd' })).toEqual({ reason: 'CONFLICT', field: 'model' });
    expect(play.harness.market().status).toBe('PENDING_RESOLUTION');
  });

  it('refuses values outside the enumerations', () => {
    const play = new Play().pending();
    const by = 'somebody' as never;
    const resolutionDate = epochMs(START + 5000);
    expect(play.refused({ type: 'moveDate', by, resolutionDate, ...play.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'by',
    });
    const vote = { id: 'v', model: 'm', vote: 'MAYBE' as never, confidenceBps: undefined, rationale: '', sources: [] };
    expect(play.refused({ type: 'castVote', round: 1, vote, ...play.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'vote',
    });
    const decision = 'CANCELLED' as never;
    const byHand = new Play().failed().wait(500);
    const refusal = { reason: 'INVALID_ORDER', field: 'decision' };
    expect(byHand.refused({ type: 'decideManually', decision, ...byHand.at })).toEqual(refusal);
    expect(play.refused({ type: 'explode' as never, ...play.at })).toEqual({ reason: 'CONFLICT', field: 'marketId' });
  });

  it('refuses a dispute without shares, without a reason, or the second one in a round', () => {
    const play = new Play().resolved();
    const send = (account: number, reason: string): unknown =>
      play.refused({ type: 'dispute', account: accountNo(account), credential: credentialNo(0), reason, ...play.at });
    expect(send(4, 'No.')).toEqual({ reason: 'INSUFFICIENT_SHARES', field: 'marketId' });
    const empty = { reason: 'BELOW_MIN', field: 'reason', limit: 1, value: 0, unit: 'COUNT' };
    expect(send(2, ' ')).toEqual(empty);
    expect(send(4, '')).toEqual(empty);
    expect(send(2, 'No.')).toBeUndefined();
    expect(send(2, 'No!')).toEqual({ reason: 'CONFLICT', field: 'marketId' });
    expect(send(3, 'No!')).toBeUndefined();
    expect(play.harness.market().disputes.map(({ account, round }) => [account, round])).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });

  it('is sent to clients while the venue is halted, and to no one else', () => {
    const play = new Play().resolved();
    play.harness.mode = 'HALTED';
    const client = { ...play.at, credential: credentialNo(0) };
    const dispute = { type: 'dispute', account: accountNo(2), reason: 'No.', ...client } as const;
    expect(play.refused(dispute)).toEqual({ reason: 'VENUE_MODE' });
    const byCreator = { type: 'voidByCreator', account: CREATOR, ...client } as const;
    expect(play.refused(byCreator)).toEqual({ reason: 'VENUE_MODE' });
    expect(play.refused({ ...byCreator, account: accountNo(2) })).toEqual({ reason: 'NOT_FOUND', field: 'marketId' });
    const open = new Play().open();
    open.harness.mode = 'HALTED';
    open.does({ type: 'halt', ...open.at });
  });
});

describe('a market in a pending state', () => {
  it('has its request to chain or resolver open until it is answered', () => {
    const play = new Play().create().wait(7);
    const question = () => openQuestion(play.harness.market());
    const deploy = { type: 'chainAsked', market, step: 'DEPLOY', yesPayoutBps: undefined };
    expect(question()).toEqual({ event: { ...deploy, attempt: 1 }, at: START });
    play.chain(false, false);
    expect(question()).toEqual({ event: { ...deploy, attempt: 2 }, at: START + 7 });
    play.chain(true);
    expect(question()).toBeUndefined();
    play.does({ type: 'closeEarly', ...play.at });
    const resolve = { type: 'resolutionAsked', market, round: 1, quorum: 2, panelSize: 3 };
    expect(question()).toEqual({ event: resolve, at: START + 7 });
    play.vote('a', 'YES').vote('b', 'YES');
    expect(question()).toBeUndefined();
    play.wait(200);
    const report = { ...deploy, step: 'REPORT_PAYOUT', attempt: 3, yesPayoutBps: 10_000 };
    expect(question()).toEqual({ event: report, at: START + 207 });
    expect(play.harness.events.filter(({ type }) => type === 'chainAsked').at(-1)).toEqual(report);
  });

  it('shows its last quotes from when it leaves OPEN until it opens again', () => {
    const play = new Play().open();
    expect(play.harness.market().lastQuotes).toBeUndefined();
    play.does({ type: 'closeEarly', ...play.at });
    expect(play.harness.market().lastQuotes).toEqual({ reference: 5000, yes: 6000, no: 6000 });
    play.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...play.at });
    expect(play.harness.market().lastQuotes).toBeUndefined();
    expect(new Play().create().chain(false).harness.market().lastQuotes).toBeDefined();
  });

  it('has a separate book for each tick', () => {
    const play = new Play().open();
    expect(play.harness.market()).toMatchObject({ bookEpoch: 1, tickBps: 10 });
    play.does({ type: 'changeTick', tickBps: 20, ...play.at });
    expect(play.harness.market()).toMatchObject({ bookEpoch: 2, tickBps: 20 });
    expect(play.harness.market().book.tickBps).toBe(20);
  });

  it('accepts orders while it is open and not halted', () => {
    const play = new Play().create();
    const takes = () => takesOrders(play.harness.market());
    expect(takes()).toBe(false);
    play.chain(true);
    expect(takes()).toBe(true);
    play.does({ type: 'halt', ...play.at });
    expect(takes()).toBe(false);
    play.does({ type: 'resume', ...play.at }).does({ type: 'closeEarly', ...play.at });
    expect(takes()).toBe(false);
  });

  it('stays halted across other states until it is resumed', () => {
    const play = new Play().open();
    play.does({ type: 'halt', ...play.at }).does({ type: 'closeEarly', ...play.at });
    play.does({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(START + 2500), ...play.at });
    expect(play.harness.market()).toMatchObject({ status: 'OPEN', halted: true });
  });
});
