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

const STUDY = {
  dimensions: [{ kind: 'integer', name: 'params.width', low: 0, high: 3, log: false }],
  objectives: [],
  scores: [],
} as const;

describe('a study as text', () => {
  it('lists the front of several objectives below the best trials', () => {
    const text = studyText(STUDY, RESULT, 200);
    const [, front = ''] = text.split('2 on the front: no other trial beats them in every objective\n');
    expect(front.match(/^(\d) {2}.*$/gm)).toEqual([expect.stringMatching(/^0 /), expect.stringMatching(/^1 /)]);
  });

  it('omits and lists the last parameters on a narrow terminal', () => {
    const wide = { ...rich, params: { 'params.width': 1, 'params.refresh': 2, 'params.levels': 3 } };
    const text = studyText(STUDY, { ...RESULT, top: [wide], front: [] }, 40);
    expect(text).toContain('trial  pnl  inventory  width  refresh\n0      3    50         1      2\n');
    expect(text).toMatch(/not shown: levels/);
  });

  it('has no charts for a single parameter or a single trial', () => {
    expect(studyText(STUDY, RESULT, 200)).not.toMatch(/●|no trial/);
  });

  it('has no front for a single objective', () => {
    const best = { ...rich, values: { pnl: 3 } };
    expect(studyText(STUDY, { ...RESULT, best, top: [best], front: [best] }, 200)).not.toContain('front');
  });

  it('shows the results of baselines in the tests, if there are tests', () => {
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
    expect(studyText(STUDY, { ...RESULT, controls, outOfSample }, 200)).toMatch(
      /in the tests \$\ndo nothing +1 ± 0\.5 +4 ± 0\.25\n/,
    );
    expect(studyText(STUDY, RESULT, 200)).not.toContain('in the tests');
  });
});
