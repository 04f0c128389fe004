import type { OrderCommand } from '../../domain/index.ts';

/** Commands in runs, each with its first: places that follow each other are one run, likewise cancels; any other command is alone. */
export function commandRuns(
  commands: readonly OrderCommand[],
): readonly { readonly first: OrderCommand; readonly run: readonly OrderCommand[] }[] {
  const runs = [];
  let end = 0;
  for (const [at, first] of commands.entries()) {
    if (at < end) continue;
    end = at + 1;
    if (first.type === 'place' || first.type === 'cancel') while (commands[end]?.type === first.type) end += 1;
    runs.push({ first, run: commands.slice(at, end) });
  }
  return runs;
}
