/**
 * Which faults are injected and how often, named as in the settings file. Probabilities are 0 … 1 per request or frame;
 * times in ms.
 */
export interface ChaosSettings {
  /** The same seed and the same requests in the same order meet the same faults. */
  readonly seed: number;
  /** Between HTTP clients and the service. */
  readonly http: {
    readonly latency_ms: number;
    /** Up to so much longer, uniformly. */
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
    /** Ahead of the true one, or behind it. */
    readonly skew_ms: number;
  };
  /** Of the Polymarket dialect. */
  readonly polymarket: {
    /** Orders that would take are answered `delayed` and run so much later. */
    readonly delayed: number;
    readonly delay_ms: number;
    /** Transactions of trades that are reverted once and sent again. */
    readonly retried: number;
    /** Transactions of trades that are reverted for good: these trades are reversed. */
    readonly failed: number;
    /** Of orders and cancels: the engine restarts for so long. */
    readonly restart: number;
    readonly restart_ms: number;
  };
  readonly modes: {
    /** Mean time between two changes, exponential; 0 for never. */
    readonly every_ms: number;
    readonly for_ms: number;
  };
}
