/** Random client messages over real sockets. The venue must answer or close the connection, and serve other clients. */
import fc from 'fast-check';
import { anyCharacter } from '../../any-character.ts';
import { RawClient } from './raw-client.ts';
import { Venue } from './venue.ts';

const NO_MESSAGE_LIMITS = { messagesPerSecond: 1e9, anonymousMessagesPerSecond: 1e9 };
const TYPES: ReadonlySet<string> = new Set(['connection_ack', 'next', 'error', 'complete', 'ping', 'pong']);
/** Close codes of graphql-transport-ws and of exceeded limits. */
const CODES: ReadonlySet<number> = new Set([1000, 1003, 1008, 1009, 4400, 4401, 4403, 4408, 4409, 4429]);
const QUERIES = [
  'subscription { venueStatusChanged { mode } }',
  'subscription ($id: ID!) { orderBookUpdated(marketId: $id) { kind seq } }',
  'subscription { orderEvents { kind } }',
  'query { health { status } }',
  'mutation { cancelAllOrders { newEpoch } }',
  '{ a: health { status } ...on Query { b: health { mode } } }',
];

const anything = fc.jsonValue({ maxDepth: 3 });
const id = fc.oneof(fc.constantFrom('1', '2', '3'), fc.string({ maxLength: 300 }));
/** Usually a valid value, sometimes any JSON value. */
const mostlyValid = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: anything });
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...QUERIES) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...QUERIES), fc.nat(60), fc.string({ maxLength: 5 }))
      .map(([text, at, inserted]) => text.slice(0, at) + inserted + text.slice(at)),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);
const payload = fc.record(
  {
    query: mostlyValid(query),
    variables: mostlyValid(fc.dictionary(fc.constantFrom('id', 'i', '__proto__'), anything)),
    operationName: mostlyValid(fc.constant(null)),
    extensions: anything,
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    type: mostlyValid(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom('subscribe', 'subscribe', 'complete', 'ping', 'pong') },
        { weight: 1, arbitrary: fc.constantFrom('connection_init', 'next', 'error', 'connection_ack') },
      ),
    ),
    id: mostlyValid(id),
    payload: mostlyValid(fc.oneof(payload, fc.record({ Authorization: mostlyValid(fc.constant('Bearer x')) }))),
  },
  { requiredKeys: [] },
);
const text = fc.oneof(
  { weight: 40, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(80)).map(([value, at]) => JSON.stringify(value).slice(0, at)) },
  { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 400, unit: anyCharacter }) },
);
const connectionScript = fc.record({
  isInitialized: fc.boolean(),
  binaryIndex: fc.nat(30),
  texts: fc.array(text, { minLength: 1, maxLength: 20 }),
});

export interface ClientMessagesFuzz {
  /** The failure; undefined without one. */
  readonly failure: string | undefined;
  readonly messages: number;
  /** Number of closed connections by close code. */
  readonly closed: Readonly<Record<number, number>>;
}

/** @param runs connections, each with up to 20 messages */
export async function fuzzClientMessages(seed: number, runs: number): Promise<ClientMessagesFuzz> {
  const venue = await Venue.open(NO_MESSAGE_LIMITS);
  const closed: Record<number, number> = {};
  let messages = 0;
  const property = fc.asyncProperty(connectionScript, async ({ isInitialized, binaryIndex, texts }) => {
    const client = isInitialized ? await RawClient.ready(venue.url) : await RawClient.open(venue.url);
    for (const [at, each] of texts.entries()) client.web.send(each, { binary: at === binaryIndex });
    messages += texts.length;
    await Promise.race([client.settle(), client.closed]);
    const end = client.web.readyState === client.web.OPEN ? await client.close() : await client.closed;
    closed[end.code] = (closed[end.code] ?? 0) + 1;
    if (!CODES.has(end.code)) throw new Error(`closed with ${end.code} (${end.reason})`);
    for (const { type } of client.received) if (!TYPES.has(type)) throw new Error(`received a message of type ${type}`);
    const other = await RawClient.ready(venue.url);
    other.subscribe('1', 'subscription { venueStatusChanged { mode } }');
    await other.event();
    await other.close();
    if (venue.errors.length > 0) throw new Error(`logged ${JSON.stringify(venue.errors)}`);
    if (venue.streams.traffic.connections > 2)
      throw new Error(`${venue.streams.traffic.connections} connections are still open`);
  });
  const result = await fc.check(property, { seed, numRuns: runs, endOnFailure: true });
  await venue.close();
  return {
    failure: result.failed ? `${result.errorInstance}: ${fc.defaultReportMessage(result)}` : undefined,
    messages,
    closed,
  };
}
