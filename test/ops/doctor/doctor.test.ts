/** The preflight checks against an embedded venue. */
import { expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { type Finding, runPreflight, VenueHttp } from '../../../src/ops/index.ts';
import { riskLimits, riskSchema } from '../../../src/risk/index.ts';
import { OperationTexts } from '../../../src/venues/service/transport/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { keyOf, pinsOf } from '../../server/trader.ts';
import { Harness } from '../../venues/service/harness.ts';

/** Opens a venue, and the checks of an account there with a list of the operations that they send. */
async function openChecks() {
  const harness = await Harness.open();
  afterThisTest.add(() => harness.close());
  const { tools, url } = harness;
  const key = keyOf(tools, 1);
  const clock = wallClock();
  const sent: string[] = [];
  const getText = ({ field, text }: { readonly field: string; readonly text: string }): string => {
    sent.push(field);
    return text;
  };
  const findings = runPreflight({
    clock,
    http: new VenueHttp({ url, clock, getText }),
    wsUrl: `${url.replace('http', 'ws')}/graphql`,
    headers: {},
    operations: new OperationTexts(),
    ...tools,
    login: pinsOf(tools, url),
    key,
    address: key.address,
    credentials: { key, address: key.address },
    credentialsProblem: undefined,
    isPaper: false,
    settings: {
      ids: [],
      slugs: [],
      filter: undefined,
      maxMarkets: 0,
      hasSelection: false,
      risk: riskLimits(riskSchema.parse({})),
      heartbeatMs: undefined,
      clockSkewMs: 1_000,
      priceIn: () => undefined,
    },
    strategy: { names: ['maker'] },
    machine: {
      node: process.version,
      folder: '.',
      diskProblem: undefined,
      freeBytes: 1e10,
      exposedFiles: [],
      laterDatabase: undefined,
    },
  });
  return { harness, findings, sent };
}

it('ends the session of the checks when its caller stops reading the findings', async () => {
  const { findings, sent } = await openChecks();
  for await (const { name, status } of findings) {
    if (name === 'login') {
      expect(status).toBe('ok');
      break;
    }
  }
  expect(sent).toContain('createSession');
  expect(sent.at(-1)).toBe('revokeSession');
});

it('warns of a session that cannot be ended', async () => {
  const { harness, findings } = await openChecks();
  const found: Finding[] = [];
  for await (const finding of findings) {
    found.push(finding);
    if (finding.name === 'cash') await harness.close();
  }
  expect(found.at(-1)).toMatchObject({ name: 'logout', status: 'warn' });
  expect(found.at(-1)?.message).toMatch(/^the session could not be ended: /);
});
