import type { OrderCommand } from '../../domain/index.ts';

/** Carries out commands by runs: places that follow each other are one, likewise cancels; any other command is alone. */
export function forEachRun(
  commands: readonly OrderCommand[],
  carryOut: (first: OrderCommand, run: readonly OrderCommand[]) => void,
): void {
  for (let at = 0; at < commands.length; ) {
    const first = commands[at];
    if (first === undefined) return;
    let end = at + 1;
    if (first.type === 'place' || first.type === 'cancel') while (commands[end]?.type === first.type) end += 1;
    carryOut(first, commands.slice(at, end));
    at = end;
  }
}
