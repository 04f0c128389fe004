/** Returns the candidate most similar to `name`, for "did you mean"; undefined if more than a third differs. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const longerLength = Math.max(name.length, candidate.length);
    if (distance < leastDistance && distance < longerLength && distance <= Math.ceil(longerLength / 3)) {
      best = candidate;
      leastDistance = distance;
    }
  }
  return best;
}

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = a[i - 1] === b[j - 1] ? 0 : 1;
      const cheapest = Math.min(
        distanceAt(last, j) + 1,
        distanceAt(row, j - 1) + 1,
        distanceAt(last, j - 1) + substitution,
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swapped ? Math.min(cheapest, distanceAt(beforeLast, j - 2) + 1) : cheapest);
    }
    beforeLast = last;
    last = row;
  }
  return distanceAt(last, b.length);
}

function distanceAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
