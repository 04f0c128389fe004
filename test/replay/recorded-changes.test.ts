/** Positions and effects of `playTape` commands. */
import { describe, expect, it } from 'vitest';
import { KIND } from '../../src/tape/index.ts';
import { eventTexts, Harness } from '../exchange/engine/harness.ts';
import { bidLevel, buyPrint, FollowedMarket, resolution, sellPrint, status, TERMS } from './followed-market.ts';

describe('a position on a tape', () => {
  it('is refused, with the name of the field, when it precedes the position of the market in row or time', () => {
    const harness = FollowedMarket.open();
    harness.play(bidLevel(6000, 90));
    const next = { market: 0, recordedAt: 1001, rows: bidLevel(6000, 80) };
    const refusal = { reason: 'CONFLICT', field: 'row', limit: 1, value: 1, unit: 'COUNT' };
    expect(harness.send('playTape', { ...next, row: 1 })).toEqual([{ type: 'refused', entry: 0, refusal }]);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2, recordedAt: 1000 }))).toEqual([
      'refused 0 INVALID_ORDER recordedAt',
    ]);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2.5 }))).toEqual(['refused 0 INVALID_ORDER row']);
    expect(eventTexts(harness.send('playTape', { ...next, row: 2 }))).toEqual(['tapePlayed']);
    expect(harness.record.following).toMatchObject({ row: 2, recordedAt: 1001 });
  });

  it('may be negative zero, which is the start', () => {
    const harness = new Harness();
    harness.unlimitedAccount();
    harness.market();
    harness.send('followTape', { ...TERMS, market: 0, row: -0, recordedAt: -0, rows: [] });
    expect(harness.view.market(0)?.following).toMatchObject({ row: 0, recordedAt: 0 });
  });

  it('requires a market that follows that tape', () => {
    const harness = FollowedMarket.open();
    harness.market();
    const rows = bidLevel(6000, 90);
    const play = (market: number) => eventTexts(harness.send('playTape', { market, row: 5, recordedAt: 2000, rows }));
    expect([play(1), play(9)]).toEqual([['refused 0 CONFLICT marketId'], ['refused 0 NOT_FOUND marketId']]);
  });
});

describe('the changes of a recorded message', () => {
  it('have the sequence of that message if it has a level or a print, and none otherwise', () => {
    const harness = FollowedMarket.open();
    const seqs = [bidLevel(6000, 90), [KIND.placeDelay, 0, 0, 5], sellPrint(5990, 1)].map((rows) => {
      harness.play(rows);
      return harness.record.bookSeq === harness.view.seq;
    });
    expect(seqs).toEqual([true, false, true]);
  });

  it('include recorded trades while the market is halted, and none after it is closed', () => {
    const harness = FollowedMarket.open();
    harness.play(status('halted'));
    expect(eventTexts(harness.play(buyPrint(6100, 5)))).toEqual(['printed', 'tapePlayed']);
    harness.play(status('pending'));
    const { volume } = harness.record;
    expect(volume).toBe(5 * 610_000);
    expect(eventTexts(harness.play(buyPrint(6100, 5)))).toEqual(['tapePlayed']);
    expect(harness.record.volume).toBe(volume);
  });

  it('close a market once, and reopen it in the recorded state, for example halted', () => {
    const harness = FollowedMarket.open();
    expect(eventTexts(harness.play(status('pending'))).filter((text) => text === 'marketChanged')).toHaveLength(1);
    expect(eventTexts(harness.play(status('pending')))).toEqual(['tapePlayed']);
    harness.play(status('halted'));
    expect(harness.record).toMatchObject({ status: 'OPEN', halted: true, deadline: undefined });
  });

  it('do not affect a market that is already decided differently', () => {
    const harness = FollowedMarket.open();
    harness.play(resolution(10_000));
    expect(harness.record.votes.map(({ vote }) => vote)).toEqual(['YES', 'YES']);
    expect(eventTexts(harness.play(resolution(0)))).toEqual(['tapePlayed']);
    expect(eventTexts(harness.play(status('open')))).toEqual(['tapePlayed']);
    expect(harness.record).toMatchObject({ status: 'RESOLVED', round: 1 });
    expect(harness.record.votes).toHaveLength(2);
  });

  it('reopen a market with its previous date, or a day from now when that has passed', () => {
    const harness = FollowedMarket.open();
    const { resolutionDate } = harness.record;
    harness.play(status('pending'));
    harness.play(status('open'));
    expect(harness.record.resolutionDate).toBeGreaterThanOrEqual(harness.time + 86_400_000);
    harness.time = resolutionDate + 86_400_000 * 3;
    harness.play(status('pending'));
    harness.play(status('open'));
    expect(harness.record.resolutionDate).toBe(harness.time + 86_400_000);
  });

  it.each([
    ['open', 'YES'],
    ['closed', 'NO'],
  ] as const)('decide a market that was %s by votes marked as recorded', (_, vote) => {
    const harness = FollowedMarket.open();
    if (vote === 'NO') harness.play(status('pending'));
    const events = harness.play(resolution(vote === 'YES' ? 10_000 : 0));
    expect(harness.record.votes).toMatchObject([
      { model: 'tape-1', vote, confidenceBps: undefined, rationale: 'as recorded', sources: [] },
      { model: 'tape-2', vote, confidenceBps: undefined, rationale: 'as recorded', sources: [] },
    ]);
    expect(new Set(harness.record.votes.map(({ id }) => id)).size).toBe(2);
    expect(JSON.stringify(events)).toContain('as recorded');
  });
});
