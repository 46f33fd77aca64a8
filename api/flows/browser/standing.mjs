import { foreign } from '../../pages/browser/elements.mjs';
import { tag } from './tag.mjs';

/** As in drawings: an outcome that confirms the person. */
const isGood = (outcome) => outcome === 'Confirmed';

/** How a run stands: its outcome when it has one. */
export function standing({ status, outcome }) {
  if (status === 'Running') return tag('busy', 'Running');
  if (status === 'Completed' && outcome) return tag(isGood(outcome) ? 'good' : 'plain', foreign(outcome));
  return tag('plain', status);
}
