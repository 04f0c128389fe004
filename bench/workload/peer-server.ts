/**
 * A server to compare with, in a child process of the bench: `peer-server.ts <raw|yoga>`. It receives the markets as
 * the venue returns them and has them in memory, without an engine or a database.
 */
import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { readMarketId, venueSchema } from '../../src/protocol/index.ts';
import { listen } from './child.ts';
import type { HarnessMarket } from './market-harness.ts';

/** The reply to each message. */
export interface PeerReport {
  /** 0 until the server has the markets. */
  readonly port: number;
  /** Processor time of the process. */
  readonly cpuSeconds: number;
}

const MICROS_PER_SECOND = 1e6;
const markets = new Map<string, HarnessMarket>();

/** Reads the body, parses it and responds with a serialized object. */
async function raw(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { variables } = JSON.parse(Buffer.concat(chunks).toString());
      const body = JSON.stringify({ data: { market: markets.get(variables.id) ?? null } });
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  return listen(server);
}

async function yoga(): Promise<number> {
  const schema = venueSchema();
  const { market: field } = schema.getQueryType()?.getFields() ?? {};
  // As in the venue, times are stored as numbers.
  const stored = new Map<string, object>();
  for (const market of markets.values()) {
    stored.set(market.id, { ...market, resolutionDate: Date.parse(market.resolutionDate) });
  }
  if (field !== undefined) field.resolve = (_root, { id }) => stored.get(readMarketId(id));
  return listen(createServer(createYoga({ schema, logging: false, landingPage: false, graphiql: false })));
}

const SERVERS: Readonly<Record<string, () => Promise<number>>> = { raw, yoga };
const [name = ''] = process.argv.slice(2);
const start = SERVERS[name];
if (start === undefined) throw new Error(`unknown server "${name}", known: ${Object.keys(SERVERS).join(', ')}`);
let port = 0;
// The first message has the markets. Each later message requests the processor time so far.
process.on('message', async (message: 'usage' | readonly HarnessMarket[]) => {
  if (message !== 'usage') {
    for (const market of message) markets.set(market.id, market);
    port = await start();
  }
  report();
});
process.on('disconnect', () => process.exit());
report();

function report(): void {
  const { user, system } = process.cpuUsage();
  process.send?.({ port, cpuSeconds: (user + system) / MICROS_PER_SECOND } satisfies PeerReport);
}
