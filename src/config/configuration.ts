/** Reads a YAML file with overrides of the command line, and keeps the place of each value for error messages. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { InputFault } from '../domain/index.ts';
import { getMember } from '../network/index.ts';
import { fileVersion, parseStrict } from '../strategy/index.ts';
import { ConfigFault, type Place } from './config-fault.ts';
import { parseYaml, readYaml, type YamlFile, type YamlPath } from './yaml-file.ts';

export interface Configuration {
  /** The path as the user wrote it, for messages. */
  readonly givenPath: string;
  /** Absolute path. */
  readonly path: string;
  readonly value: unknown;
  /** Place of a field's value, or of its nearest existing parent; undefined if `--set` set the value. */
  placeOf(field: string): Place | undefined;
  /** Adds the place in the file, or `--set`, to a fault of a key. Returns other faults, such as `--port`, unchanged. */
  locateFault(fault: unknown): unknown;
}

interface Override {
  readonly option: string;
  readonly path: YamlPath;
  readonly value: unknown;
}

/** @param sets `key=value` with a dotted key (`tapes[0]`) and a YAML value. @throws ConfigFault */
export function readConfiguration(file: string, cwd: string, sets: readonly string[] = []): Configuration {
  const path = resolve(cwd, file);
  const yaml = readYaml(path, file);
  const overrides = sets.map(parseOverride);
  const configuration: Configuration = {
    givenPath: file,
    path,
    value: overrides.reduce((value, override) => withOverride(value, override.path, override), yaml.value),
    placeOf: (field) =>
      findOverride(field, overrides) === undefined ? yaml.placeOfValue(parsePath(field)) : undefined,
    locateFault: (fault) =>
      fault instanceof InputFault && !fault.field.startsWith('--') ? faultWithPlace(fault, yaml, overrides) : fault,
  };
  refuseOtherVersions(configuration);
  return configuration;
}

/** Checks the version before the schema, because keys may have other meanings in another version. */
function refuseOtherVersions({ value, locateFault }: Configuration): void {
  const version: unknown = getMember(value, 'version');
  try {
    parseStrict(z.object({ version: fileVersion }), { version }, '');
  } catch (fault) {
    throw locateFault(fault);
  }
}

/** Splits a field such as `params.levels[2]` into keys and indexes. */
export function parsePath(text: string): YamlPath {
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

/** Matches dotted keys such as `a.b[0].c`. */
const KEY = /^[\w-]+(\[\d+\])*(\.[\w-]+(\[\d+\])*)*$/;
const ADDRESS_OR_CONDITION_ID = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

function parseOverride(option: string): Override {
  const equals = option.indexOf('=');
  const path = parsePath(option.slice(0, Math.max(equals, 0)));
  if (equals < 1 || !KEY.test(option.slice(0, equals)))
    throw new ConfigFault(`--set ${option}`, 'expected key=value, for example --set params.order_levels=3');
  const text = option.slice(equals + 1);
  // The shell removes quotes. YAML would parse an address or a condition id without quotes as a number and lose digits.
  if (ADDRESS_OR_CONDITION_ID.test(text)) return { option, path, value: text };
  try {
    return { option, path, value: parseYaml(text, '').value };
  } catch (cause) {
    if (!(cause instanceof ConfigFault)) throw cause;
    throw new ConfigFault(`--set ${option}`, `the value is not valid YAML (${cause.problem}). Quote it`, { cause });
  }
}

/** Copies a value with a replacement at a dotted key. @throws InputFault for a key that cannot be set */
export function withKey(value: unknown, key: string, replacement: unknown): unknown {
  const path = parsePath(key);
  try {
    return withOverride(value, path, { option: key, path, value: replacement });
  } catch (cause) {
    if (!(cause instanceof ConfigFault)) throw cause;
    throw new InputFault(key, replacement, `a key that can be set (${cause.problem})`, { cause });
  }
}

/** Copies a value with one override. Creates missing objects on the path. */
function withOverride(value: unknown, [step, ...rest]: YamlPath, override: Override): unknown {
  if (step === undefined) return override.value;
  const fault = (problem: string) => new ConfigFault(`--set ${override.option}`, problem);
  if (typeof step === 'number') {
    if (!Array.isArray(value)) throw fault(`there is no list to change at [${step}]`);
    const list: readonly unknown[] = value;
    if (step > list.length) throw fault(`there is no [${step}]: the list has ${list.length} entries`);
    return list.toSpliced(step, 1, withOverride(list[step], rest, override));
  }
  if (step === '__proto__') throw fault('no key may be called "__proto__"');
  const parent = value ?? {};
  if (typeof parent !== 'object' || Array.isArray(parent))
    throw fault(`${step} cannot be set: its parent is not an object`);
  return { ...parent, [step]: withOverride(getMember(parent, step), rest, override) };
}

function faultWithPlace(fault: InputFault, yaml: YamlFile, overrides: readonly Override[]): ConfigFault {
  const path = parsePath(fault.field);
  const override = findOverride(fault.field, overrides);
  if (override !== undefined) return new ConfigFault(`--set ${override.option}`, fault.message, { cause: fault });
  const { cause } = fault;
  const isAboutKey = cause instanceof z.ZodError && cause.issues.some(({ code }) => code === 'unrecognized_keys');
  const isStrategySet = overrides.some((each) => each.path.length === 1 && each.path[0] === 'strategy');
  const hint = path.length > 1 && path[0] === 'params' && isStrategySet ? OTHER_STRATEGY_HINT : '';
  return new ConfigFault(isAboutKey ? yaml.placeOfKey(path) : yaml.placeOfValue(path), fault.message + hint, {
    cause: fault,
  });
}

/** Returns the last option that set a field or one of its parents. */
function findOverride(field: string, overrides: readonly Override[]): Override | undefined {
  const path = parsePath(field);
  return overrides.findLast((override) => override.path.every((step, depth) => String(step) === String(path[depth])));
}

const OTHER_STRATEGY_HINT =
  '. The file has parameters for its own strategy: put --set "params={}" before your own parameters';
