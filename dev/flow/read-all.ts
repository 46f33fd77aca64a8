import { type Refusal, ScenarioError } from './scenario-error';

/** What each of several readings gives. When some refuse, the others are made all the same: one ScenarioError tells of all. */
export function readAll<Readings extends readonly (() => unknown)[]>(
  ...readings: Readings
): { [At in keyof Readings]: ReturnType<Readings[At]> } {
  const refusals: Refusal[] = [];
  const read = readings.map((reading) => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      refusals.push(...error.refusals);
      return undefined;
    }
  });
  if (refusals.length > 0) throw new ScenarioError(refusals);
  return read as { [At in keyof Readings]: ReturnType<Readings[At]> };
}

/** What a reading gives of each item. When some are refused, one ScenarioError tells of all. */
export const readEach = <Item, Read>(items: readonly Item[], read: (item: Item) => Read): Read[] =>
  readAll(...items.map((item) => () => read(item)));
