/** Recomputes the hash chain of a market from the API's replies. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AccountNo, credentialNo, epochMs, type MarketNo } from '../../../../src/domain/index.ts';
import type { Decision } from '../../../../src/exchange/index.ts';
import { DAY, idOf, voteCommand } from './commands.ts';
import { openVenueWithMakers, START, type Venue } from './venue.ts';

const RECORD = `query ($id: ID!) { transparencyRecord(marketId: $id) { marketId question questionHash rules quorum
  steps { at actor fromStatus toStatus note data digest previousDigest } headDigest transactionHashes } }`;
const VOTES =
  'query ($id: ID!) { modelVotes(marketId: $id) { id model vote confidenceBps rationale sources round votedAt } }';

interface Step {
  readonly at: string;
  readonly actor: string;
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly note: string;
  readonly data: string;
  readonly digest: string;
  readonly previousDigest: string;
}
interface TransparencyAnswer {
  readonly marketId: string;
  readonly question: string;
  readonly questionHash: string;
  readonly rules: string;
  readonly quorum: number;
  readonly steps: readonly Step[];
  readonly headDigest: string;
  readonly transactionHashes: readonly string[];
}

/** Canonical JSON (RFC 8785) of flat objects of strings, numbers and nulls. */
const canonical = (value: object): string => JSON.stringify(value, Object.keys(value).sort());
const sha256 = (text: string): string => `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;

/** Recomputes the digests of a record. @returns the root digest and the digest of each step */
function recompute({ marketId, question, quorum, rules, steps }: TransparencyAnswer): readonly string[] {
  const digests = [sha256(canonical({ marketId, question, quorum, rules }))];
  for (const { digest: _digest, ...step } of steps) {
    digests.push(sha256(canonical({ ...step, previousDigest: digests.at(-1) })));
  }
  return digests;
}

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

const record = () => venue.read<TransparencyAnswer>(RECORD, { id: idOf(0) });

const vote = (no: MarketNo, model: string, decision: Decision, confidenceBps?: number) =>
  venue.execute(voteCommand(venue, no, { model, vote: decision, confidenceBps }));

/** Takes a market through every kind of step, including a dispute that is upheld. */
async function runAllSteps(): Promise<MarketNo> {
  const no = await venue.create(makers[0], { question: 'Será "café" ☕ < 5 €?', rules: 'Menu,\nas printed.' });
  venue.pass(2_500);
  await venue.confirm(no);
  await venue.trade(no, makers, 4_000, 1_000_000);
  await venue.execute({
    type: 'moveDate',
    time: venue.clock.now(),
    market: no,
    note: 'Later',
    by: 'resolver',
    resolutionDate: epochMs(START + 2 * DAY + 1),
  });
  venue.pass(2 * DAY);
  await vote(no, 'm1', 'YES', 8_000);
  await vote(no, 'm2', undefined);
  venue.pass(3);
  await vote(no, 'm3', 'YES', 10_000);
  await venue.execute({
    type: 'dispute',
    time: venue.clock.now(),
    account: makers[1],
    credential: credentialNo(0),
    market: no,
    reason: 'It was 6 €',
  });
  await venue.execute({ type: 'upholdDispute', time: venue.clock.now(), market: no, note: '' });
  await vote(no, 'm1', 'NO');
  await vote(no, 'm2', 'NO');
  venue.pass(7_200_000);
  await venue.confirm(no);
  return no;
}

describe('a transparency record', () => {
  it('can be recomputed from the reply', async () => {
    await runAllSteps();
    const answer = await record();
    expect(answer).toMatchObject({ marketId: idOf(0), question: 'Será "café" ☕ < 5 €?', quorum: 2 });
    const [root, ...digests] = recompute(answer);
    expect(answer.questionHash).toBe(root);
    expect(answer.steps.map(({ digest }) => digest)).toEqual(digests);
    expect(answer.steps.map(({ previousDigest }) => previousDigest)).toEqual([root, ...digests.slice(0, -1)]);
    expect(answer.headDigest).toBe(digests.at(-1));
    expect(answer.transactionHashes).toHaveLength(2);
    expect(answer.steps.map(({ toStatus }) => toStatus).at(-1)).toBe('RESOLVED_NO');
    expect(answer.steps.map(({ fromStatus }) => fromStatus)).toEqual([
      null,
      ...answer.steps.slice(0, -1).map(({ toStatus }) => toStatus),
    ]);
    expect(answer.steps.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['2026-11-20T12:00:00Z', '2026-11-20T12:00:02.500Z']),
    );
    const data = answer.steps.map((step) => JSON.parse(step.data));
    expect(data).toEqual(expect.arrayContaining([{}, { reason: 'It was 6 €' }]));
    expect(data).toEqual(expect.arrayContaining([{ resolutionDate: '2026-11-22T12:00:00.001Z' }]));
    expect(data).toEqual(expect.arrayContaining([{ noPayoutBps: 10_000, outcome: 'RESOLVED_NO', yesPayoutBps: 0 }]));
  });

  it('has every vote as modelVotes returns it', async () => {
    await runAllSteps();
    const votes = await venue.read<readonly Record<string, unknown>[]>(VOTES, { id: idOf(0) });
    expect(votes.map(({ model, vote: decision, round }) => [model, decision, round])).toEqual([
      ['m1', 'YES', 1],
      ['m2', null, 1],
      ['m3', 'YES', 1],
      ['m1', 'NO', 2],
      ['m2', 'NO', 2],
    ]);
    expect(votes[0]).toEqual({
      id: 'm1-1',
      model: 'm1',
      vote: 'YES',
      confidenceBps: 8_000,
      round: 1,
      rationale: '"m1" saw\n it – 5 €',
      sources: ['https://x.example/?a=1&b=2'],
      votedAt: '2026-11-22T12:00:02.500Z',
    });
    const { steps } = await record();
    const recorded = steps.map((step) => JSON.parse(step.data)).filter((data) => 'vote' in data);
    expect(recorded.map((data) => data.vote)).toEqual(votes);
  });

  it('of the specification has the digests that this file recomputes', () => {
    const {
      transparency,
    }: { readonly transparency: { readonly record: TransparencyAnswer; readonly steps: readonly Step[] } } = JSON.parse(
      readFileSync(new URL('../../../fixtures/spec/transparency.json', import.meta.url), 'utf8'),
    );
    const steps = transparency.steps.map(({ at, actor, fromStatus, toStatus, note, data, digest, previousDigest }) => {
      return { at, actor, fromStatus, toStatus, note, data, digest, previousDigest };
    });
    const digests = recompute({ ...transparency.record, steps });
    expect(digests).toEqual([transparency.record.questionHash, ...steps.map(({ digest }) => digest)]);
  });
});
