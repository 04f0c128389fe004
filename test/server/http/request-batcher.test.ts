import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import {
  type BatchedConnection,
  type BatchedRequest,
  MAX_PER_CONNECTION,
  MAX_PER_TURN,
  RequestBatcher,
} from '../../../src/server/http/request-batcher.ts';
import { OWNER } from '../graphql/stub-venue.ts';
import { type StubServer, startStubServer } from './stub-server.ts';

/** A connection that records whether it is paused. */
class Connection implements BatchedConnection {
  isPaused = false;

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}

describe('RequestBatcher', () => {
  it('reads all requests of a turn, runs them in order, and leaves later requests to the next turn', async () => {
    const batcher = new RequestBatcher();
    const connection = new Connection();
    const seen: string[] = [];
    const request = (name: string, onRun: () => void = () => undefined): BatchedRequest => ({
      prepare: () => void seen.push(`read ${name}`),
      run: () => {
        seen.push(`run ${name}`);
        onRun();
      },
    });
    batcher.add(
      connection,
      request('a', () => batcher.add(connection, request('c'))),
    );
    batcher.add(new Connection(), request('b'));
    expect(seen).toEqual([]);
    await nextEventLoopTurn();
    expect(seen).toEqual(['read a', 'read b', 'run a', 'run b']);
    await nextEventLoopTurn();
    expect(seen.slice(4)).toEqual(['read c', 'run c']);
  });

  it('runs an equal share of each connection when too many requests wait, and pauses connections with more', async () => {
    const batcher = new RequestBatcher();
    const [busy, quiet] = [new Connection(), new Connection()];
    const seen: string[] = [];
    const add = (connection: Connection, name: string): void =>
      batcher.add(connection, { prepare: () => undefined, run: () => void seen.push(name) });
    const all = Array.from({ length: MAX_PER_TURN + 1 }, (_, at) => `busy ${at}`);
    for (const name of all) add(busy, name);
    expect([busy.isPaused, quiet.isPaused]).toEqual([true, false]);
    add(quiet, 'quiet');
    await nextEventLoopTurn();
    expect(seen).toEqual([...all.slice(0, MAX_PER_CONNECTION), 'quiet']);
    for (let turn = 2; turn * MAX_PER_CONNECTION < all.length; turn += 1) {
      await nextEventLoopTurn();
      expect([seen.length, busy.isPaused]).toEqual([turn * MAX_PER_CONNECTION + 1, true]);
    }
    await nextEventLoopTurn();
    expect(busy.isPaused).toBe(false);
    expect(seen.filter((name) => name !== 'quiet')).toEqual(all);
  });

  it('runs a limited number of requests in a turn, and starts the next turn with the connections that waited', async () => {
    const batcher = new RequestBatcher();
    let answered: number[] = [];
    const turn = async (): Promise<number[]> => {
      answered = [];
      await nextEventLoopTurn();
      return answered;
    };
    const connections = MAX_PER_TURN / MAX_PER_CONNECTION + 1;
    for (let connectionNo = 0; connectionNo < connections; connectionNo += 1) {
      const connection = new Connection();
      for (let at = 0; at < MAX_PER_CONNECTION + 1; at += 1)
        batcher.add(connection, { prepare: () => undefined, run: () => void answered.push(connectionNo) });
    }
    const first = await turn();
    expect([first.length, first.includes(connections - 1)]).toEqual([MAX_PER_TURN, false]);
    const second = await turn();
    expect([second[0], second.length]).toEqual([connections - 1, MAX_PER_CONNECTION + connections - 1]);
    expect(await turn()).toEqual([connections - 1]);
  });
});

describe('requests of one event-loop turn', () => {
  let running: StubServer | undefined;
  afterEach(() => running?.server.close(0));

  it('are authorized after the previous request has run, so an ended session is refused', async () => {
    const seen: string[] = [];
    let hasEnded = false;
    running = await startStubServer({
      identify: () => {
        seen.push('identified');
        return hasEnded ? undefined : OWNER;
      },
      resolvers: {
        Query: {
          me: () => {
            seen.push('run');
            hasEnded = true;
            return null;
          },
        },
      },
    });
    const body = '{"query":"{ me { id } }"}';
    const request = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(running.server.port, '127.0.0.1').setEncoding('latin1');
    socket.write(request + request);
    let received = '';
    while (received.split('HTTP/1.1 200').length < 3 || !received.includes('UNAUTHORIZED')) {
      const [chunk] = await once(socket, 'data');
      received += String(chunk);
    }
    socket.destroy();
    expect(seen).toEqual(['identified', 'run', 'identified']);
  });
});

describe('a client that writes thousands of requests ahead', () => {
  const REQUESTS = 10_000;
  const STATUS = 'HTTP/1.1 200';
  const head = 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  let running: StubServer | undefined;
  afterEach(() => running?.server.close(0));

  it.each([
    ['answered', undefined],
    ['refused for lack of tokens', (): number => 1_000],
  ])('delays only itself, and receives all responses when its requests are %s', async (_, wait) => {
    let run = 0;
    let maxRunning = 0;
    running = await startStubServer({
      resolvers: { Query: { me: () => null } },
      ...(wait !== undefined && { wait }),
      identify: () => {
        run += 1;
        return OWNER;
      },
    });
    const { server } = running;
    const body = '{"query":"{ me { id } }"}';
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`.repeat(REQUESTS));
    let [answered, end] = [0, ''];
    socket.on('data', (chunk) => {
      const text = end + String(chunk);
      answered += text.split(STATUS).length - 1;
      // A status line may arrive in two chunks.
      end = text.slice(1 - STATUS.length);
    });
    const others: number[] = [];
    while (run < REQUESTS) {
      const before = run;
      expect((await running.send({ method: 'GET', path: '/health' })).status).toBe(200);
      others.push(run - before);
      maxRunning = Math.max(maxRunning, server.traffic.running);
    }
    await expect.poll(() => answered, { timeout: 60_000 }).toBe(REQUESTS);
    socket.destroy();
    // Without a limit, a health check would wait for thousands of requests.
    expect(Math.max(...others)).toBeLessThan(10 * MAX_PER_CONNECTION);
    // At most the requests of one chunk of 64 KB are read and unanswered.
    expect(maxRunning).toBeLessThan(2_000);
  });
});
