/** Limits of data from peers, so that no peer can exhaust the memory. `docs/live.md` lists the limits for users. */

const MIB = 1_048_576;

export const NETWORK_LIMITS = {
  /** Bytes of one HTTP answer. The largest requested answer, an introspection, has 0.2 MB. */
  answerBytes: 8 * MIB,
  /** Bytes of the header of one HTTP answer or WebSocket handshake. Node and most proxies have the same limit. */
  headerBytes: 16_384,
  /** Bytes of one WebSocket message, over all its frames. A snapshot of a full book has 0.6 MB. */
  messageBytes: 8 * MIB,
  /** Nesting depth of JSON. The deepest requested answer, an introspection, has about 20 levels. */
  nesting: 250,
  /** Bytes buffered for a peer that does not read. Several minutes of commands need less. */
  unsentBytes: 8 * MIB,
  /** Longest wait before a retry that a peer can request. */
  longestRetryMs: 60_000,
  pages: 1_000,
  /** Nodes of one page. Requests specify this number. */
  pageNodes: 100,
  /** Errors read from one GraphQL answer. Further errors are ignored. */
  errors: 20,
  /** Characters stored of a peer's error message. */
  errorText: 500,
  /** Characters of a peer's unexpected text in messages and logs. */
  shortLine: 120,
  /** Characters of one command to a running bot. The longest commands set a market's parameters. */
  controlCommand: MIB,
  /** Characters of one answer of a running bot. The largest, with 10,000 fills, has 2.5 million. */
  controlAnswer: 16 * MIB,
  /** Open connections to a running bot. One more closes the longest idle one. */
  controlConnections: 32,
  /** Queued commands of one connection. A kill does not wait for them. */
  controlQueue: 100,
} as const;

/** Returns a peer's requested wait, at most `longestRetryMs`; 0 for an invalid or negative time. */
export function boundedWait(ms: number): number {
  return ms > 0 ? Math.min(ms, NETWORK_LIMITS.longestRetryMs) : 0;
}
