/**
 * How much stands before an own order at its price (docs/spec/models.md#queue). Sizes in micro-shares; answers are
 * rounded up.
 */
export interface QueueModel {
  /** One sentence for the report. */
  readonly assumption: string;
  /**
   * The front after the recorded level went from `before` to `after`, of which `printed` is explained by prints since
   * the last set. Never negative; a decrease alone never fills.
   */
  afterSet(front: number, before: number, after: number, printed: number): number;
}
