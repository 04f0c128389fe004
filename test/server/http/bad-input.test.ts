/** Invalid input gets a response of the API's shape or a closed connection, never a 5xx or internal details. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { venueSchema } from '../../../src/protocol/index.ts';
import { type ReceivedResponse, startStubServer } from './stub-server.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const running = await startStubServer();
afterAll(() => running.server.close(0));

function post(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = JSON_HEADERS,
): Promise<ReceivedResponse> {
  return running.send({ body, headers });
}

/** Checks that a request failed before execution. @returns the first error message */
function errorOf({ status, text }: ReceivedResponse): string {
  expect(status).toBe(200);
  const answer = JSON.parse(text);
  expect(Object.keys(answer)).toEqual(['data', 'errors']);
  expect(answer.data).toBeNull();
  for (const error of answer.errors) {
    expect(Object.keys(error)).toEqual(['message', 'path']);
    expect(error.path).toEqual([]);
    expect(error.message).not.toMatch(/node_modules|\.ts|\.js|\/work|\bat \w+ \(/);
  }
  return answer.errors[0].message;
}

describe('bodies', () => {
  it.each([
    ['an empty body', '', /^malformed JSON/],
    ['half an object', '{"query":', /^malformed JSON/],
    ['a lone surrogate in the bytes', new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]), /not UTF-8/],
    ['Latin-1', new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
    ['a list', '[{"query":"{ __typename }"}]', /^batches of requests/],
    ['a number', '7', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['a missing query', '{"variables":{}}', /^"query" must be a string/],
    ['a query of another type', '{"query":["{ __typename }"]}', /^"query" must be a string/],
    ['variables of another type', '{"query":"{ __typename }","variables":[1]}', /^"variables" must be an object/],
    [
      'an operationName of another type',
      '{"query":"{ __typename }","operationName":1}',
      /^"operationName" must be a string/,
    ],
    ['a query hidden in a prototype', '{"__proto__":{"query":"{ __typename }"}}', /^"query" must be a string/],
    [
      'lists nested 100,000 deep',
      `{"query":"{ __typename }","variables":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}},"y":}`,
      /^malformed JSON/,
    ],
  ])('are refused: %s', async (_name, body, message) => {
    expect(errorOf(await post(body))).toMatch(message);
  });

  it('can have unknown keys and repeated keys, of which the last value is used', async () => {
    const { text } = await post(
      '{"query":"{","query":"{ __typename }","extensions":7,"constructor":{},"__proto__":{"a":1}}',
    );
    expect(JSON.parse(text)).toEqual({ data: { __typename: 'Query' } });
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('of 10 MB are refused with 413, with or without a declared length', async () => {
    const body = Buffer.alloc(10_000_000, 0x20);
    for (const headers of [JSON_HEADERS, { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }]) {
      const received = await post(body, headers);
      expect(received.status).toBe(413);
      expect(JSON.parse(received.text)).toEqual({
        data: null,
        errors: [{ message: 'the body is larger than 262144 bytes', path: [] }],
      });
    }
  });

  it('of another content type are refused with 415', async () => {
    for (const type of [
      'text/plain',
      'application/graphql',
      'application/json; charset=latin1',
      'application/jsonp',
      '',
    ]) {
      const received = await post('{"query":"{ __typename }"}', type === '' ? {} : { 'content-type': type });
      expect(received.status, type).toBe(415);
      expect(JSON.parse(received.text)).toMatchObject({ data: null, errors: [{ path: [] }] });
    }
  });

  it('are accepted with any spelling of the JSON content type', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8', 'application/json;']) {
      expect((await post('{"query":"{ __typename }"}', { 'content-type': type })).text, type).toBe(
        '{"data":{"__typename":"Query"}}',
      );
    }
  });
});

describe('a body with a content coding', () => {
  const query = '{"query":"{ __typename }"}';
  const compressed = {
    gzip: gzipSync(query),
    'x-gzip': gzipSync(query),
    deflate: deflateSync(query),
    br: brotliCompressSync(query),
  };
  const headersFor = (coding: string): Readonly<Record<string, string>> => ({
    ...JSON_HEADERS,
    'content-encoding': coding,
  });

  it.each(Object.entries(compressed))('is decoded: %s', async (coding, body) => {
    expect(await post(body, headersFor(coding))).toMatchObject({
      status: 200,
      text: '{"data":{"__typename":"Query"}}',
    });
    expect((await post(body, headersFor(coding.toUpperCase()))).status).toBe(200);
  });

  it('is read unchanged when the coding is identity', async () => {
    expect((await post(query, headersFor('identity'))).text).toBe('{"data":{"__typename":"Query"}}');
  });

  it.each([
    ['gzip', 'plain text', query],
    ['deflate', 'plain text', query],
    ['br', 'plain text', query],
    ['gzip', 'of another coding', compressed.br],
    ['gzip', 'incomplete', compressed.gzip.subarray(0, compressed.gzip.length - 9)],
    ['gzip', 'empty', ''],
    ['br', 'incomplete', compressed.br.subarray(0, compressed.br.length - 2)],
  ])('is refused with 400 when its header says %s but its bytes are %s', async (coding, _name, body) => {
    const received = await post(body, headersFor(coding));
    expect(received.status).toBe(400);
    expect(JSON.parse(received.text)).toEqual({
      data: null,
      errors: [{ message: `the body is not ${coding}, but its content-encoding header is`, path: [] }],
    });
  });

  it('is refused with 415 for an unknown coding or several codings', async () => {
    for (const coding of ['zip', 'gzip, br', 'gzip,gzip', '*', 'constructor']) {
      const received = await post(compressed.gzip, headersFor(coding));
      expect([received.status, received.headers['accept-encoding']], coding).toEqual([415, 'gzip, deflate, br']);
      expect(JSON.parse(received.text)).toMatchObject({ data: null, errors: [{ path: [] }] });
    }
  });

  it('is refused with 413 when it decompresses to more than the limit', async () => {
    for (const [coding, body] of [
      ['gzip', gzipSync(Buffer.alloc(50_000_000))],
      ['deflate', deflateSync(Buffer.alloc(50_000_000))],
      ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ] as const) {
      expect(body.length).toBeLessThan(262_144);
      const received = await post(body, headersFor(coding));
      expect([received.status, JSON.parse(received.text)], coding).toEqual([
        413,
        { data: null, errors: [{ message: 'the body is larger than 262144 bytes', path: [] }] },
      ]);
    }
  });
});

describe('documents', () => {
  const deep = (levels: number): string => `{ ${'a { '.repeat(levels)} b ${'}'.repeat(levels)} }`;
  const chain = (size: number): string =>
    Array.from({ length: size }, (_, at) => `fragment F${at} on Health { ...F${at + 1} ...F${at + 1} }`).join(' ');
  const tree = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, at) => `fragment T${at} on __Type { a: ofType { ...T${at + 1} } b: ofType { ...T${at + 1} } }`,
    ).join(' ');

  it.each([
    ['an empty document', '', /Syntax Error/],
    ['SQL', 'select * from markets', /Syntax Error/],
    ['an unknown field', '{ secrets }', /Cannot query field "secrets"/],
    ['an unknown argument', '{ market(uuid: "x") { id } }', /Unknown argument "uuid"/],
    ['an argument of another type', '{ market(id: { a: 1 }) { id } }', /cannot represent/],
    ['an unknown enum value', '{ markets(input: { sort: BEST }) { totalCount } }', /BEST/],
    ['1,000 levels', deep(1000), /more than 250 nested brackets/],
    [
      '1,000 levels of lists',
      `{ market(id: ${'['.repeat(1000)}${']'.repeat(1000)}) { id } }`,
      /more than 250 nested brackets/,
    ],
    ['13 levels', `{ ${'a { '.repeat(12)} b ${'}'.repeat(12)} }`, /more than 12 levels/],
    [
      '51 root fields',
      `{ ${Array.from({ length: 51 }, (_, at) => `a${at}: __typename`).join(' ')} }`,
      /more than 50 root fields/,
    ],
    [
      '51 root fields in fragments',
      `{ ...A ...B } fragment A on Query { ${'__typename '.repeat(25)} } fragment B on Query { ${'__typename '.repeat(26)} }`,
      /more than 50 root fields/,
    ],
    ['2^40 spreads of one field', `{ health { ...F0 } } ${chain(40)} fragment F40 on Health { mode }`, /smaller pages/],
    [
      '2^40 fields',
      `{ __type(name: "ID") { ...T0 } } ${tree(40)} fragment T40 on __Type { name }`,
      /more than 3000 fields/,
    ],
    ['a fragment within itself', '{ ...F } fragment F on Query { ...F }', /Cannot spread fragment "F" within itself/],
    ['one field 9,000 times', `{ health { ${'version '.repeat(9000)} } }`, /too large/],
    ['70,000 tokens', `{ ${'a '.repeat(70_000)} }`, /tokens/],
    ['two operations without a name', 'query A { __typename } query B { __typename }', /operationName/],
    ['only fragments', 'fragment F on Query { __typename }', /F/],
    ['a subscription', 'subscription { venueStatusChanged { mode } }', /WebSocket/],
    [
      '50 pages of 100 items',
      `{ ${Array.from({ length: 50 }, (_, at) => `a${at}: markets(input: { first: 100 }) { edges { cursor node { id slug question status yesPriceBps noPriceBps spreadBps volumeCents } } }`).join(' ')} }`,
      /smaller pages/,
    ],
  ])('are refused: %s', async (_name, query, message) => {
    expect(errorOf(await running.request(query))).toMatch(message);
  });

  it('are refused for an unknown operation and for invalid variables', async () => {
    const body = (fields: object): string =>
      JSON.stringify({ query: 'query A($id: ID!) { market(id: $id) { id } }', ...fields });
    expect(errorOf(await post(body({ operationName: 'B' })))).toMatch(/no operation "B"/);
    expect(errorOf(await post(body({})))).toMatch(/"\$id" of required type "ID!" was not provided/);
    expect(errorOf(await post(body({ variables: { id: { a: 1 } } })))).toMatch(/"\$id" got invalid value/);
    const input = 'query A($i: MarketsInput) { markets(input: $i) { totalCount } }';
    const variables = JSON.parse('{"i":{"__proto__":{"first":1}}}');
    expect(errorOf(await running.request(input, { variables }))).toMatch(/"__proto__" is not defined/);
  });

  it('with a million aliases are refused before execution', async () => {
    const query = `{ ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}:health{mode}`).join('')} }`;
    expect((await running.request(query)).status).toBe(413);
  });

  it('with repeated introspection are refused, but the introspection query of tools is executed', async () => {
    const again = `{ __schema { types { ${Array.from({ length: 600 }, (_, at) => `a${at}: fields { name }`).join(' ')} } } }`;
    expect(errorOf(await running.request(again))).toMatch(/may have \d+ values/);
    const full = getIntrospectionQuery({
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
      schemaDescription: true,
      specifiedByUrl: true,
    });
    const { data, errors } = JSON.parse((await running.request(full)).text);
    expect(errors).toBeUndefined();
    expect(printSchema(buildClientSchema(data))).toBe(printSchema(venueSchema()));
  });

  it('can introspect at any depth', async () => {
    const query = `{ __schema { types { fields { type { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} } } } } }`;
    const answer = JSON.parse((await running.request(query)).text);
    expect(answer.errors).toBeUndefined();
    expect(answer.data.__schema.types.length).toBeGreaterThan(100);
  });

  it('can use __proto__ as an alias', async () => {
    const { text } = await running.request('{ __proto__: __typename b: health { __proto__: mode } }');
    expect(text).toMatch(/^\{"data":\{"__proto__":"Query","b":\{"__proto__":"[A-Z_]+"\}\}\}$/);
  });
});
