/**
 * Moves the best bid of a market up and down, in a child process: `book-mover.ts <url>`. Each move is one change of the
 * book. After the venue's response, the program pauses before the next move.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { keyOf, login, openSigningTools, queryVenue, signOrder } from '../../test/server/trader.ts';

/** A request to this program, which replies after the last move. */
export interface MoveRequest {
  readonly market: string;
  readonly moves: number;
  /** Pause between a response and the next move, ms. */
  readonly pauseMs: number;
}

const [url = ''] = process.argv.slice(2);
const KEY_NO = 999;
const SHARES = 10_000_000;
const LOW_BPS = 4_000;
const HIGH_BPS = 4_500;
const ASK_BPS = 6_000;
const tools = await openSigningTools();
const key = keyOf(tools, KEY_NO);
const token = await login(url, tools, key);
let salt = Date.now() * 1_000;

async function place(marketId: string, side: 'BUY' | 'SELL', outcome: 'YES' | 'NO', priceBps: number): Promise<string> {
  salt += 1;
  const request = { marketId, side, outcome, priceBps, shares: SHARES, timestampMs: Date.now() };
  const { input } = signOrder(tools, key, request, salt);
  const text =
    'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted order { id } rejection { reason } } }';
  const { placeOrder } = await queryVenue(url, token, text, { i: input });
  if (!placeOrder.accepted) throw new Error(`refused: ${JSON.stringify(placeOrder.rejection)}`);
  return placeOrder.order.id;
}

const begun = new Set<string>();
async function begin(market: string): Promise<void> {
  if (begun.has(market)) return;
  begun.add(market);
  await place(market, 'BUY', 'YES', LOW_BPS);
  await place(market, 'BUY', 'NO', 10_000 - ASK_BPS);
}

async function move({ market, moves, pauseMs }: MoveRequest): Promise<void> {
  await begin(market);
  let best: string | undefined;
  for (let count = 0; count < moves; count += 1) {
    await pause(pauseMs);
    if (best === undefined) best = await place(market, 'BUY', 'YES', HIGH_BPS);
    else {
      const text = 'mutation ($id: ID) { cancelOrder(id: $id) { seq } }';
      await queryVenue(url, token, text, { id: best });
      best = undefined;
    }
  }
  process.send?.({ moved: moves });
}

process.on('message', (request: MoveRequest) => void move(request));
process.on('disconnect', () => process.exit());
process.send?.({ moved: 0 });
