/**
 * Estimates how far the venue's clock is ahead of this machine's, from the times in the venue's answers.
 *
 * A request leaves at `sent` and its answer arrives at `received`. In between, the venue's clock showed `serverTime`.
 * The offset is serverTime - (sent + received) / 2, with an error of at most half the round trip (Cristian 1989). The
 * sample with the shortest round trip is the most exact one, and is used.
 *
 * A sample that contradicts the best sample proves that a clock was set in between. All older samples are then dropped.
 */
interface Sample {
  readonly at: number;
  readonly offsetMs: number;
  readonly errorMs: number;
}

/** Age at which samples are dropped, because clocks drift; ms. */
const MAX_SAMPLE_AGE_MS = 600_000;
const MAX_SAMPLES = 64;
/** Largest plausible drift between the clocks, as a fraction of the time between two samples. */
const MAX_DRIFT = 0.001;

export class ClockOffset {
  #samples: Sample[] = [];
  #best: Sample | undefined;

  /** Adds a sample, epoch ms. Ignores times that are out of order, because this machine's clock was set in between. */
  sample(sent: number, received: number, serverTime: number): void {
    if (!(received >= sent) || !Number.isFinite(serverTime)) return;
    // Both clocks show whole milliseconds.
    const errorMs = (received - sent) / 2 + 1;
    const sample = { at: received, offsetMs: serverTime - (sent + received) / 2, errorMs };
    if (this.#best !== undefined && contradict(this.#best, sample)) this.#samples = [];
    this.#samples.push(sample);
    this.#samples = this.#samples.filter(({ at }) => at > received - MAX_SAMPLE_AGE_MS).slice(-MAX_SAMPLES);
    this.#best = this.#samples.reduce((best, each) => (each.errorMs <= best.errorMs ? each : best));
  }

  /** ms that the venue's clock is ahead of this machine's, fractional; 0 before the first sample. */
  get offsetMs(): number {
    return this.#best?.offsetMs ?? 0;
  }

  /** Largest error of `offsetMs`, ms; Infinity before the first sample. */
  get errorMs(): number {
    return this.#best?.errorMs ?? Number.POSITIVE_INFINITY;
  }

  /** Smallest difference between the clocks that the samples allow, ms, not negative. */
  get minSkewMs(): number {
    return Math.abs(this.provenOffsetMs);
  }

  /** The part of `offsetMs` beyond the largest error, ms; 0 if the clocks may agree. */
  get provenOffsetMs(): number {
    if (this.#best === undefined) return 0;
    const { offsetMs, errorMs } = this.#best;
    return Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - errorMs);
  }

  get sampleCount(): number {
    return this.#samples.length;
  }
}

function contradict(first: Sample, second: Sample): boolean {
  const drift = MAX_DRIFT * Math.abs(second.at - first.at);
  return Math.abs(second.offsetMs - first.offsetMs) > first.errorMs + second.errorMs + drift;
}
