/** Random malicious clients of the Polymarket API: REST requests, and frames on both channels. */
import { Side } from '@polymarket/clob-client-v2';
import { seededRandom } from '../../../src/clock/index.ts';
import { attackOf, problemOf, send } from './fuzz-rest.ts';
import { attackSocket } from './fuzz-sockets.ts';
import { openPolymarket, type PolymarketHarness } from './harness.ts';

/** The result of a run. */
export interface PolymarketFuzzTally {
  readonly byStatus: Readonly<Record<string, number>>;
  /** Number of accepted orders. */
  readonly placed: number;
  /** Number of sockets by close code; `open` when the server did not close the connection. */
  readonly byClose: Readonly<Record<string, number>>;
  /** Responses that break the API's form or show internals. At most five. */
  readonly faults: readonly string[];
}

/** Attacks a new venue and then checks that a client can trade. The same seed gives the same attacks. */
export async function fuzzPolymarket(run: {
  readonly seed: number;
  readonly requests: number;
  readonly sockets: number;
}): Promise<PolymarketFuzzTally> {
  const harness = await openPolymarket();
  try {
    const client = await harness.join(1);
    const random = seededRandom(run.seed);
    const byStatus: Record<string, number> = {};
    const faults: string[] = [];
    let placed = 0;
    for (let at = 0; at < run.requests; at += 1) {
      const attack = await attackOf(random.fork(`request ${at}`), harness, client);
      const answer = await send(harness, attack);
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
      if (attack.path === '/order' && answer.text.includes('"success":true')) placed += 1;
      const problem = problemOf(attack, answer);
      if (problem !== undefined && faults.length < 5)
        faults.push(`${problem}: ${JSON.stringify(attack).slice(0, 400)} ${answer.text.slice(0, 400)}`);
    }
    const byClose: Record<string, number> = {};
    for (let at = 0; at < run.sockets; at += 1) {
      const end = await attackSocket(random.fork(`socket ${at}`), harness, client);
      byClose[end] = (byClose[end] ?? 0) + 1;
    }
    const problem = await tradeProblem(harness);
    return { byStatus, placed, byClose, faults: problem === undefined ? faults : [...faults, problem] };
  } finally {
    await harness.venue.close();
  }
}

/** Checks that a new client can sign in and place, list and cancel an order. */
async function tradeProblem(harness: PolymarketHarness): Promise<string | undefined> {
  const { client } = await harness.join(2);
  const { orderID } = await client.createAndPostOrder({ tokenID: harness.yes, price: 0.01, size: 20, side: Side.BUY });
  const open = await client.getOpenOrders();
  const { canceled } = await client.cancelAll();
  const isCorrect = open.length === 1 && canceled.length === 1 && canceled[0] === orderID;
  return isCorrect ? undefined : `after the run, an order of ${orderID} was listed ${open.length} times`;
}
