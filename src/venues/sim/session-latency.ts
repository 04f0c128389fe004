/**
 * Measures the latencies of a recorded session, and builds a latency model that repeats them.
 *
 * Invariant: within the session, a message takes as long as the recorded message nearest in time. Slow periods thus
 * stay at their time, and a repeated command takes its recorded time. Outside the session, latencies are drawn from
 * all measurements.
 */
import type { Random } from '../../clock/index.ts';
import type { OrderNo, ReplaceOrders, VenueEvent } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { LatencyModel } from './latency.ts';

interface MeasuredTime {
  /** Send time, epoch ms: by the bot's clock for commands, by the venue's for answers. */
  readonly at: number;
  /** Duration, whole ms, not negative. */
  readonly ms: number;
}

/** Measured latency of a recorded session. Each list is in the order of `at`. */
export interface SessionLatency {
  /** From sending a place or replace until it takes effect at the venue, including the placing delay. */
  readonly places: readonly MeasuredTime[];
  /** From sending a cancel or reduce until it takes effect at the venue. */
  readonly cancels: readonly MeasuredTime[];
  /** From the venue's answer to a command until the bot receives it. */
  readonly answers: readonly MeasuredTime[];
  /** From a fill at the venue until the bot receives it. */
  readonly fills: readonly MeasuredTime[];
  /** Times at which timers of the bot fired, epoch ms. Timers of a busy bot fire late. */
  readonly timers: readonly number[];
}

/** Largest delay of a timer, ms. A later firing belongs to another timer. */
const MAX_LATE_MS = 500;
const NO_MEASUREMENT: MeasuredTime = { at: 0, ms: 0 };
/** Margin around the session within which the nearest measurement is used, ms. */
const NEAR_MS = 60_000;

/**
 * Measures each command and each event of a session's steps. A simulated bot receives a market message before an event
 * of the same millisecond. If the recorded bot received the event first, the event's latency is reduced by 1 ms.
 * @param receivedAt receive time of a tape row by its number, epoch ms; called with ascending numbers
 */
export function measureSessionLatency(
  steps: Iterable<Step>,
  receivedAt: (row: number) => number | undefined = () => undefined,
): SessionLatency {
  const measurement = new SessionMeasurement();
  for (const { time, row, event, commands } of steps) {
    if (event?.type === 'timerFired') measurement.timers.push(event.time);
    if (event !== undefined && 'venueTime' in event) measurement.onEvent(event, receivedAt(row) === time ? 1 : 0);
    for (const command of commands) {
      if (command.type === 'place') measurement.onPlaced(command.order, time);
      else if (command.type === 'cancel' || command.type === 'reduce') measurement.onCancelled(command.order, time);
      else if (command.type === 'replace') measurement.onReplaced(command, time);
    }
  }
  return measurement.finish();
}

/** A measurement with the number of earlier messages, which orders measurements of the same time. */
interface NumberedTime extends MeasuredTime {
  readonly seq: number;
}

type SentCommands = Map<OrderNo, { readonly at: number; readonly seq: number }>;

class SessionMeasurement {
  readonly timers: number[] = [];
  readonly #placed: SentCommands = new Map();
  readonly #cancelled: SentCommands = new Map();
  /** First order that a replace places, by each order that it closes. */
  readonly #replaced = new Map<OrderNo, OrderNo>();
  readonly #places: NumberedTime[] = [];
  readonly #cancels: NumberedTime[] = [];
  readonly #answers: NumberedTime[] = [];
  readonly #fills: NumberedTime[] = [];
  /** Round trips of rejected commands, whose time at the venue is unknown. */
  readonly #rejectedPlaces: NumberedTime[] = [];
  readonly #rejectedCancels: NumberedTime[] = [];
  #seq = 0;

  onPlaced(order: OrderNo, at: number): void {
    this.#seq += 1;
    this.#placed.set(order, { at, seq: this.#seq });
  }

  onCancelled(order: OrderNo, at: number): void {
    this.#seq += 1;
    this.#cancelled.set(order, { at, seq: this.#seq });
  }

  /** Measures a replace by its first order, because all orders have one answer. */
  onReplaced({ cancels, places }: ReplaceOrders, at: number): void {
    const first = places[0]?.order;
    if (first === undefined) return;
    this.onPlaced(first, at);
    for (const { order } of cancels) this.#replaced.set(order, first);
  }

  /** @param correctionMs ms to subtract from the receive time */
  onEvent(event: VenueEvent, correctionMs: 0 | 1): void {
    this.#seq += 1;
    const { type, time, venueTime } = event;
    const measured = { at: venueTime, ms: Math.max(0, time - correctionMs - venueTime), seq: this.#seq };
    if (type === 'orderFilled') this.#fills.push(measured);
    else if (type === 'orderRejected') endMeasurement(this.#rejectedPlaces, this.#placed, event.order, time);
    else if (type === 'cancelRejected') this.#onCancelRejected(event.order, time);
    else if (type === 'orderAccepted' || type === 'ordersReplaced') {
      this.#answers.push(measured);
      for (const order of type === 'orderAccepted' ? [event.order] : event.accepted)
        endMeasurement(this.#places, this.#placed, order, venueTime);
    } else if (type === 'orderReduced' || type === 'orderClosed') {
      this.#answers.push(measured);
      if (type === 'orderReduced' || event.reason === 'USER')
        endMeasurement(this.#cancels, this.#cancelled, event.order, venueTime);
    }
  }

  /** Ends the measurement of a refused replace at the rejection of its first cancel, which is reported first. */
  #onCancelRejected(order: OrderNo, at: number): void {
    const placed = this.#replaced.get(order);
    this.#replaced.delete(order);
    if (placed !== undefined && this.#placed.has(placed))
      endMeasurement(this.#rejectedPlaces, this.#placed, placed, at);
    else endMeasurement(this.#rejectedCancels, this.#cancelled, order, at);
  }

  /** Returns the measurements. The return trip of a rejection is assumed to take as long as the median answer. */
  finish(): SessionLatency {
    const answerMs = medianMs(this.#answers);
    const toEntry = ({ at, ms, seq }: NumberedTime) => ({ at, ms: Math.max(0, ms - answerMs), seq });
    const toAnswer = ({ at, ms, seq }: NumberedTime) => {
      return { at: at + Math.max(0, ms - answerMs), ms: Math.min(ms, answerMs), seq };
    };
    const rejected = [...this.#rejectedPlaces, ...this.#rejectedCancels];
    return {
      places: sortByTime([...this.#places, ...this.#rejectedPlaces.map(toEntry)]),
      cancels: sortByTime([...this.#cancels, ...this.#rejectedCancels.map(toEntry)]),
      answers: sortByTime([...this.#answers, ...rejected.map(toAnswer)]),
      fills: sortByTime(this.#fills),
      timers: this.timers,
    };
  }
}

function endMeasurement(times: NumberedTime[], sent: SentCommands, order: OrderNo, at: number): void {
  const from = sent.get(order);
  if (from === undefined) return;
  sent.delete(order);
  times.push({ ...from, ms: Math.max(0, at - from.at) });
}

/**
 * Returns the model of a recorded session. A measured placing delay replaces the published delays. Other messages at
 * the same time are assumed to take as long. Market data takes the median time of fills.
 * @param random stream for latencies outside the session
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
  const fillMs = medianMs(fills);
  return {
    assumption: `Latency is that of a recorded session (medians): order entry ${medianMs(cancels)} ms, ${placingDelay === 'measured' ? `with the placing delay ${medianMs(places)} ms` : 'placing delays as the venue published them'}, answers ${medianMs(answers)} ms, fills ${fillMs} ms; each message takes as long as the recorded one nearest in time.`,
    feed: () => fillMs,
    entry: (sent) => entry.next(sent),
    response: (happened) => answer.next(happened),
    fill: (happened) => fill.next(happened),
    firesAt: (due) => findFiringAfter(timers, due) ?? due,
    ...(places.length > 0 && placingDelay === 'measured' && { placedAt: (sent: number) => sent + place.next(sent) }),
  };
}

/** The latencies of one kind of message: the latency nearest in time, or a random latency far from the session. */
class SessionTimes {
  readonly #times: readonly MeasuredTime[];
  readonly #random: Random;
  /** The last requested time, and its number of repeats. */
  #at = Number.NaN;
  #count = 0;

  constructor(times: readonly MeasuredTime[], random: Random) {
    this.#times = times;
    this.#random = random;
  }

  /** Returns the latency at a time; 0 without measurements. Calls for one time return its measurements in order. */
  next(at: number): number {
    const times = this.#times;
    const [earliest, latest] = [times[0], times.at(-1)];
    if (earliest === undefined || latest === undefined) return 0;
    if (at < earliest.at - NEAR_MS || at > latest.at + NEAR_MS) return times[this.#random.int(times.length)]?.ms ?? 0;
    this.#count = at === this.#at ? this.#count + 1 : 0;
    this.#at = at;
    const from = findIndexAt(times, findNearest(times, at).at);
    const [first, repeated] = [times[from], times[from + this.#count]];
    return (repeated?.at === first?.at ? repeated?.ms : first?.ms) ?? 0;
  }
}

/** Returns the first recorded firing within `MAX_LATE_MS` after `due`, if any. @param timers in order */
function findFiringAfter(timers: readonly number[], due: number): number | undefined {
  const fired = timers[findFirstAt(timers.length, due, (index) => timers[index] ?? 0)];
  return fired !== undefined && fired - due < MAX_LATE_MS ? fired : undefined;
}

/** Returns the measurement nearest in time. @param times not empty, in the order of `at` */
function findNearest(times: readonly MeasuredTime[], at: number): MeasuredTime {
  const index = findIndexAt(times, at);
  const [before, after] = [times[index - 1], times[index]];
  if (after === undefined || (before !== undefined && at - before.at < after.at - at)) return before ?? NO_MEASUREMENT;
  return after;
}

/** Returns the index of the first measurement at or after a time. */
function findIndexAt(times: readonly MeasuredTime[], at: number): number {
  return findFirstAt(times.length, at, (index) => times[index]?.at ?? 0);
}

/** Returns the index of the first of `count` ascending times at or after `at`; `count` if all times are earlier. */
function findFirstAt(count: number, at: number, getTime: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const half = Math.floor((low + high) / 2);
    if (getTime(half) < at) low = half + 1;
    else high = half;
  }
  return low;
}

/** Returns the lower median, ms; 0 for an empty list. */
function medianMs(times: readonly MeasuredTime[]): number {
  return times.map(({ ms }) => ms).toSorted((first, second) => first - second)[Math.floor((times.length - 1) / 2)] ?? 0;
}

function sortByTime(times: readonly NumberedTime[]): readonly MeasuredTime[] {
  const sorted = times.toSorted((first, second) => first.at - second.at || first.seq - second.seq);
  return sorted.map(({ at, ms }) => ({ at, ms }));
}
