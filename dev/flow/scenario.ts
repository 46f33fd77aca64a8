import { isMap, isSeq } from 'yaml';
import type { FlowDefinition } from '../../domain/flows/definition';
import { offerNames } from '../../domain/flows/offer-names';
import { nearest } from '../../platform/nearest';
import { allowedLines, type PersonLine, readPersonLine } from './person-line';
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
  return texts.map(([text, at]) => {
    const line = readPersonLine(text);
    return line ?? at.refuse(`"${text}" is no line of a person. Allowed:\n  ${allowedLines.join('\n  ')}`);
  });
}

/** Refuses what a flow does not have: expected of a run, it could only fail. */
function refuseUnknown(expect: YamlMap, { steps }: FlowDefinition): void {
  const outcomes = new Set(Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : [])));
  const outcome = expect.text('outcome');
  if (outcome !== undefined && !outcomes.has(outcome))
    expect
      .placeOf('outcome')
      .refuse(`there is no outcome ${outcome}. ${offerNames('There are', outcome, [...outcomes], { nearest })}`);
  for (const [step, place] of expect.texts('path') ?? [])
    if (!Object.hasOwn(steps, step))
      place.refuse(`there is no step ${step}. ${offerNames('There are', step, Object.keys(steps), { nearest })}`);
}

function readExpectation(expect: YamlMap, flow: FlowDefinition | undefined): Expectation {
  expect.allow(['outcome', 'path', 'withinSeconds', 'sends']);
  if (flow) refuseUnknown(expect, flow);
  const [path, withinSeconds, sends] = [expect.texts('path'), expect.count('withinSeconds'), expect.count('sends')];
  return {
    outcome: expect.text('outcome') ?? expect.place.refuse('expect needs an outcome'),
    ...(path ? { path: path.map(([step]) => step) } : {}),
    ...(withinSeconds === undefined ? {} : { withinSeconds }),
    ...(sends === undefined ? {} : { sends }),
  };
}

function readScenario(entry: YamlMap, flow: FlowDefinition | undefined): Scenario {
  entry.allow(['name', 'transaction', 'person', 'expect']);
  const expect = entry.map('expect') ?? entry.place.refuse('a scenario needs expect, with an outcome');
  const transaction = entry.map('transaction');
  return {
    name: entry.text('name') ?? entry.place.refuse('a scenario needs a name'),
    transaction: transaction ? readTransaction(transaction) : {},
    person: readPerson(entry.texts('person') ?? entry.place.refuse('a scenario needs person, a list')),
    expect: readExpectation(expect, flow),
  };
}

/**
 * Reads the scenarios of a file, and holds what they expect against the flow, where there is one. Throws ScenarioError with
 * the file, the line and what may stand there.
 */
export function readScenarios(file: string, text: string, flow?: FlowDefinition): readonly Scenario[] {
  const { contents, place, mapAt } = openYaml(file, text);
  if (!isSeq(contents) || contents.items.length === 0) return place.refuse('the file is a list of scenarios');
  const seen = new Set<string>();
  return contents.items.map((item) => {
    if (!isMap(item)) return mapAt(item).place.refuse('a scenario has name, person and expect');
    const entry = mapAt(item);
    const scenario = readScenario(entry, flow);
    if (seen.has(scenario.name)) entry.place.refuse(`two scenarios are named "${scenario.name}"`);
    seen.add(scenario.name);
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
