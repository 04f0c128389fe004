/** Clients of the Polymarket dialect that mean harm, drawn: requests over REST, frames and half frames on both channels. */
import { Side } from '@polymarket/clob-client-v2';
import { seededRandom } from '../../../src/clock/index.ts';
import { attackOf, problemOf, send } from './fuzz-rest.ts';
import { attackSocket } from './fuzz-sockets.ts';
import { openPolymarket, type PolymarketHarness } from './harness.ts';

/** What a run came to. */
export interface PolymarketFuzzTally {
  readonly byStatus: Readonly<Record<string, number>>;
  /** Orders that were placed in spite of all. */
  readonly placed: number;
  /** Close codes of sockets; `open` where the server kept the connection. */
  readonly byClose: Readonly<Record<string, number>>;
  /** Answers that are not of the venue's form, or show the inside. At most five. */
  readonly faults: readonly string[];
}

/** Sends requests and frames to a venue of its own, and then looks whether a client still trades there. The same seed draws the same. */
export async function fuzzPolymarket(run: {
  readonly seed: number;
  readonly requests: number;
  readonly sockets: number;
}): Promise<PolymarketFuzzTally> {
  const harness = await openPolymarket();
  try {
    const client = await harness.join(1);
    const dice = seededRandom(run.seed);
    const byStatus: Record<string, number> = {};
    const faults: string[] = [];
    let placed = 0;
    for (let at = 0; at < run.requests; at += 1) {
      const attack = await attackOf(dice.fork(`request ${at}`), harness, client);
      const answer = await send(harness, attack);
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
      if (attack.path === '/order' && answer.text.includes('"success":true')) placed += 1;
      const problem = problemOf(attack, answer);
      if (problem !== undefined && faults.length < 5)
        faults.push(`${problem}: ${JSON.stringify(attack).slice(0, 400)} ${answer.text.slice(0, 400)}`);
    }
    const byClose: Record<string, number> = {};
    for (let at = 0; at < run.sockets; at += 1) {
      const end = await attackSocket(dice.fork(`socket ${at}`), harness, client);
      byClose[end] = (byClose[end] ?? 0) + 1;
    }
    const problem = await tradeStillWorks(harness);
    return { byStatus, placed, byClose, faults: problem === undefined ? faults : [...faults, problem] };
  } finally {
    await harness.venue.close();
  }
}

/** A client that comes later signs in, places, sees and cancels an order. */
async function tradeStillWorks(harness: PolymarketHarness): Promise<string | undefined> {
  const { client } = await harness.join(2);
  const { orderID } = await client.createAndPostOrder({ tokenID: harness.yes, price: 0.01, size: 20, side: Side.BUY });
  const open = await client.getOpenOrders();
  const { canceled } = await client.cancelAll();
  const isWhole = open.length === 1 && canceled.length === 1 && canceled[0] === orderID;
  return isWhole ? undefined : `after the run, an order of ${orderID} was listed ${open.length} times`;
}
