import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { durationMs, epochMs, marketNo } from '../../../src/domain/index.ts';
import type { CastVote, Decision, MarketCommand } from '../../../src/exchange/market-command.ts';
import type { ResolutionRequested } from '../../../src/exchange/market-event.ts';
import {
  manualResolver,
  type PanelModel,
  PanelResolver,
  type Resolver,
  ScriptedResolver,
} from '../../../src/exchange/markets/resolver.ts';

const NOW = epochMs(1000);

function resolutionRequest(market: number, round = 1): ResolutionRequested {
  return { type: 'resolutionRequested', market: marketNo(market), round, quorum: 2, panelSize: 3 };
}

function votesOf(commands: readonly MarketCommand[]): readonly CastVote[] {
  return commands.filter((command) => command.type === 'castVote');
}

const MODELS: readonly PanelModel[] = ['north', 'south', 'east', 'west'].map((name) => ({
  name,
  accuracy: 0.8,
  silence: 0.1,
  meanDelay: durationMs(60_000),
}));

function panel(models = MODELS, seed = 1, decisionOf: (market: number) => Decision = () => 'YES'): PanelResolver {
  return new PanelResolver({ random: seededRandom(seed), models, decisionOf });
}

const BODIES: readonly (readonly [string, Resolver])[] = [
  ['the manual resolver', manualResolver],
  ['a scripted resolver', new ScriptedResolver(new Map([[marketNo(1), { decision: 'NO', at: epochMs(5000) }]]))],
  ['a panel', panel()],
];

describe.each(BODIES)('%s', (_name, resolver) => {
  const questions = [1, 2, 3].flatMap((market) => [1, 2].map((round) => resolutionRequest(market, round)));

  it('votes only in the requested round, and each model once', () => {
    for (const question of questions) {
      const commands = resolver.commandsFor(question, NOW);
      const votes = votesOf(commands);
      expect(votes).toHaveLength(commands.length);
      expect(votes.length).toBeLessThanOrEqual(question.panelSize);
      expect(new Set(votes.map(({ vote }) => vote.model)).size).toBe(votes.length);
      for (const { market, round, time, note } of votes) {
        expect(note).toBe('');
        expect([market, round]).toEqual([question.market, question.round]);
        expect(time).toBeGreaterThanOrEqual(NOW);
      }
    }
  });

  it('gives every vote a unique id', () => {
    const ids = questions.flatMap((question) =>
      votesOf(resolver.commandsFor(question, NOW)).map(({ vote }) => vote.id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives the same response to the same request regardless of earlier ones', () => {
    const answers = questions.map((question) => resolver.commandsFor(question, NOW));
    const again = [...questions].reverse().map((question) => resolver.commandsFor(question, NOW));
    expect(again.reverse()).toEqual(answers);
  });
});

describe('a scripted resolver', () => {
  const script = new ScriptedResolver(
    new Map([
      [marketNo(1), { decision: 'NO', at: epochMs(5000), rationale: 'final score 0:1', sources: ['feed'] }],
      [marketNo(2), { decision: undefined }],
    ]),
  );

  it('reaches the quorum as soon as the outcome is known, not before', () => {
    const votes = votesOf(script.commandsFor(resolutionRequest(1, 3), NOW));
    expect(votes.map(({ time, round, vote }) => [time, round, vote.model, vote.vote])).toEqual([
      [5000, 3, 'record-1', 'NO'],
      [5000, 3, 'record-2', 'NO'],
    ]);
    expect(votes[0]?.vote).toMatchObject({ rationale: 'final score 0:1', sources: ['feed'] });
    expect(script.commandsFor(resolutionRequest(1), epochMs(6000)).map(({ time }) => time)).toEqual([6000, 6000]);
    const open = votesOf(script.commandsFor(resolutionRequest(2), NOW)).map(({ time, vote }) => [
      time,
      vote.vote,
      vote.rationale,
      vote.sources,
    ]);
    expect(open).toEqual([
      [1000, undefined, 'as recorded', []],
      [1000, undefined, 'as recorded', []],
    ]);
  });

  it('does not vote on a market without a record', () => {
    expect(script.commandsFor(resolutionRequest(3), NOW)).toEqual([]);
  });
});

describe('a panel of models', () => {
  it('is as accurate as its models, more confident when right, and responds after the configured delay', () => {
    const models: readonly PanelModel[] = [{ name: 'one', accuracy: 0.7, silence: 0.2, meanDelay: durationMs(1000) }];
    const resolver = panel(models, 5, (market) => (['YES', 'NO', 'CANCELLED', undefined] as const)[market % 4]);
    const votes = Array.from({ length: 2000 }, (_, market) =>
      votesOf(resolver.commandsFor(resolutionRequest(market), NOW)),
    ).flat();
    expect(Math.abs(votes.length - 1600)).toBeLessThan(60);
    const isRight = ({ market, vote }: CastVote) =>
      vote.vote === (['YES', 'NO', 'CANCELLED', undefined] as const)[market % 4];
    const right = votes.filter(isRight);
    expect(Math.abs(right.length / votes.length - 0.7)).toBeLessThan(0.04);
    expect(new Set(votes.filter((vote) => !isRight(vote)).map(({ vote }) => vote.vote)).size).toBe(4);
    for (const vote of votes) {
      const confidence = vote.vote.confidenceBps ?? -1;
      expect(confidence).toBeGreaterThanOrEqual(isRight(vote) ? 7000 : 5000);
      expect(confidence).toBeLessThanOrEqual(isRight(vote) ? 10_000 : 8000);
      expect(vote.vote.rationale).not.toBe('');
      expect(vote.vote.sources).toEqual([]);
    }
    const mean = votes.reduce((sum, { time }) => sum + time - NOW, 0) / votes.length;
    expect(Math.abs(mean - 1000)).toBeLessThan(80);
  });

  it('of certain models gives the right outcome, and of wrong models another', () => {
    const sure = MODELS.map((model) => ({ ...model, accuracy: 1, silence: 0 }));
    const wrong = sure.map((model) => ({ ...model, accuracy: 0 }));
    for (const truth of ['YES', 'NO', 'CANCELLED', undefined] as const) {
      const votes = votesOf(panel(sure, 1, () => truth).commandsFor(resolutionRequest(1), NOW));
      expect(votes.map(({ vote }) => vote.vote)).toEqual([truth, truth, truth]);
      const others = votesOf(panel(wrong, 1, () => truth).commandsFor(resolutionRequest(1), NOW));
      expect(others.filter(({ vote }) => vote.vote === truth)).toEqual([]);
    }
  });

  it('uses the first models, as many as the market has seats', () => {
    const sure = MODELS.map((model) => ({ ...model, silence: 0 }));
    const names = votesOf(panel(sure).commandsFor(resolutionRequest(1), NOW)).map(({ vote }) => vote.model);
    expect(names).toEqual(['north', 'south', 'east']);
  });

  it('votes differently in another round and with another seed', () => {
    const votes = (seed: number, round: number) =>
      Array.from({ length: 20 }, (_, market) =>
        panel(MODELS, seed).commandsFor(resolutionRequest(market, round), NOW),
      ).flat();
    const votesAndTimes = (commands: readonly MarketCommand[]) =>
      votesOf(commands).map(({ time, vote }) => [time, vote.vote]);
    expect(votesAndTimes(votes(1, 2))).not.toEqual(votesAndTimes(votes(1, 1)));
    expect(votesAndTimes(votes(2, 1))).not.toEqual(votesAndTimes(votes(1, 1)));
  });

  it.each([
    [[], 'models: expected at least one model, got 0'],
    [[{ accuracy: 2 }], 'models[0].accuracy: expected a probability from 0 to 1, got 2'],
    [[{}, { name: 'b', silence: -1 }], 'models[1].silence: expected a probability from 0 to 1, got -1'],
    [[{}, {}], 'models[1].name: expected a name that no other model has, got "a"'],
  ])('refuses the options %j', (overrides, message) => {
    const models = overrides.map((each) => ({ name: 'a', accuracy: 0.5, meanDelay: durationMs(1), ...each }));
    expect(() => panel(models)).toThrow(message);
  });
});
