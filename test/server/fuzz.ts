/** Strangers who mean harm, drawn: documents cut and spliced, variables of the wrong kind, bodies that are no JSON. */
import { type Random, seededRandom } from '../../src/clock/index.ts';
import { venueSchema } from '../../src/protocol/index.ts';
import { randomRequest } from './graphql/random-document.ts';
import { GOOD_TOKEN, startStubServer } from './http/stub-server.ts';

/** What a run came to. */
export interface FuzzTally {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Answers with data. */
  readonly answered: number;
  /** Answers that are not of the contract's shape, or tell of the inside. At most five. */
  readonly faults: readonly string[];
  /** The longest that one request took, milliseconds. */
  readonly slowest: number;
}

const INSIDE = /node_modules|\.tsx?\b|\.js\b|\bat \S+ \(|file:\/\//;
const PIECES = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '"',
  '"""',
  '...',
  '@skip(if: true)',
  '$x',
  ':',
  '#',
  '\\',
  '\u0000',
  '\ud800',
  '__proto__',
];

/** Sends requests to a running server, one after the other. The same seed sends the same. */
export async function fuzz({
  seed,
  requests,
}: {
  readonly seed: number;
  readonly requests: number;
}): Promise<FuzzTally> {
  const running = await startStubServer();
  const schema = venueSchema();
  const dice = seededRandom(seed);
  const byStatus: Record<string, number> = {};
  const faults: string[] = [];
  let answered = 0;
  let slowest = 0;
  try {
    for (let at = 0; at < requests; at += 1) {
      const own = dice.fork(String(at));
      const operation = (['query', 'mutation', 'subscription'] as const)[own.int(3)] ?? 'query';
      const body = bodyOf(randomRequest(schema, own, { operation }), own);
      const begun = performance.now();
      const received = await running.send({
        path: own.int(2) === 0 ? '/graphql' : '/api/graphql',
        headers: {
          'content-type': own.int(40) === 0 ? 'text/plain' : 'application/json',
          ...(own.int(4) === 0 ? {} : { authorization: GOOD_TOKEN }),
        },
        body,
      });
      slowest = Math.max(slowest, performance.now() - begun);
      byStatus[received.status] = (byStatus[received.status] ?? 0) + 1;
      const problem = problemOf(received.status, received.text);
      if (problem !== undefined && faults.length < 5)
        faults.push(`${problem}\n${body}\n${received.text.slice(0, 500)}`);
      if (received.text.startsWith('{"data":{')) answered += 1;
    }
    return { requests, byStatus, answered, faults, slowest };
  } finally {
    await running.server.close(0);
  }
}

function bodyOf({ query, variables }: { readonly query: string; readonly variables: object }, dice: Random): string {
  const harm = dice.int(6);
  const spoilt = harm < 2 ? spliced(query, dice) : query;
  const wrong = Object.fromEntries(
    Object.keys(variables).map((name) => [name, [null, {}, [[]], 'x', 1e308, true][dice.int(6)]]),
  );
  const body = JSON.stringify({ query: spoilt, variables: harm === 2 ? wrong : variables });
  return harm === 3 && dice.int(3) === 0 ? spliced(body, dice) : body;
}

/** Cuts a piece out, puts pieces in. */
function spliced(text: string, dice: Random): string {
  let spoilt = text;
  for (let times = 1 + dice.int(3); times > 0; times -= 1) {
    const at = dice.int(spoilt.length + 1);
    const cut = dice.int(2) === 0 ? dice.int(20) : 0;
    const piece = (PIECES[dice.int(PIECES.length)] ?? '').repeat(dice.int(30) === 0 ? 2_000 : 1);
    spoilt = spoilt.slice(0, at) + piece + spoilt.slice(at + cut);
  }
  return spoilt;
}

function problemOf(status: number, text: string): string | undefined {
  if (status !== 200 && status !== 415) return `status ${status}`;
  let answer: { readonly data?: unknown; readonly errors?: readonly object[] };
  try {
    answer = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  const keys = Object.keys(answer).join();
  if (keys !== 'data' && keys !== 'data,errors') return `keys ${keys}`;
  for (const error of answer.errors ?? []) {
    if (Object.keys(error).join() !== 'message,path') return 'an error of another shape';
    if (INSIDE.test(JSON.stringify(error))) return 'shows internals';
  }
  return undefined;
}
