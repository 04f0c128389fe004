/**
 * Kinds and frequencies of injected faults, named as in the settings file. Probabilities are 0 to 1 per request or frame;
 * times in ms.
 */
export interface ChaosSettings {
  /** The same seed and the same requests in the same order give the same faults. */
  readonly seed: number;
  /** Between HTTP clients and the service. */
  readonly http: {
    readonly latency_ms: number;
    /** Largest extra latency, uniformly distributed. */
    readonly jitter_ms: number;
    readonly lost_request: number;
    readonly lost_answer: number;
    readonly duplicated_request: number;
    readonly rate_limited: number;
    readonly bad_gateway: number;
    readonly unavailable: number;
    readonly html_body: number;
  };
  /** Between the service and WebSocket clients. */
  readonly socket: {
    readonly latency_ms: number;
    readonly jitter_ms: number;
    readonly dropped: number;
    readonly frozen: number;
    readonly frozen_ms: number;
    readonly lost: number;
    readonly duplicated: number;
    readonly reordered: number;
    readonly stale_book: number;
    readonly stale_ms: number;
  };
  readonly clock: {
    /** Positive for ahead of the true time, negative for behind. */
    readonly skew_ms: number;
  };
  /** Faults of the Polymarket dialect. */
  readonly polymarket: {
    /** Marketable orders that are answered `delayed` and executed after `delay_ms`. */
    readonly delayed: number;
    readonly delay_ms: number;
    /** Trade transactions that revert once and are sent again. */
    readonly retried: number;
    /** Trade transactions that revert finally: the venue reverses these trades. */
    readonly failed: number;
    /** Orders and cancels that begin a restart of the engine for `restart_ms`. */
    readonly restart: number;
    readonly restart_ms: number;
  };
  readonly modes: {
    /** Mean time between two changes, exponential; 0 for never. */
    readonly every_ms: number;
    readonly for_ms: number;
  };
}
