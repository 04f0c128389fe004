import { describe, expect, it } from 'vitest';
import { keepAwake, nextTurn } from '../../src/clock/index.ts';

async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

describe('keepAwake', () => {
  it('calls its work when the time has come, counted from the end of the last call', async () => {
    let now = 10;
    const begun: number[] = [];
    const stop = keepAwake(
      2,
      () => {
        begun.push(now);
        now += 5;
      },
      () => now,
    );
    await turns();
    expect(begun).toEqual([]);
    now = 12;
    await turns();
    expect(begun).toEqual([12]);
    now = 18;
    await turns();
    expect(begun).toEqual([12]);
    now = 19;
    await turns();
    expect(begun).toEqual([12, 19]);
    stop();
  });

  it('looks on in each turn of the loop, and not after it was ended, not even by its work', async () => {
    let looks = 0;
    const stop = keepAwake(
      0,
      () => {},
      () => {
        looks += 1;
        return 0;
      },
    );
    await turns(50);
    expect(looks).toBeGreaterThanOrEqual(50);
    stop();
    const before = looks;
    await turns();
    expect(looks).toBe(before);

    let works = 0;
    const end = keepAwake(
      0,
      () => {
        works += 1;
        end();
      },
      () => 0,
    );
    await turns();
    expect(works).toBe(1);
  });

  it('lets timers have their turn', async () => {
    const stop = keepAwake(0, () => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    stop();
  });
});
