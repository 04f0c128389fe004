import type { OrderCommand } from '../../domain/index.ts';

/** Groups consecutive places, and consecutive cancels. Any other command is a separate group. */
export function groupCommands(
  commands: readonly OrderCommand[],
): readonly { readonly first: OrderCommand; readonly group: readonly OrderCommand[] }[] {
  const groups = [];
  let end = 0;
  for (const [start, first] of commands.entries()) {
    if (start < end) continue;
    end = start + 1;
    if (first.type === 'place' || first.type === 'cancel') while (commands[end]?.type === first.type) end += 1;
    groups.push({ first, group: commands.slice(start, end) });
  }
  return groups;
}

/** Splits a list into batches, in order. A `maxSize` below 1, or NaN, means 1, so that every entry is in a batch. */
export function batches<T>(list: readonly T[], maxSize: number): readonly (readonly T[])[] {
  if (list.length === 0) return [];
  if (list.length <= maxSize) return [list];
  const size = maxSize >= 1 ? Math.floor(maxSize) : 1;
  return Array.from({ length: Math.ceil(list.length / size) }, (_, batch) =>
    list.slice(batch * size, (batch + 1) * size),
  );
}
