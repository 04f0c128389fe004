/** Order groups as their accounts know them: by UUID and label. The exchange knows numbers and limits. */
import { Fault, type GroupNo, groupNo } from '../../domain/index.ts';
import { type Json, type Registry, RegistryTable } from '../../exchange/index.ts';

/** What a group is called. */
export interface GroupName {
  readonly group: GroupNo;
  readonly label: string;
}

/** Names by UUID and by number. What is put goes with the next transaction. */
export class GroupNames {
  readonly #rows: RegistryTable<GroupName>;
  readonly #ids = new Map<number, string>();

  constructor(registry: Registry) {
    this.#rows = new RegistryTable(registry, 'orderGroup', { encode: encoded, decode: decoded });
    for (const [id, { group }] of this.#rows.entries()) this.#ids.set(group, id);
  }

  /** @param id a UUID in lower case */
  find(id: string): GroupName | undefined {
    return this.#rows.get(id);
  }

  /** The UUID of a group; undefined for one that was deleted, or never had a name. */
  idOf(group: number): string | undefined {
    return this.#ids.get(group);
  }

  put(id: string, name: GroupName): void {
    this.#rows.put(id, name);
    this.#ids.set(name.group, id);
  }

  delete(id: string): void {
    const name = this.#rows.get(id);
    if (name === undefined) return;
    this.#rows.delete(id);
    this.#ids.delete(name.group);
  }
}

function encoded({ group, label }: GroupName): Json {
  return { group, label };
}

function decoded(json: Json): GroupName {
  if (typeof json === 'object' && json !== null && 'group' in json && 'label' in json) {
    const { group, label } = json;
    if (typeof group === 'number' && typeof label === 'string') return { group: groupNo(group), label };
  }
  throw new Fault('REGISTRY', `an order group is ${JSON.stringify(json)}. Put back a good copy of the database`);
}
