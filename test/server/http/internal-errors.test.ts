import { afterAll, describe, expect, it } from 'vitest';
import { startStubServer } from './stub-server.ts';

const running = await startStubServer({
  resolvers: {
    Query: {
      authChallenge: () => ({ nonce: '0xab', typedData: { big: 1n }, expiresAt: 0 }),
      categories: () => {
        throw new Error('no such table in /srv/halfspread/src/store/read.ts:12:3');
      },
    },
    Mutation: {},
  },
});
afterAll(() => running.server.close(0));

describe('an internal error', () => {
  it('is answered with the request id of its log entry and without internal details', async () => {
    const received = await running.request('{ x: categories { name } __typename }');
    const answer = JSON.parse(received.text);
    expect(answer).toEqual({
      data: null,
      errors: [{ message: `internal error ${received.headers['x-request-id']}`, path: ['x'] }],
    });
    expect(running.logged.at(-1)).toMatchObject({
      requestId: received.headers['x-request-id'],
      err: { message: /^no such table/ },
    });
  });
});

describe('an answer that cannot be serialized as JSON', () => {
  it('is an internal error of this request only', async () => {
    const received = await running.request('{ authChallenge(address: "0x") { typedData } }');
    const errors = [{ message: `internal error ${received.headers['x-request-id']}`, path: [] }];
    expect(JSON.parse(received.text)).toEqual({ data: null, errors });
    expect((await running.request('{ __typename }')).status).toBe(200);
  });
});
