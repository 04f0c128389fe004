import { createServer, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { SimClock, seededRandom, wallClock } from '../../../src/clock/index.ts';
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { ModeChaos, skewedClock } from '../../../src/server/chaos/chaos.ts';
import { HttpChaos } from '../../../src/server/chaos/http-chaos.ts';
import type { ChaosSettings } from '../../../src/server/chaos/settings.ts';
import { FrameSplitter, SocketChaos } from '../../../src/server/chaos/socket-chaos.ts';
import { openEngineHarness } from '../engine-harness.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts an HTTP service behind injected faults. `requests` are the bodies that reach it. */
async function startService(http: Partial<ChaosSettings['http']>, seed = 1) {
  const { http: settings } = chaosSchema.parse({ http });
  const chaos = new HttpChaos({ clock: wallClock(), log: SILENT, random: seededRandom(seed), settings, secret: 'x' });
  const requests: string[] = [];
  let onSecondRequest: () => void = () => {};
  const secondRequest = new Promise<void>((resolve) => {
    onSecondRequest = resolve;
  });
  const server = createServer((request, response) => {
    chaos.intercept(request, response, () => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        requests.push(body);
        if (requests.length === 2) onSecondRequest();
        response.end('{}');
      });
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const post = async (path = '/graphql', body = 'one') => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
      return `${answer.status} ${(await answer.text()).slice(0, 15)}`;
    } catch {
      return 'no response';
    }
  };
  return { post, requests, secondRequest };
}

describe('faults over HTTP', () => {
  it.each([
    ['rate_limited', '429 <!doctype html>', 0],
    ['bad_gateway', '502 <!doctype html>', 0],
    ['unavailable', '503 <!doctype html>', 0],
    ['html_body', '200 <!doctype html>', 0],
    ['lost_request', 'no response', 0],
    ['lost_answer', 'no response', 1],
  ] as const)('%s gives the response %s', async (fault, response, requestCount) => {
    const { post, requests } = await startService({ [fault]: 1 });
    expect(await post()).toBe(response);
    expect(requests).toHaveLength(requestCount);
  });

  it('send a duplicated request to the service twice and return one response', async () => {
    const { post, requests, secondRequest } = await startService({ duplicated_request: 1 });
    expect(await post('/graphql', 'place it')).toBe('200 {}');
    await secondRequest;
    expect(requests).toEqual(['place it', 'place it']);
  });

  it('do not affect the paths of operators, health and metrics', async () => {
    const { post } = await startService({ lost_request: 1 });
    expect([await post('/operator'), await post('/health'), await post('/metrics?x')]).toEqual([
      '200 {}',
      '200 {}',
      '200 {}',
    ]);
  });

  it('are the same for the same seed and differ for another seed', async () => {
    const run = async (seed: number): Promise<readonly string[]> => {
      const { post } = await startService({ bad_gateway: 0.3, lost_answer: 0.2, rate_limited: 0.2 }, seed);
      const answers: string[] = [];
      for (let count = 0; count < 30; count += 1) answers.push(await post());
      return answers;
    };
    const first = await run(1);
    expect(new Set(first).size).toBe(4);
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
  });
});

/** Encodes a text frame as a server sends it. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, payload.length])
      : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload]);
}

/** A server socket with injected faults, after the handshake. */
function socket(settings: Partial<ChaosSettings['socket']>, seed = 1) {
  const clock = new SimClock(epochMs(1_000));
  let bytes = Buffer.alloc(0);
  const raw = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      bytes = Buffer.concat([bytes, chunk]);
      done();
    },
  });
  const reported: string[] = [];
  new SocketChaos(raw, {
    clock,
    random: seededRandom(seed),
    logFault: (fault: string) => reported.push(fault),
    settings: chaosSchema.parse({ socket: settings }).socket,
  });
  raw.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  const handshake = bytes.length;
  const received = (): readonly string[] =>
    new FrameSplitter()
      .push(bytes.subarray(handshake))
      .map((bytesOfFrame) => bytesOfFrame.subarray(bytesOfFrame.length < 128 ? 2 : 4).toString());
  const pass = (ms: number): void => {
    const until = epochMs(clock.now() + ms);
    while (clock.nextTime() <= until) clock.runNext();
    clock.advanceTo(until);
  };
  return {
    raw,
    reported,
    received,
    pass,
    send: (...texts: readonly string[]) => {
      for (const text of texts) raw.write(frame(text));
    },
  };
}

describe('faults over WebSocket', () => {
  it('pass all frames, in chunks of any size, when no fault is configured', () => {
    const { raw, received } = socket({});
    const all = Buffer.concat([frame('a'), frame('b'.repeat(300)), frame('')]);
    for (const byte of all) raw.write(Buffer.from([byte]));
    expect(received()).toEqual(['a', 'b'.repeat(300), '']);
  });

  it('delay frames in order', () => {
    const { send, received, pass } = socket({ latency_ms: 100, jitter_ms: 50 });
    send('1', '2', '3', '4');
    expect(received()).toEqual([]);
    pass(99);
    expect(received()).toEqual([]);
    pass(51);
    expect(received()).toEqual(['1', '2', '3', '4']);
  });

  it('drop, duplicate and swap frames', () => {
    const lost = socket({ lost: 1 });
    lost.send('1', '2');
    expect(lost.received()).toEqual([]);
    const doubled = socket({ duplicated: 1 });
    doubled.send('1', '2');
    expect(doubled.received()).toEqual(['1', '1', '2', '2']);
    const swapped = socket({ reordered: 1 });
    swapped.send('1', '2', '3');
    expect(swapped.received()).toEqual(['2', '1']);
    swapped.pass(1_000);
    expect(swapped.received()).toEqual(['2', '1', '3']);
  });

  it('freeze a socket and resume it', () => {
    const { send, received, pass, reported } = socket({ frozen: 1, frozen_ms: 5_000 });
    send('1');
    pass(4_999);
    expect(received()).toEqual([]);
    pass(1);
    expect([received(), reported]).toEqual([['1'], ['frozen']]);
  });

  it('close a dropped socket', () => {
    const { raw, send, received } = socket({ dropped: 1 });
    send('1');
    expect([raw.destroyed, received()]).toEqual([true, []]);
  });

  it('drop only book messages for a while', () => {
    const { send, received, pass } = socket({ stale_book: 1, stale_ms: 1_000 });
    send('{"orderBookUpdated":1}', 'other');
    pass(500);
    send('{"orderBookUpdated":2}');
    expect(received()).toEqual(['other']);
  });

  it('only delay pings and close frames, and write pending frames before the end', () => {
    const { raw, received, pass } = socket({ lost: 1, latency_ms: 10 });
    raw.write(Buffer.from([0x89, 0x00]));
    raw.write(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
    raw.end();
    expect(raw.writableEnded).toBe(false);
    pass(10);
    expect([received().length, raw.writableEnded]).toEqual([2, true]);
  });

  it('are the same for the same seed', () => {
    const run = (seed: number): readonly string[] => {
      const { send, received } = socket({ lost: 0.2, duplicated: 0.2, reordered: 0.2 }, seed);
      send(...Array.from({ length: 50 }, (_, at) => `${at}`));
      return received();
    };
    expect(run(3)).toEqual(run(3));
    expect(run(4)).not.toEqual(run(3));
  });
});

describe('faults of the clock and the mode', () => {
  it('a skewed clock returns a later time and fires timers when they are due', () => {
    const clock = new SimClock(epochMs(1_000));
    const ahead = skewedClock(clock, 500);
    const fired: number[] = [];
    ahead.schedule(epochMs(1_700), () => fired.push(clock.now()));
    expect(ahead.now()).toBe(1_500);
    clock.runNext();
    expect(fired).toEqual([1_200]);
  });

  it('the mode changes at random and is NORMAL after the faults end', async () => {
    const harness = openEngineHarness();
    const { clock, queue, view } = harness;
    const settings = { every_ms: 10_000, for_ms: 2_000 };
    const modeChaos = new ModeChaos({ clock, queue, log: SILENT, random: seededRandom(5), settings });
    modeChaos.start();
    const modes = new Set<string>();
    for (let second = 0; second < 300; second += 1) {
      await harness.pass(1_000);
      modes.add(view.mode);
    }
    expect([...modes].sort()).toEqual(['CANCEL_ONLY', 'HALTED', 'NORMAL', 'POST_ONLY']);
    while (view.mode === 'NORMAL') await harness.pass(1_000);
    await modeChaos.close();
    expect([view.mode, clock.pending]).toEqual(['NORMAL', 0]);
    await harness.close();
  });
});
