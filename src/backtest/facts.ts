/** Lists inputs and settings of a run for the report. The list does not depend on the machine. */
import type { LoadedEntry } from '../runtime/index.ts';
import type { OpenTapes } from './open-tapes.ts';
import type { Fact } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';

const MAX_TAPES = 20;

export function runFacts(spec: RunSpec, strategies: readonly LoadedEntry[], tapes: OpenTapes): readonly Fact[] {
  const derivedTimes = 'not on the tape: exchange time plus feed latency';
  return [
    ...strategies.flatMap(({ name, strategy, loaded }) => [
      { name: 'Strategy', value: `${name}: ${strategy.summary}` },
      { name: 'Strategy sources', value: `sha256 ${loaded.sha256}` },
    ]),
    { name: 'Seed', value: String(spec.seed) },
    { name: 'Capital', value: `${spec.capital_usd} USD` },
    { name: 'Window', value: `${spec.from ?? 'first row'} to ${spec.to ?? 'last row'}` },
    { name: 'Receive times', value: tapes.receiveTime === 'recorded' ? 'recorded on the tape' : derivedTimes },
    { name: 'Parameters fitted on these tapes', value: describeFitting(spec, tapes) },
    ...(tapes.lookAheadFields.length === 0
      ? []
      : [{ name: 'Tapes chosen by facts known later', value: `yes (in-sample): ${tapes.lookAheadFields.join(', ')}` }]),
    ...(tapes.manifests.length <= MAX_TAPES
      ? []
      : [{ name: 'Tapes', value: `${tapes.manifests.length}, of which the first ${MAX_TAPES} follow` }]),
    ...tapes.manifests.slice(0, MAX_TAPES).flatMap(({ name, source, units }, index): Fact[] => {
      const tape = tapes.manifests.length === 1 ? 'Tape' : `Tape ${index + 1}`;
      return [
        { name: `${tape}: source`, value: `${name}: ${source.description}` },
        { name: `${tape}: licence`, value: source.licence },
        ...source.files.map((file) => ({ name: `${tape}: recording`, value: `${file.name}, sha256 ${file.sha256}` })),
        ...units.map((unit) => ({ name: `${tape}: conversion`, value: unit })),
      ];
    }),
  ];
}

function describeFitting({ in_sample, fitted_on }: RunSpec, { fittedTapes }: OpenTapes): string {
  if (fittedTapes.length > 0) return `yes (in-sample): ${fittedTapes.slice(0, MAX_TAPES).join(', ')}`;
  if (in_sample) return 'yes (in-sample)';
  return fitted_on.length === 0 ? 'not stated' : `no: on ${fitted_on.length} other tapes`;
}

export function settingFacts({ risk, execution, limits, uptime }: RunSpec): readonly Fact[] {
  return Object.entries({ risk, execution, limits, uptime }).flatMap(([name, values]) =>
    configurationFacts(name, values),
  );
}

/** Returns the keys of a configuration section that have a value. */
export function configurationFacts(name: string, values: Readonly<Record<string, unknown>>): readonly Fact[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ name: `${name}.${key}`, value: String(value) }));
}
