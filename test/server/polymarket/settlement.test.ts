import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { Settlement, type SettlementDeps } from '../../../src/server/polymarket/settlement.ts';

const START = 1_000;
const TRADED = { type: 'traded', seq: 7, market: 0, maker: 0, taker: 0, yesPrice: 5_000, shares: 1_000_000, fee: 0 };

/** A settlement whose transactions fail, with a queue that rejects the first commands. */
function settlementOf(rejections: number) {
  const clock = new SimClock(epochMs(START));
  const commands: unknown[] = [];
  const warnings: string[] = [];
  const execute = async (command: unknown) => {
    commands.push(command);
    if (commands.length <= rejections) throw new Error('the queue is full');
    return [];
  };
  const deps: object = {
    clock,
    queue: { execute, now: START },
    log: { warn: (_: object, text: string) => warnings.push(text) },
    settings: { minedMs: 50, confirmedMs: 50 },
    faults: { drawTransaction: () => 'failed' },
    onStatus: () => undefined,
  };
  const settlement = new Settlement(deps as SettlementDeps);
  /** Runs the timers of so many ms. */
  const pass = async (ms: number): Promise<void> => {
    const end = epochMs(clock.now() + ms);
    while (clock.nextTime() <= end) {
      clock.runNext();
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.advanceTo(end);
  };
  return { settlement, commands, warnings, pass, clock };
}

describe('a reversal that the command queue rejects', () => {
  it('is repeated until the queue takes it', async () => {
    const { settlement, commands, warnings, pass, clock } = settlementOf(2);
    settlement.onCommitted([TRADED] as never, {} as never, clock.now());
    await pass(6_000);
    expect(commands).toHaveLength(3);
    expect(new Set(commands.map((command) => JSON.stringify(command)))).toHaveLength(1);
    expect(warnings).toHaveLength(2);
  });

  it('is not repeated after the venue has closed', async () => {
    const { settlement, commands, pass, clock } = settlementOf(2);
    settlement.onCommitted([TRADED] as never, {} as never, clock.now());
    await pass(500);
    expect(commands).toHaveLength(1);
    settlement.close();
    await pass(3_000);
    expect(commands).toHaveLength(1);
  });
});
