/**
 * How long commands and answers took in a recorded session, and a latency model that repeats it.
 *
 * Invariant: within the session a message takes as long as the recorded one nearest in time, so bursts stay where they
 * were and a command of the session takes exactly its own time. Outside of it, times are drawn from the session's.
 */
import type { Random } from '../../clock/index.ts';
import type { OrderNo, ReplaceOrders, VenueEvent } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { LatencyModel } from './latency.ts';

/** One measurement. */
interface MeasuredTime {
  /** Send time: by the bot's clock for commands, by the venue's for answers; epoch ms. */
  readonly at: number;
  /** Duration, whole ms, not negative. */
  readonly ms: number;
}

/** Measured latency of a recorded session. Each list is in the order of `at`. */
export interface SessionLatency {
  /** From sending a place or replace until it counts at the venue, so the placing delay is a part of it. */
  readonly places: readonly MeasuredTime[];
  /** From sending a cancel or reduce until it counts at the venue. */
  readonly cancels: readonly MeasuredTime[];
  /** From an answer of the venue to a command until the bot has it. */
  readonly answers: readonly MeasuredTime[];
  /** From a fill at the venue until the bot has it. */
  readonly fills: readonly MeasuredTime[];
  /** Times at which timers of the bot fired, epoch ms. A busy bot is late. */
  readonly timers: readonly number[];
}

/** A timer that fired this long after a moment was not due then, ms. */
const MOST_LATE_MS = 500;
/** Used without a measurement. */
const NEVER: MeasuredTime = { at: 0, ms: 0 };
/** A time this far from the session is not part of it, ms. */
const NEAR_MS = 60_000;

/**
 * Measures a session by its steps, a time for each command and each event. An event that the bot had before a market message
 * of the same millisecond counts as a millisecond sooner: a simulated bot would have the message first.
 * @param receivedAt when the bot received a row of its tape, by the row's number, epoch ms; numbers never fall
 */
export function sessionLatency(
  steps: Iterable<Step>,
  receivedAt: (row: number) => number | undefined = () => undefined,
): SessionLatency {
  const measuring = new Measuring();
  for (const { time, row, event, commands } of steps) {
    if (event?.type === 'timerFired') measuring.timers.push(event.time);
    if (event !== undefined && 'venueTime' in event) measuring.onEvent(event, receivedAt(row) === time ? 1 : 0);
    for (const command of commands) {
      if (command.type === 'place') measuring.onPlaced(command.order, time);
      else if (command.type === 'cancel' || command.type === 'reduce') measuring.onCancelled(command.order, time);
      else if (command.type === 'replace') measuring.onReplaced(command, time);
    }
  }
  return measuring.finish();
}

/** A measurement, and how many messages were before it: several are at the same time. */
interface Numbered extends MeasuredTime {
  readonly no: number;
}

/** Commands on their way, by an order of theirs. */
type Sent = Map<OrderNo, { readonly at: number; readonly no: number }>;

class Measuring {
  readonly timers: number[] = [];
  readonly #placed: Sent = new Map();
  readonly #cancelled: Sent = new Map();
  /** By an order that a replace closes: the first that it places. */
  readonly #replaced = new Map<OrderNo, OrderNo>();
  readonly #places: Numbered[] = [];
  readonly #cancels: Numbered[] = [];
  readonly #answers: Numbered[] = [];
  readonly #fills: Numbered[] = [];
  /** Of rejections only the whole way is known, to the venue and back. */
  readonly #rejectedPlaces: Numbered[] = [];
  readonly #rejectedCancels: Numbered[] = [];

  #no = 0;

  onPlaced(order: OrderNo, at: number): void {
    this.#no += 1;
    this.#placed.set(order, { at, no: this.#no });
  }

  onCancelled(order: OrderNo, at: number): void {
    this.#no += 1;
    this.#cancelled.set(order, { at, no: this.#no });
  }

  /** Its first order stands for all, as they have one answer. */
  onReplaced({ cancels, places }: ReplaceOrders, at: number): void {
    const first = places[0]?.order;
    if (first === undefined) return;
    this.onPlaced(first, at);
    for (const { order } of cancels) this.#replaced.set(order, first);
  }

  /** @param sooner by how many ms it counts as received sooner */
  onEvent(event: VenueEvent, sooner: 0 | 1): void {
    this.#no += 1;
    const no = this.#no;
    switch (event.type) {
      case 'orderAccepted':
        this.#answers.push({ ...seen(event, sooner), no });
        end(this.#places, this.#placed, event.order, event.venueTime);
        return;
      case 'ordersReplaced':
        this.#answers.push({ ...seen(event, sooner), no });
        for (const order of event.accepted) end(this.#places, this.#placed, order, event.venueTime);
        return;
      case 'orderReduced':
        this.#answers.push({ ...seen(event, sooner), no });
        end(this.#cancels, this.#cancelled, event.order, event.venueTime);
        return;
      case 'orderClosed':
        this.#answers.push({ ...seen(event, sooner), no });
        if (event.reason === 'USER') end(this.#cancels, this.#cancelled, event.order, event.venueTime);
        return;
      case 'orderFilled':
        this.#fills.push({ ...seen(event, sooner), no });
        return;
      case 'orderRejected':
        end(this.#rejectedPlaces, this.#placed, event.order, event.time);
        return;
      case 'cancelRejected':
        this.#onCancelRejected(event.order, event.time);
        return;
      default:
    }
  }

  /** A refused replace is told first for the orders that it was to close; a busy bot has the others later. */
  #onCancelRejected(order: OrderNo, at: number): void {
    const placed = this.#replaced.get(order);
    this.#replaced.delete(order);
    if (placed !== undefined && this.#placed.has(placed)) end(this.#rejectedPlaces, this.#placed, placed, at);
    else end(this.#rejectedCancels, this.#cancelled, order, at);
  }

  /** The way back of a rejection counts as long as the median answer. */
  finish(): SessionLatency {
    const back = middle(this.#answers);
    const there = ({ at, ms, no }: Numbered): Numbered => ({ at, ms: Math.max(0, ms - back), no });
    const answer = ({ at, ms, no }: Numbered): Numbered => {
      return { at: at + Math.max(0, ms - back), ms: Math.min(ms, back), no };
    };
    return {
      places: inOrder([...this.#places, ...this.#rejectedPlaces.map(there)]),
      cancels: inOrder([...this.#cancels, ...this.#rejectedCancels.map(there)]),
      answers: inOrder([...this.#answers, ...this.#rejectedPlaces.map(answer), ...this.#rejectedCancels.map(answer)]),
      fills: inOrder(this.#fills),
      timers: this.timers,
    };
  }
}

function end(times: Numbered[], sent: Sent, order: OrderNo, at: number): void {
  const from = sent.get(order);
  if (from === undefined) return;
  sent.delete(order);
  times.push({ ...from, ms: Math.max(0, at - from.at) });
}

/**
 * The latency of a recorded session. A measured placing delay replaces those that the venue published for its markets.
 *
 * Assumes that what delayed the session's messages would have delayed others at the same moment.
 * @param random where times outside of the session are drawn from
 */
export function recordedLatency(
  session: SessionLatency,
  random: Random,
  placingDelay: 'measured' | 'published' = 'measured',
): LatencyModel {
  const { places, cancels, answers, fills, timers } = session;
  const place = new SessionTimes(places, random.fork('latency/places'));
  const entry = new SessionTimes(cancels, random.fork('latency/cancels'));
  const answer = new SessionTimes(answers, random.fork('latency/answers'));
  const fill = new SessionTimes(fills, random.fork('latency/fills'));
  return {
    assumption: `Latency is that of a recorded session (medians): order entry ${middle(cancels)} ms, ${placingDelay === 'measured' ? `with the placing delay ${middle(places)} ms` : 'placing delays as the venue published them'}, answers ${middle(answers)} ms, fills ${middle(fills)} ms; each message takes as long as the recorded one nearest in time.`,
    feed: () => middle(fills),
    entry: (sent) => entry.next(sent),
    response: (happened) => answer.next(happened),
    fill: (happened) => fill.next(happened),
    firesAt: (due) => firedAfter(timers, due) ?? due,
    ...(places.length > 0 && placingDelay === 'measured' && { placedAt: (sent: number) => sent + place.next(sent) }),
  };
}

/** The times of one kind of message: by the nearest in time, or drawn from all of them far away from the session. */
class SessionTimes {
  readonly #times: readonly MeasuredTime[];
  readonly #random: Random;
  /** The last `at`, and how often it came. */
  #at = Number.NaN;
  #count = 0;

  constructor(times: readonly MeasuredTime[], random: Random) {
    this.#times = times;
    this.#random = random;
  }

  /** Of several messages at one time each has its own: the first call gets the first, and so on. 0 without any. */
  next(at: number): number {
    const times = this.#times;
    const [first, last] = [times[0], times.at(-1)];
    if (first === undefined || last === undefined) return 0;
    if (at < first.at - NEAR_MS || at > last.at + NEAR_MS) return times[this.#random.int(times.length)]?.ms ?? 0;
    this.#count = at === this.#at ? this.#count + 1 : 0;
    this.#at = at;
    const from = indexOf(times, nearest(times, at).at);
    const [same, own] = [times[from], times[from + this.#count]];
    return (own?.at === same?.at ? own?.ms : same?.ms) ?? 0;
  }
}

/** The first recorded firing at or after a moment; undefined if none was soon after. @param timers in order */
function firedAfter(timers: readonly number[], due: number): number | undefined {
  const fired = timers[firstAt(timers.length, due, (index) => timers[index] ?? 0)];
  return fired !== undefined && fired - due < MOST_LATE_MS ? fired : undefined;
}

/** @param times not empty, in the order of `at` */
function nearest(times: readonly MeasuredTime[], at: number): MeasuredTime {
  const after = indexOf(times, at);
  const [low, high] = [times[after - 1], times[after]];
  if (high === undefined || (low !== undefined && at - low.at < high.at - at)) return low ?? NEVER;
  return high;
}

/** Of the first at or after a moment. */
function indexOf(times: readonly MeasuredTime[], at: number): number {
  return firstAt(times.length, at, (index) => times[index]?.at ?? 0);
}

/** Of `count` ascending times the first at or after a moment; `count` if there is none. */
function firstAt(count: number, at: number, timeOf: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const half = (low + high) >> 1;
    if (timeOf(half) < at) low = half + 1;
    else high = half;
  }
  return low;
}

function seen({ time, venueTime }: VenueEvent, sooner: number): MeasuredTime {
  return { at: venueTime, ms: Math.max(0, time - sooner - venueTime) };
}

/** The lower median, ms; 0 of none. */
function middle(times: readonly MeasuredTime[]): number {
  return times.map(({ ms }) => ms).toSorted((a, b) => a - b)[(times.length - 1) >> 1] ?? 0;
}

function inOrder(times: readonly Numbered[]): readonly MeasuredTime[] {
  return times.toSorted((a, b) => a.at - b.at || a.no - b.no).map(({ at, ms }) => ({ at, ms }));
}
