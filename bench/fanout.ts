/**
 * Measures fan-out to a thousand subscribers of one book, compared with a bare `ws` server that broadcasts one prepared
 * string. Each server is a process, and this process has the subscribers. The figure is messages per second of the
 * server's processor time, as in bench/server.ts.
 */
import { nextEventLoopTurn } from '../src/clock/index.ts';
import { type Bench, row, sideBySide } from './harness.ts';
import { Child } from './workload/child.ts';
import {
  CountingClient,
  FANOUT_MARKET,
  FANOUT_QUERY,
  type FanoutReport,
  type FanoutRequest,
} from './workload/fanout-load.ts';

const ROUNDS = 7;
/** Unmeasured turns, in which V8 compiles the code. */
const WARM_UP = 2;
const SUBSCRIBERS = 1_000;
const UPDATES = 160;
const BURST = 8;
const FROZEN_UPDATES = 40_000;

/** A server and its subscribers. */
class SubscribedServer {
  readonly #child: Child<FanoutReport>;
  clients: readonly CountingClient[] = [];
  /** Text of an update, which the `ws` server sends. */
  message = '';

  private constructor(child: Child<FanoutReport>) {
    this.#child = child;
  }

  static async open(name: string, children: Child<unknown>[]): Promise<SubscribedServer> {
    const child = await Child.open<FanoutReport>('fanout-server.ts', [name]);
    children.push(child);
    return new SubscribedServer(child);
  }

  /** Opens subscribers and waits until each has received the first messages of its stream. */
  async subscribe(count: number, protocol: 'graphql' | 'none'): Promise<void> {
    const clients: CountingClient[] = [];
    for (let each = 0; each < count; each += 1) {
      const client = await CountingClient.open(this.#child.ready.port);
      clients.push(client);
      if (protocol === 'none') continue;
      client.send({ type: 'connection_init' });
      const id = crypto.randomUUID();
      client.send({ type: 'subscribe', id, payload: { query: FANOUT_QUERY, variables: { id: FANOUT_MARKET } } });
    }
    this.clients = clients;
    // Wait for the acknowledgement and the snapshot.
    while (protocol === 'graphql' && clients.some(({ frames }) => frames < 2)) await nextEventLoopTurn();
  }

  request(request: FanoutRequest): Promise<FanoutReport> {
    return this.#child.request({ ...request, message: this.message });
  }

  /** Measures messages per second of processor time. */
  async run(atOnce: number): Promise<number> {
    const { cpuSeconds } = await this.request({ updates: 0, atOnce, isPaced: true });
    const expected = this.#frames() + UPDATES * this.clients.length;
    await this.request({ updates: UPDATES, atOnce, isPaced: true });
    while (this.#frames() < expected) {
      if (this.clients.some(({ socket }) => socket.closed)) throw new Error('a subscriber was cut off');
      await nextEventLoopTurn();
    }
    const after = await this.request({ updates: 0, atOnce, isPaced: true });
    return (UPDATES * this.clients.length) / (after.cpuSeconds - cpuSeconds);
  }

  #frames(): number {
    return this.clients.reduce((sum, { frames }) => sum + frames, 0);
  }
}

const bench: Bench = async () => {
  const children: Child<unknown>[] = [];
  try {
    const ours = await SubscribedServer.open('ours', children);
    const raw = await SubscribedServer.open('raw', children);
    await ours.subscribe(SUBSCRIBERS, 'graphql');
    await raw.subscribe(SUBSCRIBERS, 'none');
    await ours.request({ updates: 1, atOnce: 1, isPaced: true });
    while (ours.clients.some(({ frames }) => frames < 3)) await nextEventLoopTurn();
    const message = ours.clients[0]?.text ?? '';
    raw.message = message;
    for (const client of [...ours.clients, ...raw.clients]) client.keepsText = false;
    const servers = {
      ours: () => ours.run(1),
      raw: () => raw.run(1),
      oursBurst: () => ours.run(BURST),
      rawBurst: () => raw.run(BURST),
    };
    const sent = await sideBySide(ROUNDS, servers, { warmUp: WARM_UP });
    const frozen = await frozenConsumer(children);
    return {
      results: [
        row('halfspread, one update at a time', sent.ours, 'messages/core s'),
        row('ws, one prepared string', sent.raw, 'messages/core s'),
        row(`halfspread, ${BURST} updates at once`, sent.oursBurst, 'messages/core s'),
        row(`ws, ${BURST} prepared strings at once`, sent.rawBurst, 'messages/core s'),
        { label: 'a consumer that never reads: largest backlog', value: frozen.backlogKb, unit: 'kB' },
        { label: 'a consumer that never reads: additional memory growth', value: frozen.grownMb, unit: 'MB' },
      ],
      ratios: {
        vsRawBroadcast: sent.ours.median / sent.raw.median,
        burstVsRawBroadcast: sent.oursBurst.median / sent.rawBurst.median,
      },
      values: {
        messagesPerCoreSecond: sent.ours.median,
        burstMessagesPerCoreSecond: sent.oursBurst.median,
        frozenBacklogKb: frozen.backlogKb,
        frozenGrownMb: frozen.grownMb,
      },
      notes: [
        `${SUBSCRIBERS} subscribers of one book with 25 levels, ${UPDATES} updates per turn, ${message.length} bytes per message; every frame is counted`,
        'halfspread: each update is a command to the engine, journaled in memory; its delta becomes text once, then each subscriber gets it with its own id',
        'ws: sends a prepared string to every client',
        'a core second is a second of processor time of the server process, user and system, all threads; turns alternate',
        `the consumer that never reads: ${FROZEN_UPDATES} updates to two consumers, of which the other reads`,
      ],
    };
  } finally {
    for (const child of children) await child.close();
  }
};
export default bench;

/** Measures a new server with a subscriber that reads and a subscriber that never reads. */
async function frozenConsumer(children: Child<unknown>[]) {
  const server = await SubscribedServer.open('ours', children);
  await server.subscribe(2, 'graphql');
  const request = { updates: FROZEN_UPDATES, atOnce: BURST, isPaced: false };
  // The first turn compiles code and fills caches. The second turn shows the memory growth of the journal.
  await server.request(request);
  const begin = await server.request({ ...request, updates: 0 });
  const before = await server.request(request);
  server.clients[1]?.socket.pause();
  const after = await server.request(request);
  const grownMb = after.rssMb - before.rssMb - (before.rssMb - begin.rssMb);
  return { backlogKb: after.maxBacklog / 1000, grownMb };
}
