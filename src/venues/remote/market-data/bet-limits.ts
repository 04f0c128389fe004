/** `betLimits` of many markets, several in one request. */
import { type FieldShape, OPERATIONS, type Selection } from '../../../protocol/index.ts';
import { expectData, type OwnDocument, problemOf, type Transport } from '../transport/index.ts';
import type { BetTerms } from './venue-terms.ts';

const ANONYMOUS = { anonymous: true };
/** Root fields of one request; the contract allows 50 (docs/spec/venue.md#errors-and-transport). */
const BATCH = 40;

/**
 * Limits by market id, as nobody in particular has them: the caller's own exposure changes with every fill and is reckoned
 * by risk. A market that the venue answers nothing for is left out: its configuration counts alone.
 */
export async function readBetTerms(
  transport: Transport,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BetTerms>> {
  const found = new Map<string, BetTerms>();
  // An operator's own document is asked as it is, one market at a time.
  if (transport.operations.overridden.has(OPERATIONS.betLimits.name)) {
    const answers = await Promise.all(
      ids.map((marketId) => transport.query(OPERATIONS.betLimits, { marketId }, ANONYMOUS)),
    );
    for (const [at, id] of ids.entries()) {
      const answer = answers[at];
      if (answer?.type === 'data' && answer.data.betLimits !== null) found.set(id, answer.data.betLimits);
    }
    return found;
  }
  const batches: string[][] = [];
  for (let from = 0; from < ids.length; from += BATCH) batches.push(ids.slice(from, from + BATCH));
  await Promise.all(
    batches.map(async (batch) => {
      const variables = Object.fromEntries(batch.map((id, at) => [`m${at}`, id]));
      const answer = await transport.ask<Readonly<Record<string, BetTerms | null>>>(
        documentFor(batch.length),
        variables,
        batch.length,
        ANONYMOUS,
      );
      if (answer.type === 'errors') {
        transport.log.warn({ problem: problemOf(answer) }, 'venue: betLimits were refused: configuration counts alone');
        return;
      }
      const data = expectData(answer, 'betLimits');
      for (const [at, id] of batch.entries()) {
        const terms = data[`b${at}`];
        if (terms !== null && terms !== undefined) found.set(id, terms);
      }
    }),
  );
  return found;
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
