import type { Matter, PersonLine } from './person-line';

/** The lines of a person, given out ask by ask. */
export interface Script {
  /** The next line about the matter, which is then used up; undefined when there is none, or it begins a later ask. */
  next: (about: Matter) => PersonLine | undefined;
  /** Notes that a line had its effect, if only that it was refused. */
  came: (line: PersonLine) => void;
  /** The lines that had none, as they were written: no step came to them, or they came too late. */
  neverCame: () => readonly string[];
}

export function makeScript(person: readonly PersonLine[]): Script {
  const left = [...person];
  const came = new Set<PersonLine>();
  return {
    came: (line) => void came.add(line),
    neverCame: () => person.filter((line) => !came.has(line)).map(({ text }) => text),
    next: (about) => {
      const index = left.findIndex((line) => line.about === about);
      return index === -1 ? undefined : left.splice(index, 1)[0];
    },
  };
}
