/** Counts a round of votes. */
import type { Decision, RecordedVote } from '../market-command.ts';
import type { MarketRecord } from './market-record.ts';

/** Decision of a round, with the text of the most confident model that voted for it. */
export interface RoundDecision {
  readonly decision: Decision;
  readonly rationale: string;
}

/**
 * What the present round has decided: the vote that reached the quorum, "cannot be decided" being one like the others;
 * undefined while none did. Of equally confident models the first counts; one without a confidence counts last.
 */
export function roundDecision({ votes, round, quorum }: MarketRecord): RoundDecision | undefined {
  const ofRound = votes.filter((vote) => vote.round === round);
  for (const { vote: decision } of ofRound) {
    const equal = ofRound.filter(({ vote }) => vote === decision);
    if (equal.length >= quorum) return { decision, rationale: surest(equal) };
  }
  return undefined;
}

function surest(votes: readonly RecordedVote[]): string {
  return votes.reduce((best, vote) => (sureness(vote) > sureness(best) ? vote : best)).rationale;
}

function sureness({ confidenceBps }: RecordedVote): number {
  return confidenceBps ?? -1;
}
