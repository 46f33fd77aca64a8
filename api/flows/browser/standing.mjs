import { isolatedText } from '../../pages/browser/elements.mjs';
import { tag } from './tag.mjs';

/** The outcome that diagrams show as good. */
const isGood = (outcome) => outcome === 'Confirmed';

/** The status of a run, or its outcome. */
export function statusTag({ status, outcome }) {
  if (status === 'Running') return tag('busy', 'Running');
  if (status === 'Completed' && outcome) return tag(isGood(outcome) ? 'good' : 'plain', isolatedText(outcome));
  return tag('plain', status);
}
