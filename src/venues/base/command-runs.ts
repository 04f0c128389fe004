import type { OrderCommand } from '../../domain/index.ts';

/** Splits commands into runs: consecutive places form one run, as do consecutive cancels. Any other command is its own run. */
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
