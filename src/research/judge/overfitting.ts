/** Tests whether the best trial of half of the events is good in the other half (docs/spec/judging.md#overfitting). */

/** Numbers of blocks to try, in order. 16 blocks have 12,870 halves. */
const BLOCK_COUNTS = [16, 12, 10, 8, 6, 4] as const;
/** Maximum number of additions, which take about a second. */
const MAX_SUMS = 300_000_000;

/**
 * Returns the probability of backtest overfitting, 0..1: the share of divisions into two halves in which the best trial
 * of one half is not above the median in the other. Above 0.5 the search finds noise.
 * @param trials P&L of each event in order of time, by trial; at least two trials with the same events
 * @returns undefined for fewer than two trials or four events
 */
export function overfittingProbability(trials: readonly (readonly number[])[]): number | undefined {
  const events = trials[0]?.length ?? 0;
  const blocks = BLOCK_COUNTS.find(
    (count) => count <= events && countHalves(count) * trials.length * count <= MAX_SUMS,
  );
  if (trials.length < 2 || blocks === undefined) return undefined;
  const sums = trials.map((values) =>
    Array.from({ length: blocks }, (_, block) => {
      const [from, to] = [block, block + 1].map((edge) => Math.round((edge * events) / blocks));
      return values.slice(from, to).reduce((sum, value) => sum + value, 0);
    }),
  );
  const ranks = outOfSampleRanks(sums);
  const medianRank = (trials.length + 1) / 2;
  return ranks.filter((rank) => rank <= medianRank).length / ranks.length;
}

/**
 * Returns for each half of the blocks the rank of its best trial in the other half. The worst trial has rank 1. On ties
 * the first trial is the best, and the rank is the lower one.
 * @param sums by trial, then by block; an even number of blocks
 */
export function outOfSampleRanks(sums: readonly (readonly number[])[]): readonly number[] {
  const blocks = sums[0]?.length ?? 0;
  const totals = sums.map((blockSums) => blockSums.reduce((sum, value) => sum + value, 0));
  const insideSums = new Float64Array(sums.length);
  const ranks: number[] = [];
  for (const half of halves(blocks)) {
    let best = 0;
    for (const [trial, blockSums] of sums.entries()) {
      let sum = 0;
      for (const block of half) sum += blockSums[block] ?? 0;
      insideSums[trial] = sum;
      if (sum > (insideSums[best] ?? 0)) best = trial;
    }
    const outsideSum = (trial: number): number => (totals[trial] ?? 0) - (insideSums[trial] ?? 0);
    const bestOutside = outsideSum(best);
    let worseCount = 0;
    for (let trial = 0; trial < sums.length; trial += 1) if (outsideSum(trial) < bestOutside) worseCount += 1;
    ranks.push(1 + worseCount);
  }
  return ranks;
}

/** Yields all combinations of half of the blocks, in ascending order. */
function* halves(blocks: number, from = 0, chosen: readonly number[] = []): Iterable<readonly number[]> {
  if (chosen.length === blocks / 2) {
    yield chosen;
    return;
  }
  for (let block = from; block < blocks; block += 1) yield* halves(blocks, block + 1, [...chosen, block]);
}

function countHalves(blocks: number): number {
  let count = 1;
  for (let step = 1; step <= blocks / 2; step += 1) count = (count * (blocks / 2 + step)) / step;
  return count;
}
