/** Injected faults (see `chaosSchema`). A fault without a unit is a probability per request or frame, 0 to 1. */
export interface ChaosSettings {
  /** The seed and the order of requests determine all faults. */
  readonly seed: number;
  /** Faults between HTTP clients and the service. */
  readonly http: {
    readonly latency_ms: number;
    /** Maximum of the extra latency, which is uniformly distributed. */
    readonly jitter_ms: number;
    readonly lost_request: number;
    readonly lost_answer: number;
    readonly duplicated_request: number;
    readonly rate_limited: number;
    readonly bad_gateway: number;
    readonly unavailable: number;
    readonly html_body: number;
  };
  /** Faults between the service and WebSocket clients. `dropped` closes the connection; `lost` omits the frame. */
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
    /** Positive when the venue's clock is ahead. */
    readonly skew_ms: number;
  };
  readonly polymarket: {
    /** Share of marketable orders that the venue answers with `delayed`, and executes after `delay_ms`. */
    readonly delayed: number;
    readonly delay_ms: number;
    /** Share of trade transactions that revert once, and succeed when the venue sends them again. */
    readonly retried: number;
    /** Share of trade transactions that revert for good. The venue reverses these trades. */
    readonly failed: number;
    /** Share of orders and cancels that start a restart of the engine for `restart_ms`. */
    readonly restart: number;
    readonly restart_ms: number;
  };
  readonly modes: {
    /** Mean of the exponential time until the mode changes; 0 for never. After `for_ms`, the mode is NORMAL again. */
    readonly every_ms: number;
    readonly for_ms: number;
  };
}
