import { h, icon } from '../../pages/browser/elements.mjs';
import { findingText } from './labels.mjs';

/** A list element with the findings of a review. */
export const findingTags = (findings) =>
  findings.length === 0
    ? h('p', { class: 'soft' }, 'No findings')
    : h(
        'ul',
        { class: 'tags' },
        findings.map((finding) => h('li', {}, icon('warning'), findingText(finding))),
      );
