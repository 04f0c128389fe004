import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, Fault } from '../../src/domain/index.ts';
import { Guard, type Kill, KillSwitch, type OrderCanceller } from '../../src/ops/index.ts';

const KILL: Kill = { reason: 'LOSS', at: epochMs(0), text: 'too much' };
const NO_LIMITS = { errors: 1, errorWindowMs: 1, stalenessMs: 1, clockSkewMs: 1, position: 1 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A guard in front of a venue that answers in turn; time passes by itself. */
function fixture(answers: readonly (number | Fault)[], kill: () => void = () => {}) {
  const said: string[] = [];
  const clock = new SimClock(epochMs(0));
  let requests = 0;
  const client: OrderCanceller = {
    async openOrders() {
      const answer = answers[Math.min(requests, answers.length - 1)];
      requests += 1;
      said.push(`asked ${answer instanceof Fault ? answer.code : answer}`);
      if (answer instanceof Fault) throw answer;
      return answer ?? 0;
    },
    async cancelAll() {
      said.push('cancelled');
      return 1;
    },
    cancelThese: () => Promise.reject(new Error('a guard cancels everything')),
  };
  const passing = {
    now: () => clock.now(),
    schedule: (when: Parameters<SimClock['schedule']>[0], fire: () => void) => {
      queueMicrotask(fire);
      return clock.schedule(when, () => {});
    },
  };
  const guard = new Guard({
    killSwitch: new KillSwitch(NO_LIMITS, () => 0),
    client,
    clock: passing,
    log: SILENT,
    kill: (reason) => {
      said.push(reason);
      kill();
    },
    mark: (reason) => said.push(`marked ${reason}`),
    alert: (_, text) => said.push(text),
    resume: 'npx halfspread resume --db a.db',
    listOrders: 'npx halfspread orders --venue a.yaml',
  });
  return { guard, said };
}

async function killed(guard: Guard) {
  guard.pull(KILL);
  await Promise.resolve();
  return guard.settled();
}

describe('the guard', () => {
  it('cancels through the core, queries the venue and raises an alert', async () => {
    const { guard, said } = fixture([0]);
    expect(await killed(guard)).toEqual({ isVerified: true, open: 0, tries: 1 });
    expect(said).toEqual([
      'LOSS: too much',
      // Nothing stands; what is signed and on its way ends with the epoch all the same.
      'cancelled',
      'asked 0',
      'halfspread killed trading (LOSS): too much. No order is open at the venue. Nothing is sent until `npx halfspread resume --db a.db`',
    ]);
  });

  it('cancels without the core while anything is open', async () => {
    const { guard, said } = fixture([3, 2, 0]);
    expect(await killed(guard)).toMatchObject({ isVerified: true, tries: 3 });
    expect(said.slice(1, 7)).toEqual(['cancelled', 'asked 3', 'cancelled', 'asked 2', 'cancelled', 'asked 0']);
  });

  it('continues when the core cannot cancel', async () => {
    const { guard, said } = fixture([1, 0], () => {
      throw new Error('the run has failed');
    });
    expect(await killed(guard)).toMatchObject({ isVerified: true });
    // The next start has to know, and the run could not store it.
    expect(said.slice(0, 3)).toEqual(['LOSS: too much', 'marked LOSS: too much', 'cancelled']);
  });

  it('reports an unverified result when the venue does not answer', async () => {
    const { guard, said } = fixture([new Fault('LINK', 'away')]);
    expect(await killed(guard)).toEqual({ isVerified: false, open: undefined, tries: 12 });
    expect(said.at(-1)).toMatch(/NOT VERIFIED: the venue does not answer. Look at once/);
  });

  it('acts once, however often it is triggered', async () => {
    const { guard, said } = fixture([0]);
    await killed(guard);
    guard.pull(KILL);
    await guard.settled();
    expect(said.filter((text) => text.startsWith('LOSS'))).toHaveLength(1);
  });
});
