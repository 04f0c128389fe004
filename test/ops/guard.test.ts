import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, Fault } from '../../src/domain/index.ts';
import { Guard } from '../../src/ops/guard/guard.ts';
import type { Kill } from '../../src/ops/guard/kill-switch.ts';
import { KillSwitch, type OrderCanceller } from '../../src/ops/index.ts';

const KILL: Kill = { reason: 'LOSS', text: 'too much' };
const NO_LIMITS = { errors: 1, errorWindowMs: 1, stalenessMs: 1, clockSkewMs: 1, position: 1 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A guard whose venue returns these answers in turn. Waits end at once. */
function fixture(answers: readonly (number | Fault)[], kill: () => void = () => {}) {
  const actions: string[] = [];
  const clock = new SimClock(epochMs(0));
  let requests = 0;
  const client: OrderCanceller = {
    async countOpenOrders() {
      const answer = answers[Math.min(requests, answers.length - 1)];
      requests += 1;
      actions.push(`asked ${answer instanceof Fault ? answer.code : answer}`);
      if (answer instanceof Fault) throw answer;
      return answer ?? 0;
    },
    async cancelAll() {
      actions.push('cancelled');
      return 1;
    },
    cancelOrders: () => Promise.reject(new Error('a guard cancels everything')),
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
    run: {
      submit: (event) => {
        actions.push((event.type === 'operatorCommanded' && event.reason) || '');
        kill();
      },
    },
    writeKillFile: (reason) => actions.push(`marked ${reason}`),
    alert: (_, text) => actions.push(text),
    commandLine: (...command) => `npx halfspread ${command.join(' ')} --db a.db`,
    venueCommandLine: (command) => `npx halfspread ${command} --venue a.yaml`,
  });
  return { guard, actions };
}

async function tripGuard(guard: Guard) {
  guard.trip(KILL);
  await Promise.resolve();
  return guard.settled();
}

describe('the guard', () => {
  it('cancels through the core, queries the venue and raises an alert', async () => {
    const { guard, actions } = fixture([0]);
    expect(await tripGuard(guard)).toEqual({ isVerified: true, open: 0, tries: 1 });
    expect(actions).toEqual([
      'LOSS: too much',
      // Also cancels signed orders that have not reached the venue yet.
      'cancelled',
      'asked 0',
      'halfspread killed trading (LOSS): too much. No order is open at the venue. Nothing is sent until `npx halfspread resume --db a.db`',
    ]);
  });

  it('cancels without the core while anything is open', async () => {
    const { guard, actions } = fixture([3, 2, 0]);
    expect(await tripGuard(guard)).toMatchObject({ isVerified: true, tries: 3 });
    expect(actions.slice(1, 7)).toEqual(['cancelled', 'asked 3', 'cancelled', 'asked 2', 'cancelled', 'asked 0']);
  });

  it('continues when the core cannot cancel', async () => {
    const { guard, actions } = fixture([1, 0], () => {
      throw new Error('the run has failed');
    });
    expect(await tripGuard(guard)).toMatchObject({ isVerified: true });
    // The next start has to know, and the run could not store it.
    expect(actions.slice(0, 3)).toEqual(['LOSS: too much', 'marked LOSS: too much', 'cancelled']);
  });

  it('reports an unverified result when the venue does not answer', async () => {
    const { guard, actions } = fixture([new Fault('LINK', 'away')]);
    expect(await tripGuard(guard)).toEqual({ isVerified: false, open: undefined, tries: 12 });
    expect(actions.at(-1)).toMatch(/NOT VERIFIED: the venue does not answer. Look at once/);
  });

  it('acts once, however often it is triggered', async () => {
    const { guard, actions } = fixture([0]);
    await tripGuard(guard);
    guard.trip(KILL);
    await guard.settled();
    expect(actions.filter((text) => text.startsWith('LOSS'))).toHaveLength(1);
  });
});
