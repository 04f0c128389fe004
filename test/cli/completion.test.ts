import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/cli/commands.ts';
import { halfspread } from './halfspread.ts';

/** The completions that bash offers for the last word of a line. */
function completions(script: string, words: readonly string[]): readonly string[] {
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
    expect(completions(script, ['halfspread', ''])).toEqual(expect.arrayContaining(names));
  });

  it('completes a partial command', () => {
    expect(completions(script, ['halfspread', 'backt'])).toEqual(['backtest']);
  });

  it('offers the subcommands of a command', () => {
    expect(completions(script, ['halfspread', 'tape', 'i'])).toEqual(['info']);
  });

  it('offers the options of a command after its operands', () => {
    expect(completions(script, ['halfspread', 'backtest', 'config/demo.yaml', '--js'])).toEqual(['--json']);
    expect(completions(script, ['halfspread', 'tape', 'generate', 'x.yaml', '--ou'])).toEqual(['--out']);
  });

  it('offers options with a digit in their name', () => {
    expect(completions(script, ['halfspread', 'tape', 'fetch', '--s3'])).toEqual(['--s3-endpoint', '--s3-region']);
  });

  it('offers the options of a command that has subcommands', () => {
    expect(completions(script, ['halfspread', 'optimize', '--tri'])).toEqual(['--trials']);
  });

  it('completes after npx, but not other commands of npx', () => {
    expect(completions(script, ['npx', 'half'])).toEqual(['halfspread']);
    expect(completions(script, ['npx', 'halfspread', 'dem'])).toEqual(['demo']);
    expect(completions(script, ['npx', 'vitest', 'r'])).toEqual([]);
  });
});

describe('halfspread completion', () => {
  it('prints the same commands for zsh and fish', async () => {
    expect((await halfspread(['completion', 'zsh'])).stdout).toContain('bashcompinit');
    const { stdout } = await halfspread(['completion', 'fish']);
    expect(stdout).toContain("complete -c halfspread -n '__halfspread_at backtest' -l json -d");
  });

  it('offers fish the options of each command only after its own parents', async () => {
    const { stdout } = await halfspread(['completion', 'fish']);
    const offered = Object.groupBy(
      stdout.matchAll(/^complete .* -n '(.*?)' -l (\S+) /gm),
      ([, condition = '']) => condition,
    );
    const options = (path: string) => offered[`__halfspread_at ${path}`]?.map(([, , name]) => name);
    expect(options('config/check')).toEqual(['set']);
    expect(options('tape/check')).toEqual(['from', 'json']);
    expect(options('journal/check')).toEqual(['no-replay', 'json']);
  });

  it('lists the supported shells', async () => {
    const { code, stderr } = await halfspread(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
