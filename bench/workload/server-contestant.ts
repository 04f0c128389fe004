/** One server in a process of its own: `server-contestant.ts <name>`, a child of the bench. */
import { createServer, type Server } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { wallClock } from '../../src/clock/index.ts';
import { readMarketId, venueSchema } from '../../src/protocol/index.ts';
import { GraphqlService, type ResolverMap, type RootResolver } from '../../src/server/graphql/index.ts';
import { startHttp } from '../../src/server/http/index.ts';
import { shown, stageMarkets } from './market-stage.ts';

const HOST = '127.0.0.1';
const MICROSECONDS = 1e6;
const markets = new Map(stageMarkets().map((market) => [market.id, market]));

/** Takes the body in, parses it, answers with an object made into text. */
async function raw(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { variables } = JSON.parse(Buffer.concat(chunks).toString());
      const market = markets.get(variables.id);
      const body = JSON.stringify({ data: { market: market === undefined ? null : shown(market) } });
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  return listening(server);
}

async function yoga(): Promise<number> {
  const schema = venueSchema();
  const { market: field } = schema.getQueryType()?.getFields() ?? {};
  if (field !== undefined) field.resolve = (_root, { id }) => markets.get(readMarketId(id));
  return listening(createServer(createYoga({ schema, logging: false, landingPage: false, graphiql: false })));
}

async function ours(): Promise<number> {
  const schema = venueSchema();
  const none: RootResolver = () => null;
  const all = (names: readonly string[]): Record<string, RootResolver> =>
    Object.fromEntries(names.map((name) => [name, none]));
  const resolvers: ResolverMap = {
    Query: {
      ...all(Object.keys(schema.getQueryType()?.getFields() ?? {})),
      market: ({ id }: { readonly id: Parameters<typeof readMarketId>[0] }) => markets.get(readMarketId(id)),
    },
    Mutation: all(Object.keys(schema.getMutationType()?.getFields() ?? {})),
  };
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const { port } = await startHttp({
    graphql: new GraphqlService({ schema, resolvers, reads: { take: () => undefined }, log }),
    identify: () => undefined,
    health: () => ({ status: 'OK', mode: 'NORMAL', version: '0', serverTime: '', engineSeq: '0', uptimeSeconds: 0 }),
    clock: wallClock(),
    log,
    runId: 'bench',
    version: '0',
    port: 0,
  });
  return port;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

const CONTESTANTS: Readonly<Record<string, () => Promise<number>>> = { ours, raw, yoga };
const [name = ''] = process.argv.slice(2);
const start = CONTESTANTS[name];
if (start === undefined) throw new Error(`unknown contestant "${name}", known: ${Object.keys(CONTESTANTS).join(', ')}`);
const port = await start();
// Each message is a question for the processor time that went by; the first answer tells the port besides.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ port, cpuSeconds: (user + system) / MICROSECONDS });
});
process.on('disconnect', () => process.exit());
process.send?.({ port, cpuSeconds: 0 });
