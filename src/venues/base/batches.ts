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

/**
 * Splits a list into batches, in order.
 * @param maxSize largest batch; a value below 1, or NaN, counts as 1, so that every entry is in a batch
 */
export function batches<T>(list: readonly T[], maxSize: number): readonly (readonly T[])[] {
  if (list.length === 0) return [];
  if (list.length <= maxSize) return [list];
  const size = maxSize >= 1 ? Math.floor(maxSize) : 1;
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
