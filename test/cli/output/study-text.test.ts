import { describe, expect, it } from 'vitest';
import { studyText } from '../../../src/cli/output/study-text.ts';
import type { StudyResult } from '../../../src/research/index.ts';

const trial = (number: number, pnl: number, inventory: number) => ({
  number,
  params: { 'params.width': number },
  values: { pnl, inventory },
});
const [rich, small, poor] = [trial(0, 3, 50), trial(1, 2, 10), trial(2, 1, 60)];

const RESULT: StudyResult = {
  trials: { done: 3, failed: 0 },
  best: rich,
  middle: rich,
  top: [rich, small, poor],
  front: [rich, small],
  importance: [],
  problems: {},
  dsr: null,
  pbo: null,
  eventsNeeded: null,
  tests: [],
  outOfSample: null,
  controls: [{ name: 'do nothing', markets: 2, pnl: 0, error: 0, test: null }],
  random: null,
  warnings: [],
};

describe('a study as text', () => {
  it('lists the front of several objectives below the best trials', () => {
    const text = studyText(RESULT, 200);
    const [, front = ''] = text.split('2 on the front: no other trial beats them in every objective\n');
    expect(front.match(/^(\d) {2}.*$/gm)).toEqual([expect.stringMatching(/^0 /), expect.stringMatching(/^1 /)]);
  });

  it('has no front for a single objective', () => {
    const best = { ...rich, values: { pnl: 3 } };
    expect(studyText({ ...RESULT, best, top: [best], front: [best] }, 200)).not.toContain('front');
  });

  it('shows what controls made in the tests, if there are tests', () => {
    const controls = [
      {
        ...RESULT.controls[0],
        name: 'do nothing',
        markets: 2,
        pnl: 1,
        error: 0.5,
        test: { name: 'do nothing', markets: 3, pnl: 4, error: 0.25 },
      },
    ];
    const outOfSample = { markets: 3, events: 3, pnl: 1, error: 1, interval: null, passes: false };
    expect(studyText({ ...RESULT, controls, outOfSample }, 200)).toMatch(
      /in the tests \$\ndo nothing +1 ± 0\.5 +4 ± 0\.25\n/,
    );
    expect(studyText(RESULT, 200)).not.toContain('in the tests');
  });
});
