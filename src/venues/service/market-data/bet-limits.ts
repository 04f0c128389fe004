/** `betLimits` of many markets, several in one request. */
import { badFieldText, type FieldShape, findBadField, OPERATIONS, type Selection } from '../../../protocol/index.ts';
import { expectData, type OwnDocument, problemOf, type Transport } from '../transport/index.ts';
import type { BetTerms } from './venue-terms.ts';

const ANONYMOUS = { anonymous: true };
/** Root fields of one request; the contract allows 50 (docs/spec/venue.md#errors-and-transport). */
const BATCH = 40;

/** What was read of many markets. */
export interface BetTermsRead {
  /** By market id. A market that the venue answers nothing for is left out: its configuration counts alone. */
  readonly terms: ReadonlyMap<string, BetTerms>;
  /** By market id: what is not as the contract has it. */
  readonly bad: ReadonlyMap<string, string>;
}

/**
 * Limits by market id, without an account: the caller's own exposure changes with every fill and is reckoned
 * by risk.
 * @throws Fault LINK, BLOCKED
 */
export async function readBetTerms(transport: Transport, ids: readonly string[]): Promise<BetTermsRead> {
  const [terms, bad] = [new Map<string, BetTerms>(), new Map<string, string>()];
  // An operator's own document is sent as it is, one market at a time.
  if (transport.operations.overridden.has(OPERATIONS.betLimits.name)) {
    const answers = await Promise.all(
      ids.map((marketId) => transport.query(OPERATIONS.betLimits, { marketId }, ANONYMOUS)),
    );
    for (const [at, id] of ids.entries()) {
      const answer = answers[at];
      if (answer?.type === 'data' && answer.data.betLimits !== null) terms.set(id, answer.data.betLimits);
      if (answer?.type === 'malformed') bad.set(id, answer.problem);
    }
    return { terms, bad };
  }
  const batches: string[][] = [];
  for (let from = 0; from < ids.length; from += BATCH) batches.push(ids.slice(from, from + BATCH));
  await Promise.all(
    batches.map(async (batch) => {
      const variables = Object.fromEntries(batch.map((id, at) => [`m${at}`, id]));
      const answer = await transport.ask<Readonly<Record<string, unknown>>>(
        documentFor(batch.length),
        variables,
        batch.length,
        // Each market is looked at by itself: one that is malformed does not spoil the others.
        { ...ANONYMOUS, isUnchecked: true },
      );
      if (answer.type === 'errors') {
        transport.log.warn({ problem: problemOf(answer) }, 'venue: betLimits were refused: configuration counts alone');
        return;
      }
      const data = expectData(answer, 'betLimits');
      for (const [at, id] of batch.entries()) {
        const value = data[`b${at}`];
        if (value === null) continue;
        if (isBetTerms(value)) terms.set(id, value);
        else bad.set(id, `betLimits: ${badTermsText(value)}`);
      }
    }),
  );
  return { terms, bad };
}

function isBetTerms(value: unknown): value is BetTerms {
  return findBadField(FIELDS, value) === undefined;
}

function badTermsText(value: unknown): string {
  const found = findBadField(FIELDS, value);
  return found === undefined ? '' : badFieldText(found);
}

function documentFor(count: number): OwnDocument {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const fields = numbers.map((at) => `b${at}:betLimits(marketId:$m${at}){${Object.keys(FIELDS).join(' ')}}`);
  return {
    name: 'betLimits',
    text: `query(${numbers.map((at) => `$m${at}:ID!`).join(' ')}){${fields.join(' ')}}`,
    answer: Object.fromEntries(numbers.map((at) => [`b${at}`, { fields: FIELDS, wrap: '?' }])),
  };
}

const FIELDS: Selection & Readonly<Record<keyof BetTerms, FieldShape>> = {
  minBetCents: 'cents',
  maxBetCents: 'cents',
  maxExposurePerMarketCents: 'cents',
  minOrderShares: 'shares',
};
