import { describe, expect, it } from 'vitest';
import { accountNo } from '../../../src/domain/ids.ts';
import { credentialNo, type EpochMs, epochMs } from '../../../src/domain/index.ts';
import type { MarketCommand } from '../../../src/exchange/market-command.ts';
import { CREATOR, START } from './harness.ts';
import { MarketScript, type market } from './market-script.ts';

const CONFLICT = { reason: 'CONFLICT', field: 'marketId' };

describe('a refused market command', () => {
  it('is NOT_FOUND for any number without a market', () => {
    const script = new MarketScript().open();
    for (const no of [1, -1, 0.5, Number.NaN, 2 ** 53]) {
      const command = { type: 'halt', ...script.at, market: no as typeof market } as const;
      expect(script.refusalOf(command)).toEqual({ reason: 'NOT_FOUND', field: 'marketId' });
    }
  });

  it.each<[string, (script: MarketScript) => MarketCommand, object, (script: MarketScript) => MarketScript]>([
    [
      'a second halt',
      (script) => ({ type: 'halt', ...script.at }),
      CONFLICT,
      (script) => script.open().apply({ type: 'halt', ...script.at }),
    ],
    [
      'a resume of a market that is not halted',
      (script) => ({ type: 'resume', ...script.at }),
      CONFLICT,
      (script) => script.open(),
    ],
    [
      'a halt of a closed market',
      (script) => ({ type: 'halt', ...script.at }),
      { ...CONFLICT, reason: 'MARKET_NOT_OPEN' },
      (script) => script.pending(),
    ],
    [
      'a void of a void market',
      (script) => ({ type: 'voidMarket', ...script.at }),
      { ...CONFLICT, reason: 'ALREADY_FINAL' },
      (script) => script.resolved('CANCELLED'),
    ],
    [
      'a change to the same tick',
      (script) => ({ type: 'changeTick', tickBps: 10, ...script.at }),
      { ...CONFLICT, field: 'tickBps' },
      (script) => script.open(),
    ],
    [
      'an upheld dispute without a dispute',
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
  ])('names the field when the command is %s', (_, command, refusal, prepare) => {
    const script = prepare(new MarketScript());
    expect(script.refusalOf(command(script))).toEqual(refusal);
  });

  it('is a CONFLICT when a creator voids a market that has traded', () => {
    const script = new MarketScript().open();
    script.harness.market().lastTrade = 5000;
    const command = { type: 'voidByCreator', account: CREATOR, credential: credentialNo(0), ...script.at } as const;
    expect(script.refusalOf(command)).toEqual(CONFLICT);
  });

  it('reports the earliest time of a manual decision', () => {
    const script = new MarketScript().failed().wait(499);
    const limit = script.harness.now + 1;
    const command = { type: 'decideManually', decision: 'YES', ...script.at } as const;
    const refusal = { reason: 'CONFLICT', field: 'marketId', limit, value: limit - 1, unit: 'MILLISECONDS' };
    expect(script.refusalOf(command)).toEqual(refusal);
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
  ])('reports why the new date %d is invalid', (date, refusal) => {
    const script = new MarketScript().open();
    const resolutionDate = date as EpochMs;
    expect(script.refusalOf({ type: 'moveDate', by: 'operator', resolutionDate, ...script.at })).toEqual(refusal);
  });

  it.each([0, -10, 0.5, 3, 10_000, Number.NaN, 2 ** 53])('refuses a tick of %d', (tickBps) => {
    const script = new MarketScript().open();
    expect(script.refusalOf({ type: 'changeTick', tickBps, ...script.at })).toEqual({
      reason: 'INVALID_TICK',
      field: 'tickBps',
    });
  });

  it('refuses a vote that is late, repeated, or beyond the panel size, or has a used id or an invalid confidence', () => {
    const script = new MarketScript().pending().vote('a', 'YES').vote('b', 'NO');
    const vote = { id: 'v9', model: 'c', vote: undefined, confidenceBps: undefined, rationale: '', sources: [] };
    const send = (differs: object, round = 1): unknown =>
      script.refusalOf({ type: 'castVote', round, vote: { ...vote, ...differs }, ...script.at });
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
    expect(script.refusalOf({ type: 'moveDate', by, resolutionDate, ...script.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'by',
    });
    const vote = { id: 'v', model: 'm', vote: 'MAYBE' as never, confidenceBps: undefined, rationale: '', sources: [] };
    expect(script.refusalOf({ type: 'castVote', round: 1, vote, ...script.at })).toEqual({
      reason: 'INVALID_ORDER',
      field: 'vote',
    });
    const decision = 'CANCELLED' as never;
    const byHand = new MarketScript().failed().wait(500);
    const refusal = { reason: 'INVALID_ORDER', field: 'decision' };
    expect(byHand.refusalOf({ type: 'decideManually', decision, ...byHand.at })).toEqual(refusal);
    expect(script.refusalOf({ type: 'explode' as never, ...script.at })).toEqual({
      reason: 'CONFLICT',
      field: 'marketId',
    });
  });

  it('refuses a dispute without shares, without a reason, or the second one in a round', () => {
    const script = new MarketScript().resolved();
    const send = (account: number, reason: string): unknown =>
      script.refusalOf({
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
    expect(script.refusalOf(dispute)).toEqual({ reason: 'VENUE_MODE' });
    const byCreator = { type: 'voidByCreator', account: CREATOR, ...client } as const;
    expect(script.refusalOf(byCreator)).toEqual({ reason: 'VENUE_MODE' });
    expect(script.refusalOf({ ...byCreator, account: accountNo(2) })).toEqual({
      reason: 'NOT_FOUND',
      field: 'marketId',
    });
    const open = new MarketScript().open();
    open.harness.mode = 'HALTED';
    open.apply({ type: 'halt', ...open.at });
  });
});
