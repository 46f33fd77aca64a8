import { bdiText } from '../../pages/browser/elements.mjs';
import { tag } from './tag.mjs';

/** Whether diagrams show the outcome as good. */
const isGood = (outcome) => outcome === 'Confirmed';

/** Creates a tag with the outcome of a run, or with its status if it has no outcome. */
export function statusTag({ status, outcome }) {
  if (status === 'Running') return tag('busy', 'Running');
  if (status === 'Completed' && outcome) return tag(isGood(outcome) ? 'good' : 'plain', bdiText(outcome));
  return tag('plain', status);
}
