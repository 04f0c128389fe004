/** Where samples are taken and how many count. */
export interface SampleWindow {
  readonly stepMs: number;
  /** How many of the newest samples count. */
  readonly samples: number;
}

/** Points of time, `stepMs` apart, from the first observed time on. */
export class StepGrid {
  readonly #window: SampleWindow;
  #origin: number | undefined;
  #passed = 0;

  constructor(window: SampleWindow) {
    this.#window = window;
  }

  /**
   * The number of points before `time` that were not counted yet. After a long gap at most one more than the window holds,
   * as older ones cannot matter.
   */
  passTo(time: number): number {
    this.#origin ??= time;
    const passed = Math.max(this.#passed, Math.ceil((time - this.#origin) / this.#window.stepMs));
    const fresh = Math.min(passed - this.#passed, this.#window.samples + 1);
    this.#passed = passed;
    return fresh;
  }
}
