/**
 * The server: query `market` with nine fields over HTTP, against a bare JSON server and against graphql-yoga, each in a
 * process of its own; this process makes the load.
 *
 * What is compared is what one core serves: answers a second of the server's own processor time. By the clock a server that
 * collects its garbage on a second core looks better than it is, and whatever else runs on the machine shows.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, row, sideBySide, summarise } from './harness.ts';
import { type LoadShape, loadServer } from './workload/http-load.ts';
import { MARKET_QUERY, marketAnswers, marketRequests } from './workload/market-stage.ts';

const ROUNDS = 5;
const SHAPE = { path: '/graphql', connections: 32, ahead: 4, duration: 1_500 };

interface Contestant {
  /** Measures once: answers a second of processor time. */
  readonly run: () => Promise<number>;
  /** Answers a second by the clock, of each time; the first one warmed up. */
  readonly byClock: number[];
}

const bench: Bench = async () => {
  const children: ChildProcess[] = [];
  try {
    const [ours, raw, yoga] = [
      await contestant('ours', children),
      await contestant('raw', children),
      await contestant('yoga', children),
    ];
    const core = await sideBySide(ROUNDS, { ours: ours.run, raw: raw.run, yoga: yoga.run });
    const clock = [ours, raw, yoga].map(({ byClock }) => summarise(byClock.slice(1)));
    const [oursByClock, rawByClock, yogaByClock] = clock;
    if (oursByClock === undefined || rawByClock === undefined || yogaByClock === undefined)
      throw new Error('Invariant');
    return {
      results: [
        row('halfspread, query market', core.ours, 'requests/core s'),
        row('bare node:http, the same bytes from JSON', core.raw, 'requests/core s'),
        row('graphql-yoga, same schema and query', core.yoga, 'requests/core s'),
        row('halfspread, by the clock', oursByClock, 'requests/s'),
        row('bare node:http, by the clock', rawByClock, 'requests/s'),
        row('graphql-yoga, by the clock', yogaByClock, 'requests/s'),
      ],
      ratios: {
        queryVsRawJson: core.ours.median / core.raw.median,
        queryVsYoga: core.ours.median / core.yoga.median,
      },
      values: {
        queriesPerCoreSecond: core.ours.median,
        queriesPerSecond: oursByClock.median,
        queryVsRawJsonByClock: oursByClock.median / rawByClock.median,
        queryVsYogaByClock: oursByClock.median / yogaByClock.median,
      },
      notes: [
        `POST /graphql, ${MARKET_QUERY.length} characters of query and one variable; 64 markets in memory; every answer compared byte by byte`,
        `load from this process: ${SHAPE.connections} connections kept alive, ${SHAPE.ahead} requests in flight on each, ${SHAPE.duration} ms a turn, turns alternate`,
        'a core second is a second of the server process, user and system, all of its threads',
        'the bare server reads the body, parses it, makes the answer into text; it knows no schema, ids, limits or errors',
        'graphql-yoga as it comes, its own parse and validation caches on, without logging',
        'left out: credentials, rate buckets, the engine behind the market',
      ],
    };
  } finally {
    for (const child of children) child.disconnect();
  }
};
export default bench;

async function contestant(name: string, children: ChildProcess[]): Promise<Contestant> {
  const child = fork(join(import.meta.dirname, 'workload', 'server-contestant.ts'), [name]);
  children.push(child);
  const { port } = await told(child);
  const shape: LoadShape = { ...SHAPE, port, bodies: marketRequests(), answers: marketAnswers() };
  const byClock: number[] = [];
  return {
    byClock,
    async run() {
      const before = await usage(child);
      const { perSecond, answers } = await loadServer(shape);
      byClock.push(perSecond);
      return answers / ((await usage(child)) - before);
    },
  };
}

/** Seconds of processor time so far. */
async function usage(child: ChildProcess): Promise<number> {
  const answer = told(child);
  child.send('usage');
  return (await answer).cpuSeconds;
}

async function told(child: ChildProcess): Promise<{ readonly port: number; readonly cpuSeconds: number }> {
  const [message] = await once(child, 'message');
  return message;
}
