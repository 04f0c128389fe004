/** The command line as a page for people, made from the program itself. */
import type { Command } from 'commander';
import { EXIT, EXIT_MEANING } from '../../src/cli/exit-code.ts';

/** A Markdown section for each command that does something, then the exit codes. */
export function cliReference(program: Command): string {
  return [...runnableCommands(program).map(({ command, name }) => section(command, name)), exitCodes()].join('\n');
}

/** Commands without commands of their own, each with its whole name. */
export function runnableCommands(
  command: Command,
  above = '',
): readonly { readonly command: Command; readonly name: string }[] {
  const name = `${above} ${command.name()}`.trim();
  const isRunnable = command.commands.length === 0 || command.registeredArguments.length > 0;
  return [
    ...(isRunnable ? [{ command, name }] : []),
    ...command.commands.flatMap((inner) => runnableCommands(inner, name)),
  ];
}

function section(command: Command, name: string): string {
  const help = command.createHelp();
  const items = [
    ...help.visibleArguments(command).map((one) => [`<${one.name()}>`, help.argumentDescription(one)] as const),
    ...help.visibleOptions(command).map((one) => [help.optionTerm(one), help.optionDescription(one)] as const),
  ];
  const usage = `${name} ${command.usage()}`;
  return [
    `## ${name}`,
    '',
    command.description(),
    '',
    '```',
    usage,
    '```',
    '',
    '| | |',
    '|---|---|',
    ...items.map(([term, meaning]) => `| \`${term.replaceAll('|', '\\|')}\` | ${meaning} |`),
    '',
  ].join('\n');
}

function exitCodes(): string {
  const names: readonly (keyof typeof EXIT)[] = [
    'ok',
    'internal',
    'differs',
    'usage',
    'data',
    'strategy',
    'venue',
    'interrupted',
    'terminated',
  ];
  return [
    '## Exit codes',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...names.map((name) => `| ${EXIT[name]} | ${EXIT_MEANING[name]} |`),
    '',
  ].join('\n');
}
