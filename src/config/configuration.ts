/** A configuration: a YAML file, with what the command line changes of it, and who is to blame for each value. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { InputFault } from '../domain/index.ts';
import { ConfigFault, type Place } from './config-fault.ts';
import { parseYaml, readYaml, type YamlFile, type YamlPath } from './yaml-file.ts';

export interface Configuration {
  readonly shown: string;
  /** Absolute. */
  readonly path: string;
  readonly value: unknown;
  /** Where a field of the file has its value, or the nearest field above it; undefined where an option set it. */
  placeOf(field: string): Place | undefined;
  /** The fault of a field as a fault of the file's line, or of the option that set it; others come back as they are. */
  blame(fault: unknown): unknown;
}

const VERSION = 1;

interface Override {
  readonly option: string;
  readonly path: YamlPath;
  readonly value: unknown;
}

/** @param sets `key=value` each: a dotted key (`tapes[0]`), the value in YAML. @throws ConfigFault */
export function readConfiguration(file: string, cwd: string, sets: readonly string[] = []): Configuration {
  const path = resolve(cwd, file);
  const yaml = readYaml(path, file);
  const overrides = sets.map(parseOverride);
  const configuration: Configuration = {
    shown: file,
    path,
    value: overrides.reduce((value, override) => changed(value, override.path, override), yaml.value),
    placeOf: (field) => (overrideOf(field, overrides) === undefined ? yaml.valueAt(parsePath(field)) : undefined),
    blame: (fault) => (fault instanceof InputFault ? blamed(fault, yaml, overrides) : fault),
  };
  refuseOtherVersions(configuration);
  return configuration;
}

/** Before a schema sees it: in a file of another version each key may mean something else. */
function refuseOtherVersions({ value, blame }: Configuration): void {
  const version: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'version') : undefined;
  if (version === undefined || version === VERSION) return;
  const remedy = 'update halfspread for a newer file, or use the keys of docs/configuration.md';
  throw blame(
    new InputFault('version', version, `${VERSION}, the only version that this halfspread reads (${remedy})`),
  );
}

/** `params.levels[2]` as keys and indexes. */
export function parsePath(text: string): YamlPath {
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

/** `a.b[0].c`, nothing between and nothing left over. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const KEY = /^[\w-]+(\[\d+\])*(\.[\w-]+(\[\d+\])*)*$/;

function parseOverride(option: string): Override {
  const at = option.indexOf('=');
  const path = parsePath(option.slice(0, Math.max(at, 0)));
  if (at < 1 || !KEY.test(option.slice(0, at))) {
    throw new ConfigFault(`--set ${option}`, 'expected key=value, for example --set params.order_levels=3');
  }
  const text = option.slice(at + 1);
  // A shell takes the quotes that YAML wants around an address, and a number has lost most of its digits.
  if (ADDRESS.test(text)) return { option, path, value: text };
  try {
    return { option, path, value: parseYaml(text, '').value };
  } catch (cause) {
    if (!(cause instanceof ConfigFault)) throw cause;
    throw new ConfigFault(`--set ${option}`, `the value is no YAML (${cause.problem}). Quote it`, { cause });
  }
}

/** A copy with one value changed; objects on the way are made where there are none. */
function changed(value: unknown, path: YamlPath, override: Override): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return override.value;
  if (typeof step === 'number') {
    if (!Array.isArray(value))
      throw new ConfigFault(`--set ${override.option}`, `there is no list to change at [${step}]`);
    const list: readonly unknown[] = value;
    if (step > list.length) {
      throw new ConfigFault(`--set ${override.option}`, `there is no [${step}]: the list has ${list.length} entries`);
    }
    return list.toSpliced(step, 1, changed(list[step], rest, override));
  }
  if (step === '__proto__') throw new ConfigFault(`--set ${override.option}`, 'no key may be called "__proto__"');
  if (value !== null && value !== undefined && (typeof value !== 'object' || Array.isArray(value))) {
    throw new ConfigFault(`--set ${override.option}`, `${step} cannot be set: what is there is no object`);
  }
  return {
    ...value,
    [step]: changed(value === null || value === undefined ? undefined : Reflect.get(value, step), rest, override),
  };
}

function blamed(fault: InputFault, yaml: YamlFile, overrides: readonly Override[]): ConfigFault {
  const path = parsePath(fault.field);
  const override = overrideOf(fault.field, overrides);
  if (override !== undefined) return new ConfigFault(`--set ${override.option}`, fault.message, { cause: fault });
  const { cause } = fault;
  const aboutKey = cause instanceof z.ZodError && cause.issues.some(({ code }) => code === 'unrecognized_keys');
  const hint = path.length > 1 && path[0] === 'params' && overrides.some(isStrategy) ? ANOTHERS_PARAMS : '';
  return new ConfigFault(aboutKey ? yaml.keyAt(path) : yaml.valueAt(path), fault.message + hint, { cause: fault });
}

/** The last option that set a field, or something above it. */
function overrideOf(field: string, overrides: readonly Override[]): Override | undefined {
  const path = parsePath(field);
  return overrides.findLast((one) => one.path.every((step, depth) => String(step) === String(path[depth])));
}

const ANOTHERS_PARAMS =
  '. The file has these parameters for its own strategy: put --set "params={}" before what you set yourself';

function isStrategy({ path }: Override): boolean {
  return path.length === 1 && path[0] === 'strategy';
}
