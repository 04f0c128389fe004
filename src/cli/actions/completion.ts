/** Generates scripts that complete commands and options in a shell, from the table of commands. */
import { InputFault } from '../../domain/index.ts';
import { type Action, type CommandSpec, toTerms } from '../command.ts';

const SHELLS: Readonly<Record<string, (specs: readonly CommandSpec[]) => string>> = { bash, zsh, fish };

/** @throws InputFault for an unknown shell */
export function completion(specs: readonly CommandSpec[]): Action {
  return ({ terminal }, [shell = '']) => {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (script === undefined) throw new InputFault('shell', shell, Object.keys(SHELLS).join(', '));
    terminal.out.write(script(specs));
  };
}

/** Returns the candidates after each chain of commands, such as `tape info`. */
function candidates(specs: readonly CommandSpec[], path = ''): readonly (readonly [string, readonly string[]])[] {
  const names = specs.map(({ name }) => name);
  const inner = specs.flatMap((spec) => {
    const next = path === '' ? spec.name : `${path} ${spec.name}`;
    if (spec.commands !== undefined) return candidates(spec.commands, next);
    const flags = Object.keys(spec.options ?? {}).flatMap((optionSyntax) => optionSyntax.match(/--[a-z-]+/)?.[0] ?? []);
    return [[next, [...flags, '--help']] as const];
  });
  return [[path, path === '' ? [...names, 'help', '--version', '--help'] : [...names, '--help']], ...inner];
}

function bash(specs: readonly CommandSpec[]): string {
  const all = candidates(specs);
  const cases = all.map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`);
  return `# Completion of halfspread for bash: source <(npx halfspread completion bash)
_halfspread() {
  local current=\${COMP_WORDS[COMP_CWORD]} first=1 path='' words='' i
  COMPREPLY=()
  if [ "\${COMP_WORDS[0]##*/}" = npx ]; then
    if [ "$COMP_CWORD" -lt 2 ]; then
      COMPREPLY=($(compgen -W halfspread -- "$current"))
      return
    fi
    [ "\${COMP_WORDS[1]}" = halfspread ] || return
    first=2
  fi
  for ((i = first; i < COMP_CWORD; i++)); do
    case " ${all.map(([path]) => path.replaceAll(' ', '/')).join(' ')} " in
      *" \${path:+$path/}\${COMP_WORDS[i]} "*) path=\${path:+$path/}\${COMP_WORDS[i]} ;;
    esac
  done
  case "\${path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _halfspread halfspread npx
`;
}

function zsh(specs: readonly CommandSpec[]): string {
  return `# Completion of halfspread for zsh: source <(npx halfspread completion zsh)
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(specs).split('\n').slice(1).join('\n')}`;
}

function fish(specs: readonly CommandSpec[]): string {
  const lines = specs.flatMap((spec) => [
    fishLine('__fish_use_subcommand', `-a ${spec.name}`, spec.summary ?? spec.description),
    ...(spec.commands ?? []).flatMap((inner) => [
      fishLine(`__fish_seen_subcommand_from ${spec.name}`, `-a ${inner.name}`, inner.summary ?? inner.description),
      ...fishOptions(inner),
    ]),
    ...fishOptions(spec),
  ]);
  return `# Completion of halfspread for fish: npx halfspread completion fish | source\n${lines.join('\n')}\n`;
}

function fishOptions(spec: CommandSpec): readonly string[] {
  return toTerms(spec.options ?? {}).flatMap(([optionSyntax, { meaning }]) => {
    const name = optionSyntax.match(/--([a-z-]+)/)?.[1];
    return name === undefined ? [] : [fishLine(`__fish_seen_subcommand_from ${spec.name}`, `-l ${name}`, meaning)];
  });
}

function fishLine(condition: string, candidate: string, meaning: string): string {
  const text = meaning.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `complete -c halfspread -n '${condition}' ${candidate} -d '${text}'`;
}
