import { describe, expect, it } from 'vitest';
import { ROOT } from './halfspread.ts';
import { runInProcess } from './trading.ts';
import { workspace } from './workspace.ts';

describe('an invalid command line', { concurrent: true }, () => {
  it.each([
    [['bakctest'], /unknown command 'bakctest'\n\(Did you mean backtest\?\)/],
    [['backtest'], /missing required argument 'config'/],
    [['backtest', 'run.yaml', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
    [['tape', 'generate', 'recipe.yaml'], /required option '--out <file>' not specified/],
    [['new', 'strategy', 'ladder'], /name: expected another name: .* the shipped strategy .*, got "ladder"/],
    [['new', 'strategy', 'My Maker'], /name: expected kebab-case, for instance my-maker, got "My Maker"/],
    [
      ['config', 'schema', 'blog'],
      /kind: expected "backtest", "synthetic", "venue", "chaos", "live", "import" or "study", got "blog"/,
    ],
  ])('exits with code 2 and names what is valid: %j', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('reports before a demo starts that its report cannot be written', async () => {
    const { code, stdout, stderr } = await runInProcess(['demo', '--report', 'package.json/demo.html'], ROOT);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('package.json is not a folder. Name a file that can be written (--report)');
  });

  it('reports that a part of a path is a file where a folder is expected', async () => {
    const { folder, write } = workspace();
    write('taken', '');
    const demo = await runInProcess(['demo', '--keep', 'taken'], folder);
    expect(demo.code).toBe(2);
    expect(demo.stderr).toContain('--keep: expected a folder that is empty or does not exist yet, got "taken"');
    const made = await runInProcess(['new', 'strategy', 'my-maker', '--dir', 'taken'], folder);
    expect(made.code).toBe(3);
    expect(made.stderr).toContain('taken/my-maker: cannot be created: ');
    const cut = await runInProcess(['tape', 'cut', 'match.tape', '--out', 'taken/cut.tape'], folder);
    expect(cut.code).toBe(3);
    expect(cut.stderr).toContain('A part of the path is a file, not a folder: name another path');
  });
});
