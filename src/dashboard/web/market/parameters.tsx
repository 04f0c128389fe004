/** Parameters of the strategies on a market: edit, apply, revert. */
import { memo, useEffect, useState } from 'react';
import { setParameterMutation } from '../../generated/documents.ts';
import type { Parameter } from '../../generated/schema-types.ts';
import { mutate } from '../client.ts';
import { counted } from '../format.ts';
import { Empty, Panel, Table } from '../parts.tsx';
import { parseValue, rangeText } from './calculations.ts';

interface Edit extends Pick<Parameter, 'strategy' | 'name'> {
  readonly text: string;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const parameterKey = ({ strategy, name }: Pick<Parameter, 'strategy' | 'name'>): string => `${strategy}/${name}`;

interface ParametersPanelProps {
  readonly bot: string;
  readonly market: string;
  readonly parameters: readonly Parameter[];
}

export const ParametersPanel = memo(function ParametersPanel({ bot, market, parameters }: ParametersPanelProps) {
  const [edits, setEdits] = useState<ReadonlyMap<string, Edit>>(new Map());
  const [results, setResults] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const apply = async (): Promise<void> => {
    if (edits.size === 0 || isBusy) return;
    setIsBusy(true);
    const lines: string[] = [];
    const applied = new Set<Edit>();
    for (const each of edits.values()) {
      const { strategy, name, text } = each;
      try {
        const { setParameter } = await mutate(setParameterMutation, {
          bot,
          market,
          strategy,
          name,
          value: parseValue(text),
        });
        if (setParameter.done) applied.add(each);
        lines.push(setParameter.done ? setParameter.text : `${name} was not set: ${setParameter.text}`);
      } catch (error) {
        lines.push(`${name} was not set: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    setResults(lines);
    setEdits((latest) => new Map([...latest].filter(([, each]) => !applied.has(each))));
    setIsBusy(false);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void apply();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  const edit = (parameter: Parameter, text: string): void => {
    const next = new Map(edits);
    if (text === toText(parameter.value)) next.delete(parameterKey(parameter));
    else next.set(parameterKey(parameter), { strategy: parameter.strategy, name: parameter.name, text });
    setEdits(next);
    setResults([]);
  };
  const revert = (): void => {
    setEdits(new Map());
    setResults([]);
  };
  const meta = edits.size === 0 ? 'as the strategy runs now' : `${counted(edits.size, 'change')} not applied`;
  return (
    <Panel title="Parameters" meta={meta}>
      {parameters.length === 0 ? (
        <Empty>No strategy with parameters trades this market.</Empty>
      ) : (
        <>
          <Table label="Parameters of the strategy" className="parameter-table plain">
            {parameters.map((parameter) => {
              const { name, value, help, minimum, maximum } = parameter;
              const edited = edits.get(parameterKey(parameter));
              const bounds = rangeText(minimum, maximum);
              return (
                <tr key={parameterKey(parameter)} title={help ?? undefined}>
                  <th scope="row" className="mono">
                    {name}
                  </th>
                  <td className="num">
                    <input
                      className={`parameter-input ${edited === undefined ? '' : 'edited'}`}
                      aria-label={name}
                      value={edited?.text ?? toText(value)}
                      onChange={(event) => edit(parameter, event.target.value)}
                    />
                  </td>
                  <td className="dim">
                    {edited === undefined ? bounds : <span className="own">was {toText(value)}</span>}
                  </td>
                </tr>
              );
            })}
          </Table>
          <div className="apply">
            <p role="status">
              {results.length === 0 ? 'A change takes effect with the next quote.' : results.join(' · ')}
            </p>
            <button type="button" className="btn quiet" disabled={edits.size === 0} onClick={revert}>
              Revert
            </button>
            <button
              type="button"
              className="btn primary act"
              disabled={edits.size === 0 || isBusy}
              onClick={() => void apply()}
            >
              Apply <kbd>⌘↵</kbd>
            </button>
          </div>
        </>
      )}
    </Panel>
  );
});
