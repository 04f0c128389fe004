/** Figures over time in bounded memory: the newest in full, older ones in longer steps. */

/** Steps in ms and how many of each are kept: an hour at 1 s, 6 hours at 5 s, a day at 20 s, 8 days at 2 minutes. */
const TIERS = [
  { stepMs: 1_000, most: 3_600 },
  { stepMs: 5_000, most: 4_320 },
  { stepMs: 20_000, most: 4_320 },
  { stepMs: 120_000, most: 5_760 },
] as const;

/** One point; a missing figure is NaN. */
export type Sample = readonly number[];

interface Tier {
  readonly stepMs: number;
  readonly most: number;
  times: number[];
  values: Sample[];
}

export class Samples {
  readonly #tiers: readonly Tier[] = TIERS.map((tier) => ({ ...tier, times: [], values: [] }));

  /** Keeps the last sample of each step. @param time epoch ms, not falling */
  add(time: number, sample: Sample): void {
    for (const tier of this.#tiers) {
      const step = Math.floor(time / tier.stepMs) * tier.stepMs;
      const last = tier.times.length - 1;
      if (tier.times[last] === step) {
        tier.values[last] = sample;
        continue;
      }
      if (last >= 0 && step < (tier.times[last] ?? 0)) return;
      tier.times.push(step);
      tier.values.push(sample);
      if (tier.times.length > 2 * tier.most) {
        tier.times = tier.times.slice(-tier.most);
        tier.values = tier.values.slice(-tier.most);
      }
    }
  }

  /** The finest tier that reaches back to `from`, thinned to at most `points`; each kept point is the last of its stretch. */
  since(from: number, points: number): { readonly times: readonly number[]; readonly values: readonly Sample[] } {
    const tier =
      this.#tiers.find(({ times, most }) => times.length < most || (times[0] ?? 0) <= from) ?? this.#tiers.at(-1);
    if (tier === undefined) return { times: [], values: [] };
    const first = tier.times.findIndex((time) => time >= from);
    if (first < 0) return { times: [], values: [] };
    const count = tier.times.length - first;
    const every = Math.max(1, Math.ceil(count / points));
    const times: number[] = [];
    const values: Sample[] = [];
    // From the end, so that the newest point is always there.
    for (let at = tier.times.length - 1; at >= first; at -= every) {
      times.unshift(tier.times[at] ?? 0);
      values.unshift(tier.values[at] ?? []);
    }
    return { times, values };
  }
}
