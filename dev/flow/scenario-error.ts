/** A scenario that cannot be read. The message names the file and the line, and what may stand there. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}
