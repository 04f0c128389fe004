/** The own-order stream of a venue whose sequence numbers go back, and of a venue that ends it. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import { epochMs } from '../../../../src/domain/index.ts';
import type { OwnOrderEvent } from '../../../../src/venues/base/index.ts';
import { Timers } from '../../../../src/venues/base/timers.ts';
import type { ExecutionDeps } from '../../../../src/venues/service/orders/execution-deps.ts';
import { OwnStream } from '../../../../src/venues/service/own-stream/own-stream.ts';
import type { StreamSink } from '../../../../src/venues/service/transport/index.ts';
import { SILENT } from '../harness.ts';

const ORDER = { orderHash: `0x${'1'.repeat(64)}`, remainingShares: 1 };

function fixture(streamPosition: number) {
  const clock = new SimClock(epochMs(1_000));
  const received: string[] = [];
  let sink: StreamSink<unknown> | undefined;
  let variables: () => unknown = () => undefined;
  const transport = {
    subscribe(_: unknown, requestVariables: () => unknown, streamSink: StreamSink<unknown>) {
      sink = streamSink;
      variables = requestVariables;
      return { resubscribe: () => {}, end: () => {} };
    },
    renew: (reason: string) => void received.push(`renewed: ${reason}`),
  };
  const records = { streamPosition };
  const onPositionPassed = (seq: number): void => void received.push(`reached ${seq}`);
  const deps = {
    clock,
    transport,
    records,
    onPositionPassed,
    orders: { advanceTo: () => {} },
    timers: new Timers(clock),
    log: SILENT,
    reporter: {
      trades: { startAt: () => {} },
      onEvent: ({ seq }: OwnOrderEvent) => void received.push(`event ${seq}`),
      onStreamRewind: (to: number) => void received.push(`went back to ${to}`),
    },
  } as unknown as ExecutionDeps;
  const stream = new OwnStream(deps, {
    heldRefusals: { releaseReported: () => {} } as never,
    recover: async (from, to) => void received.push(`recovered ${from} to ${to}`),
    onDesync: (problem) => void received.push(`lost: ${problem}`),
    onFault: (error) => {
      throw error;
    },
    silenceMs: 1_000,
  });
  const flush = async (): Promise<void> => {
    for (let count = 0; count < 10; count += 1) await Promise.resolve();
  };
  return {
    stream,
    received,
    clock,
    /** Starts the subscription on a socket. @returns its variables */
    subscribe: () => variables(),
    async deliver(kind: string, seq: number, prevSeq = seq): Promise<void> {
      const at = '2026-01-01T00:00:00Z';
      const event = {
        kind,
        seq: String(seq),
        prevSeq: String(prevSeq),
        at,
        order: { ...ORDER, seq: String(seq) },
        fill: null,
        cancelReason: null,
      };
      sink?.next({ orderEvents: event });
      await flush();
    },
    drop: (problem: string) => sink?.onLost?.(problem),
    complete: () => sink?.onEnded?.(),
  };
}

describe('a venue whose sequence numbers went back', () => {
  it.each(['SYNC', 'GAP'])(
    'is queried for missed events after a lower %s, and its new events are processed',
    async (kind) => {
      const { stream, received, subscribe, deliver, drop } = fixture(100);
      void stream.start();
      expect(subscribe()).toEqual({ afterSeq: '100' });
      await deliver('SYNC', 100);
      expect(stream.isCurrent).toBe(true);
      drop('the socket is gone');
      expect(stream.isCurrent).toBe(false);
      subscribe();
      await deliver(kind, 7);
      expect([stream.seq, stream.isCurrent]).toEqual([7, true]);
      await deliver('ACCEPTED', 8, 7);
      expect(received).toEqual([
        'lost: the socket is gone',
        "lost: own orders: the venue's last event is 7, after it sent 100",
        'went back to 7',
        'recovered 100 to 7',
        'reached 7',
        'event 8',
      ]);
      await deliver('SYNC', 8);
      expect(received).toHaveLength(6);
    },
  );

  it('is not assumed when a second socket sends the older number of its subscription', async () => {
    const { stream, received, subscribe, deliver } = fixture(9);
    void stream.start();
    subscribe();
    await deliver('ACCEPTED', 10, 9);
    // The second socket subscribed before event 10 arrived on the first.
    await deliver('SYNC', 9);
    expect([stream.seq, received]).toEqual([10, ['event 10']]);
  });
});

describe('an event with a sequence number that is too high', () => {
  it.each(['ACCEPTED', 'SYNC', 'GAP'])(
    '(%s) does not advance the stream when the number is impossible',
    async (kind) => {
      const { stream, received, subscribe, deliver } = fixture(100);
      void stream.start();
      subscribe();
      await deliver('SYNC', 100);
      await deliver(kind, Number.MAX_SAFE_INTEGER, 100);
      expect([stream.seq, stream.isCurrent]).toEqual([100, false]);
      expect(received).toEqual([expect.stringMatching(/^lost: .*orderEvents.seq.*9007199254740991/)]);
      await deliver('ACCEPTED', 101, 100);
      expect(received[1]).toBe('event 101');
    },
  );

  it('is detected at the second SYNC with a lower number, and the missed events are recovered', async () => {
    const { stream, received, subscribe, deliver } = fixture(100);
    void stream.start();
    subscribe();
    await deliver('SYNC', 100);
    await deliver('ACCEPTED', 5_000, 100);
    await deliver('ACCEPTED', 101, 100);
    await deliver('SYNC', 101);
    await deliver('SYNC', 101);
    expect([stream.seq, stream.isCurrent]).toEqual([101, true]);
    expect(received).toEqual([
      'event 5000',
      "lost: own orders: the venue's last event is 101, after it sent 5000",
      'went back to 100',
      'recovered 100 to 101',
      'reached 101',
    ]);
    await deliver('ACCEPTED', 102, 101);
    expect(received.at(-1)).toBe('event 102');
  });

  it('is not assumed after two late SYNCs with a current SYNC between them', async () => {
    const { stream, received, subscribe, deliver } = fixture(100);
    void stream.start();
    subscribe();
    await deliver('SYNC', 100);
    await deliver('ACCEPTED', 101, 100);
    await deliver('SYNC', 100);
    await deliver('SYNC', 101);
    await deliver('ACCEPTED', 102, 101);
    await deliver('SYNC', 101);
    expect([stream.seq, stream.isCurrent]).toEqual([102, true]);
    expect(received).toEqual(['event 101', 'event 102']);
  });
});

describe('a stream that the venue ends, or that is silent', () => {
  it('counts as lost until the venue sends its sequence number', async () => {
    const { stream, received, subscribe, deliver, complete, clock } = fixture(5);
    void stream.start();
    subscribe();
    await deliver('SYNC', 5);
    complete();
    expect([stream.isCurrent, received]).toEqual([false, ['lost: own orders: the venue ended the stream']]);
    await deliver('SYNC', 5);
    expect(stream.isCurrent).toBe(true);
    while (stream.isCurrent) clock.runNext();
    expect(received.slice(1)).toEqual([
      'lost: own orders: no message for 1000 ms',
      'renewed: own orders: no message for 1000 ms',
    ]);
  });
});
