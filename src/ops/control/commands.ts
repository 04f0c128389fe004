/**
 * The protocol of a bot's control socket and TCP port: one line of JSON for each command, one line for each answer.
 *
 *     {"v":1,"id":7,"command":"kill","args":{"reason":"news"}}
 *     {"v":1,"id":7,"ok":true,"result":{…}}   or   {"v":1,"id":7,"ok":false,"error":{"code":"INPUT","message":"…"}}
 *
 * `watch` and `watch-market` send a report now, and further reports until the client disconnects.
 * On a TCP port, `{"v":1,"id":0,"command":"login","args":{"token":"…"}}` comes first.
 */
import { z } from 'zod';
import { Fault, MAX_FEE_BPS } from '../../domain/index.ts';

/** The bot refuses clients of another version. */
export const CONTROL_VERSION = 1;

const reason = z.string().min(1).max(500).optional().describe('Why, for the records.');
const market = z.string().min(1).max(200).describe('Slug or id of the market.');

export const CONTROL_COMMANDS = {
  status: z.strictObject({}),
  orders: z.strictObject({}),
  positions: z.strictObject({}),
  fills: z.strictObject({ limit: z.int().min(1).max(10_000).default(50) }),
  log: z.strictObject({
    level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
    limit: z.int().min(1).max(2_000).default(200),
    after: z.int().min(0).optional().describe('Only lines with a higher number.'),
  }),
  watch: z.strictObject({}),
  'watch-market': z.strictObject({ market }),
  cancel: z.strictObject({ order: z.int().min(1).describe('Number of the order, as `orders` shows it.'), reason }),
  'cancel-all': z.strictObject({ reason }),
  pause: z.strictObject({ reason }),
  reduce: z.strictObject({ reason }),
  flatten: z.strictObject({ reason }),
  resume: z.strictObject({ reason }),
  kill: z.strictObject({ reason }),
  'market-add': z.strictObject({ market, params: z.record(z.string(), z.unknown()).default({}) }),
  'market-remove': z.strictObject({ market }),
  'market-confirm-fee': z.strictObject({
    market,
    feeBps: z.int().min(0).max(MAX_FEE_BPS).describe('The highest taker fee rate that is accepted there, bps.'),
  }),
  signal: z.strictObject({
    name: z.string().describe('Name of the signal.'),
    value: z.number().describe('Its value.'),
    time: z.string().optional().describe('When it was made, ISO 8601 with Z.'),
  }),
  set: z.strictObject({
    name: z.string().min(1).max(100).describe('The parameter, as its strategy calls it.'),
    value: z.unknown(),
    market: market.optional().describe('Only this market. Default: all markets.'),
    strategy: z.string().min(1).max(100).optional().describe('Only this strategy; needed when there are several.'),
  }),
} as const;

export type ControlCommand = keyof typeof CONTROL_COMMANDS;

export const requestSchema = z.object({
  v: z.int(),
  id: z.int(),
  command: z.string(),
  args: z.record(z.string(), z.unknown()).default({}),
});

export const responseSchema = z.discriminatedUnion('ok', [
  z.object({ v: z.int(), id: z.int(), ok: z.literal(true), result: z.unknown() }),
  z.object({
    v: z.int(),
    id: z.int(),
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);
export type ControlResponse = z.output<typeof responseSchema>;

export function isControlCommand(name: string): name is ControlCommand {
  return Object.hasOwn(CONTROL_COMMANDS, name);
}

/**
 * Returns a function that receives the pieces of a text stream and passes each complete line to `onLine`.
 * The function throws Fault CONTROL for a line of more than `maxLength` characters, after it passed the earlier lines.
 * @param source start of the fault's message
 */
export function splitLines(source: string, maxLength: number, onLine: (line: string) => void): (piece: string) => void {
  const assertLength = (length: number): void => {
    if (length > maxLength) throw new Fault('CONTROL', `${source}: a line of more than ${maxLength} characters`);
  };
  let rest = '';
  return (piece) => {
    let lineStart = 0;
    // `rest` contains no line end, so only the new piece is searched.
    for (let lineEnd = piece.indexOf('\n'); lineEnd >= 0; lineEnd = piece.indexOf('\n', lineStart)) {
      const line = rest + piece.slice(lineStart, lineEnd);
      rest = '';
      lineStart = lineEnd + 1;
      assertLength(line.length);
      onLine(line);
    }
    rest += piece.slice(lineStart);
    assertLength(rest.length);
  };
}
