/** Random malicious requests: mutated documents, variables of the wrong type and bodies that are not JSON. */
import { type Random, seededRandom } from '../../src/clock/index.ts';
import { venueSchema } from '../../src/protocol/index.ts';
import { randomRequest } from './graphql/random-document.ts';
import { GOOD_TOKEN, startStubServer } from './http/stub-server.ts';

/** The result of a run. */
export interface FuzzTally {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Responses with data. */
  readonly answered: number;
  /** Responses that break the API's shape or show internals. At most five. */
  readonly faults: readonly string[];
  /** Duration of the slowest request, milliseconds. */
  readonly slowest: number;
}

const INTERNALS = /node_modules|\.tsx?\b|\.js\b|\bat \S+ \(|file:\/\//;
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

/** Sends random requests to a stub server, one after the other. The same seed gives the same requests. */
export async function fuzz({
  seed,
  requests,
}: {
  readonly seed: number;
  readonly requests: number;
}): Promise<FuzzTally> {
  const running = await startStubServer();
  const schema = venueSchema();
  const random = seededRandom(seed);
  const byStatus: Record<string, number> = {};
  const faults: string[] = [];
  let answered = 0;
  let slowest = 0;
  try {
    for (let position = 0; position < requests; position += 1) {
      const requestRandom = random.fork(String(position));
      const operation = (['query', 'mutation', 'subscription'] as const)[requestRandom.int(3)] ?? 'query';
      const body = mutatedBody(randomRequest(schema, requestRandom, { operation }), requestRandom);
      const startedAt = performance.now();
      const received = await running.send({
        path: requestRandom.int(2) === 0 ? '/graphql' : '/api/graphql',
        headers: {
          'content-type': requestRandom.int(40) === 0 ? 'text/plain' : 'application/json',
          ...(requestRandom.int(4) === 0 ? {} : { authorization: GOOD_TOKEN }),
        },
        body,
      });
      slowest = Math.max(slowest, performance.now() - startedAt);
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

function mutatedBody(
  { query, variables }: { readonly query: string; readonly variables: object },
  random: Random,
): string {
  const mutation = random.int(6);
  const mutated = mutation < 2 ? splice(query, random) : query;
  const wrong = Object.fromEntries(
    Object.keys(variables).map((name) => [name, [null, {}, [[]], 'x', 1e308, true][random.int(6)]]),
  );
  const body = JSON.stringify({ query: mutated, variables: mutation === 2 ? wrong : variables });
  return mutation === 3 && random.int(3) === 0 ? splice(body, random) : body;
}

/** Replaces random parts of a text with syntax fragments. */
function splice(text: string, random: Random): string {
  let mutated = text;
  for (let times = 1 + random.int(3); times > 0; times -= 1) {
    const position = random.int(mutated.length + 1);
    const cut = random.int(2) === 0 ? random.int(20) : 0;
    const piece = (PIECES[random.int(PIECES.length)] ?? '').repeat(random.int(30) === 0 ? 2_000 : 1);
    mutated = mutated.slice(0, position) + piece + mutated.slice(position + cut);
  }
  return mutated;
}

function problemOf(status: number, text: string): string | undefined {
  if (status !== 200 && status !== 415) return `status ${status}`;
  let answer: { readonly data?: unknown; readonly errors?: readonly object[] };
  try {
    answer = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  const keys = Object.keys(answer).join();
  if (keys !== 'data' && keys !== 'data,errors') return `keys ${keys}`;
  for (const error of answer.errors ?? []) {
    if (Object.keys(error).join() !== 'message,path') return 'an error of another shape';
    if (INTERNALS.test(JSON.stringify(error))) return 'shows internals';
  }
  return undefined;
}
