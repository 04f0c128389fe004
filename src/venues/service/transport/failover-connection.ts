/**
 * A logical connection whose subscriptions survive the replacement of a socket.
 *
 * States:
 * - down: no socket is acknowledged. The first attempt after a healthy socket is immediate. The pauses then grow.
 * - up: one socket carries everything.
 * - replacing: a second socket is acknowledged. A subscription with `startsWithEvent` moves to the second socket with
 *   its first event there, which the venue sends at once. The old socket is retired when all such subscriptions have
 *   moved, when it has closed, or when `takeoverMs` has passed.
 *
 * Invariants: at most two sockets are open, besides retired sockets. A subscription with `startsWithEvent` uses the
 * events of one socket at a time. Any other subscription uses the events of both sockets during a replacement.
 */
import type { Clock, Random } from '../../../clock/index.ts';
import { timeAfter } from '../../../domain/index.ts';
import { ReportLimiter } from '../../../network/index.ts';
import type { Log } from '../../base/index.ts';
import { type Closing, GraphqlSocket } from './socket.ts';
import type { Subscription } from './subscription.ts';
import { BLOCKED_REMEDY, type LinkState } from './transport-options.ts';

export interface FailoverConnectionOptions {
  readonly url: URL;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly takeoverMs: number;
  readonly headers: Readonly<Record<string, string>>;
  payload(): Readonly<Record<string, string>> | undefined;
  /** Creates the receiver of the next socket's frames; undefined if nothing receives them. */
  openFrameListener(): ((frame: Buffer) => void) | undefined;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A socket that was up for this time is healthy. The first reconnect after a healthy socket is immediate. */
const HEALTHY_MS = 10_000;
const REPORT_INTERVAL_MS = 60_000;

export class FailoverConnection {
  readonly #options: FailoverConnectionOptions;
  readonly #onChange: (state: LinkState) => void;
  readonly #subscriptions = new Set<Subscription>();
  readonly #reports = new ReportLimiter(REPORT_INTERVAL_MS);
  #current: GraphqlSocket | undefined;
  #next: GraphqlSocket | undefined;
  /** Subscriptions with `startsWithEvent` that have no event from `#next` yet. */
  #waitingCount = 0;
  #isTakingOver = false;
  /** Attempts to open a socket since the last socket that was up for `HEALTHY_MS`. */
  #tries = 0;
  #upAt = 0;
  #cancelPause: (() => void) | undefined;
  #cancelTakeover: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FailoverConnectionOptions, onChange: (state: LinkState) => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** The socket for requests; undefined while disconnected. */
  get socket(): GraphqlSocket | undefined {
    return this.#current?.isOpen === true ? this.#current : undefined;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  /** Opens the first socket, unless one exists or is scheduled. */
  connect(): void {
    if (this.#current === undefined && !this.#isOpening) this.#open();
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    if (this.#current?.isOpen === true) subscription.startOn(this.#current);
    if (this.#isTakingOver && this.#next !== undefined) this.#moveTo(subscription, this.#next);
    this.connect();
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    subscription.end();
  }

  /** Opens a new socket, then closes the old one. Ignored during another replacement. */
  renew(reason: string): void {
    if (this.#current === undefined || this.#isOpening) return;
    this.#options.log.info({ reason }, 'venue: the socket is being replaced');
    this.#resetTriesIfHealthy();
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPause?.();
    this.#cancelTakeover?.();
    this.#next?.close('closed');
    this.#current?.close('closed');
  }

  /** Whether a new socket is opening or scheduled, or can no longer open. */
  get #isOpening(): boolean {
    return this.#isClosed || this.#next !== undefined || this.#cancelPause !== undefined;
  }

  #open(): void {
    this.#cancelPause = undefined;
    const { url, clock, takeoverMs, headers, payload, openFrameListener } = this.#options;
    const socket: GraphqlSocket = new GraphqlSocket(
      { url, headers, payload: payload(), clock, openTimeoutMs: takeoverMs, onFrame: openFrameListener() },
      { onAcknowledged: () => this.#onAcknowledged(socket), onClosed: (closing) => this.#onClosed(socket, closing) },
    );
    this.#next = socket;
  }

  #onAcknowledged(socket: GraphqlSocket): void {
    if (this.#current === undefined) {
      this.#next = undefined;
      this.#current = socket;
      for (const subscription of [...this.#subscriptions]) subscription.startOn(socket);
      this.#onUp();
      return;
    }
    const { clock, takeoverMs } = this.#options;
    this.#isTakingOver = true;
    // The extra count prevents a takeover before all subscriptions have begun to move.
    this.#waitingCount = 1;
    this.#cancelTakeover = clock.schedule(timeAfter(clock.now(), takeoverMs), () => this.#promote());
    for (const subscription of [...this.#subscriptions]) this.#moveTo(subscription, socket);
    this.#onMoved();
  }

  #moveTo(subscription: Subscription, socket: GraphqlSocket): void {
    if (subscription.startsWithEvent) this.#waitingCount += 1;
    subscription.moveTo(socket, subscription.startsWithEvent ? () => this.#onMoved() : () => undefined);
  }

  #onMoved(): void {
    this.#waitingCount -= 1;
    if (this.#waitingCount === 0) this.#promote();
  }

  #promote(): void {
    const [old, socket] = [this.#current, this.#next];
    if (!this.#isTakingOver || socket === undefined) return;
    this.#stopTakeover();
    this.#next = undefined;
    this.#current = socket;
    for (const subscription of this.#subscriptions) subscription.setCarrier(socket);
    old?.retire('replaced');
    this.#onUp();
  }

  #stopTakeover(): void {
    this.#cancelTakeover?.();
    this.#cancelTakeover = undefined;
    this.#isTakingOver = false;
  }

  #onUp(): void {
    this.#upAt = this.#options.clock.now();
    this.#onChange({ isUp: true });
  }

  #onClosed(socket: GraphqlSocket, { problem, isBlocked }: Closing): void {
    if (socket !== this.#current) {
      for (const subscription of this.#subscriptions) subscription.onSocketClosed(socket, undefined);
      if (socket !== this.#next) return;
      this.#next = undefined;
      this.#stopTakeover();
      this.#reconnect(problem, isBlocked);
      return;
    }
    this.#current = undefined;
    this.#resetTriesIfHealthy();
    if (this.#isTakingOver) {
      // The new socket is already acknowledged.
      this.#promote();
      for (const subscription of this.#subscriptions) subscription.onSocketClosed(socket, undefined);
      return;
    }
    // A replacement may wait longer than the first attempt to reconnect.
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    // Report the connection before its subscriptions, so that all quotes are withdrawn at once.
    this.#reconnect(problem, isBlocked);
    for (const subscription of [...this.#subscriptions]) subscription.onSocketClosed(socket, problem);
  }

  /** Call this for the last acknowledged socket, before a new one opens. */
  #resetTriesIfHealthy(): void {
    if (this.#options.clock.now() - this.#upAt >= HEALTHY_MS) this.#tries = 0;
  }

  #reconnect(problem: string, isBlocked: boolean): void {
    if (this.#isClosed) return;
    const { clock, random } = this.#options;
    if (this.#current === undefined) this.#onChange({ isUp: false, problem, isBlocked });
    else this.#reportFailedReplacement(problem, isBlocked);
    if (this.#isOpening) return;
    // The first attempt is immediate, because usually only this socket broke.
    const pause = this.#tries === 0 ? 0 : pauseAfter(this.#tries, random.uniform());
    this.#tries += 1;
    this.#cancelPause = clock.schedule(timeAfter(clock.now(), pause), () => this.#open());
  }

  #reportFailedReplacement(problem: string, isBlocked: boolean): void {
    const { clock, log } = this.#options;
    if (!isBlocked) {
      log.warn({ problem }, 'venue: the new socket failed, the old one carries on');
      return;
    }
    const text = `venue: the new socket was refused, the old one carries on. ${BLOCKED_REMEDY}`;
    const suppressed = this.#reports.count(text, clock.now());
    if (suppressed !== undefined) log.error({ problem, suppressed }, text);
  }
}

/** Returns a pause in ms that doubles per try. Half is random, to spread a venue's clients. @param uniform 0..1 */
function pauseAfter(tries: number, uniform: number): number {
  const pause = FIRST_PAUSE_MS << Math.min(tries - 1, 10);
  return Math.min(pause, LONGEST_PAUSE_MS) * (0.5 + uniform / 2);
}
