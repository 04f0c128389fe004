/** Changed frames and answers for every decoder of what a venue sends: the test takes thousands, the soak millions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Random, seededRandom } from '../../../src/clock/index.ts';
import { column, Fault, InputFault } from '../../../src/domain/index.ts';
import { tryParseJson } from '../../../src/network/index.ts';
import { OPERATIONS, type Operation } from '../../../src/protocol/index.ts';
import type { OwnEvent } from '../../../src/venues/base/index.ts';
import { VenueOrders } from '../../../src/venues/base/venue-orders.ts';
import { readTerms, selectMarkets } from '../../../src/venues/service/market-data/index.ts';
import { recoverGap, reportState } from '../../../src/venues/service/own-stream/gap-recovery.ts';
import { OwnStream } from '../../../src/venues/service/own-stream/own-stream.ts';
import { readHoldings, readMovements } from '../../../src/venues/service/reconcile/holdings.ts';
import {
  answerOf,
  answerOfHttp,
  eventOf,
  readMessage,
  shapeOf,
} from '../../../src/venues/service/transport/answer-codec.ts';
import { type Answer, OperationTexts, type StreamSink } from '../../../src/venues/service/transport/index.ts';
import { validAnswer as exampleOf, mutate as mutated } from '../../protocol/answers.ts';
import { bookFeedHarness } from './market-data/book-feed-harness.ts';
import { type Change, pictureOf, ScriptedBook } from './market-data/scripted-book.ts';

/** What a venue sent to a bot that traded. */
const FRAMES: readonly string[] = readFileSync(join(import.meta.dirname, '../../fixtures/venue-frames.jsonl'), 'utf8')
  .trimEnd()
  .split('\n');

const all: readonly Operation<unknown, never>[] = Object.values(OPERATIONS);
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NONE: ReadonlyMap<string, string> = new Map();

/** A frame with a few values changed, and now and then with bytes changed, cut or doubled. */
function changedFrame(text: string, random: Random): Buffer {
  const how = random.int(8);
  if (how > 1) return Buffer.from(JSON.stringify(mutated(JSON.parse(text), random.int(2 ** 31))));
  const bytes = Buffer.from(text);
  if (how === 0) return bytes.subarray(0, random.int(bytes.length));
  for (let left = 1 + random.int(4); left > 0; left -= 1) bytes[random.int(bytes.length)] = random.int(256);
  return bytes;
}

/** Messages of a socket and HTTP bodies, up to a typed answer. */
export function fuzzMessages(seed: number, runs: number): { readonly thrown: readonly string[] } {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const frame = changedFrame(FRAMES[random.int(FRAMES.length)] ?? '', random);
    try {
      const message = readMessage(tryParseJson(frame));
      if (message?.type === 'next') {
        for (const operation of all) {
          if (!Object.hasOwn(message.result.data ?? {}, operation.field)) continue;
          const shape = shapeOf(operation, NONE, false);
          eventOf(message.result, shape);
          answerOf(message.result, shape);
        }
      }
      const operation = all[random.int(all.length)] ?? OPERATIONS.health;
      const body = JSON.stringify(mutated({ data: exampleOf(operation.answer), errors: ERRORS }, random.int(2 ** 31)));
      const text = random.int(4) === 0 ? body.slice(0, random.int(body.length)) : body;
      const status = [200, 200, 200, 400, 429, 500][random.int(6)] ?? 200;
      answerOfHttp({ status, text, retryAfterMs: undefined }, 'venue', shapeOf(operation, NONE, random.int(9) === 0));
    } catch (error) {
      thrown.push(`run ${run}: ${String(error)} on ${frame.toString().slice(0, 300)}`);
    }
  }
  return { thrown };
}

const ERRORS = [{ message: 'no', path: ['a', 0, 'b'] }, { message: 'rate limited: retry in 30 ms' }];

/** What is read out of answers that have passed. */
export async function fuzzAnswers(
  seed: number,
  runs: number,
): Promise<{ readonly thrown: readonly string[]; readonly passed: number }> {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  let passed = 0;
  const query = async (operation: Operation<unknown, never>): Promise<Answer<unknown>> => {
    const example = exampleOf(operation.answer);
    const data = random.int(3) === 0 ? mutated(example, random.int(2 ** 31)) : example;
    const result = JSON.parse(JSON.stringify({ data })) ?? {};
    return answerOfHttp(
      { status: 200, text: JSON.stringify(result), retryAfterMs: undefined },
      'venue',
      shapeOf(operation, NONE, false),
    );
  };
  const ask = async () => ({ type: 'data', data: {}, errors: [] });
  // As much of each as these tests read.
  const transport = { query, ask, operations: new OperationTexts(), log: SILENT } as never;
  const numbers = { find: () => undefined } as never;
  const of = { transport, trouble: () => {}, orders: new VenueOrders() } as never;
  const reporter = { lateFill: () => {}, found: () => {}, corrected: () => {}, ended: () => {} } as never;
  const order = { life: { hasEnded: false } } as never;
  const readers: readonly (() => Promise<unknown>)[] = [
    () => readTerms(transport),
    () => readHoldings(of, numbers),
    () => readMovements(of, numbers, ''),
    () => recoverGap(of, reporter, 0, Number.MAX_SAFE_INTEGER),
    async () => {
      const terms = await readTerms(transport);
      return selectMarkets(transport, terms, { filter: { limit: 1 } });
    },
    async () => {
      const answer = await query(OPERATIONS.order);
      const found: unknown = answer.type === 'data' ? Reflect.get(Object(answer.data), 'order') : undefined;
      const node: unknown = Reflect.get(Object(found), 'order');
      if (node !== null && node !== undefined) reportState(reporter, order, node as never, Number.MAX_SAFE_INTEGER);
    },
  ];
  for (let run = 0; run < runs; run += 1) {
    try {
      await readers[run % readers.length]?.();
      passed += 1;
    } catch (error) {
      // A filter that finds nothing is the user's own.
      const isUsers = error instanceof InputFault && error.field === 'markets';
      if (!(error instanceof Fault) || (error instanceof InputFault && !isUsers))
        thrown.push(`run ${run}: ${String(error)}`);
    }
  }
  return { thrown, passed };
}

/** One market's frames, some of them changed, in order or not. */
export function fuzzBooks(seed: number, runs: number) {
  const random = seededRandom(seed);
  const [thrown, wrong]: [string[], string[]] = [[], []];
  let refused = 0;
  let [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
  let last: unknown = venue.snapshot();
  for (let run = 0; run < runs; run += 1) {
    if (run % 500 === 0) {
      [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
      harness.line.begun();
      harness.line.book(venue.snapshot());
    }
    harness.now += random.int(50);
    const frame = venue.change(changesOf(random));
    const what = random.int(10);
    const sent = what < 3 ? mutated(frame, random.int(2 ** 31)) : what === 3 ? last : frame;
    last = frame;
    const before = harness.resyncs.length;
    try {
      if (what !== 4) harness.line.book(JSON.parse(JSON.stringify(sent) ?? 'null'));
      if (harness.resyncs.length > before || !harness.line.isSynced) {
        refused += 1;
        harness.line.begun();
        harness.line.book(venue.snapshot());
        const isRight = harness.line.isSynced && pictureOf(harness.core.book(0)) === venue.history.get(venue.seq);
        if (!isRight) wrong.push(`run ${run}: no snapshot makes it right`);
      }
    } catch (error) {
      thrown.push(`run ${run}: ${String(error)} on ${JSON.stringify(sent).slice(0, 300)}`);
    }
  }
  return { thrown, wrong, refused };
}

function changesOf(random: Random): readonly Change[] {
  return Array.from({ length: 1 + random.int(3) }, () => {
    const isBid = random.int(2) === 0;
    const price = 5_000 + (isBid ? -10 : 10) * (1 + random.int(40));
    return { side: isBid ? 'bid' : 'ask', price, shares: random.int(3) === 0 ? 0 : 1 + random.int(500) } as const;
  });
}

/** The account's own stream: each event is delivered once, or found by a recovery. */
export async function fuzzOwnEvents(seed: number, runs: number) {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  let refused = 0;
  const examples = FRAMES.filter((frame) => frame.includes('"orderEvents":{"kind":"') && !frame.includes('"SYNC"')).map(
    (frame) => JSON.parse(frame).payload.data.orderEvents,
  );
  let now = 0;
  const clock: Clock = {
    now: () => column.time(now),
    schedule(_when, fire) {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  const timers = new Set<() => void>();
  let sink: StreamSink<object> | undefined;
  let variables: () => { readonly afterSeq?: string } = () => ({});
  let isAsked = false;
  const received: number[] = [];
  const recovered: [number, number][] = [];
  const of = {
    clock,
    log: SILENT,
    records: { cursor: 0 },
    passed: () => {},
    trouble: () => {},
    timers: {
      isClosed: false,
      after: (_ms: number, fire: () => void) => clock.schedule(column.time(0), fire),
      pause: async () => {},
    },
    transport: {
      renew: () => {},
      subscribe: (_operation: unknown, requests: typeof variables, given: StreamSink<object>) => {
        [variables, sink] = [requests, given];
        return {
          again: () => {
            isAsked = true;
          },
          end: () => {},
        };
      },
    },
  } as never;
  const stream = new OwnStream(of, {
    check: () => {},
    lost: () => {},
    repeated: () => {},
    event: (event: OwnEvent) => void received.push(event.seq),
    wentBack: () => {},
    recover: async (from, to) => void recovered.push([from, to]),
    caughtUp: () => {},
    fault: (error) => void thrown.push(String(error)),
    silenceMs: 1e9,
  });
  void stream.start().catch(() => {});
  const shape = shapeOf(OPERATIONS.orderEvents, NONE, false);
  const say = (event: unknown): void => {
    const text = JSON.stringify({ id: '1', type: 'next', payload: { data: { orderEvents: event } } });
    const message = readMessage(tryParseJson(Buffer.from(text)));
    if (message === undefined) return;
    if (message.type !== 'next') {
      sink?.malformed('no result');
      return;
    }
    const found = eventOf<object>(message.result, shape);
    if ('data' in found) sink?.next(found.data, message.result.errors);
    else {
      refused += 1;
      sink?.malformed(found.problem);
    }
  };
  const sync = (seq: number) => ({
    ...examples[0],
    kind: 'SYNC',
    seq: String(seq),
    prevSeq: String(seq),
    order: null,
    fill: null,
    cancelReason: null,
  });
  const history: { readonly seq: number; readonly event: object }[] = [];
  say(sync(0));
  /** The venue sends what was requested, some of it changed. */
  const carry = async (share: number): Promise<void> => {
    for (let left = 40; isAsked && left > 0; left -= 1) {
      for (const fire of [...timers]) {
        timers.delete(fire);
        fire();
      }
      isAsked = false;
      const { afterSeq } = variables();
      if (afterSeq !== undefined)
        for (const { seq, event } of history)
          if (seq > Number(afterSeq) && !isAsked)
            say(random.int(100) < share ? mutated(event, random.int(2 ** 31)) : event);
      if (!isAsked) say(sync(history.at(-1)?.seq ?? 0));
      await Promise.resolve();
      await new Promise<void>((resolve) => queueMicrotask(resolve));
    }
  };
  for (let run = 0; run < runs; run += 1) {
    now += 10;
    const seq = run + 1;
    const example = examples[random.int(examples.length)];
    const event = {
      ...example,
      seq: String(seq),
      prevSeq: String(run),
      fill: example.fill === null ? null : { ...example.fill, seq: String(seq) },
    };
    history.push({ seq, event });
    if (history.length > 30) history.shift();
    const what = random.int(10);
    if (what < 4) say(mutated(event, random.int(2 ** 31)));
    else if (what === 4) say(history[random.int(history.length)]?.event);
    if (what !== 5) say(event);
    await carry(30);
  }
  isAsked = true;
  await carry(0);
  const isKnown = (seq: number): boolean =>
    received.includes(seq) || recovered.some(([from, to]) => seq > from && seq <= to);
  const last = stream.seq;
  const lost = history.filter(({ seq }) => seq <= last && !isKnown(seq)).length;
  if (lost > 0) thrown.push(`${lost} events are neither reported nor recovered`);
  return { thrown, refused };
}
