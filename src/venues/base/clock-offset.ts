/**
 * How far the venue's clock is ahead of ours, from the times it names in answers.
 *
 * A request leaves at `sent` and its answer is here at `received`; the venue's clock showed `serverTime` in between. So its
 * offset is serverTime - (sent + received) / 2, wrong by half the way there and back at most (Cristian 1989). Of the last
 * samples the one with the shortest way counts: it is the most exact one, and waiting only ever makes others worse.
 *
 * A sample that cannot be true together with the best one means that one of the clocks was set since: from then on only what
 * came after counts.
 */
interface Sample {
  readonly at: number;
  readonly offset: number;
  readonly error: number;
}

/** Samples older than this say nothing about now: clocks drift. ms. */
const MEMORY_MS = 600_000;
const MOST_SAMPLES = 64;
/** Clocks that run apart by more than this are broken; part of the time between two samples. */
const MOST_DRIFT = 0.001;
/** Both clocks show whole milliseconds. */
const RESOLUTION_MS = 1;

export class ClockOffset {
  #samples: Sample[] = [];
  #best: Sample | undefined;

  /** All epoch ms; `sent` and `received` by our clock. What is not in order is left out: our clock was set meanwhile. */
  sample(sent: number, received: number, serverTime: number): void {
    if (!(received >= sent) || !Number.isFinite(serverTime)) return;
    const error = (received - sent) / 2 + RESOLUTION_MS;
    const sample = { at: received, offset: serverTime - (sent + received) / 2, error };
    if (this.#best !== undefined && contradict(this.#best, sample)) this.#samples = [];
    this.#samples.push(sample);
    this.#samples = this.#samples.filter(({ at }) => at > received - MEMORY_MS).slice(-MOST_SAMPLES);
    this.#best = this.#samples.reduce((best, each) => (each.error <= best.error ? each : best));
  }

  /** ms that the venue's clock is ahead of ours, fractional; 0 before the first sample. */
  get offsetMs(): number {
    return this.#best?.offset ?? 0;
  }

  /** By how much `offsetMs` may be wrong, ms; Infinity before the first sample. */
  get errorMs(): number {
    return this.#best?.error ?? Number.POSITIVE_INFINITY;
  }

  /** How far the clocks are apart at the very least: what a limit on skew is compared with. ms, not negative. */
  get leastSkewMs(): number {
    return this.#best === undefined ? 0 : Math.max(0, Math.abs(this.#best.offset) - this.#best.error);
  }

  get samples(): number {
    return this.#samples.length;
  }
}

function contradict(before: Sample, now: Sample): boolean {
  const drift = MOST_DRIFT * Math.abs(now.at - before.at);
  return Math.abs(now.offset - before.offset) > before.error + now.error + drift;
}
