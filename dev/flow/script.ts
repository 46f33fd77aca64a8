import type { Matter, PersonLine } from './person-line';

/** The lines of a person, given out ask by ask. */
export interface Script {
  /** The next line about the matter, which is then used up; undefined when there is none, or it begins a later ask. */
  next: (about: Matter) => PersonLine | undefined;
}

export function makeScript(person: readonly PersonLine[]): Script {
  const left = [...person];
  return {
    next: (about) => {
      const index = left.findIndex((line) => line.about === about);
      return index === -1 ? undefined : left.splice(index, 1)[0];
    },
  };
}
