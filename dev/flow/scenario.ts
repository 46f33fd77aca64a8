import { isMap, isSeq } from 'yaml';
import type { FlowDefinition } from '../../domain/flows/definition';
import { offerNames } from '../../domain/closest-match';
import { allowedLines, type PersonLine, readPersonLine } from './person-line';
import { readAll, readEach } from './read-all';
import { readTransaction } from './read-transaction';
import type { ScenarioTransaction } from './scenario-transaction';
import { openYaml, type Place, type YamlMap } from './yaml-place';

/** A person, scripted, and what is to come of it. */
export interface Scenario {
  name: string;
  transaction: ScenarioTransaction;
  /**
   * In order. A step that asks takes the next lines about its channel, up to the first that ends the ask; the line after
   * it waits for the next ask on that channel. Without a line left, the person ignores what is asked.
   */
  person: readonly PersonLine[];
  /** Absent where a run is only looked at. */
  expect?: Expectation;
}

export interface Expectation {
  outcome: string;
  /** Every step that is entered, in order, the outcome's own included. */
  path?: readonly string[];
  /** From the beginning to the end of the run, at most. */
  withinSeconds?: number;
  /** Messages in all, exactly. */
  sends?: number;
}

function readPerson(texts: readonly (readonly [string, Place])[]): PersonLine[] {
  const allowed = `Lines of a person:\n  ${allowedLines.join('\n  ')}`;
  return readEach(
    texts,
    ([text, at]) => readPersonLine(text) ?? at.refuse(`"${text}" is no line of a person.`, allowed),
  );
}

/** Refuses what a flow does not have: expected of a run, it could only fail. */
function refuseUnknown(expect: YamlMap, { steps }: FlowDefinition): void {
  const outcomes = new Set(Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : [])));
  const outcome = expect.text('outcome');
  const refuseIn = (place: Place, sort: string, name: string, names: readonly string[]) =>
    place.refuse(`there is no ${sort} ${name}. ${offerNames('There are', name, names)}`);
  readAll(
    () =>
      outcome === undefined ||
      outcomes.has(outcome) ||
      refuseIn(expect.placeOf('outcome'), 'outcome', outcome, [...outcomes]),
    () =>
      readEach(
        expect.texts('path') ?? [],
        ([step, place]) => Object.hasOwn(steps, step) || refuseIn(place, 'step', step, Object.keys(steps)),
      ),
  );
}

function readExpectation(expect: YamlMap, flow: FlowDefinition | undefined): Expectation {
  const [, outcome, path, withinSeconds, sends] = readAll(
    () => expect.allow(['outcome', 'path', 'withinSeconds', 'sends']),
    () => expect.text('outcome') ?? expect.place.refuse('expect needs an outcome'),
    () => expect.texts('path'),
    () => expect.count('withinSeconds'),
    () => expect.count('sends'),
    () => flow && refuseUnknown(expect, flow),
  );
  return {
    outcome,
    ...(path ? { path: path.map(([step]) => step) } : {}),
    ...(withinSeconds === undefined ? {} : { withinSeconds }),
    ...(sends === undefined ? {} : { sends }),
  };
}

function readScenario(entry: YamlMap, flow: FlowDefinition | undefined): Scenario {
  const [, name, transaction, person, expect] = readAll(
    () => entry.allow(['name', 'transaction', 'person', 'expect']),
    () => entry.text('name') ?? entry.place.refuse('a scenario needs a name'),
    () => {
      const given = entry.map('transaction');
      return given ? readTransaction(given) : {};
    },
    () => readPerson(entry.texts('person') ?? entry.place.refuse('a scenario needs person, a list')),
    () => readExpectation(entry.map('expect') ?? entry.place.refuse('a scenario needs expect, with an outcome'), flow),
  );
  return { name, transaction, person, expect };
}

/**
 * Reads the scenarios of a file, and holds what they expect against the flow, where there is one. Throws one ScenarioError
 * for all that is refused, with the file, the lines and what may stand there.
 */
export function readScenarios(file: string, text: string, flow?: FlowDefinition): readonly Scenario[] {
  const { contents, place, mapAt } = openYaml(file, text);
  if (!isSeq(contents) || contents.items.length === 0) return place.refuse('the file is a list of scenarios');
  const seen = new Set<string>();
  return readEach(contents.items, (item) => {
    if (!isMap(item)) return mapAt(item).place.refuse('a scenario has name, person and expect');
    const entry = mapAt(item);
    const [scenario] = readAll(
      () => readScenario(entry, flow),
      () => {
        const name = entry.text('name') ?? '';
        if (seen.has(name)) entry.place.refuse(`two scenarios are named "${name}"`);
        seen.add(name);
      },
    );
    return scenario;
  });
}

/** Reads a person of one line, such as `ignores sms; after 2m presses 2 on whatsapp`. Throws ScenarioError. */
export function readPersonOption(option: string): Scenario {
  const { place } = openYaml('--person', '');
  const texts = option.split(';').filter((text) => text.trim() !== '');
  if (texts.length === 0) place.refuse('person has at least one line');
  return {
    name: '--person',
    transaction: {},
    person: readPerson(texts.map((text) => [text.trim(), place])),
  };
}
