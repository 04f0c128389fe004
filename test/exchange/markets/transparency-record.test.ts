import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, MARKET_STATUSES, marketId, marketNo } from '../../../src/domain/index.ts';
import type { TransparencyStep } from '../../../src/exchange/market-event.ts';
import { canonicalJson } from '../../../src/exchange/markets/canonical-json.ts';
import {
  findRecordError,
  nextStep,
  questionHash,
  type StepFacts,
  stepDigest,
  type TransparencyRecord,
} from '../../../src/exchange/markets/transparency-record.ts';
import { creation, Harness, sha256 } from './harness.ts';

interface Vector {
  readonly record: Omit<TransparencyRecord, 'steps' | 'transactionHashes'>;
  readonly headText: string;
  readonly steps: readonly (TransparencyStep & { readonly text: string })[];
}

const HOUR = durationMs(3_600_000);
const FILE = new URL('../../fixtures/spec/transparency.json', import.meta.url);
const { transparency }: { readonly transparency: Vector } = JSON.parse(readFileSync(FILE, 'utf8'));
const VECTOR: TransparencyRecord = {
  ...transparency.record,
  steps: transparency.steps.map(({ text: _text, ...step }) => step),
  transactionHashes: [],
};

describe('the transparency record of the specification', () => {
  it('has the canonical text and the hash of its question', () => {
    const { marketId: id, question, quorum, rules } = VECTOR;
    expect(canonicalJson({ marketId: id, question, quorum, rules })).toBe(transparency.headText);
    expect(questionHash(VECTOR, sha256)).toBe(VECTOR.questionHash);
  });

  it.each(transparency.steps)(
    'has the canonical text and the digest of "$note" by $actor',
    ({ text, digest, ...step }) => {
      expect(canonicalJson({ ...step })).toBe(text);
      expect(stepDigest(step, sha256)).toBe(digest);
    },
  );

  it('is valid', () => {
    expect(findRecordError(VECTOR, sha256)).toBeUndefined();
  });

  it('has the same digests as the record of a simulated market', () => {
    const harness = new Harness(Date.parse('2026-11-20T12:00:00Z'));
    const { question, rules } = VECTOR;
    const id = marketId(VECTOR.marketId);
    const resolutionDate = epochMs(Date.parse('2027-01-01T00:00:00.250Z'));
    harness.config = { ...harness.config, chainTimeout: HOUR, quorumTimeout: HOUR };
    harness.send(creation(harness.now, { id, question, rules, resolutionDate }));
    const market = marketNo(0);
    const confirmed = { step: 'DEPLOY', attempt: 1, transactionHash: '0x00', note: '' } as const;
    harness.send({
      type: 'chainConfirmed',
      market,
      time: epochMs(Date.parse('2026-11-20T12:00:02.500Z')),
      ...confirmed,
    });
    const ballot = { vote: 'YES', confidenceBps: 9700, rationale: '4.50 € — "sí"', sources: [] } as const;
    const vote = { id: 'v1', model: 'model-a', ...ballot };
    const time = epochMs(Date.parse('2027-01-01T00:05:00Z'));
    expect(harness.send({ type: 'castVote', market, time, round: 1, vote, note: '' })).toBeUndefined();
    expect(harness.market().steps).toEqual(VECTOR.steps);
    expect(harness.market().questionHash).toBe(VECTOR.questionHash);
  });
});

const text = fc.string({ unit: 'grapheme' });
const status = fc.constantFrom(...MARKET_STATUSES);
const anyRecord = fc
  .record({
    head: fc.record({ marketId: text, question: text, rules: text, quorum: fc.integer({ min: 1, max: 9 }) }),
    steps: fc.array(fc.record({ at: fc.nat().map(epochMs), actor: text, toStatus: status, note: text, data: text }), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ head, steps }) => recordOf(head, steps));

function recordOf(
  head: Pick<TransparencyRecord, 'marketId' | 'question' | 'rules' | 'quorum'>,
  facts: readonly Omit<StepFacts, 'fromStatus'>[],
): TransparencyRecord {
  const root = questionHash(head, sha256);
  const steps: TransparencyStep[] = [];
  for (const fact of facts) {
    const before = steps.at(-1);
    steps.push(nextStep({ ...fact, fromStatus: before?.toStatus ?? null }, before?.digest ?? root, sha256));
  }
  return { ...head, questionHash: root, steps, headDigest: steps.at(-1)?.digest ?? root, transactionHashes: [] };
}

/** Returns the record with other steps. */
function withSteps(record: TransparencyRecord, steps: readonly TransparencyStep[]): TransparencyRecord {
  return { ...record, steps };
}

describe('any transparency record', () => {
  it('is valid', () => {
    fc.assert(fc.property(anyRecord, (record) => findRecordError(record, sha256) === undefined));
  });

  it('is invalid when a member of its head changes', () => {
    const members = ['marketId', 'question', 'rules', 'questionHash', 'headDigest'] as const;
    fc.assert(
      fc.property(anyRecord, fc.constantFrom(...members), (record, member) => {
        expect(findRecordError({ ...record, [member]: `${record[member]}!` }, sha256)).toBeDefined();
        expect(findRecordError({ ...record, quorum: record.quorum + 1 }, sha256)).toBeDefined();
      }),
    );
  });

  it('is invalid when a member of a step changes, and the error names the step', () => {
    const members = ['at', 'actor', 'toStatus', 'fromStatus', 'note', 'data', 'digest', 'previousDigest'] as const;
    fc.assert(
      fc.property(anyRecord, fc.nat(), fc.constantFrom(...members), (record, draw, member) => {
        const place = draw % record.steps.length;
        const steps = record.steps.map((step, at) => (at === place ? { ...step, [member]: `${step[member]}!` } : step));
        expect(findRecordError(withSteps(record, steps), sha256)).toMatch(
          new RegExp(`^step (${place + 1}|${place + 2}):`),
        );
      }),
    );
  });

  it('is invalid when a status does not follow from the previous one although every hash is right', () => {
    const head = { marketId: 'm', question: 'q', rules: 'r', quorum: 2 };
    const root = questionHash(head, sha256);
    const facts = { at: epochMs(0), actor: 'chain', toStatus: 'OPEN', note: 'deployed', data: {} } as const;
    const step = nextStep({ ...facts, fromStatus: 'PENDING_BLOCKCHAIN' }, root, sha256);
    const record = { ...head, questionHash: root, steps: [step], headDigest: step.digest, transactionHashes: [] };
    expect(findRecordError(record, sha256)).toBe('step 1: fromStatus is not the status before it');
  });

  it('without steps needs only its question, and an error names the invalid part of its head', () => {
    const wrong = { ...VECTOR, questionHash: VECTOR.headDigest };
    expect(findRecordError(wrong, sha256)).toBe('questionHash is not the hash of the question');
    const ahead = { ...VECTOR, headDigest: VECTOR.questionHash };
    expect(findRecordError(ahead, sha256)).toBe('headDigest is not the digest of the last step');
    expect(findRecordError({ ...ahead, steps: [] }, sha256)).toBeUndefined();
  });

  it('is invalid when a step is missing, repeated or swapped with the next', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), (record, draw) => {
        const { steps } = record;
        const place = draw % steps.length;
        const [before, after] = [steps.slice(0, place), steps.slice(place + 1)];
        expect(findRecordError(withSteps(record, [...before, ...after]), sha256)).toBeDefined();
        const twice = steps.slice(place, place + 1);
        expect(findRecordError(withSteps(record, [...before, ...twice, ...twice, ...after]), sha256)).toBeDefined();
        if (after.length === 0) return;
        const swapped = [...before, ...after.slice(0, 1), ...twice, ...after.slice(1)];
        expect(findRecordError(withSteps(record, swapped), sha256)).toBeDefined();
      }),
    );
  });
});
