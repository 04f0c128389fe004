/** The outcome of a flow. Two books that did the same work have equal outcomes. */
export interface Outcome {
  readonly fills: number;
  /** Micro-shares. */
  readonly traded: number;
  readonly open: number;
  /** `price:shares` of each level, lowest price first. */
  readonly ladder: readonly string[];
}

/** @throws Error when the two did not do the same work */
export function assertSameWork(ours: Outcome, peer: Outcome): void {
  if (JSON.stringify(ours) === JSON.stringify(peer)) return;
  const show = ({ fills, traded, open, ladder }: Outcome): string =>
    `${fills} fills, ${traded} traded, ${open} open orders, ${ladder.length} levels`;
  throw new Error(`the books did not do the same work: ${show(ours)}; the peer: ${show(peer)}`);
}
