/** One subscription and the sockets that carry it. */
import type { Clock } from '../../../clock/index.ts';
import { type Kept, timeAfter } from '../../../domain/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import { type GraphqlResult, retryOf } from './answer-codec.ts';
import type { RequestText } from './request-text.ts';
import type { GraphqlSocket } from './socket.ts';
import type { StreamSink } from './subscription.ts';

/** However soon a venue says that it may be asked again, ms. */
const LEAST_WAIT_MS = 100;

/** What a stream is made of. */
export interface StreamOf {
  /** As it is asked for at this moment. */
  request(): RequestText;
  /** Takes a `next` message. */
  next(result: GraphqlResult): void;
  /** Something came that cannot be read. */
  malformed(problem: string): void;
  readonly sink: Omit<StreamSink<unknown>, 'next' | 'malformed'>;
  /** It opens with something at once. */
  readonly opens: boolean;
  readonly clock: Clock;
  /** Waits a little longer than told, each another time. ms in, ms out. */
  jitter(ms: number): number;
}

export class Stream {
  readonly opens: boolean;
  readonly #of: StreamOf;
  /** Id by socket. */
  readonly #ids = new Map<GraphqlSocket, string>();
  readonly #retries = new Set<() => void>();
  /** Whose news count. A stream that opens with something listens to one socket at a time. */
  #carrier: GraphqlSocket | undefined;
  /** A socket that takes over with its first word, and who is told then. */
  #heir: { readonly socket: GraphqlSocket; readonly heard: () => void } | undefined;
  #isEnded = false;
  readonly #kept: Kept = { last: undefined };

  constructor(of: StreamOf) {
    this.opens = of.opens;
    this.#of = of;
  }

  /** Begins on the one socket there is. */
  carry(socket: GraphqlSocket): void {
    this.#carrier = socket;
    this.#heir = undefined;
    this.#begin(socket);
  }

  /** Begins on a socket that is to take over. @param heard called once, when it has told something or never will */
  inherit(socket: GraphqlSocket, heard: () => void): void {
    this.#heir = { socket, heard };
    this.#begin(socket);
  }

  /** The heir has taken over, whether or not it has told anything. */
  succeed(socket: GraphqlSocket): void {
    this.#carrier = socket;
    this.#heir = undefined;
  }

  /** A socket is gone. @param problem told to the owner where nothing else carries the stream */
  drop(socket: GraphqlSocket, problem: string | undefined): void {
    this.#ids.delete(socket);
    if (this.#heir?.socket === socket) this.#heir = undefined;
    if (this.#carrier !== socket) return;
    this.#carrier = undefined;
    if (problem !== undefined) this.#of.sink.lost?.(problem);
  }

  /** Anew on every socket that carries it. */
  again(): void {
    for (const socket of [...this.#ids.keys()]) {
      this.#complete(socket);
      this.#begin(socket);
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const cancel of this.#retries) cancel();
    this.#retries.clear();
    for (const socket of [...this.#ids.keys()]) this.#complete(socket);
    this.#heir?.heard();
    this.#heir = undefined;
  }

  #complete(socket: GraphqlSocket): void {
    const id = this.#ids.get(socket);
    this.#ids.delete(socket);
    if (id !== undefined) socket.complete(id);
  }

  #begin(socket: GraphqlSocket): void {
    if (this.#isEnded || !socket.isOpen) return;
    this.#of.sink.begun?.();
    const id = socket.subscribe(this.#of.request(), {
      next: (result) => {
        if (this.#ids.get(socket) === id) this.#next(socket, result);
      },
      malformed: (problem) => {
        if (this.#ids.get(socket) === id && (!this.opens || this.#carrier === socket)) this.#of.malformed(problem);
      },
      error: (errors) => {
        if (this.#ids.get(socket) === id) this.#error(socket, errors);
      },
      complete: () => {
        if (this.#ids.get(socket) !== id) return;
        this.#ids.delete(socket);
        this.#heirIs(socket);
        if (this.#carrier === socket) this.#of.sink.ended?.();
      },
    });
    this.#ids.set(socket, id);
  }

  #next(socket: GraphqlSocket, result: GraphqlResult): void {
    if (this.opens && this.#carrier !== socket) {
      if (this.#heir?.socket !== socket) return;
      this.#heirIs(socket);
    }
    this.#kept.last = result;
    this.#of.next(result);
  }

  #heirIs(socket: GraphqlSocket): void {
    if (this.#heir?.socket !== socket) return;
    const { heard } = this.#heir;
    this.succeed(socket);
    heard();
  }

  #error(socket: GraphqlSocket, errors: readonly WireError[]): void {
    this.#ids.delete(socket);
    const wait = retryOf(errors);
    if (wait === undefined) {
      this.#heirIs(socket);
      if (this.#carrier === socket) this.#of.sink.refused(errors);
      return;
    }
    const { clock, jitter } = this.#of;
    const cancel = clock.schedule(timeAfter(clock.now(), jitter(Math.max(wait, LEAST_WAIT_MS))), () => {
      this.#retries.delete(cancel);
      if (!this.#ids.has(socket)) this.#begin(socket);
    });
    this.#retries.add(cancel);
  }
}
