import { type Clock, seededRandom } from '../../../src/clock/index.ts';
import { unchecked } from '../../../src/domain/index.ts';
import { tryParseJson } from '../../../src/network/index.ts';
import { OPERATIONS } from '../../../src/protocol/index.ts';
import type { OwnOrderEvent } from '../../../src/venues/base/index.ts';
import { OwnStream } from '../../../src/venues/service/own-stream/own-stream.ts';
import { answerShape, readMessage, toEvent } from '../../../src/venues/service/transport/answer-codec.ts';
import type { StreamSink } from '../../../src/venues/service/transport/index.ts';
import { mutate } from '../../protocol/answers.ts';
import { FRAMES, NO_RENAMES } from './decoders-fuzz.ts';
import { SILENT } from './harness.ts';

/** Delivers changed events of the own-order stream. Each event must be reported or recovered. */
export async function fuzzOwnEvents(seed: number, runs: number) {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  let refused = 0;
  const examples = FRAMES.filter((frame) => frame.includes('"orderEvents":{"kind":"') && !frame.includes('"SYNC"')).map(
    (frame) => JSON.parse(frame).payload.data.orderEvents,
  );
  let now = 0;
  const clock: Clock = {
    now: () => unchecked.time(now),
    schedule(_when, fire) {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  const timers = new Set<() => void>();
  let sink: StreamSink<object> | undefined;
  let variables: () => { readonly afterSeq?: string } = () => ({});
  let isRequested = false;
  const received: number[] = [];
  const recovered: [number, number][] = [];
  const deps = {
    clock,
    log: SILENT,
    records: { cursor: 0 },
    onPositionPassed: () => {},
    orders: { advanceTo: () => {} },
    onProblem: () => {},
    timers: {
      isClosed: false,
      after: (_ms: number, fire: () => void) => clock.schedule(unchecked.time(0), fire),
      pause: async () => {},
    },
    transport: {
      renew: () => {},
      subscribe: (_operation: unknown, requestVariables: typeof variables, streamSink: StreamSink<object>) => {
        [variables, sink] = [requestVariables, streamSink];
        return {
          resubscribe: () => {
            isRequested = true;
          },
          end: () => {},
        };
      },
    },
    reporter: {
      trades: { has: () => true, startAt: () => {} },
      onEvent: (event: OwnOrderEvent) => void received.push(event.seq),
      onLateFill: () => {},
      onStreamRewind: () => {},
    },
  } as never;
  const stream = new OwnStream(deps, {
    heldRefusals: { releaseReported: () => {} } as never,
    recover: async (from, to) => void recovered.push([from, to]),
    onDesync: () => {},
    onFault: (error) => void thrown.push(String(error)),
    silenceMs: 1e9,
  });
  void stream.start().catch(() => {});
  const shape = answerShape(OPERATIONS.orderEvents, NO_RENAMES);
  const deliver = (event: unknown): void => {
    const text = JSON.stringify({ id: '1', type: 'next', payload: { data: { orderEvents: event } } });
    const message = readMessage(tryParseJson(Buffer.from(text)));
    if (message === undefined) return;
    if (message.type !== 'next') {
      sink?.onMalformed('no result');
      return;
    }
    const result = toEvent<object>(message.result, shape);
    if ('data' in result) sink?.next(result.data);
    else {
      refused += 1;
      sink?.onMalformed(result.problem);
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
  deliver(sync(0));
  /** Replays events while the stream requests them. @param percent share of changed events */
  const replay = async (percent: number): Promise<void> => {
    for (let left = 40; isRequested && left > 0; left -= 1) {
      for (const fire of [...timers]) {
        timers.delete(fire);
        fire();
      }
      isRequested = false;
      const { afterSeq } = variables();
      if (afterSeq !== undefined)
        for (const { seq, event } of history)
          if (seq > Number(afterSeq) && !isRequested)
            deliver(random.int(100) < percent ? mutate(event, random.int(2 ** 31)) : event);
      if (!isRequested) deliver(sync(history.at(-1)?.seq ?? 0));
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
    const action = random.int(10);
    if (action < 4) deliver(mutate(event, random.int(2 ** 31)));
    else if (action === 4) deliver(history[random.int(history.length)]?.event);
    if (action !== 5) deliver(event);
    await replay(30);
  }
  isRequested = true;
  await replay(0);
  const isKnown = (seq: number): boolean =>
    received.includes(seq) || recovered.some(([from, to]) => seq > from && seq <= to);
  const last = stream.seq;
  const lost = history.filter(({ seq }) => seq <= last && !isKnown(seq)).length;
  if (lost > 0) thrown.push(`${lost} events are neither reported nor recovered`);
  return { thrown, refused };
}
