/** The audits of the GraphQL-over-HTTP working group (package graphql-http) against the running server. */
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StubServer, startStubServer } from './stub-server.ts';

const ALWAYS_200 = 'every GraphQL error has status 200 (docs/spec/venue.md#errors-and-transport)';
const ALWAYS_DATA = 'the body always has `data` (docs/spec/venue.md#errors-and-transport)';
const NO_GET = 'GET is only for GraphiQL and WebSockets (docs/spec/venue.md#errors-and-transport)';

const IGNORED =
  'keys other than query, variables and operationName are ignored (docs/spec/venue.md#errors-and-transport)';

/** Audits that our contract contradicts, by reason. All of them are SHOULD or MAY. */
const EXCEPTED: Readonly<Record<string, readonly string[]>> = {
  [NO_GET]: ['5A70', 'D6D5', '6A70'],
  [ALWAYS_200]: [
    ...['A5BF', '423L', 'LKJ0', 'LKJ1', 'LKJ2', 'LKJ3', '6C00', '6C01', '6C02', '6C03', '4760', '4761', '4762', '4763'],
    ...['BCF8', 'B7N8', '8764', '3E3A', '865D', '556A', '51FE', '74FF', '86EE'],
  ],
  [ALWAYS_DATA]: ['D586', '5E5B'],
  [IGNORED]: ['58B0', '58B1', '58B2', '58B3'],
};
const EXCEPTIONS = new Map(Object.entries(EXCEPTED).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)));

describe('the audits of graphql-http', () => {
  let running: StubServer;
  const audits = serverAudits({ url: () => `${running.url}/graphql` });

  beforeAll(async () => {
    running = await startStubServer();
  });
  afterAll(() => running.server.close(0));

  it.each(audits.filter(({ id }) => !EXCEPTIONS.has(id)).map((audit) => [`${audit.id}: ${audit.name}`, audit]))(
    '%s',
    async (_name, audit) => {
      expect(await audit.fn()).toMatchObject({ status: 'ok' });
    },
  );

  it('have exceptions only for audits that fail and are not a MUST', async () => {
    for (const [id, reason] of EXCEPTIONS) {
      const audit = audits.find((each) => each.id === id);
      expect(audit?.name, `${id} (${reason})`).toMatch(/^(SHOULD|MAY)/);
      expect((await audit?.fn())?.status, id).not.toBe('ok');
    }
  });
});
