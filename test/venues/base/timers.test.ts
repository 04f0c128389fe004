import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { Timers } from '../../../src/venues/base/timers.ts';

describe('closed timers', () => {
  it('reject waits with STOPPED and resolve pauses', async () => {
    const clock = new SimClock(epochMs(0));
    const timers = new Timers(clock);
    const waits = [timers.wait(1_000), timers.wait(2_000)].map((wait) => wait.catch(({ code }) => code));
    const pause = timers.pause(3_000).then(() => 'resolved');
    clock.runNext();
    expect(clock.now()).toBe(1_000);
    await waits[0];
    timers.close();
    expect(await Promise.all([...waits, pause])).toEqual([undefined, 'STOPPED', 'resolved']);
    await expect(timers.wait(1)).rejects.toMatchObject({ code: 'STOPPED' });
    await expect(timers.pause(1)).resolves.toBeUndefined();
  });
});
