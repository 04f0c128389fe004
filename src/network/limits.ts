/**
 * Bounds of everything that is read from a network or from a socket. What a venue sends decides nothing about our memory:
 * each reader counts, and ends the exchange where a bound is passed. `docs/live.md` lists them for users.
 */

const MIB = 1_048_576;

export const NETWORK_LIMITS = {
  /** Bytes of one HTTP answer. The largest one that is needed, an introspection, has 0.2 MB; a page of 100 orders 0.1 MB. */
  answerBytes: 8 * MIB,
  /** Bytes of the header of one HTTP answer, WebSocket handshakes included: what Node and most proxies allow. */
  headerBytes: 16_384,
  /** Bytes of one WebSocket message, over all its frames. A snapshot of a full book has 0.6 MB. */
  messageBytes: 8 * MIB,
  /** Brackets of JSON in each other. The deepest answer that is needed, an introspection, has about 20. */
  nesting: 250,
  /** Bytes that wait for a peer which does not read. Commands of minutes come to less. */
  unsentBytes: 8 * MIB,
  /** Longest wait that a peer may ask for before it is asked again, ms. */
  longestRetryMs: 60_000,
  /** Pages of one list. With 100 nodes each: more orders or fills than an account has since its bot was last connected. */
  pages: 1_000,
  /** Nodes of one page; also what is asked for. */
  pageNodes: 100,
  /** Errors of one GraphQL answer that are looked at; more are left out. */
  errors: 20,
  /** Characters of one error message of a peer that are kept. */
  errorText: 500,
  /** Characters of a peer's text that are shown or logged where the text is not what was expected. */
  shownText: 120,
  /** Characters of one command to a running bot. Parameters of a market are the longest ones. */
  controlCommand: MIB,
  /** Characters of one answer of a running bot. 10,000 fills, the most that can be asked for, have 2.5 million. */
  controlAnswer: 16 * MIB,
  /** Connections to the socket of one bot. */
  controlConnections: 32,
  /** Commands of one connection that wait for their turn. */
  controlQueue: 100,
} as const;

/** How long is waited where a peer asks for `ms`: none for what is no time, a minute at most. */
export function boundedWait(ms: number): number {
  return ms > 0 ? Math.min(ms, NETWORK_LIMITS.longestRetryMs) : 0;
}
