import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { durationMs, epochMs, marketNo } from '../../../src/domain/index.ts';
import type { ChainRequested } from '../../../src/exchange/market-event.ts';
import { SimulatedChain, type SimulatedChainOptions } from '../../../src/exchange/markets/chain.ts';

const NOW = epochMs(1000);

function chain(options: Partial<SimulatedChainOptions> = {}, seed = 1): SimulatedChain {
  return new SimulatedChain({
    random: seededRandom(seed),
    minDelay: durationMs(5),
    maxDelay: durationMs(9),
    ...options,
  });
}

function chainRequest(market: number, attempt = 1): ChainRequested {
  return { type: 'chainRequested', market: marketNo(market), step: 'DEPLOY', attempt, yesPayoutBps: undefined };
}

/** Counts the matching responses to a thousand requests. */
function count(options: Partial<SimulatedChainOptions>, isCounted: (answer: unknown) => boolean): number {
  const body = chain(options);
  return Array.from({ length: 1000 }, (_, market) => body.commandsFor(chainRequest(market), NOW)[0]).filter(isCounted)
    .length;
}

describe('the simulated chain', () => {
  it('confirms each request after a delay within its bounds', () => {
    const answers = Array.from({ length: 200 }, (_, market) => chain().commandsFor(chainRequest(market, 3), NOW));
    const times = new Set(answers.flat().map(({ time }) => time - NOW));
    expect([...times].sort()).toEqual([5, 6, 7, 8, 9]);
    for (const [market, answer] of answers.entries()) {
      const facts = { type: 'chainConfirmed', market, step: 'DEPLOY', attempt: 3, note: '' };
      expect(answer).toEqual([expect.objectContaining(facts)]);
    }
    const hashes = new Set(answers.flat().map((answer) => answer.type === 'chainConfirmed' && answer.transactionHash));
    expect(hashes.size).toBe(200);
    for (const hash of hashes) expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('always takes the configured delay when both bounds are equal', () => {
    const [answer] = chain({ minDelay: durationMs(9) }).commandsFor(chainRequest(1), NOW);
    expect(answer?.time).toBe(1009);
    const [failure] = chain({ failureProbability: 1 }).commandsFor(chainRequest(1), NOW);
    expect(failure).toMatchObject({ type: 'chainFailed', market: 1, step: 'DEPLOY', attempt: 1, note: '' });
  });

  it('responds to a request in the same way after any earlier requests, and differently with another seed', () => {
    const options = { failureProbability: 0.5, permanentProbability: 0.5, silenceProbability: 0.3 };
    const forwards = chain(options);
    const backwards = chain(options);
    const questions = Array.from({ length: 50 }, (_, at) => chainRequest(at % 7, at));
    const answers = questions.map((question) => forwards.commandsFor(question, NOW));
    const again = [...questions].reverse().map((question) => backwards.commandsFor(question, NOW));
    expect(again.reverse()).toEqual(answers);
    expect(questions.map((question) => chain(options, 2).commandsFor(question, NOW))).not.toEqual(answers);
  });

  it('fails temporarily, fails permanently, and does not respond at the configured rates', () => {
    const failed = (answer: unknown) => isFailure(answer, { permanent: false });
    const failedPermanently = (answer: unknown) => isFailure(answer, { permanent: true });
    expect(count({}, (answer) => answer === undefined || failed(answer) || failedPermanently(answer))).toBe(0);
    expect(count({ failureProbability: 1 }, failed)).toBe(1000);
    expect(count({ failureProbability: 1, permanentProbability: 1 }, failedPermanently)).toBe(1000);
    expect(count({ failureProbability: 1, silenceProbability: 1 }, (answer) => answer === undefined)).toBe(1000);
    const some = { failureProbability: 0.5, permanentProbability: 0.25, silenceProbability: 0.2 };
    const counts = [count(some, (answer) => answer === undefined), count(some, failedPermanently), count(some, failed)];
    for (const [place, mean] of [200, 100, 300].entries())
      expect(Math.abs((counts[place] ?? 0) - mean)).toBeLessThan(60);
  });

  it.each([
    [{ failureProbability: 1.1 }, 'failureProbability: expected a probability from 0 to 1, got 1.1'],
    [{ permanentProbability: -0.1 }, 'permanentProbability: expected a probability from 0 to 1, got -0.1'],
    [{ silenceProbability: Number.NaN }, 'silenceProbability: expected a probability from 0 to 1, got NaN'],
    [{ maxDelay: durationMs(4) }, 'maxDelay: expected at least minDelay (5 ms), got 4'],
  ])('refuses the options %j', (options, message) => {
    expect(() => chain(options)).toThrow(message);
  });
});

function isFailure(answer: unknown, { permanent }: { readonly permanent: boolean }): boolean {
  const failure = { type: 'chainFailed', permanent };
  return (
    typeof answer === 'object' &&
    answer !== null &&
    Object.entries(failure).every(([key, value]) => Reflect.get(answer, key) === value)
  );
}
