/** What markets are filed under: categories, and topics within them. Operators keep them; the registry holds them. */
import { Fault } from '../../domain/index.ts';
import { type Json, type Registry, RegistryTable } from '../../exchange/index.ts';

/** A category; its slug is its key. */
export interface Category {
  readonly slug: string;
  readonly name: string;
}

/** A topic within a category; its UUID is its key. */
export interface Topic {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
}

/** All categories and topics, in memory. What is put goes with the next transaction. */
export class Catalogue {
  readonly #categories: RegistryTable<Category>;
  readonly #topics: RegistryTable<Topic>;

  /** @throws Fault on rows that are none */
  constructor(registry: Registry) {
    this.#categories = new RegistryTable(registry, 'category', {
      encode: ({ slug, name }) => ({ slug, name }),
      decode: (json) => ({ slug: textIn(json, 'slug'), name: textIn(json, 'name') }),
    });
    this.#topics = new RegistryTable(registry, 'topic', {
      encode: ({ id, slug, name, categorySlug }) => ({ id, slug, name, categorySlug }),
      decode: (json) => ({
        id: textIn(json, 'id'),
        slug: textIn(json, 'slug'),
        name: textIn(json, 'name'),
        categorySlug: textIn(json, 'categorySlug'),
      }),
    });
  }

  /** By slug. */
  get categories(): readonly Category[] {
    return [...this.#categories.entries()].map(([, category]) => category).sort(bySlug);
  }

  /** By slug. */
  get topics(): readonly Topic[] {
    return [...this.#topics.entries()].map(([, topic]) => topic).sort(bySlug);
  }

  category(slug: string): Category | undefined {
    return this.#categories.get(slug);
  }

  /** Slugs of topics are unique over all categories. */
  topic(slug: string): Topic | undefined {
    return this.topics.find((topic) => topic.slug === slug);
  }

  putCategory(category: Category): void {
    this.#categories.put(category.slug, category);
  }

  putTopic(topic: Topic): void {
    this.#topics.put(topic.id, topic);
  }

  /** Does nothing where there is none. */
  removeCategory(slug: string): void {
    this.#categories.delete(slug);
  }

  /** Does nothing where there is none. */
  removeTopic(id: string): void {
    this.#topics.delete(id);
  }
}

function bySlug(one: { readonly slug: string }, other: { readonly slug: string }): number {
  return one.slug < other.slug ? -1 : 1;
}

function textIn(json: Json, name: string): string {
  const value = typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
  if (typeof value === 'string') return value;
  const what = JSON.stringify(json);
  throw new Fault(
    'REGISTRY',
    `a row of the catalogue has no text "${name}": ${what}. Put back a good copy of the database`,
  );
}
