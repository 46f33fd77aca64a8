import { countWords, durationWords } from '../../domain/flows/step-words';
import type { Expectation } from './scenario';
import type { Timeline } from './timeline';

/** What of a run is not as expected, a line each; none when all is. */
export function compareTimeline({ outcome, path, seconds, sends, neverCame }: Timeline, expect: Expectation): string[] {
  const differences: string[] = [];
  const ended = outcome === undefined ? 'it did not end' : `it ended as ${outcome}`;
  if (outcome !== expect.outcome) differences.push(`expected the outcome ${expect.outcome}; ${ended}`);
  if (expect.path && expect.path.join(' ') !== path.join(' '))
    differences.push(`expected the path ${expect.path.join(' > ')}; it went ${path.join(' > ')}`);
  if (expect.withinSeconds !== undefined && seconds > expect.withinSeconds)
    differences.push(
      `expected an end within ${durationWords(expect.withinSeconds)}; it took ${durationWords(seconds)}`,
    );
  if (expect.sends !== undefined && expect.sends !== sends)
    differences.push(`expected ${countWords(expect.sends, 'message')}; it sent ${sends}`);
  if (neverCame.length > 0) differences.push(`these lines never came: ${neverCame.join('; ')}`);
  return differences;
}
