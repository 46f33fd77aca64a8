import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { offerNames } from '../../domain/closest-match';
import { readEach } from './read-all';
import { ScenarioError } from './scenario-error';

/** A place in a file. */
export interface Place {
  /** Throws ScenarioError that names the place. `allowed`: what may stand there, where that is long. */
  refuse: (why: string, allowed?: string) => never;
}

/** A map of a YAML file, read field by field. What is missing is undefined; what is of another sort is refused. */
export interface YamlMap {
  place: Place;
  keys: readonly string[];
  placeOf: (key: string) => Place;
  /** Refuses every other field. */
  allow: (keys: readonly string[]) => void;
  text: (key: string) => string | undefined;
  number: (key: string) => number | undefined;
  /** A whole number from 0. */
  count: (key: string) => number | undefined;
  texts: (key: string) => readonly (readonly [string, Place])[] | undefined;
  map: (key: string) => YamlMap | undefined;
  plain: () => Record<string, unknown>;
}

/** Opens a YAML text whose faults are told by file and line. Throws ScenarioError when it is no YAML. */
export function openYaml(file: string, text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });

  const placeAt = (offset: number): Place => ({
    refuse: (why, allowed) => {
      const line = text === '' ? 0 : lineCounter.linePos(offset).line;
      const words = `${line === 0 ? file : `${file}:${line}`}: ${why}`;
      throw new ScenarioError([{ line, words, ...(allowed === undefined ? {} : { allowed }) }]);
    },
  });
  const placeOf = (node: unknown) => placeAt((node as Node | null)?.range?.[0] ?? 0);

  const mapAt = (node: unknown): YamlMap => {
    const pairs = isMap(node) ? node.items : [];
    const entries = new Map(pairs.map(({ key, value }) => [String(isScalar(key) ? key.value : key), { key, value }]));
    const valueOf = (name: string): unknown => {
      const value = entries.get(name)?.value;
      return isAlias(value) ? placeOf(value).refuse(`write out what *${value.source} stands for`) : value;
    };
    const placeOfKey = (name: string) => placeOf(entries.get(name)?.value ?? entries.get(name)?.key ?? node);
    const scalar = (name: string): unknown => {
      if (!entries.has(name)) return undefined;
      const value = valueOf(name);
      return isScalar(value) ? value.value : value;
    };
    const number = (name: string) => {
      const value = scalar(name);
      return value === undefined || typeof value === 'number' ? value : placeOfKey(name).refuse(`${name} is a number`);
    };
    return {
      place: placeOf(node),
      keys: [...entries.keys()],
      placeOf: placeOfKey,
      allow: (keys) => {
        const unknown = [...entries.keys()].filter((key) => !keys.includes(key));
        readEach(unknown, (key) =>
          placeOf(entries.get(key)?.key).refuse(`"${key}" is no field here. ${offerNames('There are', key, keys)}`),
        );
      },
      text: (name) => {
        const value = scalar(name);
        if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value;
        return placeOfKey(name).refuse(`${name} is a text`);
      },
      number,
      count: (name) => {
        const value = number(name);
        return value === undefined || (Number.isInteger(value) && value >= 0)
          ? value
          : placeOfKey(name).refuse(`${name} is a whole number`);
      },
      texts: (name) => {
        if (!entries.has(name)) return undefined;
        const list = valueOf(name);
        if (!isSeq(list)) return placeOfKey(name).refuse(`${name} is a list`);
        return readEach(list.items, (item) =>
          isScalar(item) && typeof item.value === 'string'
            ? ([item.value, placeOf(item)] as const)
            : placeOf(item).refuse(`${name} is a list of texts`),
        );
      },
      map: (name) => {
        if (!entries.has(name)) return undefined;
        const value = valueOf(name);
        return isMap(value) ? mapAt(value) : placeOfKey(name).refuse(`${name} has fields of its own`);
      },
      plain: () => {
        try {
          return isMap(node) ? (node.toJS(document) as Record<string, unknown>) : {};
        } catch {
          // The library bounds what aliases may grow to.
          return placeOf(node).refuse('its aliases stand for too much: write it out');
        }
      },
    };
  };

  const [fault] = document.errors;
  if (fault) placeAt(fault.pos[0]).refuse(fault.message);
  return { contents: document.contents as unknown, place: placeOf(document.contents), mapAt };
}
