/** The connection to a venue, as its users see it. */
import type { Clock, Random } from '../../../clock/index.ts';
import type { Operation, Selection, WireError } from '../../../protocol/index.ts';
import type { ClockOffset, Log } from '../../base/index.ts';
import type { Answer } from './answer.ts';
import type { Json } from './client-frame.ts';
import type { Endpoint } from './endpoint.ts';
import type { OperationTexts } from './operation-texts.ts';

/** State of the connection to the venue. */
export interface LinkState {
  readonly isUp: boolean;
  /** Why it is down, or why the last attempt to reconnect failed. */
  readonly problem?: string;
  /** Something that is no venue, or does not let us in, answered: another try may be of no use. */
  readonly isBlocked?: boolean;
}

/** Times in ms. */
export const TRANSPORT_DEFAULTS = {
  /** How long a request may go without an answer before it counts as lost. */
  timeoutMs: 5_000,
  /** Number of times that a lost read is repeated. */
  retries: 4,
  /** Requests over HTTP at one time. */
  concurrency: 8,
  /** Subscriptions that one socket carries; more open a further one. */
  mostSubscriptions: 900,
  /** How long a new socket has, from the connection to its first news, to take over from an old one. */
  takeoverMs: 10_000,
};
export type TransportSettings = Readonly<typeof TRANSPORT_DEFAULTS>;

export interface TransportOptions {
  readonly endpoint: Endpoint;
  readonly operations: OperationTexts;
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Random;
  readonly log: Log;
  readonly settings?: Partial<TransportSettings>;
  /**
   * Sees each frame of a socket before it is read; the bytes are not its own. Sockets are numbered from 1. Must not
   * throw.
   */
  readonly tap?: ((frame: Buffer, socket: number) => void) | undefined;
}

/** A document that is not the contract's. */
export interface OwnDocument {
  /** For messages. */
  readonly name: string;
  readonly text: string;
  /** Schema of its answer. */
  readonly answer: Selection;
}

export interface AskOptions {
  /** Default: that of the settings. */
  readonly timeoutMs?: number;
  /** `socket` when one is open, HTTP otherwise, is the default for mutations. Reads go over HTTP. */
  readonly via?: 'socket' | 'http' | 'any';
  /** Without credentials, whatever is set. */
  readonly anonymous?: boolean;
  /** The caller looks at every field of the answer before reading it. Default false: the answer is checked here. */
  readonly isUnchecked?: boolean;
  /** Of one list, items that are not as selected are taken out of the answer, instead of refusing it all. */
  readonly list?: CheckedList;
}

/** A list whose items are checked one by one. */
export interface CheckedList {
  /** In `data`, such as `markets`, `edges`. */
  readonly path: readonly string[];
  /** An item was taken out. */
  bad(item: unknown, problem: string): void;
}

export interface Transport {
  readonly endpoint: Endpoint;
  readonly operations: OperationTexts;
  readonly clock: Clock;
  readonly log: Log;
  /** Estimate of the venue's clock; each request through this transport improves it. */
  readonly offset: ClockOffset;
  /** Whether a socket is open and acknowledged. */
  readonly isOpen: boolean;

  /** A read over HTTP: paced, tried again with jitter while that is of use, behind a breaker. */
  query<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    options?: AskOptions,
  ): Promise<Answer<Data>>;
  /** A read of a document that is not the contract's, such as several fields in one. @param weight root fields */
  ask<Data>(document: OwnDocument, variables: object, weight?: number, options?: AskOptions): Promise<Answer<Data>>;
  /** Sent once and never again by itself; written before this returns where a socket is open. */
  mutate<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    options?: AskOptions,
  ): Promise<Answer<Data>>;
  /**
   * The same with variables that are JSON already, and without a promise: for the hot path.
   * @returns whether it left over the socket
   */
  send<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Json,
    take: (answer: Answer<Data>) => void,
    options?: AskOptions,
  ): boolean;
  /** Subscribes on every socket that takes over, with the variables at that time. Opens the first socket. */
  subscribe<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: () => Variables,
    sink: StreamSink<Data>,
    options?: SubscribeOptions,
  ): StreamHandle;

  /** `Bearer` token or key of requests from now on; sockets that are open keep theirs until `renew`. */
  setCredentials(token: string | undefined): void;
  /** Puts a new socket in the place of each one, make before break: it froze, or rights changed. Once at a time. */
  renew(reason: string): void;
  /** Capacity and refill of the venue's `read` bucket, which reads keep within. */
  pace(bucket: { readonly capacity: number; readonly refillPerSecond: number }): void;
  /** Resolves when a socket is open. @throws Fault BLOCKED or LINK where it cannot be within the time */
  open(timeoutMs?: number): Promise<void>;
  /**
   * Calls back when the socket is lost, after each failed attempt to reconnect, and when it is back.
   * @returns unsubscribe
   */
  onLink(call: (state: LinkState) => void): () => void;
  close(): Promise<void>;
}

export interface SubscribeOptions {
  /** The sink looks at every field of an event before reading it: for the hot path. Default false. */
  readonly isUnchecked?: boolean;
  /**
   * The stream opens with something at once (a snapshot, a SYNC, the present state): a new socket takes over only when
   * that has come. Default false: news only.
   */
  readonly opens?: boolean;
}

/**
 * Takes the events of a subscription. Nothing here may throw: an exception ends the connection.
 *
 * While a socket is being replaced both carry events: the old one until the first event of the new one (`opens`), or
 * until it is closed. So an event may come twice; its `seq` shows it.
 */
export interface StreamSink<Data> {
  /**
   * `data` of a `next` message, and errors that came with it. `data` is null where the venue could not resolve the
   * event.
   */
  next(data: Data | null, errors: readonly WireError[] | undefined): void;
  /** An event does not fit the contract: which field, and what was there. Its contents are unknown. */
  malformed(problem: string): void;
  /** The venue refuses the subscription: no credentials, wrong arguments. It is not repeated by itself. */
  refused(errors: readonly WireError[]): void;
  /** The venue completed the subscription, such as for a market that it does not know. */
  ended?(): void;
  /** A socket is about to carry it. Called each time, just before `variables` are read. */
  begun?(): void;
  /** No socket carries it any more; another one is on its way. */
  lost?(problem: string): void;
}

/** A subscription that runs, or will when there is a socket. */
export interface StreamHandle {
  /** Ends it and subscribes again, with the variables of now. For one that went wrong or fell silent. */
  again(): void;
  /** Ends it for good; no event comes any more. */
  end(): void;
}
