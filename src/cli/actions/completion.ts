/** Generates scripts that complete commands and options in a shell, from the table of commands. */
import { InputFault } from '../../domain/index.ts';
import { type Action, type CommandSpec, toEntries } from '../command.ts';

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
function candidates(specs: readonly CommandSpec[]): readonly (readonly [string, readonly string[]])[] {
  return [['', [...specs.map(({ name }) => name), 'help', '--version', '--help']], ...innerCandidates(specs, '')];
}

function innerCandidates(specs: readonly CommandSpec[], path: string): readonly (readonly [string, string[]])[] {
  return specs.flatMap((spec) => {
    const next = `${path}${spec.name}`;
    const inner = spec.commands ?? [];
    const words = [...inner.map(({ name }) => name), ...optionNames(spec).map(([name]) => `--${name}`), '--help'];
    return [[next, words] as const, ...innerCandidates(inner, `${next} `)];
  });
}

/** Returns the long names of a command's options without dashes, and their meanings. */
function optionNames(spec: CommandSpec): readonly (readonly [name: string, meaning: string])[] {
  return toEntries(spec.options ?? {}).flatMap(([optionSyntax, { meaning }]) => {
    const name = optionSyntax.match(/--([a-z\d-]+)/)?.[1];
    return name === undefined ? [] : [[name, meaning] as const];
  });
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
  const paths = candidates(specs).flatMap(([path]) => (path === '' ? [] : [path.replaceAll(' ', '/')]));
  return `# Completion of halfspread for fish: npx halfspread completion fish | source
function __halfspread_at
  set -l path
  for word in (commandline -opc)[2..]
    set -l next (string join -- / $path $word)
    contains -- $next ${paths.join(' ')}; and set path $next
  end
  test "$path" = "$argv"
end
${fishLines(specs).join('\n')}
`;
}

function fishLines(specs: readonly CommandSpec[], path = ''): readonly string[] {
  return specs.flatMap((spec) => {
    const next = path === '' ? spec.name : `${path}/${spec.name}`;
    return [
      fishLine(path, `-a ${spec.name}`, spec.summary ?? spec.description),
      ...fishLines(spec.commands ?? [], next),
      ...optionNames(spec).map(([name, meaning]) => fishLine(next, `-l ${name}`, meaning)),
    ];
  });
}

/** @param path the commands before the candidate, such as `tape/info` */
function fishLine(path: string, candidate: string, meaning: string): string {
  const text = meaning.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `complete -c halfspread -n '__halfspread_at ${path}' ${candidate} -d '${text}'`;
}
