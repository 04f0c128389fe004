import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/cli/commands.ts';
import { halfspread } from './halfspread.ts';

/** What bash offers for a line whose last word is being typed. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const call = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _halfspread; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8', timeout: 120_000 });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('halfspread completion bash', () => {
  let script = '';
  beforeAll(async () => {
    script = (await halfspread(['completion', 'bash'])).stdout;
  });

  it('offers every command', () => {
    const names = GROUPS.flatMap(([, specs]) => specs.map(({ name }) => name));
    expect(offered(script, ['halfspread', ''])).toEqual(expect.arrayContaining(names));
  });

  it('completes a partial command', () => {
    expect(offered(script, ['halfspread', 'backt'])).toEqual(['backtest']);
  });

  it('offers the subcommands of a command', () => {
    expect(offered(script, ['halfspread', 'tape', 'i'])).toEqual(['info']);
  });

  it('offers the options of a command after its operands', () => {
    expect(offered(script, ['halfspread', 'backtest', 'config/demo.yaml', '--js'])).toEqual(['--json']);
    expect(offered(script, ['halfspread', 'tape', 'generate', 'x.yaml', '--ou'])).toEqual(['--out']);
  });

  it('completes after npx, and leaves other commands of npx alone', () => {
    expect(offered(script, ['npx', 'half'])).toEqual(['halfspread']);
    expect(offered(script, ['npx', 'halfspread', 'dem'])).toEqual(['demo']);
    expect(offered(script, ['npx', 'vitest', 'r'])).toEqual([]);
  });
});

describe('halfspread completion', () => {
  it('prints the same commands for zsh and fish', async () => {
    expect((await halfspread(['completion', 'zsh'])).stdout).toContain('bashcompinit');
    const { stdout } = await halfspread(['completion', 'fish']);
    expect(stdout).toContain("complete -c halfspread -n '__fish_seen_subcommand_from backtest' -l json -d");
  });

  it('lists the supported shells', async () => {
    const { code, stderr } = await halfspread(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
