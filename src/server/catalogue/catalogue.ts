/** What markets are filed under: categories, and topics within them. Operators keep them; the registry holds them. */
import { Fault } from '../../domain/index.ts';
import type { Json, Registry, RegistryChange } from '../../exchange/index.ts';

/** A category. */
export interface Category {
  readonly slug: string;
  readonly name: string;
  /** False: it is not listed and takes no new markets. */
  readonly isActive: boolean;
}

/** A topic within a category. */
export interface Topic {
  /** UUID. */
  readonly id: string;
  /** Unique over all categories. */
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
}

/** All categories and topics by slug, in memory. What is put is there for everybody when it is durable. */
export class Catalogue {
  readonly #registry: Registry;
  readonly #categories = new Map<string, Category>();
  readonly #topics = new Map<string, Topic>();

  /** @throws Fault on rows that are none */
  constructor(registry: Registry) {
    this.#registry = registry;
    for (const { key, value } of registry.load('category')) this.#categories.set(key, categoryOf(key, value));
    for (const { key, value } of registry.load('topic')) this.#topics.set(key, topicOf(key, value));
  }

  get categories(): readonly Category[] {
    return [...this.#categories.values()];
  }

  get topics(): readonly Topic[] {
    return [...this.#topics.values()];
  }

  category(slug: string): Category | undefined {
    return this.#categories.get(slug);
  }

  topic(slug: string): Topic | undefined {
    return this.#topics.get(slug);
  }

  /** Adds one, or changes the one with its slug. Resolves when it is durable. */
  async putCategory(category: Category): Promise<void> {
    const { slug, name, isActive } = category;
    await this.#write({ table: 'category', key: slug, value: { name, isActive } });
    this.#categories.set(slug, category);
  }

  /** The same for a topic. */
  async putTopic(topic: Topic): Promise<void> {
    const { id, slug, name, categorySlug } = topic;
    await this.#write({ table: 'topic', key: slug, value: { id, name, categorySlug } });
    this.#topics.set(slug, topic);
  }

  #write(change: RegistryChange): Promise<void> {
    this.#registry.put(change);
    return new Promise((resolve, reject) => {
      this.#registry.sync((fault) => (fault === undefined ? resolve() : reject(fault)));
    });
  }
}

function categoryOf(slug: string, json: Json): Category {
  if (typeof json === 'object' && json !== null && 'name' in json && 'isActive' in json) {
    const { name, isActive } = json;
    if (typeof name === 'string' && typeof isActive === 'boolean') return { slug, name, isActive };
  }
  throw damaged('category', slug);
}

function topicOf(slug: string, json: Json): Topic {
  if (typeof json === 'object' && json !== null && 'id' in json && 'name' in json && 'categorySlug' in json) {
    const { id, name, categorySlug } = json;
    if (typeof id === 'string' && typeof name === 'string' && typeof categorySlug === 'string') {
      return { id, slug, name, categorySlug };
    }
  }
  throw damaged('topic', slug);
}

function damaged(kind: string, slug: string): Fault {
  return new Fault('REGISTRY', `the ${kind} ${slug} cannot be read. Put back a good copy of the database`);
}
