/** A subscription as its owner sees it; which socket carries it is the lane's business. */
import type { WireError } from '../../../protocol/index.ts';

/**
 * Where a subscription's news go. Nothing here may throw: who does ends the connection.
 *
 * While a socket is being replaced both tell: the old one until the new one has told something first (`opens`), or until it
 * is closed. So the same news may come twice; `seq` tells.
 */
export interface StreamSink<Data> {
  /** `data` of a `next` message, and errors that came with it. `data` is null where the event could not be told. */
  next(data: Data | null, errors: readonly WireError[] | undefined): void;
  /** Something came that is not as the contract has it: which field, and what was there. What it said is not known. */
  malformed(problem: string): void;
  /** The venue will not tell it (any more): no credentials, wrong arguments. It is not asked again by itself. */
  refused(errors: readonly WireError[]): void;
  /** The venue has nothing (more) to tell: such as for a market that it does not know. */
  ended?(): void;
  /** A socket begins to carry it; `variables` are asked for just before. Not called for the first one's beginning only, but each time. */
  begun?(): void;
  /** No socket carries it any more; another one is on its way. */
  lost?(problem: string): void;
}

/** A subscription that runs, or will when there is a socket. */
export interface StreamHandle {
  /** Ends it on this socket and asks for it anew, with the variables of now. For one that went wrong or fell silent. */
  again(): void;
  /** Ends it for good; nothing more is told. */
  end(): void;
}
