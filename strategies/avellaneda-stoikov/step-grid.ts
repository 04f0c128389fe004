/** Where samples are taken and how many count. */
export interface SampleWindow {
  readonly stepMs: number;
  /** The newest samples that count; older ones are forgotten. */
  readonly samples: number;
}

/** Points of time, `stepMs` apart, that begin at the first moment it is told of. */
export class StepGrid {
  readonly #window: SampleWindow;
  #origin: number | undefined;
  #passed = 0;

  constructor(window: SampleWindow) {
    this.#window = window;
  }

  /**
   * How many points lie before `time` that were not counted yet. After a long silence only as many as can still matter:
   * one more than the window holds.
   */
  passTo(time: number): number {
    this.#origin ??= time;
    const passed = Math.max(this.#passed, Math.ceil((time - this.#origin) / this.#window.stepMs));
    const fresh = Math.min(passed - this.#passed, this.#window.samples + 1);
    this.#passed = passed;
    return fresh;
  }
}
