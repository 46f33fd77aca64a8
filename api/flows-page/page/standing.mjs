import { foreign } from '../../team-page/page/elements.mjs';
import { tag } from './tag.mjs';

/** How a run stands: its outcome when it has one. */
export function standing({ status, outcome }) {
  if (status === 'Running') return tag('busy', 'Running');
  return status === 'Completed' ? tag('good', foreign(outcome ?? status)) : tag('plain', status);
}
