import { h, icon } from '../../team-page/page/elements.mjs';
import { findingText } from './wording.mjs';

/** The findings of a review as a list, or that there are none. */
export const tags = (findings) =>
  findings.length === 0
    ? h('p', { class: 'soft' }, 'No findings')
    : h(
        'ul',
        { class: 'tags' },
        findings.map((finding) => h('li', {}, icon('warning'), findingText(finding))),
      );
